/** What the workbench says by itself: notifications with their buttons, the status bar, dialogs. */

import { type Locator, type Page, expect } from "@playwright/test";
import type { QuickPick } from "./menus.js";

export class Messages {
  readonly statusBar: Locator;
  private readonly items: Locator;

  constructor(
    private readonly page: Page,
    private readonly quickPick: QuickPick,
  ) {
    this.statusBar = page.locator(".part.statusbar");
    this.items = page.locator(".notification-list-item:visible");
  }

  /** Return the entry of the status bar that shows a text. */
  status(text: string | RegExp): Locator {
    return this.statusBar.locator(".statusbar-item:visible").filter({ hasText: text }).first();
  }

  /** Return the notification with a text; wait for it with `expect`. */
  notification(text: string | RegExp): Locator {
    return this.items.filter({ hasText: text }).first();
  }

  /** Press a button of a notification. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const notification = this.notification(text);
    await notification.waitFor();
    const label = notification.locator(".monaco-button").getByText(button, { exact: true });
    await expect(async () => {
      await notification.hover({ timeout: 1_000 }); // shows the whole of it, and keeps it from going
      await label.click({ timeout: 1_000 });
    }).toPass();
    await notification.waitFor({ state: "detached" });
  }

  /** Return the texts of all notifications that are kept, also those that have slid away. */
  async all(): Promise<string[]> {
    const center = this.page.locator(".notifications-center");
    await expect(async () => {
      await this.quickPick.run("Notifications: Show Notifications");
      await expect(center).toBeVisible({ timeout: 3_000 }); // an editor that takes the focus hides it
    }).toPass();
    const texts = await center.locator(".notification-list-item-message").allInnerTexts();
    await this.quickPick.run("Notifications: Hide Notifications");
    await expect(center).toBeHidden();
    return texts;
  }

  async clear(): Promise<void> {
    await this.quickPick.run("Notifications: Clear All Notifications");
    await expect(this.items).toHaveCount(0);
  }

  async clipboard(): Promise<string> {
    return await this.page.evaluate<string>("navigator.clipboard.readText()");
  }

  async setClipboard(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    expect(await this.clipboard()).toBe(text);
  }
}
