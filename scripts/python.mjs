// Finds a Python and keeps `.venv` as the lock files say. Every other script goes through `prepare`.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const VENV = join(ROOT, ".venv");
const STAMP = join(VENV, "firstfault-setup.json");
const OLDEST = [3, 10];
const WINDOWS = process.platform === "win32";
const PROBE = `
import json, sys
try:
    import ensurepip, venv
except ImportError:
    venv = None
print(json.dumps({"version": list(sys.version_info[:3]), "path": sys.executable, "prefix": sys.prefix, "venv": bool(venv),
                  "kind": getattr(getattr(sys, "implementation", None), "name", "cpython")}))`;

/** What the user can repair, in one sentence; shown without a stack. */
export class SetupError extends Error {}

/** Run a script's body; end the process with its exit code, or with 2 and one sentence. */
export async function main(body) {
  try {
    if (Number(process.versions.node.split(".")[0]) < 20) {
      throw new SetupError(`Firstfault needs Node 20 or newer, and this is ${process.versions.node}; install a newer one.`);
    }
    process.exitCode = await body(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

/** Run a program in the user's terminal and return its exit code. */
export function run(command, args, cwd = ROOT) {
  const { status, signal, error } = spawnSync(command, args, { cwd, env: environment(), stdio: "inherit" });
  if (error) throw new SetupError(`${command} did not start: ${error.message}.`);
  return signal ? 130 : status;
}

/** Bring `.venv` to what `requirements/<lock>.txt` says, where it is not so already; return its Python. */
export function prepare(lock) {
  const wanted = { root: ROOT, [lock]: hash(`requirements/${lock}.txt`), project: hash("pyproject.toml") };
  const done = readStamp();
  const python = usableVenv(done) ?? makeVenv();
  if (Object.keys(wanted).every((key) => wanted[key] === done[key]) && probe([python, "-c", "import firstfault.errors"])) {
    return python;
  }
  rmSync(STAMP, { force: true });
  say(`Installing the locked packages (requirements/${lock}.txt)`);
  pip(python, ["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", join(ROOT, "requirements", `${lock}.txt`)]);
  say("Installing firstfault from this folder");
  pip(python, ["--no-deps", "--no-build-isolation", "--editable", ROOT]);
  // The development packages contain the runtime ones, so `npm start` has nothing to do after `npm test`.
  const covered = lock === "dev" ? { runtime: hash("requirements/runtime.txt") } : {};
  writeFileSync(STAMP, JSON.stringify({ ...wanted, ...covered }));
  return python;
}

/** Return the path of a program that pip installed into a virtual environment. */
export function program(name, venv = VENV) {
  return WINDOWS ? join(venv, "Scripts", `${name}.exe`) : join(venv, "bin", name);
}

/** Return the first Python that can hold Firstfault; explain what is missing when none can. */
export function findPython() {
  const named = process.env.FIRSTFAULT_PYTHON;
  const found = (named ? [[named]] : candidates()).map(describe).filter(Boolean);
  const recent = found.filter((p) => p.kind === "cpython" && !older(p.version, OLDEST));
  const complete = recent.find((p) => p.venv);
  if (complete) return complete;
  if (recent.length > 0) throw new SetupError(withoutVenv(recent[0]));
  throw new SetupError(withoutPython(named, found));
}

/** Make an empty virtual environment. */
export function createVenv(python, folder) {
  const made = spawnSync(python.path, ["-m", "venv", "--clear", folder], { env: environment(), encoding: "utf8" });
  if (made.status !== 0) throw new SetupError(`Python could not make ${folder}: ${lastLine(made.stdout + made.stderr)}`);
  return program("python", folder);
}

/** Install with pip, quietly; explain a failure in one sentence. */
export function pip(python, args) {
  const flags = ["--quiet", "--no-input", "--disable-pip-version-check"];
  const { status, stdout, stderr } = spawnSync(python, ["-m", "pip", "install", ...flags, ...args], {
    cwd: ROOT,
    env: environment(),
    encoding: "utf8",
  });
  if (status !== 0) throw new SetupError(pipFailure(stdout + stderr));
}

/** Tell the user what happens now; on stderr, so that an answer on stdout stays clean. */
export function say(text) {
  console.error(text);
}

function candidates() {
  const numbered = [14, 13, 12, 11, 10].map((minor) => [`python3.${minor}`]);
  return [...numbered, ["python3"], ["python"], ...(WINDOWS ? [["py", "-3"]] : [])];
}

function describe(command) {
  const output = probe([...command, "-c", PROBE]);
  if (!output) return null;
  try {
    return { command: command.join(" "), ...JSON.parse(output) };
  } catch {
    return null; // not a Python, e.g. the Windows Store's stand-in
  }
}

function probe([command, ...args]) {
  const { status, stdout } = spawnSync(command, args, { env: environment(), encoding: "utf8", timeout: 30_000 });
  return status === 0 ? stdout || " " : null;
}

function usableVenv(stamp) {
  const python = program("python");
  const here = existsSync(python) && describe([python]);
  if (!here || older(here.version, OLDEST) || !probe([python, "-c", "import pip"])) return null;
  if (stamp.root && stamp.root !== ROOT) return null; // a moved or copied one still points to its old place
  return process.env.FIRSTFAULT_PYTHON && minor(findPython()) !== minor(here) ? null : python;
}

function makeVenv() {
  const python = findPython();
  say(`Making .venv with Python ${python.version.join(".")} (${python.command})`);
  return createVenv(python, VENV);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, "utf8"));
  } catch {
    return {};
  }
}

/** Return the SHA-256 of a file of this repository. */
export function hash(file) {
  return createHash("sha256").update(readFileSync(join(ROOT, file))).digest("hex");
}

function environment() {
  const { PYTHONHOME, PYTHONPATH, ...rest } = process.env; // either would mix in packages that are not locked
  return { ...rest, PIP_USER: "0", PYTHONUTF8: "1" };
}

function older(version, than) {
  return version[0] !== than[0] ? version[0] < than[0] : version[1] < than[1];
}

function minor({ version }) {
  return version.slice(0, 2).join(".");
}

function withoutVenv(python) {
  const hint = process.platform === "linux" ? ` (Debian, Ubuntu: apt install python${minor(python)}-venv)` : "";
  return `Python ${minor(python)} (${python.path}) lacks its venv module; install it${hint} and run the same command again.`;
}

function withoutPython(named, found) {
  const versions = found.map((p) => `${p.kind === "cpython" ? "" : `${p.kind} `}${p.version.join(".")} (${p.command})`);
  if (named) {
    const what = versions.length > 0 ? `is ${versions[0]}` : `(${named}) does not run`;
    return `FIRSTFAULT_PYTHON ${what}, and Firstfault needs CPython 3.10 or newer; set it to one, or unset it.`;
  }
  const seen = versions.length > 0 ? `found only ${versions.join(", ")}` : "found no Python";
  return `Firstfault needs CPython 3.10 or newer and ${seen}; ${installHint()}, then run the same command again.`;
}

function installHint() {
  if (WINDOWS) return "install it with: winget install Python.Python.3.13";
  if (process.platform === "darwin") return "install it with: brew install python@3.13";
  return "install it (Debian, Ubuntu: apt install python3 python3-venv) or set FIRSTFAULT_PYTHON to one";
}

function pipFailure(output) {
  const offline = /NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Max retries exceeded|ProxyError|Network is unreachable/;
  if (offline.test(output)) {
    return "pip could not reach the package index; check the network or the proxy settings and run the same command again.";
  }
  const mismatch = output.includes("DO NOT MATCH THE HASHES") ? "a package does not match its locked hash: " : "";
  return `pip failed: ${mismatch}${lastLine(output)}`;
}

/** Return the line of a program's output that says most. */
export function lastLine(output) {
  const lines = output.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  return lines.findLast((line) => line.startsWith("ERROR:")) ?? lines.at(-1) ?? "no message";
}
