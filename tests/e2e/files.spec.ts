/** "Diagnose Log File or Folder", and the diagnosis as a document with links. */

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_FOLDER, SHARD } from "./demos.js";
import { CORE, expect, test } from "./editor.js";

test.use({ demo: SHARD.folder });

const COMMAND = "Diagnose Log File or Folder";

test("a file of the explorer is diagnosed; the diagnosis is rendered and links into the log and the code", CORE, async ({
  workbench,
}) => {
  const { explorer, preview, editors, messages } = workbench;
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body().locator("h1")).toHaveText(SHARD.summary);
  await expect(preview.body().locator("h2").filter({ hasText: "Fix" })).toBeVisible();
  await expect(messages.status(SHARD.summary)).toBeVisible();

  await preview.follow(`job.log:${SHARD.logLine}`);
  await expect(editors.tab("job.log")).toHaveClass(/active/);
  await expect(editors.currentLine().first()).toHaveText(String(SHARD.logLine));

  await editors.tab("Diagnosis").click();
  await preview.follow(`train.py, line ${SHARD.line}`);
  await expect(editors.tab("train.py")).toHaveClass(/active/);
  await expect(editors.currentLine().first()).toHaveText(String(SHARD.line));
});

test("a folder of the explorer is diagnosed as one run", async ({ workbench, folder }) => {
  cpSync(join(LOG_FOLDER.folder, "logs"), join(folder, "logs"), { recursive: true });
  await workbench.explorer.chooseAt("logs", COMMAND);
  await expect(workbench.preview.body().locator("h1")).toHaveText(LOG_FOLDER.summary);
});

test("an open file is diagnosed from its tab, from its text and from the palette", async ({ workbench }) => {
  const { editors, preview, quickPick } = workbench;
  const ways = [
    () => editors.chooseAtTab("job.log", COMMAND),
    () => editors.chooseInText(COMMAND),
    async () => {
      await workbench.run(`Firstfault: ${COMMAND}`);
      await quickPick.pick("the open file");
    },
  ];
  for (const way of ways) {
    await editors.open("job.log");
    await way();
    await expect(preview.body().locator("h1")).toHaveText(SHARD.summary);
    await workbench.run("View: Close All Editors");
  }
});

test("a log in which nothing failed is called just that", async ({ workbench, folder }) => {
  writeFileSync(join(folder, "fine.log"), "epoch 1 loss 0.5\nepoch 2 loss 0.4\ntraining finished\n");
  await workbench.explorer.chooseAt("fine.log", COMMAND);
  await expect(workbench.editors.tab("Diagnosis: nothing failed")).toBeVisible();
  await workbench.problems.expectNone();
});
