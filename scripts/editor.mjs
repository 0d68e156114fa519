// The editor that tests/e2e drives: code-server with the node that it needs, and the system's Chromium.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ROOT, SetupError, say } from "./python.mjs";

const NODE = "24.22.3"; // code-server 4.133 and newer insist on node 24
const CODE_SERVER = "4.139.1"; // VS Code 1.139.1
const FOLDER = join(ROOT, ".editor");
const STAMP = "firstfault-setup.json";
const NPM = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
const CHROMIUM = ["chromium", "chromium-browser", "google-chrome"];
const COMPILERS = ["make", "g++"]; // for the two modules of code-server that are compiled here
const LOCK = ["-o", "DPkg::Lock::Timeout=600"]; // another apt may be at work
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i;

/** Install code-server where it is missing; return the paths of its node and of its own program. */
export function installEditor() {
  if (!["linux", "darwin"].includes(process.platform)) {
    throw new SetupError("The editor tests need Linux or macOS, because code-server does; run them in WSL.");
  }
  const named = process.env.FIRSTFAULT_EDITOR;
  if (named) return existing(named);
  const folder = FOLDER;
  if (readStamp(folder) !== wanted()) install(folder);
  return parts(folder);
}

/** Return the path of a Chromium; on Debian, root gets one installed. */
export function installChromium() {
  const named = process.env.FIRSTFAULT_CHROMIUM;
  if (named) {
    if (starts(named)) return named;
    throw new SetupError(`FIRSTFAULT_CHROMIUM (${named}) does not run; set it to a Chromium or Chrome, or unset it.`);
  }
  const found = () => CHROMIUM.map(onPath).find(Boolean);
  if (!found()) apt(["chromium", "fonts-dejavu-core"], "Chromium");
  const program = found();
  if (!program) throw new SetupError("Chromium was installed, but is not on PATH; set FIRSTFAULT_CHROMIUM to it.");
  return program;
}

function existing(folder) {
  const editor = parts(folder);
  if (starts(editor.node) && existsSync(editor.entry)) return editor;
  throw new SetupError(
    `FIRSTFAULT_EDITOR (${folder}) has no code-server with its node in node_modules; set it to a folder that has, or unset it.`,
  );
}

function parts(folder) {
  const modules = join(folder, "node_modules");
  return {
    node: join(modules, nodePackage(), "bin", "node"),
    entry: join(modules, "code-server", "out", "node", "entry.js"),
  };
}

function nodePackage() {
  return `node-${process.platform}-${process.arch}`;
}

function wanted() {
  return JSON.stringify({ root: ROOT, node: NODE, codeServer: CODE_SERVER, platform: nodePackage() });
}

/** Install from nothing: npm builds a tree that was left half made into something that is neither. */
function install(folder) {
  const missing = COMPILERS.filter((name) => !onPath(name));
  if (missing.length > 0) apt(missing, "the compiler for two of code-server's modules");
  say(`Installing code-server ${CODE_SERVER} with node ${NODE} into .editor (once, about 800 MB)`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "name": "firstfault-editor", "private": true }\n');
  const vscode = join(folder, "node_modules", "code-server", "lib", "vscode");
  // Its install scripts would compile for minutes what no test uses, and stop where Kerberos' headers are missing.
  npm(["install", "--save-exact", "--ignore-scripts", `${nodePackage()}@${NODE}`, `code-server@${CODE_SERVER}`], folder);
  npm(["install", "--omit=dev", "--ignore-scripts"], vscode);
  npm(["install", "--omit=dev", "--ignore-scripts"], join(vscode, "extensions"));
  // Without spdlog every output channel and log file of an extension stays empty.
  npm(["rebuild", "@vscode/spdlog", "@vscode/native-watchdog"], vscode);
  link(`code-${process.platform}.sh`, join(vscode, "bin", "remote-cli", "code-server"));
  link(`browser-${process.platform}.sh`, join(vscode, "bin", "helpers", "browser.sh"));
  writeFileSync(join(folder, STAMP), wanted());
}

/** Run the npm on PATH; as soon as it is there, on code-server's own node, and for its headers. */
function npm(args, cwd) {
  const home = join(FOLDER, "node_modules", nodePackage());
  const env = { ...process.env };
  if (existsSync(home)) {
    env.PATH = `${join(home, "bin")}${delimiter}${env.PATH}`;
    // npm writes its own settings into the environment of its scripts, in either case
    for (const name of Object.keys(env)) if (name.toLowerCase() === "npm_config_nodedir") delete env[name];
    env.npm_config_nodedir = home; // wins over an npmrc that points to another node's headers
  }
  const { status, error, stdout, stderr } = spawnSync("npm", [...NPM, ...args], { cwd, env, encoding: "utf8" });
  if (error) throw new SetupError(`npm did not start (${error.message}); install npm and run the same command again.`);
  if (status !== 0) throw new SetupError(npmFailure(args, `${stdout}${stderr}`));
}

function npmFailure(args, output) {
  if (OFFLINE.test(output)) {
    return "npm could not reach the package registry; check the network or the proxy settings and run the same command again.";
  }
  const lines = output.split(/\r?\n/).filter((line) => /^npm err/i.test(line.trim()));
  return `npm ${args[0]} failed for code-server: ${(lines.find((line) => !/ code /.test(line)) ?? output.trim()).slice(0, 300)}`;
}

function link(target, path) {
  if (!existsSync(join(dirname(path), target))) return; // the browser helper is there on Linux and macOS only
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function readStamp(folder) {
  try {
    return readFileSync(join(folder, STAMP), "utf8");
  } catch {
    return "";
  }
}

/** Install Debian packages as root; else say what to install. */
function apt(packages, what) {
  if (process.getuid?.() !== 0 || !onPath("apt-get")) {
    throw new SetupError(`The editor tests need ${what}; install it (Debian, Ubuntu: sudo apt install ${packages.join(" ")}).`);
  }
  say(`Installing ${packages.join(", ")} with apt`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    const { status, stderr } = spawnSync("apt-get", [...LOCK, "-qq", ...args], { env, encoding: "utf8" });
    if (status !== 0) throw new SetupError(`apt-get ${args[0]} failed: ${stderr.trim().split("\n").at(-1)}`);
  }
}

function onPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function starts(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0;
}
