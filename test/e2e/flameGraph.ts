import type { Frame, Locator } from "playwright-core";
import type { Window } from "./window";

/** The flame graph's panel. */
export class FlameGraph {
  private constructor(
    readonly frame: Frame,
    private readonly window: Window,
  ) {}

  static async of(window: Window): Promise<FlameGraph> {
    const flames = new FlameGraph(await window.webview("Flame Graph"), window);
    await flames.frame.locator(".legend").waitFor();
    return flames;
  }

  get summary(): Locator {
    return this.frame.locator(".summary");
  }

  /** What has the focus or is selected in a drawing, once it says so. */
  at(name: string, pane = ""): Locator {
    return this.frame.locator(`${pane} [role="treeitem"][aria-label^="${name},"]`).first();
  }

  private get searchField(): Locator {
    return this.frame.locator('vscode-text-field[placeholder="Search"] input');
  }

  async clearSearch(): Promise<void> {
    await this.searchField.fill("");
    await this.frame.locator(".found:empty").waitFor({ state: "attached" });
  }

  /** Leads to a rectangle by the search, which selects it. */
  async find(name: string): Promise<Locator> {
    await this.clearSearch();
    const field = this.searchField;
    await field.fill(name);
    await this.frame.locator(".found").filter({ hasText: "found" }).waitFor();
    await field.press("Enter");
    await this.at(name).waitFor();
    return this.at(name);
  }

  /** Rows of the table: name and inclusive. */
  async rows(): Promise<{ name: string; inclusive: string; below: string }[]> {
    if (!(await this.frame.locator(".twin").isVisible()))
      await this.frame.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await this.frame.locator(".twin tbody tr").first().waitFor();
    return this.frame.locator(".twin tbody tr").evaluateAll((rows) =>
      rows.map((row) => {
        const cells = [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "");
        return { name: cells[0], inclusive: cells[1], below: cells[6] };
      }),
    );
  }

  async click(rectangle: Locator, count = 1): Promise<void> {
    const box = await rectangle.boundingBox();
    if (!box) throw new Error("The rectangle is not in sight.");
    // Near its left end: what explains it stands below its middle.
    await this.window.page.mouse.click(box.x + Math.min(6, box.width / 2), box.y + box.height / 2, {
      clickCount: count,
    });
  }
}
