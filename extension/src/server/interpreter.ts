// Which Python runs the server: the one that the user names, the Python extension's, or the first on PATH that can.
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import * as settings from "../settings.js";

export interface Interpreter {
  readonly command: string;
  readonly args: readonly string[];
  /** How it was found, for the log. */
  readonly source: string;
  /** What `start.py --probe` says of it. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** No Python can run the server; the message says what to do. */
export class NoInterpreter extends Error {}

interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  readonly source: string;
}

const PATIENCE = 30_000; // milliseconds; a busy machine and a cold disk need seconds
const TOO_OLD = 3; // exit code of start.py

/** Return the first Python that can run `start`, or throw `NoInterpreter`. */
export async function findInterpreter(start: string): Promise<Interpreter> {
  const named = settings.interpreter();
  if (named) return await usable({ command: named, args: [], source: "the setting firstfault.interpreter" }, start);
  const reasons: string[] = [];
  for (const candidate of [...(await fromPythonExtension()), ...onPath()]) {
    try {
      return await usable(candidate, start);
    } catch (error) {
      if (!(error instanceof NoInterpreter)) throw error;
      reasons.push(error.message);
    }
  }
  const told = reasons.find((reason) => reason.includes("older")) ?? "No Python was found.";
  throw new NoInterpreter(`${told} Firstfault needs CPython 3.10 or newer; install one or name it in the settings.`);
}

/** Return what a Python says of itself and of the compiled libraries that it gets. */
export async function librariesOf(interpreter: Interpreter, start: string): Promise<Record<string, unknown>> {
  const args = [...interpreter.args, "-I", start, "--probe", "--libraries"];
  return factsOf((await run(interpreter.command, args)).stdout);
}

async function usable(candidate: Candidate, start: string): Promise<Interpreter> {
  const { code, stdout, stderr } = await run(candidate.command, [...candidate.args, "-I", start, "--probe"]);
  const name = [candidate.command, ...candidate.args].join(" ");
  if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") {
    throw new NoInterpreter(`${name} (${candidate.source}) does not exist or cannot be run.`);
  }
  if (code === TOO_OLD) throw new NoInterpreter(`${name} (${candidate.source}) is older than Python 3.10.`);
  if (code !== 0) throw new NoInterpreter(`${name} (${candidate.source}) does not work: ${lastLine(stderr)}`);
  return { ...candidate, facts: factsOf(stdout) };
}

function factsOf(stdout: string): Record<string, unknown> {
  try {
    return JSON.parse(stdout) as Record<string, unknown>;
  } catch {
    throw new NoInterpreter(`The Python found is not one: it printed ${JSON.stringify(stdout.slice(0, 80))}.`);
  }
}

function run(command: string, args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(command, args, { timeout: PATIENCE, windowsHide: true }, (error, stdout, stderr) => {
      done({ code: error ? (error.code ?? "killed") : 0, stdout, stderr: stderr || (error?.message ?? "") });
    });
  });
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1) ?? "it printed nothing";
}

function onPath(): Candidate[] {
  const names = process.platform === "win32" ? [["python"], ["py", "-3"], ["python3"]] : [["python3"], ["python"]];
  const numbered = [14, 13, 12, 11, 10].map((minor) => [`python3.${minor}`]);
  const all = process.platform === "win32" ? names : [...names, ...numbered];
  return all.map(([command = "python3", ...args]) => ({ command, args, source: "PATH" }));
}

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function fromPythonExtension(): Promise<Candidate[]> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (!extension) return [];
  const environments = (await extension.activate())?.environments;
  const active = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  const resolved = active && (await environments?.resolveEnvironment(active));
  const path = resolved?.executable.uri?.fsPath;
  return path ? [{ command: path, args: [], source: "the Python extension" }] : [];
}
