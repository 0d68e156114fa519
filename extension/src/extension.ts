// What the editor loads: builds the parts and connects them. It reads nothing by itself.
import * as vscode from "vscode";
import { Answers } from "./answers.js";
import { registerDebugInformation } from "./debug.js";
import { Diagnosing } from "./diagnosing.js";
import { registerExports } from "./report/exports.js";
import { Panel } from "./report/panel.js";
import { registerPlaces } from "./report/places.js";
import { registerSelection } from "./selection.js";
import { Server } from "./server/server.js";
import { registerSources } from "./sources.js";
import { StatusLine } from "./statusLine.js";
import { Verification } from "./terminal/verification.js";
import { Watch } from "./terminal/watch.js";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel("Firstfault", { log: true });
  server = new Server(context, log);
  const answers = new Answers();
  const line = new StatusLine(answers);
  const panel = new Panel(context, server, answers);
  const diagnosing = new Diagnosing(server, answers, line, panel);
  const verification = new Verification(server, answers);
  const watch = new Watch(diagnosing, verification, log);
  context.subscriptions.push(log, server, answers, line, panel, diagnosing, verification, watch);
  context.subscriptions.push(
    ...registerSelection(diagnosing),
    ...registerSources(diagnosing),
    ...registerPlaces(),
    ...registerExports(context, server, answers),
    ...registerDebugInformation(context, server, log),
    vscode.commands.registerCommand("firstfault.diagnoseLastCommand", () => watch.diagnoseLastCommand()),
    vscode.commands.registerCommand("firstfault.openDiagnosis", (of?: unknown) => panel.open(of)),
    vscode.commands.registerCommand("firstfault.runVerification", (of?: unknown) => verification.run(of)),
    vscode.commands.registerCommand("firstfault.runAgain", (of?: unknown) => verification.runAgain(of)),
    vscode.commands.registerCommand("firstfault.dismissAll", () => diagnosing.dismissAll()),
    vscode.commands.registerCommand("firstfault.restartServer", () => server?.restart()),
    vscode.commands.registerCommand("firstfault.showLogs", () => log.show()),
  );
  warmForCode(context, server);
  log.info(`activated in ${(performance.now() - began).toFixed(1)} ms`);
}

/** Mistakes in code are marked as it is typed, so the server runs while code is on the screen; else until it is asked. */
function warmForCode(context: vscode.ExtensionContext, server: Server): void {
  const warm = (editors: readonly vscode.TextEditor[]) => {
    if (editors.some(({ document }) => document.languageId === "python")) server.warm();
  };
  context.subscriptions.push(vscode.window.onDidChangeVisibleTextEditors(warm));
  warm(vscode.window.visibleTextEditors);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
