/** Proves the harness itself, in an editor without our extension: when these fail, no other test means anything. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPAWN } from "./demos.js";
import { expect, test } from "./editor.js";

test.use({ extension: false, demo: SPAWN.folder });

test.describe("a folder that is not trusted", () => {
  test.use({ trusted: false });

  test("opens in Restricted Mode, until it is trusted", async ({ workbench }) => {
    await workbench.expectRestricted();
    await workbench.trust();
    await workbench.terminal.open();
    expect(await workbench.terminal.run("pwd")).toBe(0);
  });
});

test("a terminal prints, tells exit codes and can be interrupted", async ({ workbench, folder }) => {
  const { terminal } = workbench;
  await terminal.open();
  expect(await terminal.run("pwd")).toBe(0);
  expect(await terminal.text()).toContain(`\n${folder}\n`);
  expect(await terminal.run("python -c 'import sys; print(6 * 7); sys.exit(3)'")).toBe(3);
  expect(await terminal.text()).toContain("\n42\n");
  await terminal.start("echo begins; sleep 600", "begins");
  expect(await terminal.interrupt()).toBe(130);
});

test("rows are selected in the terminal and copied from its context menu", async ({ workbench }) => {
  const { terminal, messages } = workbench;
  await messages.setClipboard("before");
  await terminal.open();
  await terminal.run("seq 100 105");
  await terminal.select("101", "103");
  await terminal.chooseAt("102", "Copy");
  await expect.poll(() => messages.clipboard()).toBe("101\n102\n103");
  await terminal.deselect();
});

test("files open, are edited and saved", async ({ workbench, folder }) => {
  const { editors } = workbench;
  await editors.open(SPAWN.file);
  await editors.append(SPAWN.file, 6, "0");
  await editors.save(SPAWN.file);
  expect(readFileSync(join(folder, SPAWN.file), "utf8")).toContain("\nWORLD_SIZE = 20\n");
});

test("the palette offers commands, and Problems is empty", async ({ workbench }) => {
  expect(await workbench.quickPick.offers("Terminal: Create New Terminal")).toBe(true);
  expect(await workbench.quickPick.offers("Firstfault: Diagnose Selection")).toBe(false);
  await workbench.problems.expectNone();
});

test("a Markdown preview shows a link that opens a file at its line", async ({ workbench, folder }) => {
  writeFileSync(join(folder, "answer.md"), "# Rank 2 broke the run\n\nSee [line 3](job.log#L3).\n");
  writeFileSync(join(folder, "job.log"), "one\ntwo\nthree\nfour\n");
  mkdirSync(join(folder, "logs"));
  expect(await workbench.explorer.offers("logs")).toContain("Find in Folder...");
  await workbench.explorer.chooseAt("answer.md", "Open Preview");
  await expect(workbench.preview.body()).toContainText("Rank 2 broke the run");
  await workbench.preview.follow("line 3");
  await expect(workbench.editors.tab("job.log")).toHaveClass(/active/);
  await expect(workbench.editors.currentLine().first()).toHaveText("3");
});

test("settings that change while the editor runs take effect", async ({ workbench, profile }) => {
  await workbench.editors.open(SPAWN.file);
  await expect(workbench.editors.currentLine().first()).toBeVisible();
  profile.settings({ "editor.lineNumbers": "off" });
  await expect(workbench.editors.currentLine()).toHaveCount(0);
});
