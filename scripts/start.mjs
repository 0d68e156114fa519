// npm start [-- PATH... [FLAG...]]: set up what is missing, then diagnose the user's log, or the run that examples/ ships.

import { join, relative } from "node:path";
import { ROOT, main, prepare, run, say } from "./python.mjs";

const EXAMPLE = join(ROOT, "examples", "missing-shard-8-ranks", "job.log");
const FLAGS_WITH_VALUE = new Set(["--format", "--run-exit-code", "--command", "--cwd"]);

/** Say whether the arguments name anything to read. */
function namesSource(args) {
  for (let i = 0; i < args.length; i++) {
    if (FLAGS_WITH_VALUE.has(args[i])) i++;
    else if (args[i] === "-" || !args[i].startsWith("-")) return true;
  }
  return false;
}

main((args) => {
  const cwd = process.env.INIT_CWD ?? process.cwd(); // npm changes to this folder; the user's paths are relative to theirs
  const example = namesSource(args) ? [] : [relative(cwd, EXAMPLE)];
  const python = prepare("runtime");
  if (example.length > 0) say(`\nA failed run that this repository ships, ${example[0]}:\n`);
  return run(python, ["-m", "firstfault", "diagnose", ...example, ...args], cwd);
});
