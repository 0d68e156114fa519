// node scripts/e2e.mjs [PLAYWRIGHT ARGUMENT...]: prove the extension in a real editor; installs the editor where it is missing.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { installChromium, installEditor } from "./editor.mjs";
import { ROOT, SetupError, main, run } from "./python.mjs";

const PLAYWRIGHT = join(ROOT, "node_modules", "@playwright", "test", "cli.js");

main((args) => {
  if (!existsSync(PLAYWRIGHT)) throw new SetupError("The editor tests need the locked packages; run: npm ci --ignore-scripts");
  // tests/e2e/installed.ts reads it
  process.env.FIRSTFAULT_E2E = JSON.stringify({ ...installEditor(), chromium: installChromium() });
  return run(process.execPath, [PLAYWRIGHT, "test", "-c", join("tests", "e2e"), ...args]);
});
