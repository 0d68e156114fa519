/** The editor's window: opens a folder, and hands out its parts. */

import { type Locator, type Page, expect } from "@playwright/test";
import { Editors, Explorer, Preview } from "./documents.js";
import { Menu, QuickPick } from "./menus.js";
import { Messages } from "./messages.js";
import { Problems } from "./problems.js";
import { Terminal } from "./terminal.js";

export class Workbench {
  readonly menu: Menu;
  readonly quickPick: QuickPick;
  readonly messages: Messages;
  readonly terminal: Terminal;
  readonly editors: Editors;
  readonly explorer: Explorer;
  readonly preview: Preview;
  readonly problems: Problems;

  constructor(readonly page: Page) {
    this.menu = new Menu(page);
    this.quickPick = new QuickPick(page);
    this.messages = new Messages(page, this.quickPick);
    this.terminal = new Terminal(page, this.quickPick, this.menu);
    this.editors = new Editors(page, this.quickPick, this.menu);
    this.explorer = new Explorer(page, this.quickPick, this.menu);
    this.preview = new Preview(page);
    this.problems = new Problems(page, this.quickPick);
  }

  /** Open a folder's address and wait for the whole window. */
  async open(address: string): Promise<void> {
    await this.page.goto(address, { waitUntil: "domcontentloaded" });
    await expect(this.messages.statusBar).toBeVisible();
    await expect(this.page.locator(".explorer-folders-view .monaco-list-rows")).toBeAttached();
  }

  /** Run a command of the palette by its whole title. */
  async run(title: string): Promise<void> {
    await this.quickPick.run(title);
  }

  /** Wait for the banner of Restricted Mode, which asks nothing. */
  async expectRestricted(): Promise<void> {
    await expect(this.page.locator(".part.banner")).toContainText("Restricted Mode");
    await expect(this.messages.status("Restricted Mode")).toBeVisible();
  }

  /** Trust the opened folder, from the banner. */
  async trust(): Promise<void> {
    await this.page.locator(".part.banner").getByRole("button", { name: "Manage" }).click();
    await this.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await expect(this.messages.status("Restricted Mode")).toHaveCount(0);
    await this.closeModal();
  }

  /** Return the page of settings, which lies over the workbench. */
  settingsPage(): Locator {
    return this.page.locator(".settings-editor");
  }

  /** Close what lies over the workbench; Escape can come too early for it. */
  async closeModal(): Promise<void> {
    const block = this.page.locator(".monaco-modal-editor-block");
    await block.getByRole("button", { name: /^Close/ }).last().click();
    await expect(block).toHaveCount(0);
  }
}
