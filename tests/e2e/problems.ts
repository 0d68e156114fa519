/** What is marked: squiggles in the editor, the list of problems, and what the light bulb offers. */

import { type Locator, type Page, expect } from "@playwright/test";
import type { QuickPick } from "./menus.js";

export class Problems {
  private readonly panel: Locator;
  private readonly actions: Locator;

  constructor(
    private readonly page: Page,
    private readonly quickPick: QuickPick,
  ) {
    this.panel = page.locator(".markers-panel:visible");
    this.actions = page.locator(".action-widget:visible .monaco-list-row");
  }

  /** Return the red squiggles of the active editor. */
  squiggles(): Locator {
    return this.page.locator(".editor-group-container.active .squiggly-error");
  }

  async show(): Promise<void> {
    await this.quickPick.run("Problems: Focus on Problems View");
    await expect(this.panel).toBeVisible();
  }

  /** Return the entry of the list that shows a text. */
  entry(text: string | RegExp): Locator {
    return this.panel.locator(".monaco-list-row").filter({ hasText: text }).first();
  }

  /** Wait until no problem is listed. */
  async expectNone(): Promise<void> {
    await this.show();
    await expect(this.panel).toContainText("No problems have been detected");
  }

  /** Wait until a problem is not listed; the code may have others, which need no failed run. */
  async expectGone(text: string): Promise<void> {
    await this.show();
    await expect(this.entry(text)).toHaveCount(0);
  }

  /** Go to the place of a problem in the editor. */
  async goTo(text: string | RegExp): Promise<void> {
    await this.show();
    await this.entry(text).dblclick({ position: { x: 80, y: 10 } }); // beside the link of its code
  }

  /** Open the light bulb at the cursor by its key; return what it offers. */
  async lightBulb(line: number, expected: string): Promise<string[]> {
    await expect(async () => {
      await this.page.keyboard.press("Escape");
      await this.quickPick.goToLine(line);
      await this.page.keyboard.press("Control+.");
      await expect(this.actions.filter({ hasText: expected })).toBeVisible({ timeout: 3_000 });
    }).toPass();
    return (await this.actions.allInnerTexts()).map((text) => text.replaceAll("\u00a0", " ").trim());
  }

  /** Choose from the light bulb of a line. */
  async choose(line: number, label: string): Promise<void> {
    await this.lightBulb(line, label);
    const action = this.actions.filter({ hasText: label }).first();
    await expect(async () => {
      if (await action.isVisible()) await action.click({ timeout: 1_000 });
      await expect(action).toBeHidden({ timeout: 1_000 });
    }).toPass();
  }
}
