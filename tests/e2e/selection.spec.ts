/** "Diagnose Selection": from a terminal and from an editor, by context menu and palette. */

import { SHARD, SPAWN, shortLog } from "./demos.js";
import { CORE, expect, test } from "./editor.js";

test.use({ demo: SPAWN.folder });

const COMMAND = "Diagnose Selection";
const PALETTE = `Firstfault: ${COMMAND}`;

test.beforeEach(({ folder }) => shortLog(folder, "job.log"));

test("rows of a terminal are diagnosed from its context menu", CORE, async ({ workbench }) => {
  const { terminal, messages, preview } = workbench;
  await messages.setClipboard("mine");
  await terminal.open();
  await terminal.run("cat job.log");
  await terminal.select("Traceback", "FileNotFoundError");
  await terminal.chooseAt("FileNotFoundError", COMMAND);
  await expect(preview.body()).toContainText(SHARD.title);
  expect(await messages.clipboard()).toBe("mine");
});

test("rows of a terminal are diagnosed from the palette", async ({ workbench }) => {
  const { terminal, preview } = workbench;
  await terminal.open();
  await terminal.run("cat job.log");
  await terminal.select("Traceback", "FileNotFoundError");
  await workbench.run(PALETTE);
  await expect(preview.body()).toContainText(SHARD.title);
});

test("a text of an editor is diagnosed from its context menu and from the palette", CORE, async ({ workbench }) => {
  const { editors, preview } = workbench;
  await editors.open("job.log");
  await editors.selectAll();
  await editors.chooseInText(COMMAND);
  await expect(preview.body()).toContainText(SHARD.title);
  await workbench.run("View: Close All Editors");
  await editors.open("job.log");
  await editors.selectAll();
  await workbench.run(PALETTE);
  await expect(preview.body()).toContainText(SHARD.title);
});

test("where a terminal and an editor have a selection, it is asked which one is meant", async ({ workbench }) => {
  const { editors, terminal, preview, quickPick } = workbench;
  await editors.open(SPAWN.file);
  await editors.selectAll();
  await terminal.open();
  await terminal.run("cat job.log");
  await terminal.select("Traceback", "FileNotFoundError");
  await workbench.run(PALETTE);
  await quickPick.pick("The terminal's selection");
  await expect(preview.body()).toContainText(SHARD.title);
});

test("with nothing selected one message says what to do", async ({ workbench }) => {
  const { messages, terminal } = workbench;
  await workbench.run(PALETTE);
  await expect(messages.notification("select the text of a failed run first")).toBeVisible();
  expect(await messages.all()).toHaveLength(1);
  await messages.clear();
  await terminal.open(); // the same with a terminal in which nothing is selected
  await workbench.run(PALETTE);
  await expect(messages.notification(/select(ion)?\b/)).toBeVisible();
  expect(await messages.all()).toHaveLength(1);
});
