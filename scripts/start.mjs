// npm start [-- PATH... [FLAG...]]: set up what is missing, then diagnose the user's log. Without a path: diagnose a run
// that examples/ ships, then open the same in an editor; --no-editor leaves that out, --stop ends the editor's server.

import { join, relative } from "node:path";
import { openDemo, stopDemo } from "./demo.mjs";
import { ROOT, SetupError, main, prepare, run, say } from "./python.mjs";

const EXAMPLE = join(ROOT, "examples", "demo", "eight-ranks", "job.log");
const FLAGS_WITH_VALUE = new Set(["--format", "--run-exit-code", "--command", "--cwd"]);

/** Say whether the arguments name anything to read. */
function namesSource(args) {
  for (let i = 0; i < args.length; i++) {
    if (FLAGS_WITH_VALUE.has(args[i])) i++;
    else if (args[i] === "-" || !args[i].startsWith("-")) return true;
  }
  return false;
}

/** Open the editor; that there is none to be had is no failure of the diagnosis, which has been printed. */
async function openEditor() {
  try {
    await openDemo();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\nNo editor was opened: ${error.message}`);
  }
}

main(async (given) => {
  if (given.includes("--stop")) return stopDemo();
  const args = given.filter((arg) => arg !== "--no-editor");
  const cwd = process.env.INIT_CWD ?? process.cwd(); // npm changes to this folder; the user's paths are relative to theirs
  const python = prepare("runtime");
  if (namesSource(args)) return run(python, ["-m", "firstfault", "diagnose", ...args], cwd);
  const example = relative(cwd, EXAMPLE);
  say(`\nA failed run that this repository ships, ${example}:\n`);
  const code = run(python, ["-m", "firstfault", "diagnose", example, ...args], cwd);
  if (code === 0 && !given.includes("--no-editor")) await openEditor();
  return code;
});
