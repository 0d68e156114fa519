// What happens when the server dies: its last words are logged, and it is started again, each time after a longer pause.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import * as vscode from "vscode";

const WORDS = 20; // lines that are kept
const PAUSES = [500, 2_000, 8_000, 30_000]; // milliseconds before each new start
const CALM = 180_000; // a server that has lived this long (milliseconds) gets the first pause again

export class Crashes implements vscode.Disposable {
  private readonly kept: string[] = [];
  private times: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly startAgain: () => Promise<void>,
  ) {}

  /** The last lines that the server wrote to its standard error. */
  get lines(): readonly string[] {
    return this.kept;
  }

  listen(child: ChildProcessWithoutNullStreams): void {
    this.kept.length = 0;
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.write(line);
      this.kept.push(line);
      if (this.kept.length > WORDS) this.kept.shift();
    });
    child.on("exit", (code, signal) => {
      this.log.info(`the server has ended: ${signal ? `signal ${signal}` : `exit code ${String(code)}`}`);
    });
  }

  happened(): void {
    const now = Date.now();
    this.times = [...this.times.filter((time) => now - time < CALM), now];
    const said = this.kept.length > 0 ? `its last lines:\n${this.kept.join("\n")}` : "it said nothing";
    this.log.error(`the server stopped unexpectedly; ${said}`);
    const pause = PAUSES[this.times.length - 1];
    if (pause === undefined) return this.giveUp();
    this.log.info(`starting it again in ${pause} ms`);
    this.timer = setTimeout(() => void this.startAgain(), pause);
  }

  /** Forget what happened: the user has changed something. */
  forgive(): void {
    this.times = [];
    clearTimeout(this.timer);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** Log a line as what the server says that it is; a stack trace says nothing. */
  private write(line: string): void {
    if (line.startsWith("ERROR ")) this.log.error(line);
    else if (line.startsWith("DEBUG ")) this.log.debug(line);
    else if (line.startsWith("INFO ")) this.log.info(line);
    else this.log.warn(line);
  }

  private giveUp(): void {
    const last = this.kept.at(-1);
    const sentence = `The server stopped ${this.times.length} times${last ? `, the last time with: ${last}` : ""}.`;
    void vscode.window.showErrorMessage(`Firstfault: ${sentence}`, "Restart Server", "Show Logs").then((choice) => {
      if (choice === "Show Logs") this.log.show();
      if (choice !== "Restart Server") return;
      this.forgive();
      void this.startAgain();
    });
  }
}
