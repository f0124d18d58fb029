import type { Locator } from "playwright-core";
import type { Window } from "./window";

/** The Explorer's tree of files. */
export class Explorer {
  constructor(private readonly window: Window) {}

  /** The row of a file or folder, its folders opened on the way; `file` is relative to the workspace. */
  async row(file: string): Promise<Locator> {
    const names = file.split("/");
    const row = this.rowOf(names[names.length - 1], names.length);
    if (names.length > 1 || !(await this.tree.isVisible())) {
      await this.focus();
      await this.foldAll();
    }
    for (let depth = 1; depth < names.length; depth++) {
      await this.goTo(this.rowOf(names[depth - 1], depth));
      await this.window.page.keyboard.press("ArrowRight");
      await this.rowOf(names[depth], depth + 1).waitFor();
    }
    await row.waitFor();
    return row;
  }

  /** Opens a file by a double click, or by Quick Open when other views stand in the Explorer's place ({@link ask}). */
  async open(file: string): Promise<void> {
    if (await this.tree.isVisible()) return (await this.row(file)).dblclick();
    const { page, quickInput } = this.window;
    const names = file.split("/");
    const name = names[names.length - 1];
    await this.window.focusRests();
    await page.keyboard.press("Control+P");
    await quickInput.locator("input[type=text]:focus").fill(file);
    const rows = quickInput.locator(".monaco-list-row");
    // Until the list is filtered it has panels, too, whose titles end with the name of a recording.
    await names
      .reduce((row, word) => row.filter({ hasText: word }), rows.and(page.locator('[data-index="0"]')))
      .waitFor();
    // Quick Open may list a file first whose name only begins so (`meta.db.license`), and one by its folder, with its path beside it.
    const named = page.locator(".label-name").filter({ hasText: exactly(name) });
    const described = page.locator(".label-description").filter({ hasText: exactly(file) });
    const row = rows.filter({ has: named.or(described) }).first();
    await row.click();
    await row.waitFor({ state: "hidden" });
  }

  /** Chooses an entry of a file's context menu. */
  async choose(file: string, entry: string): Promise<void> {
    await this.window.chooseFromMenu(await this.row(file), entry);
  }

  /**
   * Opens a recording, and waits until its page is in front, which comes last: a panel that is opened sooner would come to lie behind
   * the page, and a question that is asked sooner would lose the focus.
   *
   * @param page the file that has the page, of a folder
   */
  async openRecording(file: string, page = file.slice(file.lastIndexOf("/") + 1)): Promise<void> {
    await this.ask(file);
    const tab = this.window.tab(page);
    await tab.and(this.window.page.locator(".active")).first().waitFor();
  }

  /**
   * Asks to open a recording: by the Explorer's menu, or by its path when other views stand in the Explorer's place. An Explorer that
   * comes back reads its folders again, unseen, and folds those that were opened meanwhile.
   */
  async ask(file: string): Promise<void> {
    if (await this.tree.isVisible()) return this.choose(file, "Open Performance Data");
    await this.window.command("Heatflow: Open Performance Data");
    const { quickInput } = this.window;
    await quickInput.getByText("Open Performance Data").waitFor();
    await quickInput.locator("input[type=text]:focus").fill(this.window.file(file));
    await quickInput
      .locator(".monaco-list-row.focused")
      .filter({ hasText: this.window.file(file) })
      .waitFor();
    await this.window.page.keyboard.press("Enter");
  }

  private async focus(): Promise<void> {
    const focused = this.tree.and(this.window.page.locator(":focus, :focus-within"));
    await this.window.focusRests();
    // The same keys would take the focus away from an Explorer that has it.
    if (await focused.isVisible()) return;
    await this.window.page.keyboard.press("Control+Shift+E");
    await focused.waitFor();
  }

  /** Moves the focus down to a row. By key: a click on a row that others push away just then would open another file. */
  private async goTo(row: Locator): Promise<void> {
    await row.waitFor();
    const { keyboard } = this.window.page;
    const above = Number(await row.getAttribute("data-index"));
    await keyboard.press("Home");
    for (let at = 0; at < above; at++) await keyboard.press("ArrowDown");
    await row.and(this.window.page.locator(".focused")).waitFor();
  }

  /** Only rows in sight are elements: what other steps have unfolded may push a row out of it. */
  private async foldAll(): Promise<void> {
    await this.tree.locator("[role=treeitem]").first().waitFor();
    await this.window.focusRests();
    const unfolded = this.tree.locator('[role=treeitem][aria-expanded="true"]').first();
    // Folding what is folded shows no sign of its end, and would fold what is opened next.
    if (!(await unfolded.isVisible())) return;
    await this.window.page.keyboard.press("Control+ArrowLeft");
    await unfolded.waitFor({ state: "hidden" });
  }

  private get tree(): Locator {
    return this.window.page.locator(".explorer-folders-view .monaco-list");
  }

  private rowOf(name: string, level: number): Locator {
    // Names are sorted: the shortest of those that begin so comes first.
    return this.tree.locator(`[role=treeitem][aria-level="${level}"][aria-label^="${name}"]`).first();
  }
}

/** A text without more; its letters may be in several elements. */
function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}
