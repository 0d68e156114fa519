// npm test: set up what is missing, then every check; the first that fails ends it. Arguments go to pytest.

import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { prepareNode } from "./node.mjs";
import { ROOT, main, prepare, program, run, say } from "./python.mjs";

const script = (name) => [process.execPath, fileURLToPath(new URL(name, import.meta.url))];
const LINT = [
  ["ruff", "check", "."],
  ["ruff", "format", "--check", "."],
  ["mypy"], // strict by pyproject.toml
  ["lint-imports", "--no-logo"],
  [process.execPath, join(ROOT, "node_modules", "typescript", "bin", "tsc"), "--project", "."], // strict by tsconfig.json
];
const PACKAGE = script("package.mjs");
const EDITOR = script("e2e.mjs");

/** Choose the steps: all of them, only the fast checks (--lint), also the slow tests and the editor's (--all), or the editor's (--editor). */
function steps([first, ...rest]) {
  if (first === "--lint") return LINT;
  if (first === "--all") return [...LINT, PACKAGE, EDITOR, ["pytest", "-m", "", ...rest]];
  if (first === "--editor") return [PACKAGE, [...EDITOR, ...rest]];
  if (first !== undefined) return [...LINT, ["pytest", first, ...rest]];
  return [...LINT, PACKAGE, ["pytest"]]; // last, so that its summary ends the run
}

main((args) => {
  prepareNode();
  prepare("dev");
  for (const [name, ...options] of steps(args)) {
    const shown = name === process.execPath ? options.map((option) => option.replace(`${ROOT}/`, "")) : [name, ...options];
    say(`$ ${shown.join(" ")}`);
    const code = run(name === process.execPath ? name : program(name), options);
    if (code !== 0) return code;
  }
  return 0;
});
