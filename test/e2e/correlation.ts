import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { chooseInSelect } from "./selects";
import { isSteady } from "./steady";
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
    await panel.frame.locator(".drawing [role=option]").first().waitFor({ state: "attached" });
    return panel;
  }

  get points(): Locator {
    return this.frame.locator(".drawing [role=option]");
  }

  point(name: string): Locator {
    return this.frame.locator(`.drawing [aria-label^="${name},"]`);
  }

  get chip(): Locator {
    return this.frame.locator(".chip:visible");
  }

  get summary(): Locator {
    return this.frame.locator(".context .summary");
  }

  /** Chooses an entry of a select by its id: `points`, `x.value`. */
  choose(id: string, entry: string): Promise<void> {
    return chooseInSelect(this.frame, id, entry);
  }

  /** r, as the longest wording of the summary has it. */
  async r(): Promise<number> {
    const words = (await this.summary.locator(".wording").first().textContent()) ?? "";
    return Number((/ r (\S+)/.exec(words)?.[1] ?? assert.fail(words)).replace("−", "-"));
  }

  /** Drags the mouse over points, with some room around, and waits until the restriction says what is wanted. */
  async brush({ page }: Window, names: readonly string[], chosen: string): Promise<void> {
    await isSteady(this.frame);
    await this.drag(page, names);
    await this.chip.filter({ hasText: chosen }).waitFor();
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
