/** The integrated terminal, as a person uses it: what its rows show, typing, selecting, its context menu. */

import { type Locator, type Page, expect } from "@playwright/test";
import type { Menu, QuickPick } from "./menus.js";

/** The prompt of profile.ts: which command comes next, and how the last one ended. */
const PROMPT = /(\d+):(\d+)>$/;

export class Terminal {
  private readonly active: Locator;
  private readonly rows: Locator;
  private next: number | undefined;

  constructor(
    private readonly page: Page,
    private readonly quickPick: QuickPick,
    private readonly menu: Menu,
  ) {
    this.active = page.locator(".terminal-wrapper.active");
    this.rows = this.active.locator(".xterm-rows > div");
  }

  /** Return all terminals, of which one is shown. */
  all(): Locator {
    return this.page.locator(".terminal-wrapper");
  }

  /** Open a new terminal and wait for its prompt; where the editor has several folders, in one of them. */
  async open(folder?: string): Promise<void> {
    this.next = undefined;
    await this.quickPick.run("Terminal: Create New Terminal");
    if (folder !== undefined) await this.quickPick.pick(folder);
    await this.prompt(1);
    await this.focus();
  }

  /** Run a command to its end; return its exit code. */
  async run(command: string): Promise<number> {
    await this.show();
    // where the last command has ended is known; a terminal that was hidden shows its prompt when it is typed into
    const next = this.next ?? (await this.prompt(1)).next;
    await this.type(command);
    await this.page.keyboard.press("Enter");
    return (await this.prompt(next + 1)).exitCode;
  }

  /** Start a command and wait until it has printed a text. */
  async start(command: string, prints: string): Promise<void> {
    await this.show();
    await this.prompt(1);
    await this.type(command);
    await this.page.keyboard.press("Enter");
    await expect.poll(() => this.text()).toContain(`\n${prints}`);
  }

  /** Bring the terminal back, over which the panel may show something else. */
  async show(): Promise<void> {
    if (!(await this.active.isVisible())) await this.quickPick.run("Terminal: Focus Terminal");
  }

  /** Interrupt what runs; return the exit code that the shell tells. */
  async interrupt(): Promise<number> {
    await this.focus();
    await this.page.keyboard.press("Control+C");
    return (await this.prompt(2)).exitCode;
  }

  /** Show the last rows: a terminal that has changed its size may stand above them. */
  private async scrollDown(): Promise<void> {
    await this.active.locator(".xterm-screen").hover({ timeout: 2_000 });
    await this.page.mouse.wheel(0, 10_000);
  }

  /** Wait until the shell is ready for its n-th command or a later one. */
  async prompt(atLeast: number): Promise<{ next: number; exitCode: number }> {
    let found = { next: 0, exitCode: 0 };
    await expect(async () => {
      const [, next, exitCode] = PROMPT.exec(await this.text()) ?? [];
      if (Number(next ?? 0) < atLeast) await this.scrollDown();
      expect(Number(next ?? 0)).toBeGreaterThanOrEqual(atLeast);
      found = { next: Number(next), exitCode: Number(exitCode) };
    }).toPass();
    this.next = found.next;
    return found;
  }

  /** Return what is on the screen. */
  async text(): Promise<string> {
    const lines = await this.rows.allTextContents();
    return lines.map((line) => line.replaceAll("\u00a0", " ").trimEnd()).join("\n").trimEnd();
  }

  async focus(): Promise<void> {
    await expect(async () => {
      await this.active.locator(".xterm-screen").click({ position: { x: 400, y: 4 }, timeout: 2_000 });
      await expect(this.active.locator(".xterm.focus")).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }

  /** Select whole rows with the mouse, from the one that shows a text to the last one that shows another. */
  async select(first: string, last = first): Promise<void> {
    const from = await this.box(await this.find(first));
    const to = await this.box(await this.find(last, true));
    await this.page.mouse.move(from.x + 1, from.y + from.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x + to.width - 2, to.y + to.height / 2, { steps: 8 });
    await this.page.mouse.up();
    await expect(this.active.locator(".xterm-selection > div")).not.toHaveCount(0);
  }

  /** Take a selection away. */
  async deselect(): Promise<void> {
    await this.focus();
    await expect(this.active.locator(".xterm-selection > div")).toHaveCount(0);
  }

  /** Choose from the context menu that a right click on a shown text opens. */
  async chooseAt(text: string, label: string): Promise<void> {
    await this.menu.chooseAt(this.rows.nth(await this.find(text)), label);
  }

  /** Return the index of the first or last row with a text. */
  private async find(text: string, last = false): Promise<number> {
    let row = -1;
    await expect(async () => {
      const lines = (await this.rows.allTextContents()).map((line) => line.replaceAll("\u00a0", " "));
      row = last ? lines.findLastIndex((line) => line.includes(text)) : lines.findIndex((line) => line.includes(text));
      expect(row, `a terminal row with ${text}`).toBeGreaterThanOrEqual(0);
    }).toPass();
    return row;
  }

  private async box(row: number): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await this.rows.nth(row).boundingBox();
    if (!box) throw new Error(`terminal row ${row} is not on the screen`);
    return box;
  }

  private async type(command: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.type(command);
  }
}
