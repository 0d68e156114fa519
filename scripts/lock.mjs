// npm run lock [-- --upgrade]: write requirements/*.txt from pyproject.toml, for every Python and system at once, and
// requirements/bundle.json, the wheels that the extension's packages hold.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVenv, findPython, main, pip, program, run, say } from "./python.mjs";

const UV = "uv==0.13.9";
const COMPILE = ["pip", "compile", "pyproject.toml", "--universal", "--generate-hashes", "--python-version", "3.10"];
const STYLE = ["--fork-strategy", "fewest", "--no-emit-index-url", "--custom-compile-command", "npm run lock", "--quiet"];

/** Resolve both lists with a uv that is made for this and thrown away. */
function lock(args, folder) {
  say(`Installing ${UV}`);
  const python = createVenv(findPython(), folder);
  pip(python, [UV]);
  const compile = (...rest) => run(program("uv", folder), [...COMPILE, ...STYLE, ...args, ...rest]);
  say("Writing requirements/runtime.txt");
  const failed = compile("--group", "build", "--output-file", "requirements/runtime.txt");
  if (failed) return failed;
  say("Writing requirements/dev.txt");
  const ended = compile("--group", "dev", "--constraint", "requirements/runtime.txt", "--output-file", "requirements/dev.txt");
  if (ended) return ended;
  say("Writing requirements/bundle.json (minutes: pip is asked about each library, system and Python)");
  return run(python, ["scripts/wheels.py", "lock"]);
}

main((args) => {
  const folder = mkdtempSync(join(tmpdir(), "firstfault-lock-"));
  try {
    return lock(args, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
