// Runs the command that proves a fix, in a terminal of its own, when the user clicks for it.
import * as vscode from "vscode";
import { type Answers, idOf } from "../answers.js";

export class Verification implements vscode.Disposable {
  private readonly terminals = new Set<vscode.Terminal>();
  private readonly listener = vscode.window.onDidCloseTerminal((terminal) => this.terminals.delete(terminal));

  constructor(private readonly answers: Answers) {}

  /** Whether a terminal shows verifications, whose failures are no failed runs. */
  owns(terminal: vscode.Terminal): boolean {
    return this.terminals.has(terminal);
  }

  /** Run the verification of an answer. Only its name is taken: a link in a log's text cannot bring a command along. */
  run(of: unknown): void {
    const answer = this.answers.get(idOf(of));
    const verify = answer?.diagnosis.verify;
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showInformationMessage("Firstfault runs commands in trusted workspaces only.");
    } else if (!verify) {
      void vscode.window.showInformationMessage("Firstfault: no command can verify this; the diagnosis says how to confirm it.");
    } else {
      const terminal = this.terminal(answer?.cwd);
      terminal.show();
      terminal.sendText(verify.command);
    }
  }

  dispose(): void {
    this.listener.dispose();
  }

  private terminal(cwd: string | undefined): vscode.Terminal {
    const idle = [...this.terminals].find((terminal) => terminal.exitStatus === undefined);
    const terminal = idle ?? vscode.window.createTerminal({ name: "Firstfault verification", ...(cwd ? { cwd } : {}) });
    this.terminals.add(terminal);
    return terminal;
  }
}
