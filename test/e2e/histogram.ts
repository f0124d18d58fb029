import type { Frame, Locator } from "playwright-core";
import { isSteady } from "./steady";
import type { Window } from "./window";

/** The histogram's panel. */
export class Histogram {
  private constructor(
    readonly frame: Frame,
    private readonly window: Window,
  ) {}

  /** The panel, once its bars are drawn. */
  static async of(window: Window): Promise<Histogram> {
    const histogram = new Histogram(await window.webview("Histogram"), window);
    await histogram.frame.locator(".drawing [data-key]").first().waitFor({ state: "attached" });
    return histogram;
  }

  /** Waits until this is what is shown: `updateConductivity · exclusive time · 8 ranks`. */
  async shows(title: string): Promise<void> {
    await this.frame.getByRole("listbox", { name: title }).waitFor();
  }

  /** Bar of a member, such as a rank. */
  bar(member: string): Locator {
    return this.frame.locator(`.drawing [data-key="member ${member}"]`);
  }

  /** What a screen reader reads of the bars, from the left. */
  async bars(): Promise<string[]> {
    return this.frame
      .locator('.drawing [data-key^="member "]')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""));
  }

  /** Drags from the bar of one member to that of another with the mouse, and waits until the restriction says what is wanted. */
  async brush(from: string, to: string, chosen: string): Promise<void> {
    await isSteady(this.frame);
    await this.drag(from, to);
    await this.chip(chosen).waitFor();
  }

  private async drag(from: string, to: string): Promise<void> {
    const middle = async (member: string) => {
      const box = await this.bar(member).boundingBox();
      if (!box) throw new Error(`Member ${member} is not in sight.`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [start, end] = [await middle(from), await middle(to)];
    const { mouse } = this.window.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 10 });
    await mouse.up();
  }

  /** The removable text of the restriction. */
  chip(text: string): Locator {
    return this.frame.locator(".chip:visible").filter({ hasText: text });
  }
}
