/** What scripts/e2e.mjs has installed, and where things lie. */

import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
export const BUILD = join(ROOT, "build", "e2e");
/** Chromium looks up no name: whatever is not on this machine does not exist. */
export const SEARCH = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

export interface Installed {
  /** The program of the node that code-server needs. */
  node: string;
  /** code-server's own program, which that node runs. */
  entry: string;
  chromium: string;
}

export function installed(): Installed {
  const told = process.env.FIRSTFAULT_E2E;
  if (!told) throw new Error("the editor is not known; run the tests with: node scripts/e2e.mjs");
  return JSON.parse(told) as Installed;
}
