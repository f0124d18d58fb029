import type { Frame, Locator } from "playwright-core";
import { eventually, PATIENCE_MS } from "./eventually";
import { BARS } from "./superGraph";
import type { Window } from "./window";

/** More presses than that lead nowhere. */
const MOST_PRESSES = 60;

/** For how long a press may take to move the focus: some move it outside of what is looked at. */
const MOVE_MS = 500;

/** What a person without a mouse does. */
export class Keyboard {
  /** Where {@link focusGroup} found panels. */
  private readonly groups = new Map<Frame, number>();

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
    // What was opened before may take the focus late.
    await eventually(async (withinMs) => {
      await this.press("Control+Shift+E");
      await tree.waitFor({ timeout: withinMs });
    });
  }

  /** Opens a panel by its chord. What takes the focus between the two keys ends the chord: then it is pressed again. */
  async chord(key: string, title: string): Promise<Frame> {
    let panel: Frame | undefined;
    await eventually(async (withinMs) => {
      await this.press("Control+Alt+H", key);
      panel = await this.window.webview(title, withinMs);
    });
    if (!panel) throw new Error(`There is no ${title}.`);
    return panel;
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
    // What takes the focus meanwhile closes Quick Open.
    await eventually(async (withinMs) => {
      // While it is open, the key would go to its next entry.
      if (await quickInput.isVisible()) await this.press("Escape");
      await this.press("Control+P");
      await quickInput.locator("input[type=text]:focus").waitFor({ timeout: withinMs });
      await this.press("Control+A");
      await this.type(file);
      const first = quickInput.locator(".monaco-list-row.focused").filter({ hasText: name });
      await first.waitFor({ timeout: withinMs });
      await this.press("Enter");
      await tab.first().waitFor({ timeout: withinMs });
    });
  }

  /** Goes to an editor group, in which a panel is in front. */
  async focusGroup(group: number, panel: Frame): Promise<void> {
    this.groups.set(panel, group);
    // What was opened before it may take the focus late.
    await eventually(async (withinMs) => {
      await this.press(`Control+${group}`);
      await this.hasFocus(panel, withinMs);
    });
  }

  /** Waits until keys go to a panel: a Tab that comes before would be typed into a file. */
  async hasFocus(panel: Frame, withinMs = PATIENCE_MS): Promise<void> {
    await panel.waitForFunction(() => document.hasFocus(), undefined, { timeout: withinMs });
  }

  /**
   * Goes by Tab, or back where it lies before what has the focus, to an element of a panel. Never presses outside of it: there
   * a Tab may be typed into a file.
   */
  async tabTo(panel: Frame, selector: string, withinMs = PATIENCE_MS): Promise<void> {
    // What had the focus may be gone: then it is tried in one direction, and from outside in the other.
    let fromNowhere = "Tab";
    await eventually(async () => {
      for (let presses = 0; presses < MOST_PRESSES; presses++) {
        const focus = await panel.evaluate((wanted) => {
          const target = document.querySelector(wanted);
          const from = document.activeElement;
          const isAfter = from === null || target === null ? 0 : target.compareDocumentPosition(from) & 4; // FOLLOWING
          return {
            isThere: from === target,
            isInside: document.hasFocus(),
            isNowhere: from === document.body,
            isAfter,
          };
        }, selector);
        if (focus.isInside && focus.isThere) return;
        if (!focus.isInside) break;
        const key = focus.isNowhere ? fromNowhere : focus.isAfter ? "Shift+Tab" : "Tab";
        await this.pressOnce(key, () => whereIn(panel));
      }
      if (!(await panel.evaluate(() => document.hasFocus()))) {
        fromNowhere = fromNowhere === "Tab" ? "Shift+Tab" : "Tab";
        const group = this.groups.get(panel);
        if (group !== undefined) await this.focusGroup(group, panel);
      }
      throw new Error(`Tab does not lead to ${selector}.`);
    }, withinMs);
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
    await eventually(async (withinMs) => {
      await this.focusSelect(frame, id);
      await this.press("Enter");
      await menu.waitFor({ timeout: withinMs });
    });
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
    // What resizes the panel closes the popover, and what was typed until then is lost.
    await eventually(async (withinMs) => {
      await this.focusSelect(frame, "filter");
      await this.press("Enter");
      await field.waitFor({ timeout: withinMs });
      // The slider has the focus; the number stands before it.
      await this.press("Shift+Tab");
      await this.replaceText(percent);
      await this.press("Enter", "Escape");
      await field.waitFor({ state: "hidden", timeout: withinMs });
      await chosen.waitFor({ timeout: withinMs });
    });
  }

  /** Goes to a bar of the super graph by the panel's search. */
  async focusBar(frame: Frame, name: string, patienceMs = PATIENCE_MS): Promise<void> {
    const field = frame.getByRole("textbox", { name: "Search" });
    const selected = `${BARS}[aria-selected="true"][aria-label^="${name},"]`;
    // A graph that is drawn anew meanwhile may have its stop elsewhere: the bar is looked for again.
    await eventually(async (withinMs) => {
      if (await field.isVisible()) await this.tabTo(frame, ".search input", withinMs);
      else {
        await this.tabTo(frame, '.drawing [tabindex="0"]', withinMs);
        await this.press("/");
      }
      await field.waitFor({ timeout: withinMs });
      await this.replaceText(name);
      // Other bars hold the name too: each Enter leads to the next of them.
      await eventually(async (within) => {
        if (await frame.locator(selected).isVisible()) return;
        await this.press("Enter");
        await frame.locator(selected).waitFor({ timeout: within });
      }, withinMs);
      await this.press("Escape");
      await this.tabTo(frame, selected, withinMs);
    }, patienceMs);
  }

  /** Chooses from the context menu of a bar of the super graph. */
  operate(frame: Frame, bar: string, entry: string): Promise<void> {
    return this.chooseFromMenu(frame, (withinMs) => this.focusBar(frame, bar, withinMs), entry);
  }

  /** Chooses from the context menu of a mark of a panel. @param goTo puts the focus on it */
  async chooseFromMenu(frame: Frame, goTo: (withinMs: number) => Promise<void>, entry: string): Promise<void> {
    const focused = frame.locator(".menu-item:focus");
    const where = async () => {
      if ((await focused.count()) > 0) return focused.innerText({ timeout: MOVE_MS });
      throw new Error("The menu was closed.");
    };
    // What the window answers late takes the focus, and a menu that it leaves closes: it is opened again.
    await eventually(async (withinMs) => {
      await goTo(withinMs);
      await this.press("Shift+F10");
      await focused.waitFor({ timeout: withinMs });
      await this.pressUntil("ArrowDown", entry, { where, isThere: async () => (await where()).startsWith(entry) });
    });
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
