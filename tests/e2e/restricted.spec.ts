/** An untrusted folder brings neither signatures nor an interpreter along, and no command is run for it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHARD, SPAWN, shortLog } from "./demos.js";
import { CORE, expect, test } from "./editor.js";

test.use({ demo: SPAWN.folder, trusted: false });

const COMMAND = "Diagnose Log File or Folder";
const OWN_TITLE = "The licence server of the cluster has no seat left";
const OWN_LOG = `Traceback (most recent call last):
  File "/work/train.py", line 4, in <module>
    checkout()
RuntimeError: FLEXNET_SEAT_DENIED for this cluster
`;
const OWN_SIGNATURE = `title = "${OWN_TITLE}"
provenance = "run"
meaning = "All seats of the licence are taken."
mechanism = "Each rank takes a seat."
observe = "Every rank fails at once."
confirm = "Ask the licence server."
fix = ["Wait for a seat."]
prevention = ["Take one seat per job."]
on_call = "Wait."
references = ["https://docs.python.org/3/library/exceptions.html#RuntimeError"]

[[patterns]]
regex = 'RuntimeError: FLEXNET_SEAT_DENIED'
role = "initiator"

[[matches]]
log = "RuntimeError: FLEXNET_SEAT_DENIED for this cluster"

[[ignores]]
log = "RuntimeError: seat granted"
because = "It was granted."
`;

test("files and selections are diagnosed, and no command is offered to be run", CORE, async ({ workbench, folder }) => {
  shortLog(folder, "job.log");
  const { explorer, preview, editors, problems, quickPick } = workbench;
  await workbench.expectRestricted();
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body().locator("h1")).toContainText(SHARD.short);
  await expect(preview.body().locator("a").filter({ hasText: "Copy as report" })).toBeVisible();
  await expect(preview.body().locator("a").filter({ hasText: "Run verification" })).toHaveCount(0);
  expect(await quickPick.offers("Firstfault: Open Diagnosis")).toBe(true);
  expect(await quickPick.offers("Firstfault: Run Verification in Terminal")).toBe(false);
  await workbench.run("View: Close All Editors");
  await editors.open("train.py");
  expect(await problems.lightBulb(SHARD.line, "Open diagnosis")).not.toContain("Run verification in terminal");
  await workbench.page.keyboard.press("Escape");
  await workbench.run("View: Close All Editors");
  await editors.open("job.log");
  await editors.selectAll();
  await editors.chooseInText("Diagnose Selection");
  await expect(preview.body().locator("h1")).toContainText(SHARD.short);
});

test("signatures of the folder are used when it is trusted, and not before", async ({ workbench, folder }) => {
  mkdirSync(join(folder, ".firstfault/signatures/cluster"), { recursive: true });
  writeFileSync(join(folder, ".firstfault/signatures/cluster/no-seat.toml"), OWN_SIGNATURE);
  writeFileSync(join(folder, "job.log"), OWN_LOG);
  const { explorer, preview, editors, messages } = workbench;
  await workbench.expectRestricted();
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body().locator("h1")).toContainText("FLEXNET_SEAT_DENIED");
  await expect(preview.body()).not.toContainText(OWN_TITLE);
  await workbench.run("View: Close All Editors");

  await workbench.trust();
  await expect(editors.tab("Diagnosis")).toHaveCount(0);
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body()).toContainText(OWN_TITLE);
  expect(await messages.all()).toEqual([]);
});

test.describe("an interpreter that the folder names", () => {
  // before the editor opens it: a setting that changes while a question is asked is another matter
  test.beforeEach(({ folder }) => {
    shortLog(folder, "job.log");
    mkdirSync(join(folder, ".vscode"));
    writeFileSync(join(folder, ".vscode/settings.json"), '{ "firstfault.interpreter": "/nonexistent/python" }');
  });

  test("is used when the folder is trusted, and not before", async ({ workbench }) => {
    const { explorer, preview, messages } = workbench;
    await workbench.expectRestricted();
    await explorer.chooseAt("job.log", COMMAND);
    await expect(preview.body().locator("h1")).toContainText(SHARD.short);
    expect(await messages.all()).toEqual([]);
    await workbench.run("View: Close All Editors");

    await workbench.trust();
    await explorer.chooseAt("job.log", COMMAND);
    await expect(messages.notification("/nonexistent/python")).toBeVisible();
  });
});
