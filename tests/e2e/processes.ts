/** The processes under the editor's server, as Linux' /proc tells them. */

import { readFileSync, readdirSync } from "node:fs";
import { expect } from "@playwright/test";
import type { CodeServer } from "./code-server.js";

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** Return the process of the editor's extensions. */
export function extensionHost(server: CodeServer): number {
  const [host, ...others] = below(server).filter(({ command }) => command.includes("--type=extensionHost"));
  if (!host || others.length > 0) throw new Error(`${others.length + (host ? 1 : 0)} extension hosts are running`);
  return host.pid;
}

/** Return the process of our language server; null while there is none. */
export function languageServer(server: CodeServer): number | null {
  return below(server).find(({ command }) => / -I .*start\.py *$/.test(command))?.pid ?? null;
}

/** Wait until a language server runs that is not the given one; return its process. */
export async function nextLanguageServer(server: CodeServer, former: number | null = null): Promise<number> {
  let found: number | null = null;
  await expect(() => {
    found = languageServer(server);
    expect(found, "a language server").not.toBeNull();
    expect(found, "another language server").not.toBe(former);
  }).toPass();
  return found!;
}

/** Stop a process while something is done. */
export async function paused(pid: number, body: () => Promise<void>): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    await body();
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

function below(server: CodeServer): Process[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap(read);
  const found = new Set([server.process.pid!]);
  for (let grown = true; grown; ) {
    const children = all.filter(({ pid, parent }) => found.has(parent) && !found.has(pid));
    for (const { pid } of children) found.add(pid);
    grown = children.length > 0;
  }
  return all.filter(({ pid }) => found.has(pid));
}

function read(pid: string): Process[] {
  try {
    const [, parent = "0"] = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(pid), parent: Number(parent), command }];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return []; // it has ended meanwhile
    throw error;
  }
}
