/** Pop-up menus, and the list from which commands and files are picked. */

import { type Locator, type Page, expect } from "@playwright/test";

export class Menu {
  private readonly menu: Locator;

  constructor(private readonly page: Page) {
    this.menu = page.locator(".monaco-menu");
  }

  /** Open the context menu of a place; a click that comes while the editor is at work opens none. */
  async open(target: Locator): Promise<void> {
    await expect(async () => {
      // by coordinates: some places lie under transparent layers that pass the click on
      const box = await target.boundingBox();
      if (!box) throw new Error("the place is not on the screen");
      await this.page.mouse.click(box.x + Math.min(20, box.width / 2), box.y + Math.min(10, box.height / 2), { button: "right" });
      await expect(this.menu.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }

  /** Choose from the context menu of a place, as soon as the editor has the entry. */
  async chooseAt(target: Locator, label: string): Promise<void> {
    await expect(async () => {
      await this.open(target);
      if (await this.entry(label).first().isVisible()) return;
      await this.close();
      throw new Error(`the context menu does not offer ${label}`);
    }).toPass();
    await this.choose(label);
  }

  private entry(label: string): Locator {
    return this.menu.locator(".action-menu-item").filter({ has: this.page.getByText(label, { exact: true }) });
  }

  /** Return what the open menu offers. */
  async labels(): Promise<string[]> {
    return await this.menu.locator(".action-menu-item .action-label").allInnerTexts();
  }

  /** Choose an entry. A new menu ignores clicks for a moment, so click until it is gone. */
  private async choose(label: string): Promise<void> {
    const entry = this.entry(label).first();
    await expect(async () => {
      if (await entry.isVisible()) await entry.click({ timeout: 1_000 });
      await expect(entry).toBeHidden({ timeout: 1_000 });
    }).toPass();
  }

  async close(): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press("Escape");
      await expect(this.menu).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  }
}

export class QuickPick {
  private readonly box: Locator;

  constructor(private readonly page: Page) {
    this.box = page.locator(".quick-input-widget:visible");
  }

  /** Run a command of the palette by its whole title. Many are offered only when the rest of the editor is there. */
  async run(title: string): Promise<void> {
    await expect(async () => {
      await this.ask("F1", `>${title}`);
      if (await this.settled(title)) return;
      await this.close();
      throw new Error(`the palette does not offer ${title}`);
    }).toPass();
    await this.row(title).click(); // once: a second click would run it again
    await expect(this.row(title)).toBeHidden();
  }

  /** Tell whether the palette offers a command. */
  async offers(title: string): Promise<boolean> {
    await this.ask("F1", `>${title}`);
    const offered = await this.settled(title);
    await this.close();
    return offered;
  }

  /** Go to a file, and to a line of it. */
  async goToFile(name: string): Promise<void> {
    await this.ask("Control+P", name);
    const found = this.box.locator(".monaco-list-row").filter({ hasText: name }).first();
    await found.click();
    await expect(found).toBeHidden();
  }

  async goToLine(line: number): Promise<void> {
    await this.ask("Control+G", `:${line}`);
    await this.page.keyboard.press("Enter");
    await expect(this.box).toHaveCount(0);
  }

  /** Pick an entry of the list that the editor shows by itself. */
  async pick(label: string | RegExp): Promise<void> {
    await this.box.locator(".monaco-list-row").filter({ hasText: label }).first().click();
  }

  /** Wait until the palette has an answer to what was typed; tell whether it is the command. */
  private async settled(title: string): Promise<boolean> {
    const none = this.box.getByText(/similar commands|No matching commands/);
    await expect(this.row(title).or(none).first()).toBeVisible();
    return await this.row(title).isVisible();
  }

  private async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.box).toHaveCount(0);
  }

  private row(title: string): Locator {
    const name = this.page.locator(".label-name").getByText(title, { exact: true });
    return this.box.locator(".monaco-list-row").filter({ has: name }).first();
  }

  /** Open the box with a key, as often as it takes, and type into it. */
  private async ask(key: string, text: string): Promise<void> {
    await expect(async () => {
      if (!(await this.box.isVisible())) await this.page.keyboard.press(key);
      await this.box.locator("input[type=text]").first().fill(text, { timeout: 2_000 });
    }).toPass();
  }
}
