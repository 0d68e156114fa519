/** The fixtures of every test: a profile, a server and a window of its own. */

import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type TestInfo, test as base, expect } from "@playwright/test";
import { CodeServer } from "./code-server.js";
import { WITH, WITHOUT, hasExtension } from "./install-extension.js";
import { type Settings, Profile } from "./profile.js";
import { Workbench } from "./workbench.js";

export { expect };

/** One of the tests that show the main paths; run them alone with --grep @core. */
export const CORE = { tag: "@core" };

interface Options {
  /** The folder of which the editor opens a copy; null for an empty one. */
  demo: string | null;
  /** False: the folder opens in Restricted Mode. */
  trusted: boolean;
  /** False: an editor without any extension. */
  extension: boolean;
  settings: Settings;
}

interface Fixtures {
  profile: Profile;
  /** The copy of the demo folder. */
  folder: string;
  server: CodeServer;
  workbench: Workbench;
}

export const test = base.extend<Options & Fixtures>({
  demo: [null, { option: true }],
  trusted: [true, { option: true }],
  extension: [true, { option: true }],
  settings: [{}, { option: true }],

  profile: async ({ trusted, settings }, use, info) => {
    const profile = new Profile(trusted);
    profile.settings(settings);
    await use(profile);
    if (info.status !== info.expectedStatus) keepLogs(profile, info);
    profile.remove();
  },

  folder: async ({ profile, demo }, use) => {
    await use(profile.workspace(demo));
  },

  server: async ({ profile, extension }, use) => {
    if (extension && !hasExtension()) {
      throw new Error("the extension is not built; run: npm run package, or set FIRSTFAULT_VSIX to its .vsix");
    }
    const server = await CodeServer.start(profile, extension ? WITH : WITHOUT);
    await use(server);
    await server.stop();
  },

  workbench: async ({ page, server, folder, profile, extension }, use) => {
    const workbench = new Workbench(page);
    await workbench.open(server.address(folder));
    if (extension) await activated(profile);
    await use(workbench);
  },
});

/** Wait until the editor has started the extension. */
async function activated(profile: Profile): Promise<void> {
  const started = () => profile.log(/remoteexthost\.log$/);
  await expect.poll(started, { message: "the extension starts" }).toContain("_doActivateExtension firstfault.firstfault");
}

/** Keep beside the screenshot what the editor's extensions and ours have written. */
function keepLogs(profile: Profile, info: TestInfo): void {
  for (const [file, text] of profile.logs(/remoteexthost\.log$|Firstfault\.log$/)) {
    writeFileSync(info.outputPath(basename(file)), text);
  }
}
