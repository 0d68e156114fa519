// Builds the extension's packages: a clean folder for each target under build/stage, from which vsce makes the .vsix.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { prepareNode } from "./node.mjs";
import { ROOT, SetupError, prepare, say } from "./python.mjs";

const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const LOCK = "requirements/bundle.json";
const ENTRY = "extension/src/extension.ts";
const TEXTS = ["README.md", "CHANGELOG.md", "LICENSE"];
const SERVER = [["server/start.py", "start.py"], ["server/firstfault", "firstfault"], ["signatures", "firstfault/signatures"]];
const OF_THE_REPOSITORY = ["scripts", "devDependencies", "private", "type"];
// package.json, the lock files, the sources and the scripts: what a package depends on
const INPUTS = [
  ...["package.json", "package-lock.json", "tsconfig.json", "extension/src", "server", "signatures", ...TEXTS],
  ...[LOCK, "requirements/licenses", "scripts/vsix.mjs", "scripts/wheels.py"],
];

export const TARGETS = Object.keys(JSON.parse(readFileSync(join(ROOT, LOCK), "utf8"))).filter((name) => name !== "any");

/** Return the target of the machine that this runs on, in the words of VS Code. */
export function hostTarget() {
  const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const target = `${musl ? "alpine" : process.platform}-${process.arch}`;
  if (!TARGETS.includes(target)) throw new SetupError(`There is no package for ${target}; there is one for ${TARGETS.join(", ")}.`);
  return target;
}

/** Build the packages of targets, as far as they are not up to date; return their paths. */
export function buildPackages(targets) {
  const inputs = inputsHash();
  const stale = targets.filter((target) => !existsSync(pathOf(target)) || readStamp(target) !== inputs);
  if (stale.length > 0) {
    prepareNode();
    checkTypes();
    const python = prepare("runtime");
    for (const target of stale) build(target, python, inputs);
  }
  return targets.map(pathOf);
}

function build(target, python, inputs) {
  say(`Packaging for ${target}`);
  const folder = stageOf(target);
  rmSync(stampOf(target), { force: true });
  rmSync(folder, { recursive: true, force: true });
  stageManifest(folder);
  stageClient(folder);
  stageServer(folder, target, python);
  tool("@vscode/vsce", "vsce", ["package", "--no-dependencies", "--target", target, "--out", pathOf(target),
    "--no-rewrite-relative-links", "--allow-missing-repository"], folder);
  writeFileSync(stampOf(target), inputs);
}

function stageManifest(folder) {
  mkdirSync(folder, { recursive: true });
  const manifest = Object.fromEntries(Object.entries(MANIFEST).filter(([key]) => !OF_THE_REPOSITORY.includes(key)));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  for (const name of TEXTS) cpSync(join(ROOT, name), join(folder, name));
}

/** Bundle the client into one file, with the licences of the packages that are in it. */
function stageClient(folder) {
  const esbuild = createRequire(import.meta.url)("esbuild"); // installed by prepareNode
  const { metafile } = esbuild.buildSync({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outfile: join(folder, MANIFEST.main),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    minify: true,
    metafile: true,
    logLevel: "warning",
  });
  const used = Object.keys(metafile.inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(used.filter(Boolean))].sort().map(licenseOf);
  writeFileSync(join(folder, dirname(MANIFEST.main), "LICENSES.txt"), texts.join("\n"));
}

function licenseOf(path) {
  const file = readdirSync(join(ROOT, path)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new SetupError(`${path} has no licence file, and it may not be shipped without one.`);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(ROOT, path, file), "utf8").trim()}\n`;
}

function stageServer(folder, target, python) {
  const filter = (path) => !/^(__pycache__|\..*)$/.test(basename(path)); // what tools leave behind
  for (const [from, to] of SERVER) cpSync(join(ROOT, from), join(folder, "server", to), { recursive: true, filter });
  shown(python, [join(ROOT, "scripts", "wheels.py"), "unpack", target, join(folder, "server", "libs")], ROOT);
}

function checkTypes() {
  tool("typescript", "tsc", ["--noEmit"], ROOT);
}

/** Run the program of an npm package. */
function tool(name, program, args, cwd) {
  const home = join(ROOT, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  shown(process.execPath, [join(home, bin[program]), ...args], cwd);
}

/** Run a program quietly; show its output when it fails. */
function shown(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw new SetupError(`${command} did not start: ${error.message}.`);
  if (status === 0) return;
  say((stdout + stderr).trim());
  throw new SetupError(`The extension could not be packaged: the program above ended with code ${status}.`);
}

function inputsHash() {
  const sum = createHash("sha256");
  for (const file of INPUTS.flatMap((path) => filesBelow(path))) sum.update(file).update(readFileSync(join(ROOT, file)));
  return sum.digest("hex");
}

function filesBelow(path) {
  const entries = entriesOf(path);
  if (entries === null) return existsSync(join(ROOT, path)) ? [path] : [];
  const below = entries.filter((entry) => !/^(__pycache__|\..*)$/.test(entry.name)).map((entry) => `${path}/${entry.name}`);
  return below.sort().flatMap(filesBelow);
}

function entriesOf(path) {
  try {
    return readdirSync(join(ROOT, path), { withFileTypes: true });
  } catch {
    return null; // a file
  }
}

function pathOf(target) {
  return join(ROOT, "build", `${MANIFEST.name}-${target}-${MANIFEST.version}.vsix`);
}

function stageOf(target) {
  return join(ROOT, "build", "stage", target);
}

function stampOf(target) {
  return `${stageOf(target)}.stamp`;
}

function readStamp(target) {
  return existsSync(stampOf(target)) ? readFileSync(stampOf(target), "utf8") : null;
}
