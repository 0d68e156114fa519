// The language server's life: started when it is first needed, restarted when it dies, asked by everything else.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as settings from "../settings.js";
import { makeClient, spawnServer } from "./client.js";
import { Crashes } from "./crashes.js";
import { findInterpreter, type Interpreter, NoInterpreter } from "./interpreter.js";

export type Progress = (message: string | undefined, percentage: number | undefined) => void;

export class Server implements vscode.Disposable {
  private running: Promise<LanguageClient> | undefined;
  private child: ChildProcessWithoutNullStreams | undefined;
  private readonly crashes: Crashes;
  private readonly bars = new Map<string, Progress>();
  private readonly disposables: vscode.Disposable[] = [];
  private told: string | undefined;
  private leaving = false;
  private named: string | undefined; // the setting with which the server was started
  private readonly dismissedEmitter = new vscode.EventEmitter<unknown>();
  /** Fires with the name of a diagnosis that was dismissed from a light bulb. */
  readonly onDidDismiss = this.dismissedEmitter.event;
  interpreter: Interpreter | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.crashes = new Crashes(log, () => this.restart());
    this.disposables.push(
      this.dismissedEmitter,
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("firstfault.interpreter")) void this.interpreterChanged();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        if (this.running) void this.ask("firstfault.trust").catch((error: unknown) => this.log.warn(String(error)));
      }),
    );
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get lastLines(): readonly string[] {
    return this.crashes.lines;
  }

  /** Run a command of the server. Rejects with `NoInterpreter`, with the server's sentence, or when it is cancelled. */
  async ask<T>(command: string, argument: object = {}, token?: vscode.CancellationToken): Promise<T> {
    const client = await this.client();
    const params = { command, arguments: [argument] };
    return (await (token
      ? client.sendRequest("workspace/executeCommand", params, token)
      : client.sendRequest("workspace/executeCommand", params))) as T;
  }

  /** Start the server before it is asked, for what it shows by itself. What keeps it from starting is told when asked. */
  warm(): void {
    void this.client().catch((error: unknown) => this.log.warn(String(error)));
  }

  /** Let the progress that the server reports on a question be shown by `progress` until it is disposed. */
  onProgress(id: string, progress: Progress): vscode.Disposable {
    this.bars.set(id, progress);
    return new vscode.Disposable(() => this.bars.delete(id));
  }

  /** Stop the server, where it runs, and start it again. */
  async restart(): Promise<void> {
    await this.stop();
    this.leaving = false;
    this.told = undefined;
    await this.client().catch((error: unknown) => this.tell(error));
  }

  async stop(): Promise<void> {
    this.leaving = true;
    const running = this.running;
    this.running = undefined;
    await running?.then(
      (client) => client.dispose(),
      () => undefined,
    );
  }

  /** Tell the user once what keeps the server from running, with a button that leads to the cure. */
  tell(error: unknown): void {
    const sentence = error instanceof Error ? error.message : String(error);
    this.log.error(sentence);
    if (sentence === this.told) return;
    this.told = sentence;
    const cure = error instanceof NoInterpreter ? "Open Settings" : "Show Logs";
    void vscode.window.showErrorMessage(`Firstfault: ${sentence}`, cure).then((choice) => {
      if (choice === "Open Settings") openSettings("firstfault.interpreter");
      else if (choice) this.log.show();
    });
  }

  dispose(): void {
    this.crashes.dispose();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private client(): Promise<LanguageClient> {
    this.running ??= this.start().catch((error: unknown) => {
      this.running = undefined; // the next question tries again
      throw error;
    });
    return this.running;
  }

  private async start(): Promise<LanguageClient> {
    this.leaving = false;
    const file = this.context.asAbsolutePath("server/start.py");
    this.named = settings.interpreter();
    this.interpreter = await findInterpreter(file);
    const { command, args, source } = this.interpreter;
    this.log.info(`${[command, ...args].join(" ")} (${source}): ${JSON.stringify(this.interpreter.facts)}`);
    const cache = vscode.Uri.joinPath(this.context.globalStorageUri, "pycache").fsPath;
    const began = performance.now();
    const client = makeClient(
      this.log,
      async () => {
        this.child = spawnServer(this.interpreter!, file, cache);
        this.crashes.listen(this.child);
        return this.child;
      },
      {
        closed: () => this.closed(),
        progress: (id, message, percentage) => this.progressed(id, message, percentage),
        dismissed: (id) => this.dismissedEmitter.fire(id),
      },
    );
    await client.start();
    this.log.info(`the server answers after ${(performance.now() - began).toFixed(0)} ms`);
    return client;
  }

  private progressed(id: string, message: string | undefined, percentage: number | undefined): boolean {
    const bar = this.bars.get(id);
    bar?.(message, percentage);
    return bar !== undefined;
  }

  /** The connection is gone: unless it was meant to be, start again after a pause that grows. */
  private closed(): void {
    this.child = undefined;
    if (this.leaving) return;
    this.running = undefined;
    this.crashes.happened();
  }

  /** What an untrusted workspace says changes nothing, and must not end what is being read. */
  private async interpreterChanged(): Promise<void> {
    if (settings.interpreter() === this.named) return;
    this.told = undefined;
    this.crashes.forgive();
    if (this.running) await this.restart();
  }
}

/** Show a setting of the machine on which the server runs, which is another one in a remote window. */
function openSettings(query: string): void {
  const remote = vscode.env.remoteName !== undefined;
  void vscode.commands.executeCommand(`workbench.action.${remote ? "openRemoteSettings" : "openSettings"}`, { query });
}
