import type { Frame, Locator } from "playwright-core";
import type { Window } from "./window";
import { pressTool } from "./tools";

/** The flame graph's panel. */
export class FlameGraph {
  private constructor(
    readonly frame: Frame,
    private readonly window: Window,
  ) {}

  static async of(window: Window): Promise<FlameGraph> {
    const flames = new FlameGraph(await window.webview("Flame Graph"), window);
    await flames.frame.locator(".drawing [role=option]").first().waitFor({ state: "attached" });
    return flames;
  }

  get summary(): Locator {
    return this.frame.locator(".summary");
  }

  /** Steps at the left of the row below the toolbar: what is shown, and the way to what is in sight. */
  get steps(): Locator {
    return this.frame.locator(".context .part");
  }

  /** Rectangles of this name, the outermost first. */
  at(name: string): Locator {
    return this.frame.locator(`.drawing [role="option"][aria-label^="${name},"]`).first();
  }

  /** The rectangle of this name that is selected. */
  selected(name: string): Locator {
    return this.frame.locator(`.drawing [aria-selected="true"][aria-label^="${name},"]`);
  }

  private get searchField(): Locator {
    return this.frame.getByRole("textbox", { name: "Search" });
  }

  async clearSearch(): Promise<void> {
    if ((await this.searchField.count()) > 0) await this.searchField.press("Escape");
    await this.summary.filter({ hasNotText: "found" }).waitFor();
  }

  /** Leads to a rectangle by the search, which selects it. */
  async find(name: string): Promise<Locator> {
    await this.clearSearch();
    await this.frame.locator(".drawing [tabindex='0']").press("/");
    await this.searchField.fill(name);
    await this.summary.filter({ hasText: "found" }).waitFor();
    await this.searchField.press("Enter");
    await this.selected(name).waitFor();
    return this.selected(name);
  }

  get table(): Locator {
    return this.frame.getByRole("button", { name: /^Table/ });
  }

  /** Opens the table beside the drawing. */
  async openTable(): Promise<void> {
    await pressTool(this.frame, /^Table/);
    await this.frame.locator(".table").first().waitFor();
  }

  /** Rows of the table, which is open: name and inclusive. */
  async rows(): Promise<{ name: string; inclusive: string; below: string }[]> {
    const rows = this.frame.locator(".table tbody tr");
    await rows.first().waitFor();
    return rows.evaluateAll((all) =>
      all.map((row) => {
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
