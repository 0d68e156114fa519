// The protocol's client: which documents the server sees, and what becomes of its progress and its end.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient } from "vscode-languageclient/node";
import type { Interpreter } from "./interpreter.js";

/** The commands that the server may put into a light bulb. */
const OWN_COMMANDS = ["firstfault.runVerification", "firstfault.openDiagnosis"];

interface Listener {
  closed(): void;
  /** Take what the server reports; return false to have it shown in the status bar. */
  progress(id: string, message: string | undefined, percentage: number | undefined): boolean;
  /** The user has dismissed a diagnosis from a light bulb. */
  dismissed(id: unknown): void;
}

/** Start the server's process. `-I` keeps the user's own packages and variables out of it. */
export function spawnServer(interpreter: Interpreter, file: string, cache: string): ChildProcessWithoutNullStreams {
  const args = [...interpreter.args, "-I", "-X", "utf8", "-X", `pycache_prefix=${cache}`, file];
  return spawn(interpreter.command, args, { stdio: "pipe", windowsHide: true });
}

export function makeClient(
  log: vscode.LogOutputChannel,
  process: () => Promise<ChildProcess>,
  listener: Listener,
): LanguageClient {
  // Only code is sent: a log is read by its path, and may be larger than what an editor can send.
  const isCode = (document: vscode.TextDocument) => document.languageId === "python";
  const client = new LanguageClient("firstfault", "Firstfault", process, {
    documentSelector: [{ scheme: "file" }],
    outputChannel: log,
    // crashes.ts reads what the server writes to its standard error, each line at the level that it names
    stdioOptions: { stdout: () => undefined, stderr: () => undefined },
    initializationOptions: { trusted: vscode.workspace.isTrusted, commands: OWN_COMMANDS },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        listener.closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      didOpen: async (document, next) => void (isCode(document) && (await next(document))),
      didChange: async (change, next) => void (isCode(change.document) && (await next(change))),
      didClose: async (document, next) => void (isCode(document) && (await next(document))),
      didSave: async (document, next) => void (isCode(document) && (await next(document))),
      provideCodeActions: async (document, range, context, token, next) => {
        const actions = await next(document, range, context, token);
        const trusted = vscode.workspace.isTrusted; // elsewhere no command is run
        return actions?.filter((action) => trusted || commandOf(action) !== "firstfault.runVerification");
      },
      handleWorkDoneProgress: (token, params, next) => {
        const percentage = params.kind === "end" ? undefined : params.percentage;
        if (!listener.progress(String(token), params.message, percentage)) next(token, params);
      },
      executeCommand: async (command, args, next) => {
        if (command === "firstfault.dismiss") listener.dismissed((args[0] as { id?: unknown } | undefined)?.id);
        return (await next(command, args)) as unknown;
      },
    },
  });
  return client;
}

function commandOf(action: vscode.Command | vscode.CodeAction): string | undefined {
  return typeof action.command === "string" ? action.command : action.command?.command;
}
