/** Before all tests: unpack the extension once, into the folder from which every test's editor reads it. */

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { installExtension } from "./code-server.js";
import { BUILD, ROOT } from "./installed.js";
import { Profile } from "./profile.js";

/** The folders of extensions: with ours, and without any. */
export const WITH = join(BUILD, "extensions");
export const WITHOUT = join(BUILD, "no-extensions");

export default async function install(): Promise<void> {
  for (const folder of [WITH, WITHOUT]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const vsix = packaged();
  if (vsix === null) return; // tests that need it say so
  const profile = new Profile(true);
  try {
    await installExtension(profile, WITH, vsix);
  } finally {
    profile.remove();
  }
}

/** Return the extension's package: the named one, else the newest that was built, else null. */
function packaged(): string | null {
  if (process.env.FIRSTFAULT_VSIX) return process.env.FIRSTFAULT_VSIX;
  const folder = join(ROOT, "build");
  const built = readdirSync(folder).filter((name) => name.endsWith(".vsix"));
  const newest = built.map((name) => join(folder, name)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return newest[0] ?? null;
}

/** Tell whether the extension is there. */
export function hasExtension(): boolean {
  return readdirSync(WITH).some((name) => name.startsWith("firstfault."));
}
