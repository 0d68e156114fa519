/** Starts and stops the editor's server, and runs its command line. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { installed } from "./installed.js";
import type { Profile } from "./profile.js";

const QUIET = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];

export class CodeServer {
  private constructor(
    readonly port: number,
    readonly process: ChildProcess,
  ) {}

  /** Start a server on a free port and wait until it answers. */
  static async start(profile: Profile, extensions: string): Promise<CodeServer> {
    const port = await freePort();
    const log = openSync(join(profile.folder, "server.log"), "w");
    const args = [...paths(profile, extensions), ...QUIET, "--bind-addr", `127.0.0.1:${port}`];
    const child = spawn(installed().node, args, {
      env: profile.environment(),
      stdio: ["ignore", log, log],
      detached: true, // a group of its own, so that all of it can be ended
    });
    closeSync(log);
    const server = new CodeServer(port, child);
    await expect.poll(() => server.answers(), { message: "code-server answers" }).toBe(true);
    return server;
  }

  /** Return the address at which the browser opens a folder or a `.code-workspace` file. */
  address(path: string): string {
    const kind = path.endsWith(".code-workspace") ? "workspace" : "folder";
    return `http://127.0.0.1:${this.port}/?${new URLSearchParams({ [kind]: path })}`;
  }

  /** End the server with all its processes. */
  async stop(): Promise<void> {
    const ended = this.ended ? Promise.resolve() : once(this.process, "exit");
    this.signal("SIGTERM");
    const patience = setTimeout(() => this.signal("SIGKILL"), 5_000);
    await ended;
    clearTimeout(patience);
    this.signal("SIGKILL"); // what it has left behind, e.g. a script in a terminal
  }

  private get ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  private async answers(): Promise<boolean> {
    if (this.ended) throw new Error("code-server ended at its start; see server.log");
    return await new Promise((resolve) => {
      get(`http://127.0.0.1:${this.port}/healthz`, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      }).on("error", () => resolve(false)); // not yet listening
    });
  }

  private signal(name: NodeJS.Signals): void {
    try {
      process.kill(-this.process.pid!, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended by itself
    }
  }
}

/** Install an extension into a folder. */
export async function installExtension(profile: Profile, extensions: string, vsix: string): Promise<void> {
  const args = [...paths(profile, extensions), "--install-extension", vsix];
  const child = spawn(installed().node, args, { env: profile.environment() });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${vsix} does not install:\n${output}`);
}

function paths(profile: Profile, extensions: string): string[] {
  const own = ["--config", join(profile.folder, "config.yaml"), "--user-data-dir", profile.userData];
  return [installed().entry, ...own, "--extensions-dir", extensions];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
