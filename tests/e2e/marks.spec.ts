/** How long marks stay: until they are dismissed, or their line is edited; and in which of several folders they are. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPAWN } from "./demos.js";
import { expect, test } from "./editor.js";

test.use({ demo: SPAWN.folder });

test.describe("a marked line", () => {
  test.beforeEach(async ({ workbench }) => {
    await workbench.terminal.open();
    await workbench.terminal.run(SPAWN.command);
    await workbench.editors.open(SPAWN.file);
    await expect(workbench.problems.squiggles()).not.toHaveCount(0);
  });

  test("is dismissed from its light bulb", async ({ workbench }) => {
    const { problems, messages } = workbench;
    await problems.choose(SPAWN.line, "Dismiss this diagnosis");
    await problems.expectGone(SPAWN.summary);
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
  });

  test("is dismissed from the notification", async ({ workbench }) => {
    const { problems, messages } = workbench;
    await workbench.run("Notifications: Show Notifications");
    await messages.press(SPAWN.summary, "Dismiss");
    await problems.expectGone(SPAWN.summary);
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
  });

  test("is dismissed with all others, after which the palette offers nothing more", async ({ workbench }) => {
    const { problems, quickPick } = workbench;
    await workbench.run("Firstfault: Dismiss All Diagnoses");
    await problems.expectGone(SPAWN.summary);
    expect(await quickPick.offers("Firstfault: Open Diagnosis")).toBe(false);
    expect(await quickPick.offers("Firstfault: Dismiss All Diagnoses")).toBe(false);
  });

  test("keeps its mark while others are edited, and loses it when it is", async ({ workbench }) => {
    const { problems, editors } = workbench;
    await editors.append(SPAWN.file, 1, "\nimport os");
    await problems.show();
    await expect(problems.entry(`Ln ${SPAWN.line + 1}`)).toBeVisible();
    await editors.append(SPAWN.file, SPAWN.line + 1, "  # started");
    await problems.expectGone(SPAWN.summary);
  });
});

test("of two folders with the same script, that of the run is marked", async ({ workbench, server, profile }) => {
  const [first, second] = [profile.workspace(SPAWN.folder, "first"), profile.workspace(SPAWN.folder, "second")];
  const file = join(profile.workspace(null, "both"), "both.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ path: first }, { path: second }] }));
  await workbench.open(server.address(file));
  const { terminal, messages, problems } = workbench;
  await terminal.open("second");
  expect(await terminal.run(SPAWN.command)).toBe(1);
  await expect(messages.status(SPAWN.summary)).toBeVisible();
  await problems.show();
  await expect(problems.entry(SPAWN.file)).toContainText("second");
  await expect(problems.entry(SPAWN.file)).not.toContainText("first");
  await problems.goTo(SPAWN.summary);
  await expect(workbench.editors.breadcrumbs()).toContainText("second");
});
