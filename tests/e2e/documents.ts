/** Files: the explorer and its context menu, open editors, rendered Markdown. */

import { type FrameLocator, type Locator, type Page, expect } from "@playwright/test";
import type { Menu, QuickPick } from "./menus.js";

export class Explorer {
  constructor(
    private readonly page: Page,
    private readonly quickPick: QuickPick,
    private readonly menu: Menu,
  ) {}

  /** Choose from the context menu of a file or folder. */
  async chooseAt(name: string, label: string): Promise<void> {
    await this.show();
    await this.menu.chooseAt(this.row(name), label);
  }

  /** Return what the context menu of a file or folder offers. */
  async offers(name: string): Promise<string[]> {
    await this.show();
    await this.menu.open(this.row(name));
    const labels = await this.menu.labels();
    await this.menu.close();
    return labels;
  }

  private async show(): Promise<void> {
    await this.quickPick.run("View: Show Explorer");
    await expect(this.page.locator(".explorer-folders-view")).toBeVisible();
  }

  private row(name: string): Locator {
    const label = this.page.locator(".label-name").getByText(name, { exact: true });
    return this.page.locator(".explorer-folders-view .monaco-list-row").filter({ has: label }).first();
  }
}

export class Editors {
  constructor(
    private readonly page: Page,
    private readonly quickPick: QuickPick,
    private readonly menu: Menu,
  ) {}

  async open(name: string): Promise<void> {
    await this.quickPick.goToFile(name);
    await expect(this.tab(name)).toHaveClass(/active/);
    await expect(this.text()).toBeVisible();
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator(".tabs-container .tab").filter({ hasText: name }).first();
  }

  /** Return the path of the active editor's file, as the workbench writes it above the text. */
  breadcrumbs(): Locator {
    return this.page.locator(".editor-group-container.active .breadcrumbs-control");
  }

  /** Return the lines that the active editor shows. */
  text(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor .view-lines").first();
  }

  /** Return the line numbers that stand for the cursor. */
  currentLine(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor .line-numbers.active-line-number");
  }

  async goToLine(line: number): Promise<void> {
    await this.quickPick.goToLine(line);
    await expect(this.currentLine().first()).toHaveText(String(line));
    await expect(this.page.locator(".editor-group-container.active .monaco-editor.focused")).toBeVisible();
  }

  /** Type at the end of a line. */
  async append(name: string, line: number, text: string): Promise<void> {
    await this.goToLine(line);
    await this.page.keyboard.press("End");
    await this.page.keyboard.type(text);
    await expect(this.tab(name)).toHaveClass(/dirty/);
  }

  async selectAll(): Promise<void> {
    await this.text().click();
    await this.page.keyboard.press("Control+A");
    await expect(this.page.locator(".editor-group-container.active .selected-text").first()).toBeAttached();
  }

  /** Choose from the context menu of the text. */
  async chooseInText(label: string): Promise<void> {
    await this.menu.chooseAt(this.text(), label);
  }

  async chooseAtTab(name: string | RegExp, label: string): Promise<void> {
    await this.menu.chooseAt(this.tab(name), label);
  }

  /** Save the active editor and wait until it is. */
  async save(name: string): Promise<void> {
    await this.page.keyboard.press("Control+S");
    await expect(this.tab(name)).not.toHaveClass(/dirty/);
  }
}

export class Preview {
  constructor(private readonly page: Page) {}

  /** Return the rendered text of the shown preview. */
  body(): Locator {
    return this.frame().locator("body");
  }

  /** Follow a link of the preview. */
  async follow(link: string | RegExp): Promise<void> {
    await this.frame().locator("a").filter({ hasText: link }).first().click();
  }

  /** A webview is a frame in a frame, laid over the editor that it belongs to. */
  private frame(): FrameLocator {
    return this.page.locator("iframe.webview.ready:visible").first().contentFrame().frameLocator("#active-frame");
  }
}
