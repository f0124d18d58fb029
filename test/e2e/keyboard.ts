import type { Frame, Locator } from "playwright-core";
import type { Window } from "./window";

/** More presses than that lead nowhere. */
const MOST_PRESSES = 60;

/** For how long a press may take to move the focus: some move it outside of what is looked at. */
const MOVE_MS = 500;

/** What a person without a mouse does. */
export class Keyboard {
  constructor(private readonly window: Window) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.window.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.window.page.keyboard.type(text);
  }

  /** Presses the arrow until an entry of the open context menu has the focus. */
  async focusMenuEntry(key: string, text: string): Promise<void> {
    const focused = this.window.page.locator(".monaco-menu .action-item.focused").first();
    await this.pressUntil(key, text, {
      where: () => textOf(focused),
      isThere: async () => (await textOf(focused)).includes(text),
    });
  }

  /** Presses the arrow until a row of a VS Code list or tree has the focus; the focus itself stays on the list. */
  async focusRow(key: string, label: string): Promise<void> {
    const focused = this.window.page.locator(".monaco-list.element-focused .monaco-list-row.focused").first();
    const where = async () => ((await focused.count()) > 0 ? ((await focused.getAttribute("aria-label")) ?? "") : "");
    await this.pressUntil(key, label, { where, isThere: async () => (await where()).startsWith(label) });
  }

  /** Presses a key until the focus is on an element of a webview. */
  async focusIn(frame: Frame, key: string, selector: string): Promise<void> {
    await this.pressUntil(key, selector, {
      where: () => frame.evaluate(() => (document.hasFocus() ? (document.activeElement?.outerHTML ?? "") : "")),
      isThere: () =>
        frame.evaluate((wanted) => document.hasFocus() && document.activeElement?.matches(wanted) === true, selector),
    });
  }

  /** Presses again when the focus has moved, or when a press seems to have moved none. */
  private async pressUntil(key: string, what: string, focus: Focus): Promise<void> {
    for (let presses = 0; !(await focus.isThere()); presses++) {
      if (presses === MOST_PRESSES) throw new Error(`${key} does not lead to ${what}.`);
      const before = await focus.where();
      await this.window.page.keyboard.press(key);
      const moved = Date.now() + MOVE_MS;
      while (Date.now() < moved && (await focus.where()) === before) await this.window.page.waitForTimeout(10);
    }
  }
}

interface Focus {
  /** Differs from element to element. */
  where(): Promise<string>;
  isThere(): Promise<boolean>;
}

async function textOf(element: Locator): Promise<string> {
  return (await element.count()) > 0 ? element.innerText() : "";
}
