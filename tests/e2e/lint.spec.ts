/** What is certain to break a run is marked before it runs, with its fix. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SPAWN } from "./demos.js";
import { expect, test } from "./editor.js";

test.use({ demo: SPAWN.folder });

const MARK = "Each spawned process imports this file and starts again here";
const LINE = 18;

test("a script that cannot run is marked as soon as it is opened, and mended from its light bulb", async ({
  workbench,
  folder,
}) => {
  const { editors, problems, terminal } = workbench;
  await editors.open(SPAWN.file);
  await problems.show();
  await expect(problems.entry(MARK)).toContainText(`Ln ${LINE}`);
  await problems.choose(LINE, SPAWN.fix);
  await expect(editors.tab(SPAWN.file)).toHaveClass(/dirty/);
  await editors.save(SPAWN.file);
  expect(readFileSync(join(folder, SPAWN.file), "utf8")).toBe(SPAWN.fixed);
  await problems.expectNone();
  await terminal.open();
  expect(await terminal.run(SPAWN.command)).toBe(0);
});
