/** "Copy as Report" and "Wrong Answer?": what leaves the editor has nothing private in it, and it is said what was hidden. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CORE, expect, test } from "./editor.js";

const TOKEN = "hf_AbCdEfGhIjKlMnOpQrStUvWx";
const PRIVATE = ["/home/mira.holt", "mira.holt", TOKEN, "10.31.7.92"];
const HIDDEN = ["1 home folder", "1 IP address", "1 token", "1 user name"];
const LOG = `[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/mira.holt/job/train.py", line 8, in <module>
[rank1]:     rows = fetch("http://10.31.7.92/shard", user="mira.holt", token="${TOKEN}")
[rank1]: RuntimeError: 10.31.7.92 does not know user 'mira.holt' with ${TOKEN}
`;

test.beforeEach(async ({ workbench, folder }) => {
  writeFileSync(join(folder, "job.log"), LOG);
  await workbench.explorer.chooseAt("job.log", "Diagnose Log File or Folder");
  await expect(workbench.preview.body()).toContainText("does not know user");
});

test("a report in the clipboard hides what is private, and says so", CORE, async ({ workbench }) => {
  const { messages, editors } = workbench;
  await messages.setClipboard("before");
  await workbench.run("Firstfault: Copy as Report");
  const told = messages.notification("The report is in the clipboard");
  for (const hidden of HIDDEN) await expect(told).toContainText(hidden);
  const report = await messages.clipboard();
  expect(report).toContain("does not know user");
  for (const text of PRIVATE) expect(report).not.toContain(text);

  await messages.press("The report is in the clipboard", "Show What Was Hidden");
  await expect(editors.text()).toContainText("what it hides");
  await expect(editors.text()).toContainText("10.31.7.92");
});

test("a case is saved into the workspace without what is private", async ({ workbench, folder }) => {
  const { messages, editors } = workbench;
  await workbench.run("Firstfault: Wrong Answer? Save as a Case");
  await expect(messages.notification("Nothing was sent")).toBeVisible();
  const cases = join(folder, ".firstfault", "cases");
  expect(existsSync(cases)).toBe(true);
  const [file, ...others] = readdirSync(cases);
  expect(others).toEqual([]);
  const saved = readFileSync(join(cases, file!), "utf8");
  expect(JSON.parse(saved)).toMatchObject({ firstfault_case: 1, logs: [{}], answer: { schema_version: 1 } });
  for (const text of PRIVATE) expect(saved).not.toContain(text);
  await messages.press("Nothing was sent", "Open File");
  await expect(editors.tab(file!)).toBeVisible();
});

test("the diagnosis has both as links", async ({ workbench }) => {
  const { messages, preview } = workbench;
  await messages.setClipboard("before");
  await preview.follow("Copy as report");
  await expect(messages.notification("The report is in the clipboard")).toBeVisible();
  expect(await messages.clipboard()).toContain("does not know user");
  await preview.follow("Save as a case");
  await expect(messages.notification("Nothing was sent")).toBeVisible();
});
