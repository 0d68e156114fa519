// "Print Debug Information": what somebody who helps needs to know. It is shown, and sent nowhere.
import * as vscode from "vscode";
import { librariesOf } from "./server/interpreter.js";
import type { Server } from "./server/server.js";
import * as settings from "./settings.js";

export function registerDebugInformation(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("firstfault.printDebugInformation", async () => {
      const problem = await server.ask("firstfault.report").then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      const start = context.asAbsolutePath("server/start.py");
      const python = server.interpreter ? await librariesOf(server.interpreter, start) : null;
      const content = `${JSON.stringify({ ...facts(context, server, problem), python }, null, 2)}\n`;
      log.info(content);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: "json" }));
    }),
  ];
}

function facts(context: vscode.ExtensionContext, server: Server, problem: string | null): object {
  const packageJson = context.extension.packageJSON as { version: string };
  return {
    firstfault: packageJson.version,
    editor: `${vscode.env.appName} ${vscode.version} (${vscode.env.appHost})`,
    system: `${process.platform} ${process.arch}`,
    remote: vscode.env.remoteName ?? null,
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    settings: {
      interpreter: settings.interpreter(),
      automaticDiagnosis: settings.automaticDiagnosis(),
      logLevel: settings.logLevel(),
    },
    interpreter: server.interpreter ? `${server.interpreter.command} (${server.interpreter.source})` : null,
    server: { pid: server.pid ?? null, problem, lastLines: server.lastLines },
  };
}
