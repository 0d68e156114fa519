// npm run docs [-- FOLDER]: write the catalogue as pages that need no server and no network, into build/docs.

import { join } from "node:path";
import { ROOT, main, prepare, run } from "./python.mjs";

main((args) => run(prepare("dev"), [join(ROOT, "scripts", "site", "catalogue_site.py"), ...args]));
