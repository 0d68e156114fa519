// Looks at the commands of the terminals: keeps what they print, and asks about those that fail.
import * as vscode from "vscode";
import { copiedBy } from "../clipboard.js";
import type { Diagnosing } from "../diagnosing.js";
import * as settings from "../settings.js";
import { Output } from "./output.js";
import type { Verification } from "./verification.js";

/** Ctrl-C: 128 + SIGINT of a POSIX shell, STATUS_CONTROL_C_EXIT of Windows. */
const STOPPED_BY_HAND = new Set([130, 0xc000013a, -1073741510]);
const PATIENCE = 3_000; // milliseconds for the rest of a stream whose command has ended

interface Watched {
  readonly output: Output;
  readonly complete: Promise<void>;
}

interface Failed {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly exitCode: number;
}

export class Watch implements vscode.Disposable {
  private readonly running = new WeakMap<vscode.TerminalShellExecution, Watched>();
  private readonly lastFailed = new WeakMap<vscode.Terminal, Failed>();
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly diagnosing: Diagnosing,
    private readonly verification: Verification,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.listeners = [
      vscode.window.onDidStartTerminalShellExecution((event) => this.started(event)),
      vscode.window.onDidEndTerminalShellExecution((event) => void this.ended(event)),
    ];
  }

  /** Read the output of the active terminal's last command from the terminal itself, because the user clicked for it. */
  async diagnoseLastCommand(): Promise<void> {
    const terminal = vscode.window.activeTerminal;
    const text = terminal ? await copiedBy("workbench.action.terminal.copyLastCommandOutput") : "";
    if (!terminal || !text.trim()) {
      void vscode.window.showInformationMessage(
        "Firstfault: the active terminal has no output of a command to read; select the text and use Diagnose Selection.",
      );
      return;
    }
    const facts = this.lastFailed.get(terminal);
    await this.diagnosing.show({ text, origin: "terminal", ...facts }, "reading the last command's output", terminal);
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
  }

  private started({ execution, terminal }: vscode.TerminalShellExecutionStartEvent): void {
    if (settings.automaticDiagnosis() === "off" || this.verification.owns(terminal)) return;
    const output = new Output();
    // The stream must be taken now: taken when the command has ended, it is empty.
    this.running.set(execution, { output, complete: this.read(execution, output) });
  }

  private async read(execution: vscode.TerminalShellExecution, output: Output): Promise<void> {
    for await (const chunk of execution.read()) output.add(chunk);
  }

  private async ended({ execution, terminal, exitCode }: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    const watched = this.running.get(execution);
    if (!watched || exitCode === undefined || STOPPED_BY_HAND.has(exitCode)) return;
    const command = execution.commandLine.value.trim();
    const cwd = (execution.cwd ?? terminal.shellIntegration?.cwd)?.fsPath;
    if (exitCode === 0) return await this.diagnosing.succeeded(command, cwd);
    this.lastFailed.set(terminal, { command, cwd, exitCode });
    await Promise.race([watched.complete, new Promise((done) => setTimeout(done, PATIENCE))]);
    this.log.debug(`exit code ${exitCode}, ${watched.output.empty ? "no output seen" : "output seen"}: ${command}`);
    if (watched.output.empty) return await this.diagnosing.offer(command, cwd);
    const question = { text: watched.output.text, command, cwd, exitCode, origin: "terminal" };
    await this.diagnosing.watch(question, terminal);
  }
}
