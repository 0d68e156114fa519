// npm run package [-- --all | --target TARGET...]: build the extension's packages; prints their paths and nothing else.

import { SetupError, main } from "./python.mjs";
import { TARGETS, buildPackages, hostTarget } from "./vsix.mjs";

function chosen(args) {
  if (args.length === 0) return [hostTarget()];
  if (args.length === 1 && args[0] === "--all") return TARGETS;
  const named = args.filter((arg) => arg !== "--target");
  if (args[0] !== "--target" || named.length === 0 || named.some((name) => !TARGETS.includes(name))) {
    throw new SetupError(`Use --all, or --target with one of ${TARGETS.join(", ")}.`);
  }
  return named;
}

main((args) => {
  for (const path of buildPackages(chosen(args))) console.log(path);
  return 0;
});
