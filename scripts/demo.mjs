// Opens the demo workspace in an editor with the extension: in VS Code where `code` is on PATH, else in code-server.

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { installEditor } from "./editor.mjs";
import { ROOT, SetupError, say } from "./python.mjs";
import { buildPackages, hostTarget } from "./vsix.mjs";

const DEMO = join(ROOT, "build", "demo"); // a copy: the light bulb edits it
const PROFILE = join(ROOT, "build", "editor");
const RUNNING = join(PROFILE, "running.json");
const PATIENCE = 60_000; // milliseconds for the server to answer
const QUIET = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
const SETTINGS = {
  "workbench.startupEditor": "readme",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
};

/** Package the extension, install it, open the demo and tell where. */
export async function openDemo() {
  const [vsix] = buildPackages([hostTarget()]);
  rmSync(DEMO, { recursive: true, force: true });
  cpSync(join(ROOT, "examples", "demo"), DEMO, { recursive: true });
  if (inVsCode(vsix)) return;
  await inCodeServer(vsix);
}

/** End the server that an earlier `npm start` left running. */
export function stopDemo() {
  const running = readRunning();
  if (!running) say("No editor is running.");
  else {
    process.kill(-running.pid);
    say("The editor's server has ended.");
  }
  rmSync(RUNNING, { force: true });
  return 0;
}

/** Use the VS Code of this machine; return false where there is none that starts. */
function inVsCode(vsix) {
  const shell = process.platform === "win32"; // code.cmd is a batch file
  const quoted = shell ? (path) => `"${path}"` : (path) => path;
  const installed = spawnSync("code", ["--install-extension", quoted(vsix), "--force"], { encoding: "utf8", shell });
  if (installed.error || installed.status !== 0) return false;
  const opened = spawnSync("code", [quoted(DEMO)], { encoding: "utf8", shell });
  if (opened.status !== 0) return false;
  say(`\nVS Code shows ${DEMO} with Firstfault installed; its README says what to type.`);
  return true;
}

async function inCodeServer(vsix) {
  const { node, entry } = installEditor();
  mkdirSync(join(PROFILE, "data", "User"), { recursive: true });
  writeFileSync(join(PROFILE, "data", "User", "settings.json"), JSON.stringify(SETTINGS, null, 2));
  const own = ["--config", join(PROFILE, "config.yaml"), "--user-data-dir", join(PROFILE, "data")];
  const args = [entry, ...own, "--extensions-dir", join(PROFILE, "extensions")];
  const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' }; // nothing is looked up outside
  const installed = spawnSync(node, [...args, "--install-extension", vsix, "--force"], { env, encoding: "utf8" });
  if (installed.status !== 0) throw new SetupError(`code-server did not install the extension: ${installed.stderr.trim()}`);
  const { port, password } = readRunning() ?? (await startServer(node, args, env));
  const url = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(DEMO)}`;
  say(`\nThe same in an editor, with scripts to try it on (reload the page when it is open already):\n\n  ${url}`);
  say(`  password: ${password}\n`);
  say("Open a terminal there and type: python3 spawn_without_guard.py");
  say("`npm start -- --stop` ends the editor's server.");
}

/** Start a server that outlives this program, for this user of this machine only: others may share it. */
async function startServer(node, args, env) {
  const password = randomBytes(9).toString("base64url");
  writeFileSync(join(PROFILE, "config.yaml"), `auth: password\npassword: ${password}\ncert: false\n`, { mode: 0o600 });
  const port = await freePort();
  const log = openSync(join(PROFILE, "server.log"), "w");
  const stdio = ["ignore", log, log];
  const child = spawn(node, [...args, ...QUIET, "--bind-addr", `127.0.0.1:${port}`], { env, stdio, detached: true });
  closeSync(log);
  child.unref();
  for (const end = Date.now() + PATIENCE; !(await answers(port)); ) {
    if (child.exitCode !== null || Date.now() > end) {
      throw new SetupError(`code-server did not start; ${join(PROFILE, "server.log")} says why.`);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  const running = { pid: child.pid, port, password };
  writeFileSync(RUNNING, JSON.stringify(running), { mode: 0o600 });
  return running;
}

/** Return the server of an earlier start while it lives. */
function readRunning() {
  try {
    const running = JSON.parse(readFileSync(RUNNING, "utf8"));
    process.kill(running.pid, 0);
    return running;
  } catch {
    return null; // none was started, or it has ended
  }
}

async function answers(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false; // not listening yet
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}
