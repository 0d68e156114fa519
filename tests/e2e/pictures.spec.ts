/** The pictures of the README; FIRSTFAULT_PICTURES=docs/images has them written there instead of build/e2e. */

import { join } from "node:path";
import { SHARD, SPAWN, recordedTorchrun } from "./demos.js";
import { expect, test } from "./editor.js";
import { BUILD, ROOT } from "./installed.js";

const FOLDER = process.env.FIRSTFAULT_PICTURES ? join(ROOT, process.env.FIRSTFAULT_PICTURES) : join(BUILD, "pictures");
const picture = (name: string) => ({ path: join(FOLDER, `${name}.png`) });

test.use({ viewport: { width: 1280, height: 800 } });

test.describe("a script that fails", () => {
  test.use({ demo: SPAWN.folder });

  test("is shown with its light bulb", async ({ workbench, page }) => {
    await workbench.terminal.open();
    await workbench.terminal.run(SPAWN.command);
    await expect(workbench.messages.status(SPAWN.summary)).toBeVisible();
    await workbench.messages.clear();
    await workbench.editors.open(SPAWN.file);
    await workbench.problems.lightBulb(SPAWN.line, SPAWN.fix);
    await page.screenshot(picture("terminal"));
  });
});

test.describe("a run of eight ranks", () => {
  test.use({ demo: SHARD.folder });

  test("is shown with its diagnosis", async ({ workbench, profile, page }) => {
    recordedTorchrun(profile);
    await workbench.terminal.open();
    await workbench.terminal.run(SHARD.command);
    await workbench.messages.press(SHARD.summary, "Open Diagnosis");
    await expect(workbench.preview.body()).toContainText(SHARD.summary);
    await page.screenshot(picture("diagnosis"));
  });
});
