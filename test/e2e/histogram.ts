import type { Frame, Locator } from "playwright-core";
import { isSteady } from "./steady";
import type { Window } from "./window";

/** The histogram's panel. */
export class Histogram {
  private constructor(
    readonly frame: Frame,
    private readonly window: Window,
  ) {}

  /** The panel, once its bins are drawn. */
  static async of(window: Window): Promise<Histogram> {
    const histogram = new Histogram(await window.webview("Histogram"), window);
    await histogram.frame.locator('.drawing [data-key^="bin "]').first().waitFor({ state: "attached" });
    return histogram;
  }

  /** Waits until this is what is shown: `updateConductivity · exclusive time · 8 ranks`. */
  async shows(title: string): Promise<void> {
    await this.frame.getByRole("listbox", { name: title }).waitFor();
  }

  /** A bin by its number, from 1. */
  bin(number: number): Locator {
    return this.frame.locator(`.drawing [data-key="bin ${number - 1}"]`);
  }

  /** What a screen reader reads of the bins that hold something. */
  async filledBins(): Promise<string[]> {
    const labels = await this.frame
      .locator('.drawing [data-key^="bin "]')
      .evaluateAll((bins) => bins.map((bin) => bin.getAttribute("aria-label") ?? ""));
    return labels.filter((label) => !/, holds 0 (rank|thread|GPU stream|host)s/.test(label));
  }

  /** Drags over bins with the mouse, and waits until the restriction says what is wanted. */
  async brush(from: number, to: number, chosen: string): Promise<void> {
    await isSteady(this.frame);
    await this.drag(from, to);
    await this.chip(chosen).waitFor();
  }

  private async drag(from: number, to: number): Promise<void> {
    const drawing = await this.frame.getByRole("listbox").boundingBox();
    const middle = async (number: number) => {
      const box = await this.bin(number).boundingBox();
      if (!box || !drawing) throw new Error(`Bin ${number} is not in sight.`);
      return { x: box.x + box.width / 2, y: drawing.y + drawing.height / 4 };
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
