/**
 * A command's output that the editor did not pass on. With the extensions' process on another side of a connection, as
 * here, VS Code loses the output of a quick command when its start, its output and its end arrive together.
 */

import { SHARD } from "./demos.js";
import { CORE, expect, test } from "./editor.js";
import { extensionHost, paused } from "./processes.js";

test.use({ demo: SHARD.folder });
test.skip(process.platform !== "linux", "finds and stops processes through /proc");

const OFFER = "click to read its output";
const MOST_TRIES = 20;

test("is offered to be read, and read from the terminal on the click, which leaves the clipboard alone", CORE, async ({
  workbench,
  profile,
  server,
}) => {
  const { terminal, messages, preview } = workbench;
  profile.program("torchrun", "#!/bin/sh\ncat job.log >&2\nexit 1\n"); // as quick as can be
  await messages.setClipboard("mine");
  await terminal.open();
  const host = extensionHost(server);
  let offered = false;
  for (let tries = 0; tries < MOST_TRIES && !offered; tries++) {
    // all of a command reaches the extensions at once after a pause
    await paused(host, async () => expect(await terminal.run(SHARD.command)).toBe(1));
    const said = messages.status(OFFER).or(messages.status(SHARD.summary));
    await expect(said.first()).toBeVisible();
    offered = await messages.status(OFFER).isVisible();
    if (offered) break;
    await workbench.run("Firstfault: Dismiss All Diagnoses");
    await expect(messages.status(SHARD.summary)).toHaveCount(0);
  }
  expect(offered, "the editor loses the output of a quick command").toBe(true);

  expect(await messages.clipboard()).toBe("mine");
  await messages.status(OFFER).click();
  await expect(preview.body()).toContainText(SHARD.summary);
  expect(await messages.clipboard()).toBe("mine");
  await expect(messages.status(SHARD.summary)).toBeVisible();
});

test("that never was is offered as well, and the click says that there is none", async ({ workbench, profile }) => {
  const { terminal, messages } = workbench;
  profile.program("torchrun", "#!/bin/sh\nexit 1\n");
  await messages.setClipboard("mine");
  await terminal.open();
  expect(await terminal.run(SHARD.command)).toBe(1);
  await expect(messages.status(OFFER)).toBeVisible();
  await messages.status(OFFER).click();
  await expect(messages.notification("has no output of a command to read")).toBeVisible();
  expect(await messages.clipboard()).toBe("mine");
});

test("is not offered of a command that starts no training", async ({ workbench, profile }) => {
  const { terminal, messages } = workbench;
  profile.program("torchrun", "#!/bin/sh\nexit 1\n");
  await terminal.open();
  expect(await terminal.run("false")).toBe(1);
  expect(await messages.status(OFFER).count()).toBe(0);
  expect(await terminal.run(SHARD.command)).toBe(1);
  await expect(messages.status(OFFER)).toBeVisible();
});
