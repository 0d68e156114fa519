// node scripts/e2e.mjs [PLAYWRIGHT ARGUMENT...]: prove the extension in a real editor; installs the editor where it is missing.

import { join } from "node:path";
import { installChromium, installEditor } from "./editor.mjs";
import { prepareNode } from "./node.mjs";
import { ROOT, main, run } from "./python.mjs";

const PLAYWRIGHT = join(ROOT, "node_modules", "@playwright", "test", "cli.js");

main((args) => {
  prepareNode();
  // tests/e2e/installed.ts reads it
  process.env.FIRSTFAULT_E2E = JSON.stringify({ ...installEditor(), chromium: installChromium() });
  return run(process.execPath, [PLAYWRIGHT, "test", "-c", join("tests", "e2e"), ...args]);
});
