// Runs the command that proves a fix, in a terminal of its own, when the user clicks for it, and reads what it printed.
import * as vscode from "vscode";
import { type Answer, type Answers, idOf } from "../answers.js";
import type { Server } from "../server/server.js";
import { type Ended, runIn } from "./commands.js";

interface Outcome {
  /** null: the output tells neither state. */
  readonly resolved: boolean | null;
  readonly said: string;
}

export class Verification implements vscode.Disposable {
  private readonly terminals = new Set<vscode.Terminal>();
  private readonly listener = vscode.window.onDidCloseTerminal((terminal) => this.terminals.delete(terminal));

  constructor(
    private readonly server: Server,
    private readonly answers: Answers,
  ) {}

  /** Whether a terminal shows verifications, whose failures are no failed runs. */
  owns(terminal: vscode.Terminal): boolean {
    return this.terminals.has(terminal);
  }

  /** Run the verification of an answer. Only its name is taken: a link in a log's text cannot bring a command along. */
  async run(of: unknown): Promise<void> {
    const answer = this.answers.get(idOf(of));
    if (!vscode.workspace.isTrusted) return say("Firstfault runs commands in trusted workspaces only.");
    if (!answer?.diagnosis.verify) {
      return say("Firstfault: no command can verify this; the diagnosis says how to confirm it.");
    }
    const ended = await runIn(this.terminal(answer.cwd), answer.diagnosis.verify.command);
    if (ended) await this.read(answer, ended);
  }

  /** Run the command again that failed, where it failed. */
  async runAgain(of: unknown): Promise<void> {
    const answer = this.answers.get(idOf(of));
    if (!vscode.workspace.isTrusted) return say("Firstfault runs commands in trusted workspaces only.");
    if (!answer?.command) return say("Firstfault: it is not known by which command this run was started.");
    const { terminal, cwd, command } = answer;
    const open = terminal?.exitStatus === undefined ? terminal : undefined;
    await runIn(open ?? vscode.window.createTerminal(cwd ? { cwd } : {}), command);
  }

  dispose(): void {
    this.listener.dispose();
  }

  private async read(answer: Answer, { exitCode, output }: Ended): Promise<void> {
    try {
      const seen = await this.server.ask<Outcome>("firstfault.verified", { id: answer.id, exitCode, output });
      if (seen.resolved) this.answers.forget(answer.id);
      say(`Firstfault: ${seen.said}`);
    } catch (error) {
      this.server.tell(error);
    }
  }

  private terminal(cwd: string | undefined): vscode.Terminal {
    const idle = [...this.terminals].find((terminal) => terminal.exitStatus === undefined);
    const terminal = idle ?? vscode.window.createTerminal({ name: "Firstfault verification", ...(cwd ? { cwd } : {}) });
    this.terminals.add(terminal);
    return terminal;
  }
}

function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
