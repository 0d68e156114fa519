/** Most commands that fail are none of our business: nothing is said about them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHARD, SPAWN, shortLog } from "./demos.js";
import { CORE, expect, test } from "./editor.js";

test.use({ demo: SPAWN.folder });

const WAITING = `import multiprocessing
import time

print("training", multiprocessing.cpu_count() > 0, flush=True)
time.sleep(600)
`;

test("Ctrl-C and failures of other commands are not spoken of", CORE, async ({ workbench, folder }) => {
  writeFileSync(join(folder, "waiting.py"), WAITING);
  const { terminal, messages } = workbench;
  await terminal.open();
  await terminal.start("python3 waiting.py", "training True");
  expect(await terminal.interrupt()).toBe(130);
  for (const command of ["ls /nonexistent", "false", "git foo", "python3 -c 'import nonexistent_module'"]) {
    expect(await terminal.run(command)).not.toBe(0);
  }
  // What is asked later is answered later: when this is said, the others have been passed over.
  expect(await terminal.run(SPAWN.command)).toBe(1);
  await expect(messages.status(SPAWN.summary)).toBeVisible();
  expect(await messages.all()).toEqual([expect.stringContaining(SPAWN.summary)]);
});

test.describe("with automatic diagnosis off", () => {
  test.use({ settings: { "firstfault.automaticDiagnosis": "off" } });

  test("commands are not looked at", async ({ workbench, folder }) => {
    shortLog(folder, "job.log");
    const { terminal, messages, explorer, preview, problems } = workbench;
    await terminal.open();
    expect(await terminal.run(SPAWN.command)).toBe(1);
    await explorer.chooseAt("job.log", "Diagnose Log File or Folder"); // answered after the command would be
    await expect(preview.body()).toContainText(SHARD.title);
    await problems.show();
    await expect(problems.entry(SPAWN.summary)).toHaveCount(0);
    expect(await messages.all()).toEqual([]);
  });
});

test.describe("with automatic diagnosis in the status bar", () => {
  test.use({ settings: { "firstfault.automaticDiagnosis": "status" } });

  test("no notification is shown", async ({ workbench }) => {
    const { terminal, messages } = workbench;
    await terminal.open();
    expect(await terminal.run(SPAWN.command)).toBe(1);
    await expect(messages.status(SPAWN.summary)).toBeVisible();
    expect(await messages.all()).toEqual([]);
  });
});
