/** A training command fails in the terminal: what is said and marked, and how it is mended and proved. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OFFERS, SHARD, SPAWN, recordedTorchrun } from "./demos.js";
import { CORE, expect, test } from "./editor.js";

test.describe("a run of eight ranks", () => {
  test.use({ demo: SHARD.folder });

  test("is explained by the rank that broke it, in the status bar, a notification and the code", CORE, async ({
    workbench,
    profile,
  }) => {
    recordedTorchrun(profile);
    const { terminal, messages, editors, problems } = workbench;
    await terminal.open();
    expect(await terminal.run(SHARD.command)).toBe(1);
    await expect(messages.status(SHARD.summary)).toBeVisible();
    await expect(messages.notification(SHARD.summary)).toBeVisible();
    await problems.show();
    await expect(problems.entry(SHARD.summary)).toBeVisible();
    await editors.open("train.py");
    await editors.goToLine(SHARD.line);
    await expect(problems.squiggles()).not.toHaveCount(0);
  });

  test("opens its diagnosis from the notification and from the status bar", async ({ workbench, profile }) => {
    recordedTorchrun(profile);
    const { terminal, messages, preview, editors } = workbench;
    await terminal.open();
    await terminal.run(SHARD.command);
    await messages.press(SHARD.summary, "Open Diagnosis");
    await expect(preview.body()).toContainText(SHARD.summary);
    await workbench.run("View: Close All Editors");
    await expect(editors.tab("Diagnosis")).toHaveCount(0);
    await messages.status(SHARD.summary).click();
    await expect(preview.body()).toContainText(SHARD.summary);
  });
});

test.describe("a script without a main guard", () => {
  test.use({ demo: SPAWN.folder });

  test("is marked, mended from the light bulb, and runs to its end", CORE, async ({ workbench, folder }) => {
    const { terminal, messages, editors, problems } = workbench;
    await terminal.open();
    expect(await terminal.run(SPAWN.command)).toBe(1);
    await expect(messages.status(SPAWN.summary)).toBeVisible();

    await problems.show();
    await expect(problems.entry(SPAWN.summary)).toBeVisible();
    await editors.open(SPAWN.file);
    await expect(problems.squiggles()).not.toHaveCount(0);
    const offered = await problems.lightBulb(SPAWN.line, SPAWN.fix);
    expect(offered).toEqual(expect.arrayContaining([SPAWN.fix, ...OFFERS]));

    await problems.choose(SPAWN.line, SPAWN.fix);
    await expect(editors.tab(SPAWN.file)).toHaveClass(/dirty/);
    await editors.save(SPAWN.file);
    expect(readFileSync(join(folder, SPAWN.file), "utf8")).toBe(SPAWN.fixed);
    await expect(problems.squiggles()).toHaveCount(0);

    expect(await terminal.run(SPAWN.command)).toBe(0);
    expect(await terminal.text()).toContain(SPAWN.prints);
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
    await problems.expectNone();
  });

  test("is no longer spoken of when it succeeds, however it was mended", async ({ workbench, folder }) => {
    const { terminal, messages, problems } = workbench;
    await terminal.open();
    await terminal.run(SPAWN.command);
    await expect(messages.status(SPAWN.summary)).toBeVisible();
    writeFileSync(join(folder, SPAWN.file), SPAWN.fixed);
    expect(await terminal.run(SPAWN.command)).toBe(0);
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
    await problems.expectNone();
  });

  test("is proved by its verification, which runs on the click and not before", CORE, async ({ workbench, folder }) => {
    const { terminal, messages, editors, problems } = workbench;
    await terminal.open();
    await terminal.run(SPAWN.command);
    await expect(messages.status(SPAWN.summary)).toBeVisible();
    await editors.open(SPAWN.file);
    await expect(terminal.all()).toHaveCount(1);

    await problems.choose(SPAWN.line, "Run verification in terminal");
    await expect(terminal.all()).toHaveCount(2);
    await expect(messages.notification("Still broken")).toBeVisible();
    expect((await terminal.prompt(2)).exitCode).toBe(1);
    await expect(messages.status(SPAWN.summary)).toBeVisible();

    writeFileSync(join(folder, SPAWN.file), SPAWN.fixed);
    await workbench.run("Firstfault: Run Verification in Terminal");
    await expect(messages.notification("Fixed: it printed `safe to import`")).toBeVisible();
    expect((await terminal.prompt(3)).exitCode).toBe(0);
    await expect(terminal.all()).toHaveCount(2); // the same terminal again
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
    await problems.expectNone();
  });

  test("is run again where it failed", async ({ workbench, folder }) => {
    const { terminal, messages } = workbench;
    await terminal.open();
    await terminal.run(SPAWN.command);
    await expect(messages.status(SPAWN.summary)).toBeVisible();
    writeFileSync(join(folder, SPAWN.file), SPAWN.fixed);
    await workbench.run("Firstfault: Run the Failed Command Again");
    expect((await terminal.prompt(3)).exitCode).toBe(0);
    expect(await terminal.text()).toContain(SPAWN.prints);
    await expect(terminal.all()).toHaveCount(1);
    await expect(messages.status(SPAWN.summary)).toHaveCount(0);
  });
});
