// The answers of this session, by the name under which they were asked for.
import * as vscode from "vscode";

/** The part of the contract's JSON that the editor itself looks at (server/firstfault/diagnosis.py). */
export interface Diagnosis {
  readonly verdict: "failure" | "undecided" | "no_failure";
  readonly summary: string;
  readonly cause: { readonly id: string; readonly title: string } | null;
  readonly verify: { readonly command: string; readonly expect: string } | null;
}

export interface Answer {
  readonly id: string;
  readonly diagnosis: Diagnosis;
  /** The command that failed, and its folder; unset for files and selections. */
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly terminal?: vscode.Terminal | undefined;
}

const MOST = 50; // answers that are kept

export class Answers implements vscode.Disposable {
  private readonly known = new Map<string, Answer>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private counter = 0;

  /** Return a name for the next question; other windows and sessions use others. */
  nextId(): string {
    return `answer-${++this.counter}`;
  }

  add(answer: Answer): void {
    for (const [id, old] of this.known) {
      if (old.command !== undefined && old.command === answer.command && old.cwd === answer.cwd) this.known.delete(id);
    }
    this.known.set(answer.id, answer);
    for (const id of this.known.keys()) {
      if (this.known.size > MOST) this.known.delete(id);
    }
    this.tell();
  }

  /** Return an answer by its name, the latest one without. */
  get(id?: string): Answer | undefined {
    return id === undefined ? [...this.known.values()].at(-1) : this.known.get(id);
  }

  /** Forget the answers about a command; return whether there were any. */
  forgetCommand(command: string, cwd: string | undefined): boolean {
    const gone = [...this.known.values()].filter((a) => a.command === command && a.cwd === cwd);
    for (const answer of gone) this.known.delete(answer.id);
    if (gone.length > 0) this.tell();
    return gone.length > 0;
  }

  forget(id: string): void {
    if (this.known.delete(id)) this.tell();
  }

  clear(): void {
    this.known.clear();
    this.tell();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private tell(): void {
    void vscode.commands.executeCommand("setContext", "firstfault.hasDiagnosis", this.known.size > 0);
    this.changed.fire();
  }
}

/** Read the `{id}` of a command's argument; undefined means the latest answer. */
export function idOf(argument: unknown): string | undefined {
  if (typeof argument === "string") return argument;
  const id = (argument as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}
