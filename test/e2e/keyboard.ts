import type { Frame } from "playwright-core";
import type { Window } from "./window";

/** More presses than that lead nowhere. */
const MOST_PRESSES = 60;

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
    const entry = this.window.page.locator(".monaco-menu .action-item.focused").filter({ hasText: text });
    await this.pressUntil(key, text, async () => (await entry.count()) > 0);
  }

  /** Presses the arrow until a row of a VS Code list or tree has the focus; the focus itself stays on the list. */
  async focusRow(key: string, label: string): Promise<void> {
    const row = this.window.page.locator(
      `.monaco-list.element-focused .monaco-list-row.focused[aria-label^="${label}"]`,
    );
    await this.pressUntil(key, label, async () => (await row.count()) > 0);
  }

  /** Presses a key until the focus is on an element of a webview. */
  async focusIn(frame: Frame, key: string, selector: string): Promise<void> {
    await this.pressUntil(key, selector, () =>
      frame.evaluate((wanted) => document.hasFocus() && document.activeElement?.matches(wanted) === true, selector),
    );
  }

  private async pressUntil(key: string, what: string, isThere: () => Promise<boolean>): Promise<void> {
    for (let presses = 0; !(await isThere()); presses++) {
      if (presses === MOST_PRESSES) throw new Error(`${key} does not lead to ${what}.`);
      await this.window.page.keyboard.press(key);
    }
  }
}
