import type { Locator } from "playwright-core";
import { eventually } from "./eventually";
import type { Window } from "./window";

/** The Explorer's tree of files. */
export class Explorer {
  constructor(private readonly window: Window) {}

  /** The row of a file or folder, its folders opened on the way; `file` is relative to the workspace. */
  async row(file: string): Promise<Locator> {
    const { page } = this.window;
    const names = file.split("/");
    const tree = page.locator(".explorer-folders-view .monaco-list");
    if (names.length > 1 || !(await tree.isVisible())) {
      const focused = tree.and(page.locator(":focus, :focus-within"));
      await eventually(async () => {
        // Where the Explorer has the focus already, the keys would take it away.
        if (await focused.isVisible()) return;
        await page.keyboard.press("Control+Shift+E");
        await focused.waitFor({ timeout: 1000 });
      });
      // Only rows in sight are elements: what other steps have unfolded may push the row out of it. This folds all.
      await page.keyboard.press("Control+ArrowLeft");
    }
    for (let depth = 1; depth < names.length; depth++) {
      const folder = this.rowOf(names[depth - 1], depth);
      // Folding takes its time: a folder may still look open that is about to close.
      await eventually(async () => {
        await folder.waitFor({ timeout: 2000 });
        if ((await folder.getAttribute("aria-expanded")) === "false") await folder.click();
        await this.rowOf(names[depth], depth + 1).waitFor({ timeout: 1000 });
      });
    }
    const row = this.rowOf(names[names.length - 1], names.length);
    await row.waitFor();
    return row;
  }

  async open(file: string): Promise<void> {
    await (await this.row(file)).dblclick();
  }

  /** Chooses an entry of a file's context menu. */
  async choose(file: string, entry: string): Promise<void> {
    const row = await this.row(file);
    const chosen = this.window.menuEntry(entry);
    await eventually(async () => {
      // A menu that opened before the extension's entries were known does not get them: it is opened again.
      if (!(await chosen.isVisible())) {
        await this.window.page.keyboard.press("Escape");
        await row.click({ button: "right", timeout: 2000 });
      }
      // A menu that has only just opened takes a click for the end of the one that opened it.
      await chosen.click({ timeout: 1000 });
      await chosen.waitFor({ state: "hidden", timeout: 1000 });
    });
  }

  private rowOf(name: string, level: number): Locator {
    // Names are sorted: the shortest of those that begin so comes first.
    return this.window.page
      .locator(`.explorer-folders-view [role=treeitem][aria-level="${level}"][aria-label^="${name}"]`)
      .first();
  }
}
