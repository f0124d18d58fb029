import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { chooseFrom } from "./dropdown";
import { eventually } from "./eventually";
import type { Window } from "./window";

/** Pearson's correlation as a textbook has it. */
export function textbook(x: readonly number[], y: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const cross = (a: readonly number[], b: readonly number[]) =>
    sum(a.map((value, at) => value * b[at])) - (sum(a) * sum(b)) / a.length;
  return cross(x, y) / Math.sqrt(cross(x, x) * cross(y, y));
}

/** The correlation's panel. */
export class Correlation {
  private constructor(readonly frame: Frame) {}

  /** The panel, once its points are drawn. */
  static async of(window: Window): Promise<Correlation> {
    const panel = new Correlation(await window.webview("Correlation"));
    await panel.frame.locator(".point").first().waitFor();
    return panel;
  }

  point(name: string): Locator {
    return this.frame.locator(`.point[aria-label^="${name},"]`);
  }

  get chip(): Locator {
    return this.frame.locator(".chip");
  }

  get summary(): Locator {
    return this.frame.locator(".summary");
  }

  choose(label: string, entry: string): Promise<void> {
    return chooseFrom(this.frame.locator(`vscode-dropdown[aria-label="${label}"]`), entry);
  }

  /** r, as the panel's statistics have it. */
  async r(): Promise<number> {
    const facts = await this.frame.locator(".statistics dl").innerText();
    return Number(/^r\s*\n+(\S+)$/m.exec(facts)?.[1] ?? assert.fail(facts));
  }

  /** Drags the mouse over points, with some room around, until the restriction says what is wanted. */
  async brush({ page }: Window, names: readonly string[], chosen: string): Promise<void> {
    // An editor that opens beside the panel moves its points under the hand: then it is done again.
    await eventually(async (withinMs) => {
      await this.drag(page, names);
      await this.chip.filter({ hasText: chosen }).waitFor({ timeout: withinMs });
    });
  }

  private async drag(page: Page, names: readonly string[]): Promise<void> {
    const boxes = await Promise.all(names.map(async (name) => (await this.point(name).boundingBox()) ?? assert.fail()));
    const room = 10;
    const [left, top] = [Math.min(...boxes.map(({ x }) => x)) - room, Math.min(...boxes.map(({ y }) => y)) - room];
    const right = Math.max(...boxes.map(({ x, width }) => x + width)) + room;
    const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + room;
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move((left + right) / 2, (top + bottom) / 2, { steps: 4 });
    await page.mouse.move(right, bottom, { steps: 4 });
    await page.mouse.up();
  }
}
