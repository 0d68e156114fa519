import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { BUILD, SEARCH, installed } from "./installed.js";

/** The workbench took up to 15 s to show on a busy machine of two cores; nothing that works waits this long. */
const PATIENCE = 60_000;

export default defineConfig({
  testDir: ".",
  outputDir: join(BUILD, "results"),
  globalSetup: "./install-extension.ts",
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: "line",
  timeout: 4 * PATIENCE,
  expect: { timeout: PATIENCE, toPass: { timeout: PATIENCE } },
  use: {
    actionTimeout: PATIENCE,
    navigationTimeout: PATIENCE,
    viewport: { width: 1400, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      executablePath: installed().chromium,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", SEARCH],
    },
  },
});
