/** The folders that the tests open, what there is to find in them, and how a run is made to fail in a terminal. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./installed.js";
import type { Profile } from "./profile.js";

/** A script that really fails with this machine's Python, and really runs once it is mended. */
export const SPAWN = {
  folder: join(ROOT, "examples/demo"),
  file: "spawn_without_guard.py",
  command: "python3 spawn_without_guard.py",
  summary: "Processes started while the main module is being imported",
  line: 20,
  fix: 'Start the processes under `if __name__ == "__main__":`',
  fixed: readFileSync(join(ROOT, "tests/e2e/expected/spawn_without_guard.py"), "utf8"),
  prints: "trained on 2 ranks, slope 3.01",
};

/** A recorded run of eight ranks: its log, and the code that it ran. */
export const SHARD = {
  folder: join(ROOT, "examples/demo/eight-ranks"),
  command: "torchrun --nproc-per-node 8 train.py",
  summary: "Rank 2 broke the run: a data file is missing; 7 other ranks followed.",
  short: "Rank 2 broke the run: a data file is missing.", // what its traceback alone says
  title: "A data file is missing",
  line: 21, // of train.py
  logLine: 18, // where its traceback begins in job.log
};

/** A recorded run that left a folder of files, one for each stream of each rank. */
export const LOG_FOLDER = {
  folder: join(ROOT, "examples/missing-field-log-dir"),
  summary: "Rank 2 broke the run: uncaught exception in the training code (KeyError: 'label'); 3 other ranks followed.",
};

/** What the light bulb of a marked line offers besides the fixes. */
export const OFFERS = ["Run verification in terminal", "Open diagnosis", "Dismiss this diagnosis"];

/**
 * Put a torchrun on the terminal's PATH that prints the recorded log, because there is no PyTorch here. It takes as
 * long as a launcher at least does: of commands that take no time the editor may lose the output (see output.spec.ts).
 */
export function recordedTorchrun(profile: Profile): void {
  profile.program("torchrun", "#!/bin/sh\nsleep 1\ncat job.log >&2\nsleep 1\nexit 1\n");
}

/** Write the traceback of the run of eight ranks, short enough for a screen, as a log of its own. */
export function shortLog(folder: string, name: string): void {
  const lines = readFileSync(join(SHARD.folder, "job.log"), "utf8").split("\n");
  writeFileSync(join(folder, name), `${lines.slice(SHARD.logLine - 1, SHARD.logLine + 9).join("\n")}\n`);
}
