/** A fresh profile: home, settings, temporary folder; nothing of the person who runs the tests. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** A prompt that counts: `3:1> ` says that two commands have run and the last ended with exit code 1. */
const PROMPT = "PS1='\\#:$?> '\nset +o histexpand\n";

/** Settings of the application, which only the user's own file may give. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "git.openRepositoryInParentFolders": "never",
  "remote.autoForwardPorts": false,
  "files.simpleDialog.enable": true,
  "files.autoSave": "off", // as on a desktop; in a browser it is on
  "terminal.integrated.profiles.linux": { bash: { path: "/bin/bash" } },
  "terminal.integrated.defaultProfile.linux": "bash",
  "terminal.integrated.profiles.osx": { bash: { path: "/bin/bash" } },
  "terminal.integrated.defaultProfile.osx": "bash",
  "terminal.integrated.gpuAcceleration": "off", // rows are then text in the page
  "terminal.integrated.stickyScroll.enabled": false, // it shows rows twice
  "terminal.integrated.enablePersistentSessions": false,
  "terminal.integrated.initialHint": false, // it stands behind the prompt
  "terminal.integrated.suggest.enabled": false,
};

export type Settings = Record<string, unknown>;

export class Profile {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "ff-")));
  readonly home = join(this.folder, "home");
  readonly userData = join(this.folder, "data");
  readonly temporary = join(this.folder, "t");

  /** `trusted`: no folder is asked about; else each opens in Restricted Mode. */
  constructor(trusted: boolean) {
    for (const folder of [this.temporary, join(this.home, "bin"), this.join("User"), this.join("Machine")]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(this.folder, "config.yaml"), "auth: none\ncert: false\n");
    // a login shell, by which the editor learns the environment, may have set another PATH
    writeFileSync(join(this.home, ".bashrc"), `export PATH='${this.path}'\n${PROMPT}`);
    this.write("User", { ...QUIET, "security.workspace.trust.enabled": !trusted });
    symlinkSync(python(), join(this.home, "bin", "python")); // which many commands say and few systems have
  }

  /** Write the settings of the machine on which the editor's extensions run; the editor reads them at once. */
  settings(settings: Settings): void {
    this.write("Machine", settings);
  }

  /** Copy a folder into the profile, or make an empty one; return its path. */
  workspace(source: string | null, name = source === null ? "empty" : basename(source)): string {
    const folder = join(this.folder, "w", name);
    mkdirSync(folder, { recursive: true });
    if (source !== null) cpSync(source, folder, { recursive: true });
    return folder;
  }

  /** Put a program on the terminal's PATH. */
  program(name: string, text: string): void {
    const path = join(this.home, "bin", name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }

  /** Return the environment of the editor, free of what another editor or a shell around the tests has set. */
  environment(): NodeJS.ProcessEnv {
    const foreign = /^(XDG_|VSCODE_|ELECTRON_|CODE_SERVER|PASSWORD$|HASHED_PASSWORD$|NODE_OPTIONS$|PORT$|PYTHON|VIRTUAL_ENV$|FIRSTFAULT_)/;
    const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    return {
      ...Object.fromEntries(kept),
      HOME: this.home,
      TMPDIR: this.temporary,
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
      PATH: this.path,
      EXTENSIONS_GALLERY: '{"serviceUrl":""}', // nothing is looked up outside
    };
  }

  /** Return what the editor has written into its log files with such a name, with the files' paths. */
  logs(name: RegExp): Map<string, string> {
    const folder = join(this.userData, "logs");
    if (!existsSync(folder)) return new Map();
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => name.test(file));
    return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  }

  /** Return one text of all such log files. */
  log(name: RegExp): string {
    return [...this.logs(name).values()].join("\n");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private get path(): string {
    return `${join(this.home, "bin")}:${process.env.PATH ?? ""}`;
  }

  private join(scope: "User" | "Machine"): string {
    return join(this.userData, scope);
  }

  private write(scope: "User" | "Machine", settings: Settings): void {
    writeFileSync(join(this.join(scope), "settings.json"), JSON.stringify(settings, null, 2));
  }
}

/** Return the program behind `python3`, which a version manager may keep elsewhere. */
function python(): string {
  const asked = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  if (asked.status !== 0) throw new Error(`python3 does not run: ${asked.error?.message ?? asked.stderr}`);
  return asked.stdout.trim();
}
