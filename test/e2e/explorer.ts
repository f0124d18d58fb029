import type { Locator } from "playwright-core";
import { eventually } from "./eventually";
import type { Window } from "./window";

/**
 * The Explorer's tree of files. Whatever is done here begins anew where the Explorer does not stay in front: a recording that
 * was just opened brings Heatflow's views there, and that may come late.
 */
export class Explorer {
  constructor(private readonly window: Window) {}

  /** The row of a file or folder, its folders opened on the way; `file` is relative to the workspace. */
  async row(file: string): Promise<Locator> {
    const names = file.split("/");
    const row = this.rowOf(names[names.length - 1], names.length);
    await eventually(async (withinMs) => {
      if (names.length > 1 || !(await this.tree.isVisible())) {
        await this.focus(withinMs);
        await this.foldAll(withinMs);
      }
      for (let depth = 1; depth < names.length; depth++) {
        await this.goTo(this.rowOf(names[depth - 1], depth), withinMs);
        await this.window.page.keyboard.press("ArrowRight");
        await this.rowOf(names[depth], depth + 1).waitFor({ timeout: withinMs });
      }
      await row.waitFor({ timeout: withinMs });
    });
    return row;
  }

  async open(file: string): Promise<void> {
    await eventually(async (withinMs) => (await this.row(file)).dblclick({ timeout: withinMs }));
  }

  /** Chooses an entry of a file's context menu. */
  choose(file: string, entry: string): Promise<void> {
    return this.window.chooseFromMenu(() => this.row(file), entry);
  }

  /** Opens a recording, and waits until its page is in front: a panel that is asked for sooner would come to lie behind it. */
  async openRecording(file: string): Promise<void> {
    await this.choose(file, "Open Performance Data");
    const tab = this.window.tab(file.slice(file.lastIndexOf("/") + 1));
    await tab.and(this.window.page.locator(".active")).first().waitFor();
  }

  private async focus(withinMs: number): Promise<void> {
    const focused = this.tree.and(this.window.page.locator(":focus, :focus-within"));
    // Where the Explorer has the focus already, the keys would take it away.
    if (await focused.isVisible()) return;
    await this.window.page.keyboard.press("Control+Shift+E");
    await focused.waitFor({ timeout: withinMs });
  }

  /** Moves the focus down to a row. By key: a click on a row that others push away just then would open another file. */
  private async goTo(row: Locator, withinMs: number): Promise<void> {
    await row.waitFor({ timeout: withinMs });
    const focused = row.and(this.window.page.locator(".focused"));
    await this.window.page.keyboard.press("Home");
    for (let rows = await this.tree.locator("[role=treeitem]").count(); rows > 0; rows--) {
      if (await focused.isVisible()) return;
      await this.window.page.keyboard.press("ArrowDown");
    }
    await focused.waitFor({ timeout: withinMs });
  }

  /** Only rows in sight are elements: what other steps have unfolded may push a row out of it. */
  private async foldAll(withinMs: number): Promise<void> {
    await this.window.page.keyboard.press("Control+ArrowLeft");
    await this.tree
      .locator('[role=treeitem][aria-expanded="true"]')
      .first()
      .waitFor({ state: "hidden", timeout: withinMs });
  }

  private get tree(): Locator {
    return this.window.page.locator(".explorer-folders-view .monaco-list");
  }

  private rowOf(name: string, level: number): Locator {
    // Names are sorted: the shortest of those that begin so comes first.
    return this.tree.locator(`[role=treeitem][aria-level="${level}"][aria-label^="${name}"]`).first();
  }
}
