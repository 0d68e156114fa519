// A question to the server, from whatever the user points at, and what is shown of its answer.
import * as vscode from "vscode";
import type { Answer, Answers, Diagnosis } from "./answers.js";
import type { Panel } from "./report/panel.js";
import { NoInterpreter } from "./server/interpreter.js";
import type { Server } from "./server/server.js";
import type { StatusLine } from "./statusLine.js";

/** The contract's arguments of `firstfault.diagnose`. */
export interface Question {
  readonly text?: string;
  readonly paths?: readonly string[];
  readonly cwd?: string | undefined;
  readonly command?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly origin: string;
}

export class Diagnosing implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly answers: Answers,
    private readonly line: StatusLine,
    private readonly panel: Panel,
  ) {
    this.disposables = [
      vscode.commands.registerCommand("firstfault.dismissAnswer", (of: { id: string }) => this.dismiss(of.id)),
      server.onDidDismiss((id) => (typeof id === "string" ? answers.forget(id) : answers.clear())),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Diagnose what the user asked about, with progress and cancel, and open the answer. */
  async show(question: Question, title: string, terminal?: vscode.Terminal): Promise<void> {
    const id = this.answers.nextId();
    const options = { location: vscode.ProgressLocation.Notification, title: `Firstfault: ${title}`, cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      let last = 0;
      const shown = this.server.onProgress(id, (message, percentage) => {
        const increment = percentage === undefined ? 0 : percentage - last;
        last += increment;
        progress.report({ ...(message ? { message } : {}), increment });
      });
      try {
        const diagnosis = await this.server.ask<Diagnosis>("firstfault.diagnose", { ...question, id }, token);
        await this.present(this.remember(id, question, diagnosis, terminal));
      } catch (error) {
        if (!token.isCancellationRequested) this.complain(error);
      } finally {
        shown.dispose();
      }
    });
  }

  /** Diagnose a failed command of a terminal, quietly: only a failed training run is spoken of. */
  async watch(question: Question, terminal: vscode.Terminal): Promise<void> {
    const id = this.answers.nextId();
    try {
      const diagnosis = await this.server.ask<Diagnosis | null>("firstfault.diagnoseCommand", { ...question, id });
      if (diagnosis) this.line.announce(this.remember(id, question, diagnosis, terminal));
    } catch (error) {
      this.complain(error);
    }
  }

  /** Offer to read the output of a failed command that was not seen, where the command starts a training run. */
  async offer(command: string, cwd: string | undefined): Promise<void> {
    try {
      if (await this.server.ask<boolean>("firstfault.startsTraining", { command, cwd })) this.line.offerToRead(command);
    } catch (error) {
      this.complain(error);
    }
  }

  /** A command has succeeded: what was said about its failure is no longer true. */
  async succeeded(command: string, cwd: string | undefined): Promise<void> {
    this.line.withdraw(command);
    if (this.answers.forgetCommand(command, cwd)) await this.quietly("firstfault.clear", { command, cwd });
  }

  async dismiss(id: string): Promise<void> {
    this.answers.forget(id);
    await this.quietly("firstfault.dismiss", { id });
  }

  async dismissAll(): Promise<void> {
    this.answers.clear();
    this.line.hide();
    await this.quietly("firstfault.dismiss", {});
  }

  private remember(id: string, question: Question, diagnosis: Diagnosis, terminal?: vscode.Terminal): Answer {
    const answer = { id, diagnosis, command: question.command, cwd: question.cwd, terminal };
    this.answers.add(answer);
    return answer;
  }

  private async present(answer: Answer): Promise<void> {
    if (answer.diagnosis.verdict !== "no_failure") this.line.show(answer);
    await this.panel.open({ id: answer.id });
  }

  private async quietly(command: string, argument: object): Promise<void> {
    try {
      await this.server.ask(command, argument);
    } catch (error) {
      this.complain(error);
    }
  }

  private complain(error: unknown): void {
    if (error instanceof NoInterpreter) return this.server.tell(error);
    void vscode.window.showErrorMessage(`Firstfault: ${error instanceof Error ? error.message : String(error)}`);
  }
}
