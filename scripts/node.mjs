// Keeps `node_modules` as package-lock.json says.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, SetupError, hash, lastLine, say } from "./python.mjs";

const STAMP = join(ROOT, "node_modules", "firstfault-setup.json");

/** Install the locked npm packages, where they are not so already. No script of a package is run. */
export function prepareNode() {
  // some packages are programs, compiled for one system
  const wanted = JSON.stringify({ lock: hash("package-lock.json"), system: `${process.platform}-${process.arch}` });
  if (readStamp() === wanted) return;
  say("Installing the locked npm packages (package-lock.json)");
  rmSync(STAMP, { force: true });
  npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(STAMP, wanted);
}

function npm(args) {
  const cli = process.env.npm_execpath; // set where npm runs this script
  const [command, ...before] = cli?.endsWith("npm-cli.js") ? [process.execPath, cli] : ["npm"];
  const shell = command === "npm" && process.platform === "win32"; // npm.cmd is a batch file
  const ended = spawnSync(command, [...before, ...args], { cwd: ROOT, encoding: "utf8", shell });
  if (ended.error) throw new SetupError(`npm did not start: ${ended.error.message}.`);
  if (ended.status !== 0) throw new SetupError(npmFailure(ended.stdout + ended.stderr));
}

function npmFailure(output) {
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(output)) {
    return "npm could not reach the package registry; check the network or the proxy settings and run the same command again.";
  }
  const lines = output.split(/\r?\n/).filter((line) => line.startsWith("npm error") && !/complete log|debug-0/.test(line));
  return `npm ci failed: ${lines.at(-1) ?? lastLine(output)}`;
}

function readStamp() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return null;
  }
}
