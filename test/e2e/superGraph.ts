import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { formatValue } from "../../src/model/units";
import { eventually } from "./eventually";
import { barName, type GoldenGraph, ranks } from "./golden";
import { chooseInSelect } from "./selects";
import { isSteady } from "./steady";
import { TextEditor } from "./textEditor";
import type { Window } from "./window";

/** Keys of bars are JSON alone; those of their entry functions have a name behind it. */
export const BARS = '.drawing [role="option"][data-key$="]"]';

/** The super graph's panel. */
export class SuperGraph {
  private constructor(
    readonly frame: Frame,
    private readonly window: Window,
  ) {}

  /** The panel, once its graph is drawn. */
  static async of(window: Window): Promise<SuperGraph> {
    const graph = new SuperGraph(await window.webview("Super Graph"), window);
    await graph.bars.first().waitFor();
    return graph;
  }

  /** The panel, once its graph is grouped by source file, by the control. @param bar one of its bars, which no first picture has */
  static async byFile(window: Window, bar = "physics.cpp"): Promise<SuperGraph> {
    const graph = await SuperGraph.of(window);
    await graph.choose("groupBy", "by file");
    await graph.bar(bar).first().waitFor();
    // What comes after the bars would take the focus from a question that is asked meanwhile.
    await isSteady(graph.frame);
    return graph;
  }

  get bars(): Locator {
    return this.frame.locator(BARS);
  }

  /** A bar by its name, such as `physics.cpp`. */
  bar(name: string): Locator {
    return this.frame.locator(`${BARS}[aria-label^="${name},"]`);
  }

  /** A bar by the key of its mark: its group and which of the group's bars it is, as JSON. */
  barOfKey(key: string): Locator {
    return this.bars.and(this.frame.locator(`[data-key=${JSON.stringify(key)}]`));
  }

  /** Makes the window so large that the panel has this size. */
  async hasSize({ width, height }: { width: number; height: number }): Promise<void> {
    const [wide, high] = await this.frame.evaluate(() => [innerWidth, innerHeight]);
    const { page } = this.window;
    const window = page.viewportSize() ?? assert.fail("the window has no size");
    await page.setViewportSize({ width: window.width + width - wide, height: window.height + height - high });
    await this.frame.waitForFunction((size) => innerWidth === size[0] && innerHeight === size[1], [width, height]);
  }

  /** The bar of that name, while it is selected. */
  selected(name: string): Locator {
    return this.bar(name).and(this.frame.locator('[aria-selected="true"]'));
  }

  /** Waits until exactly these bars are there, with any numbers. */
  async hasBarsOf({ nodes }: Pick<GoldenGraph, "nodes">): Promise<void> {
    await eventually(async () => {
      const names = (await this.drawnBars()).map(({ name }) => name);
      assert.deepEqual(names.sort(), nodes.map(barName).sort());
    });
  }

  /** What the graph begins with, as its row of steps says. */
  async hasStart(filter: string, grouping: string): Promise<void> {
    await eventually(async () => {
      const [first, second] = ["start filter", "start group"].map((id) => this.frame.locator(`[data-step="${id}"]`));
      assert.deepEqual([await first.textContent(), await second.textContent()], [filter, grouping]);
    });
  }

  /** Chooses a grouping from the last step of the row. */
  async regroup(entry: string): Promise<void> {
    const menu = this.frame.getByRole("menu");
    await isSteady(this.frame);
    await this.frame.locator('[data-step="start group"]').click();
    await menu.getByRole("menuitemradio", { name: entry }).first().click();
    await menu.waitFor({ state: "hidden" });
  }

  /** Waits until exactly these bars are there, and their numbers are the means over ranks of these sums. */
  async shows(golden: GoldenGraph): Promise<void> {
    await eventually(async () => {
      await this.hasBarsOf(golden);
      const drawn = await this.drawnBars();
      for (const bar of golden.nodes) {
        const shown = drawn.find(({ name }) => name === barName(bar));
        for (const value of ["inclusive", "exclusive"] as const)
          assert.ok(
            shown && isNear(shown[value], bar[value] / ranks),
            `${barName(bar)}: ${value} is ${shown?.[value]}, not ${bar[value] / ranks}`,
          );
      }
    });
  }

  /** The bars as a screen reader reads them; seconds. */
  async drawnBars(): Promise<{ name: string; inclusive: number; exclusive: number }[]> {
    const labels = await this.bars.evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""));
    return labels.map((label) => {
      const [, name, inclusive, exclusive] =
        /^(.+), inclusive (.+?) \(.*?\), exclusive (.+?) \(/.exec(label) ?? assert.fail(label);
      return { name, inclusive: seconds(inclusive), exclusive: seconds(exclusive) };
    });
  }

  /** Waits until the bars of this name, the upper half's first, have these values in any unit, to the three digits that are shown. */
  async hasInclusives(name: string, unit: string, ...expected: readonly number[]): Promise<void> {
    await eventually(async () => {
      const labels = await this.bar(name).evaluateAll((bars) =>
        bars.map((bar) => bar.getAttribute("aria-label") ?? ""),
      );
      const shown = labels.map((label) => /, inclusive (.+?) \(/.exec(label)?.[1] ?? label);
      assert.deepEqual(
        shown,
        expected.map((value) => formatValue(value, unit)),
      );
    });
  }

  /** Waits until this bar is there with this inclusive, in seconds, within a half of the last digit that is known. */
  async hasBar(name: string, inclusive: number, within = 0): Promise<void> {
    await eventually(async () => {
      const found = (await this.drawnBars()).find((bar) => bar.name === name);
      const off = Math.abs((found?.inclusive ?? NaN) - inclusive);
      assert.ok(off <= 0.006 * inclusive + within, `${name}: ${found?.inclusive}, not ${inclusive}`);
    });
  }

  /** Chooses from the menu of a bar. */
  operate(bar: string, entry: string): Promise<void> {
    return this.chooseFromMenu(entry, () => this.bar(bar).first().click({ button: "right" }));
  }

  /** Chooses from the menu of the list of steps. */
  actOnSteps(entry: string): Promise<void> {
    return this.chooseFromMenu(entry, async () => {
      await this.frame.locator('[data-tool="more"]').click();
      await this.frame.getByRole("menuitem", { name: "Steps" }).click();
    });
  }

  /** Takes a step out of the row. */
  removeStep(label: string): Promise<void> {
    return this.chooseFromMenu("Remove this step", () =>
      this.frame.getByRole("button", { name: label }).first().click({ button: "right" }),
    );
  }

  /** Presses a tool of the toolbar. */
  async tool(id: string): Promise<void> {
    await this.frame.locator(`[data-tool="${id}"]`).click();
  }

  /** Removes a chip by the keyboard. */
  async removeChip(text: string): Promise<void> {
    await this.frame.getByRole("button", { name: `Remove ${text}` }).press("Enter");
  }

  private async chooseFromMenu(entry: string, open: () => Promise<void>): Promise<void> {
    await this.window.focusRests();
    await isSteady(this.frame);
    await open();
    await this.frame.getByRole("menuitem", { name: entry }).first().click();
  }

  /** Opens the line of a bar by a double click. */
  async open(bar: string, file: string, line: number): Promise<void> {
    await isSteady(this.frame);
    await this.bar(bar).dblclick();
    await new TextEditor(this.window).cursorAt(file, line);
    await this.selected(bar).waitFor();
  }

  /** The operations so far, in order, as they are shown. */
  async steps(): Promise<string[]> {
    const labels = await this.frame
      .locator(".part > .step")
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent ?? ""));
    // The data set, the filter and the grouping that everything begins with.
    return labels.slice(3);
  }

  /** Waits until the list of steps is this one. */
  async hasSteps(...steps: string[]): Promise<void> {
    await eventually(async () => assert.deepEqual(await this.steps(), steps));
  }

  /** The line that says what is drawn and what is hidden. */
  get summary(): Locator {
    return this.frame.locator(".summary");
  }

  /** The title of one of two graphs. */
  title(text: string | RegExp): Locator {
    return this.frame.locator(".drawing .above text", { hasText: text });
  }

  /** The drawing, once its numbers are these: "mean over 8 ranks". */
  over(text: string): Locator {
    return this.frame.locator(`.drawing[aria-label$="${text}"]`);
  }

  /** Hides what is below this percentage of the total. */
  async filter(percent: number): Promise<void> {
    const field = this.frame.getByLabel("Hide functions below, in percent");
    await isSteady(this.frame);
    await this.frame.locator('[data-select="filter"]').click();
    await field.fill(`${percent}`);
    await field.press("Enter");
    await field.press("Escape");
    await field.waitFor({ state: "hidden" });
  }

  /** Chooses an entry of a select by its id (`groupBy`, `over`) with the mouse. */
  choose(id: string, entry: string): Promise<void> {
    return chooseInSelect(this.frame, id, entry);
  }

  /** Waits until every bar lies in the drawing, and nothing is wider than the panel. */
  async fits(): Promise<void> {
    await this.frame.waitForFunction(() => {
      const drawing = document.querySelector(".drawing")?.getBoundingClientRect();
      const bars = [...document.querySelectorAll(".drawing [data-mark]")].map((bar) => bar.getBoundingClientRect());
      return (
        drawing !== undefined &&
        bars.every(({ left, right }) => left >= drawing.left - 1 && right <= drawing.right + 1) &&
        document.documentElement.scrollWidth <= window.innerWidth
      );
    });
  }

  button(name: string): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  get tooltip(): Locator {
    return this.frame.getByRole("tooltip");
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 };

/** `264 ms` as 0.264. */
function seconds(text: string): number {
  const [number, unit] = text.split(" ");
  return Number(number) * unitSeconds[unit];
}

/** Three digits are shown; the expected values have six decimals. */
function isNear(shown: number, expected: number): boolean {
  return Math.abs(shown - expected) <= 0.006 * expected + 1e-6;
}
