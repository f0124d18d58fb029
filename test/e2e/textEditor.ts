import type { Locator } from "playwright-core";
import { PATIENCE_MS } from "./eventually";
import type { Window } from "./window";

/** The text editor that is in front. */
export class TextEditor {
  constructor(private readonly window: Window) {}

  /** Waits until the cursor is on a line (1-based) of a file. */
  async cursorAt(file: string, line: number, withinMs = PATIENCE_MS): Promise<void> {
    await this.window.tab(file).and(this.window.page.locator(".active")).first().waitFor({ timeout: withinMs });
    await this.window.statusBarItem(new RegExp(`Ln ${line}, Col`)).waitFor({ timeout: withinMs });
  }

  /** Waits until a line with this text is in sight in a file that need not have the focus. */
  async shows(file: string, text: string, timeout = PATIENCE_MS): Promise<void> {
    await this.window.tab(file).and(this.window.page.locator(".active")).first().waitFor({ timeout });
    // Monaco draws spaces as no-break spaces.
    await this.window.page
      .locator(".view-lines .view-line")
      .filter({ hasText: text.replaceAll(" ", "\u00a0") })
      .waitFor({ timeout });
  }

  /** The texts above functions. */
  get codeLenses(): Locator {
    return this.window.page.locator(".codelens-decoration");
  }

  /** Opens a file through Quick Open, at a line. */
  async open(file: string, line = 1): Promise<void> {
    const name = file.split("/").at(-1) ?? file;
    await this.window.focusRests();
    await this.window.page.keyboard.press("Control+P");
    await this.window.quickInput.locator("input[type=text]:focus").fill(`${file}:${line}`);
    // First there are the files that were open before: the one that Enter takes must be the one asked for.
    await this.window.quickInput.locator(".monaco-list-row.focused").filter({ hasText: name }).waitFor();
    await this.window.page.keyboard.press("Enter");
    await this.window.tab(name).and(this.window.page.locator(".active")).first().waitFor();
    await this.cursorAt(name, line);
  }

  /** Waits until the text that a decoration shows at a line is in sight: neither cut by the editor's edge nor below its minimap. */
  async isInSight(line: string, text: RegExp): Promise<void> {
    await this.window.page.waitForFunction(
      ({ line, source }) => {
        for (const row of document.querySelectorAll(".view-lines .view-line")) {
          if (!row.textContent?.replaceAll("\u00a0", " ").includes(line)) continue;
          const editor = row.closest(".monaco-editor");
          const minimap = editor?.querySelector(".minimap")?.getBoundingClientRect();
          const spans = [...row.querySelectorAll("span")].filter((span) =>
            ["::after", "::before"].some((side) => new RegExp(source).test(getComputedStyle(span, side).content)),
          );
          const { right } = spans.at(-1)?.getBoundingClientRect() ?? { right: NaN };
          if (minimap && minimap.width > 0 && right <= minimap.left) return true;
        }
        return false;
      },
      { line, source: text.source },
    );
  }

  /** Waits until a line is in sight and no decoration shows such a text behind it. */
  async hasNothingBehind(line: string, text: RegExp): Promise<void> {
    await this.window.page.waitForFunction(
      ({ line, source }) => {
        const rows = [...document.querySelectorAll(".view-lines .view-line")].filter((row) =>
          // Monaco draws spaces as no-break spaces.
          row.textContent?.replaceAll("\u00a0", " ").includes(line),
        );
        const texts = rows.flatMap((row) =>
          [...row.querySelectorAll("span")].flatMap((span) =>
            ["::after", "::before"].map((side) => getComputedStyle(span, side).content),
          ),
        );
        return rows.length > 0 && !texts.some((content) => new RegExp(source).test(content));
      },
      { line, source: text.source },
    );
  }

  /**
   * Waits for a text that a decoration shows behind a line, or in front of one that is long. Such text is no element but a style sheet's `content`.
   *
   * @returns the whole text
   */
  async textBehind(line: string, text: RegExp): Promise<string> {
    const handle = await this.window.page.waitForFunction(
      ({ line, source }) => {
        for (const row of document.querySelectorAll(".view-lines .view-line")) {
          // Monaco draws spaces as no-break spaces.
          if (!row.textContent?.replaceAll("\u00a0", " ").includes(line)) continue;
          for (const span of row.querySelectorAll("span")) {
            for (const side of ["::after", "::before"]) {
              const { content } = getComputedStyle(span, side);
              if (new RegExp(source).test(content)) return content.slice(1, -1);
            }
          }
        }
        return undefined;
      },
      { line, source: text.source },
    );
    return String(await handle.jsonValue());
  }
}
