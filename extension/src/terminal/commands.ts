// Runs a command in a terminal: through the shell's integration where there is one, which tells how it ended.
import * as vscode from "vscode";
import { Output } from "./output.js";

const PATIENCE = 5_000; // milliseconds that a new shell has to show its integration

export interface Ended {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** Type a command into a terminal; return how it ended, undefined where the shell does not tell. */
export async function runIn(terminal: vscode.Terminal, command: string): Promise<Ended | undefined> {
  terminal.show();
  const integration = terminal.shellIntegration ?? (await integrationOf(terminal));
  if (!integration) {
    terminal.sendText(command);
    return undefined;
  }
  const execution = integration.executeCommand(command);
  const ended = endOf(execution, terminal);
  const output = new Output();
  for await (const chunk of execution.read()) output.add(chunk);
  return { exitCode: await ended, output: output.text };
}

function integrationOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
  return new Promise((done) => {
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) finish(event.shellIntegration);
    });
    const timer = setTimeout(() => finish(undefined), PATIENCE);
    const finish = (integration: vscode.TerminalShellIntegration | undefined) => {
      listener.dispose();
      clearTimeout(timer);
      done(integration);
    };
  });
}

function endOf(execution: vscode.TerminalShellExecution, terminal: vscode.Terminal): Promise<number | undefined> {
  return new Promise((done) => {
    const listeners = [
      vscode.window.onDidEndTerminalShellExecution((event) => event.execution === execution && finish(event.exitCode)),
      vscode.window.onDidCloseTerminal((closed) => closed === terminal && finish(undefined)),
    ];
    const finish = (exitCode: number | undefined) => {
      for (const listener of listeners) listener.dispose();
      done(exitCode);
    };
  });
}
