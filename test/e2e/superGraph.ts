import type { Frame, Locator } from "playwright-core";
import type { Window } from "./window";

/** The super graph's panel. */
export class SuperGraph {
  private constructor(readonly frame: Frame) {}

  /** The panel, once its graph is drawn. */
  static async of(window: Window): Promise<SuperGraph> {
    const graph = new SuperGraph(await window.webview("Super Graph"));
    await graph.bars.first().waitFor();
    return graph;
  }

  get bars(): Locator {
    return this.frame.locator("svg.graph .bar");
  }

  /** A bar by its name, such as `physics.cpp`. */
  bar(name: string): Locator {
    return this.frame.locator(`svg.graph .bar[aria-label^="${name},"]`);
  }

  /** Names of all bars. */
  async names(): Promise<string[]> {
    const labels = await this.bars.evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""));
    return labels.map((label) => label.split(", inclusive ")[0]);
  }

  /** Waits until exactly these bars are there, in any order. */
  async hasBars(names: readonly string[]): Promise<void> {
    await this.frame.waitForFunction(
      (expected) => {
        const labels = [...document.querySelectorAll("svg.graph .bar")].map(
          (bar) => bar.getAttribute("aria-label") ?? "",
        );
        return JSON.stringify(labels.map((label) => label.split(", inclusive ")[0]).sort()) === expected;
      },
      JSON.stringify([...names].sort()),
    );
  }

  /** The line that says what is drawn and what is hidden. */
  get summary(): Locator {
    return this.frame.locator(".summary");
  }

  /** Hides what is below this percentage of the total. */
  async filter(percent: number): Promise<void> {
    const field = this.frame.locator('vscode-text-field[aria-label^="Hide below"] input');
    await field.fill(`${percent}`);
    await field.press("Enter");
  }

  dropdown(label: string): Locator {
    return this.frame.locator(`vscode-dropdown[aria-label="${label}"]`);
  }

  /** Chooses an entry of a drop-down list with the mouse. */
  async choose(label: string, entry: string): Promise<void> {
    await this.dropdown(label).click();
    await this.dropdown(label).locator("vscode-option").filter({ hasText: entry }).click();
  }

  button(name: string): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  get tooltip(): Locator {
    return this.frame.getByRole("tooltip");
  }
}
