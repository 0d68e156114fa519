/** The language server's life: killed, without a Python, with a wrong one. */

import { SPAWN, SHARD, shortLog } from "./demos.js";
import { CORE, expect, test } from "./editor.js";
import { nextLanguageServer } from "./processes.js";

test.use({ demo: SPAWN.folder });

const COMMAND = "Diagnose Log File or Folder";
const LOG = /Firstfault\.log$/;

test("a killed server comes back by itself, and its last words are in the log", CORE, async ({
  workbench,
  folder,
  profile,
  server,
}) => {
  test.skip(process.platform !== "linux", "finds the process through /proc");
  shortLog(folder, "job.log");
  const { explorer, preview, messages } = workbench;
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body().locator("h1")).toContainText(SHARD.short);
  const former = await nextLanguageServer(server);
  process.kill(former, "SIGKILL");
  await nextLanguageServer(server, former);
  await workbench.run("View: Close All Editors");
  await explorer.chooseAt("job.log", COMMAND);
  await expect(preview.body().locator("h1")).toContainText(SHARD.short);
  expect(profile.log(LOG)).toMatch(/the server has ended: signal SIGKILL/);
  expect(profile.log(LOG)).toMatch(/the server stopped unexpectedly; its last lines:\n.*job\.log: failure after/);
  expect(await messages.all()).toEqual([]);
});

test("the server is started again by hand", async ({ workbench, folder, server }) => {
  test.skip(process.platform !== "linux", "finds the process through /proc");
  shortLog(folder, "job.log");
  await workbench.explorer.chooseAt("job.log", COMMAND);
  await expect(workbench.preview.body().locator("h1")).toContainText(SHARD.short);
  const former = await nextLanguageServer(server);
  await workbench.run("Firstfault: Restart Server");
  await nextLanguageServer(server, former);
  expect(await workbench.messages.all()).toEqual([]);
});

test.describe("with an interpreter that is not there", () => {
  test.use({ settings: { "firstfault.interpreter": "/nonexistent/python" } });

  test("it is said once, with a button to the setting, and works when that is mended", CORE, async ({
    workbench,
    folder,
    profile,
  }) => {
    shortLog(folder, "job.log");
    const { explorer, preview, messages } = workbench;
    await explorer.chooseAt("job.log", COMMAND);
    await expect(messages.notification("/nonexistent/python")).toContainText("does not exist");
    await explorer.chooseAt("job.log", COMMAND);
    await workbench.terminal.open();
    await workbench.terminal.run(SPAWN.command);
    expect(await messages.all()).toHaveLength(1);

    await workbench.run("Notifications: Show Notifications");
    await messages.press("/nonexistent/python", "Open Settings");
    await expect(workbench.settingsPage()).toContainText("Firstfault: Interpreter");
    await workbench.closeModal();

    profile.settings({});
    await expect(async () => {
      await explorer.chooseAt("job.log", COMMAND);
      await expect(preview.body().locator("h1")).toContainText(SHARD.short, { timeout: 5_000 });
    }).toPass();
  });
});
