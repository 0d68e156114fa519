// npm test: set up what is missing, then every check; the first that fails ends it. Arguments go to pytest.

import { main, prepare, program, run, say } from "./python.mjs";

const LINT = [
  ["ruff", "check", "."],
  ["ruff", "format", "--check", "."],
  ["mypy"], // strict by pyproject.toml
  ["lint-imports", "--no-logo"],
];

/** Choose the steps: all of them, only the fast checks (--lint), or also the slow tests (--all). */
function steps([first, ...rest]) {
  if (first === "--lint") return LINT;
  if (first === "--all") return [...LINT, ["pytest", "-m", "", ...rest]];
  return [...LINT, ["pytest", ...(first === undefined ? [] : [first, ...rest])]];
}

main((args) => {
  prepare("dev");
  for (const [name, ...options] of steps(args)) {
    say(`$ ${[name, ...options].join(" ")}`);
    const code = run(program(name), options);
    if (code !== 0) return code;
  }
  return 0;
});
