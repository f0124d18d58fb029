import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { isSteady } from "./steady";
import { BARS } from "./superGraph";
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

  /** Goes to the Explorer's tree. */
  async focusExplorer(): Promise<void> {
    const tree = this.window.page.locator(".explorer-folders-view .monaco-list:focus-within");
    await this.window.focusRests();
    await this.press("Control+Shift+E");
    await tree.waitFor();
  }

  /** Opens a panel by its chord. */
  async chord(key: string, title: string): Promise<Frame> {
    await this.window.focusRests();
    await this.press("Control+Alt+H", key);
    return this.window.webview(title);
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

  /** Presses a key until the focus is on an element of a webview. Waits where the focus is not in it: a Tab may be typed into a file. */
  async focusIn(frame: Frame, key: string, selector: string): Promise<void> {
    await this.pressUntil(key, selector, {
      where: () => whereIn(frame),
      isThere: async () => {
        await this.hasFocus(frame);
        return frame.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
      },
    });
  }

  /** Opens a file of the workspace. */
  async quickOpen(file: string): Promise<void> {
    const { quickInput } = this.window;
    const name = file.split("/").at(-1) ?? file;
    // Files of databases are all called alike: their tabs have the name of the folder.
    const folder = file.split("/").at(-2) ?? name;
    const tab = this.window.tab(name).or(this.window.tab(folder)).and(this.window.page.locator(".active"));
    await this.window.focusRests();
    await this.press("Control+P");
    await quickInput.locator("input[type=text]:focus").waitFor();
    await this.press("Control+A");
    await this.type(file);
    await quickInput.locator(".monaco-list-row.focused").filter({ hasText: name }).waitFor();
    await this.press("Enter");
    await tab.first().waitFor();
  }

  /** Goes to an editor group, in which a panel is in front. */
  async focusGroup(group: number, panel: Frame): Promise<void> {
    await this.window.focusRests();
    await this.press(`Control+${group}`);
    await this.hasFocus(panel);
  }

  /** Waits until keys go to a panel: a Tab that comes before would be typed into a file. */
  async hasFocus(panel: Frame): Promise<void> {
    await panel.waitForFunction(() => document.hasFocus());
  }

  /**
   * Goes by Tab, or back where it lies before what has the focus, to an element of a panel. Never presses outside of it: there
   * a Tab may be typed into a file.
   */
  async tabTo(panel: Frame, selector: string): Promise<void> {
    await panel.locator(selector).first().waitFor({ state: "attached" });
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      await this.hasFocus(panel);
      const focus = await panel.evaluate((wanted) => {
        const target = document.querySelector(wanted);
        const from = document.activeElement;
        const isAfter = from === null || target === null ? 0 : target.compareDocumentPosition(from) & 4; // FOLLOWING
        return { isThere: from === target, isAfter: from !== document.body && isAfter };
      }, selector);
      if (focus.isThere) return;
      await this.pressOnce(focus.isAfter ? "Shift+Tab" : "Tab", () => whereIn(panel));
    }
    throw new Error(`Tab does not lead to ${selector}.`);
  }

  /** Goes to a select of a panel's toolbar: one Tab stop, then arrows. */
  private async focusSelect(frame: Frame, id: string): Promise<void> {
    await this.tabTo(frame, '.toolbar [tabindex="0"]');
    await this.press("Home");
    for (let at = 0; at < 20 && !(await frame.locator(`[data-select="${id}"]:focus`).count()); at++)
      await this.press("ArrowRight");
  }

  /** Chooses in a compact select of a panel's toolbar, by its id: one Tab stop, then arrows. */
  async chooseSelect(frame: Frame, id: string, entry: string): Promise<void> {
    const menu = frame.getByRole("menu");
    await this.focusSelect(frame, id);
    await this.press("Enter");
    await menu.waitFor();
    const entries = (await menu.getByRole("menuitemradio").allInnerTexts()).map((text) => text.trim());
    await this.press("Home", ...new Array<string>(Math.max(0, entries.indexOf(entry))).fill("ArrowDown"), "Enter");
    await menu.waitFor({ state: "hidden" });
  }

  /** Types over what a panel's text field holds. VS Code takes Control+A out of panels, and sends it back in its own time. */
  async replaceText(text: string): Promise<void> {
    await this.press("Home", "Shift+End");
    await this.type(text);
  }

  /** Hides what is below this percentage of the total, by the popover of a panel's filter. */
  async filter(frame: Frame, percent: string): Promise<void> {
    const field = frame.getByLabel("Hide functions below, in percent");
    const chosen = frame.locator('[data-select="filter"]').filter({ hasText: `≥ ${percent} %` });
    await isSteady(frame);
    await this.focusSelect(frame, "filter");
    await this.press("Enter");
    await field.waitFor();
    // The slider has the focus; the number stands before it.
    await this.press("Shift+Tab");
    await field.and(frame.locator(":focus")).waitFor();
    await this.replaceText(percent);
    await this.press("Enter", "Escape");
    await field.waitFor({ state: "hidden" });
    await chosen.waitFor();
  }

  /** Goes to a bar of the super graph by the panel's search. */
  async focusBar(frame: Frame, name: string): Promise<void> {
    const field = frame.getByRole("textbox", { name: "Search" });
    const bar = `${BARS}[aria-label^="${name},"]`;
    const selected = `${bar}[aria-selected="true"]`;
    await frame.locator(bar).first().waitFor({ state: "attached" });
    await isSteady(frame);
    if (await field.isVisible()) await this.tabTo(frame, ".search input");
    else {
      await this.tabTo(frame, '.drawing [tabindex="0"]');
      await this.press("/");
    }
    await field.and(frame.locator(":focus")).waitFor();
    await this.replaceText(name);
    // Other bars hold the name too: each Enter leads to the next of them.
    const where = () =>
      frame.locator(`${BARS}[aria-selected="true"]`).evaluateAll((all) => all.map((one) => one.ariaLabel).join());
    await this.pressUntil("Enter", name, { where, isThere: () => frame.locator(selected).isVisible() });
    await this.press("Escape");
    await this.tabTo(frame, selected);
  }

  /** Chooses from the context menu of a bar of the super graph. */
  operate(frame: Frame, bar: string, entry: string): Promise<void> {
    return this.chooseFromMenu(frame, () => this.focusBar(frame, bar), entry);
  }

  /** Chooses from the context menu of a mark of a panel. @param goTo puts the focus on it */
  async chooseFromMenu(frame: Frame, goTo: () => Promise<void>, entry: string): Promise<void> {
    const focused = frame.locator(".menu-item:focus");
    const where = async () => {
      const text = await frame.evaluate(() =>
        document.activeElement?.matches(".menu-item") ? (document.activeElement.textContent ?? "") : undefined,
      );
      return text ?? assert.fail("The menu was closed.");
    };
    await goTo();
    await this.press("Shift+F10");
    await focused.waitFor();
    await this.pressUntil("ArrowDown", entry, { where, isThere: async () => (await where()).startsWith(entry) });
    await this.press("Enter");
  }

  /** Presses again when the focus has moved, or when a press seems to have moved none. */
  private async pressUntil(key: string, what: string, focus: Focus): Promise<void> {
    for (let presses = 0; !(await focus.isThere()); presses++) {
      if (presses === MOST_PRESSES) throw new Error(`${key} does not lead to ${what}.`);
      await this.pressOnce(key, focus.where);
    }
  }

  /** Presses a key and waits until the focus has moved, or seems not to. */
  private async pressOnce(key: string, where: Focus["where"]): Promise<void> {
    const before = await where();
    await this.press(key);
    const moved = Date.now() + MOVE_MS;
    while (Date.now() < moved && (await where()) === before) await this.window.page.waitForTimeout(10);
  }
}

interface Focus {
  /** Differs from element to element. */
  where(): Promise<string>;
  isThere(): Promise<boolean>;
}

/** The element of a panel that has the focus; none where the panel has not. */
function whereIn(panel: Frame): Promise<string> {
  return panel.evaluate(() => (document.hasFocus() ? (document.activeElement?.outerHTML ?? "") : ""));
}

async function textOf(element: Locator): Promise<string> {
  return (await element.count()) > 0 ? element.innerText() : "";
}
