/** The twin of a drawing: the same numbers as rows that sort, with the same actions by mouse and keyboard. */
import { html, replaceAll, setAll } from "../../shared/dom";
import { onDoubleClick } from "../../shared/doubleClick";
import { plural, visible } from "../../shared/text";
import { focusOwner, keepFocus } from "../keptFocus";
import { heatPosition, RAMP_COLORS } from "../theme/theme";

export interface Column<Row> {
  readonly title: string;
  /** Numbers and shares stand at the right; what is sorted by has a bar, "bar" always has one. */
  readonly kind: "text" | "number" | "share" | "bar";
  readonly text: (row: Row) => string;
  /** Whether what a row has here is a link, which opening the row follows. */
  readonly isLink?: (row: Row) => boolean;
  /** Marks rows of a kind, behind their text. */
  readonly badge?: (row: Row) => string | undefined;
  /** Rows have several units: no bar compares them. */
  readonly hasUnits?: true;
  /**
   * What a text loses where rows have one line: its middle where others leave it no room, its end where it would take too much, or what stands
   * before a short note in parentheses at its end.
   */
  readonly cut?: "middle" | "end" | "note";
  /** Leaves a narrow page, as shares do. */
  readonly leaves?: true;
  /** The same in every row: only saved tables have it. */
  readonly saved?: "only";
  /** Colour of a row's bar, as a style sheet has it; heat of the amount by default. */
  readonly barFill?: (row: Row) => string;
  /** What the column is sorted by, and what its bar shows; of a text that is shown shorter, the whole. */
  readonly key: (row: Row) => number | string;
}

export interface RowActions<Row> {
  /** @param adds as Space, or a click with Ctrl or Shift, does in the drawing */
  select?(row: Row, adds: boolean): void;
  /** What Enter, or a double click that begins here, does. */
  opening?(row: Row): (() => void) | undefined;
  menu?(row: Row, at: { x: number; y: number }, element: HTMLElement): void;
}

/** More rows than anyone reads; all of them are in the CSV. */
const MOST_ROWS = 1000;
/** Pixels. */
const LONGEST_BAR = 60;
/** Characters of a text that has room in most columns, and of the end that a longer one keeps. */
const SHORT_TEXT = 12;
const LONGEST_END = 16;

/** What bars of a column are drawn by: the longest one's amount, and the room that the numbers behind them need. */
interface BarScale {
  readonly largest: number;
  readonly characters: number;
}

/** What rows are sorted by: a column, and how many there were. */
interface Sorting {
  readonly column: number;
  readonly title: string;
  readonly of: number;
  readonly descending: boolean;
}

export class TableView<Row> {
  readonly element = html("div", { class: "table" });
  private readonly body = html("tbody");
  private readonly head = html("tr");
  private readonly rest = html("p", { class: "table-rest" });
  private rows: readonly Row[] = [];
  /** As they are drawn. */
  private drawn: readonly Row[] = [];
  private isSelected: (row: Row) => boolean = () => false;
  private chosen: Sorting;
  private active = 0;

  /** @param caption for screen readers: "The bars as a table" */
  constructor(
    caption: string,
    private columns: readonly Column<Row>[],
    private readonly actions: RowActions<Row>,
    private readonly sortedBy: number,
    private readonly descending = true,
  ) {
    this.chosen = this.sortingBy(sortedBy, descending);
    const head = html("thead", {}, this.head);
    this.element.append(html("table", { role: "grid", "aria-label": caption }, head, this.body), this.rest);
    this.body.addEventListener("keydown", (event) => this.key(event));
    onDoubleClick(this.body, (first) => this.opening(first));
  }

  /**
   * Rows stay in the order that people chose, and where they scrolled to.
   *
   * @param columns of other content, maybe, which may have more of them, or other titles
   */
  show(rows: readonly Row[], isSelected: (row: Row) => boolean, columns = this.columns): void {
    this.columns = columns;
    this.rows = rows;
    this.isSelected = isSelected;
    this.draw();
  }

  /** Beside the rows, where there is room, else above them. */
  showPicture(picture: SVGSVGElement | undefined): void {
    this.element.querySelector(":scope > svg")?.remove();
    if (picture) this.element.prepend(picture);
    this.element.classList.toggle("pictured", picture !== undefined);
  }

  /** Brings the selected row into sight. @returns whether one is drawn */
  scrollToSelected(): boolean {
    const row = this.body.querySelector('[aria-selected="true"]');
    row?.scrollIntoView({ block: "nearest" });
    return row !== null;
  }

  /** Numbers start with the largest, texts with A; the same column again turns it round. */
  private sortBy(column: number): void {
    const now = this.sorting;
    const descending = now.column === column ? !now.descending : this.columns[column].kind !== "text";
    this.chosen = this.sortingBy(column, descending);
    this.draw();
  }

  private sortingBy(column: number, descending: boolean): Sorting {
    return { column, descending, title: this.columns[column].title, of: this.columns.length };
  }

  /** What was chosen, by its title, else, where as many columns have other titles, by its place; while it is not there, as at first. */
  private get sorting(): Pick<Sorting, "column" | "descending"> {
    const { columns, chosen } = this;
    const named = columns.findIndex(({ title }) => title === chosen.title);
    if (named >= 0) return { ...chosen, column: named };
    return columns.length === chosen.of ? chosen : { column: this.sortedBy, descending: this.descending };
  }

  private draw(): void {
    const { column, descending } = this.sorting;
    const { key } = this.columns[column];
    const sign = descending ? -1 : 1;
    const order = this.rows.slice().sort((a, b) => sign * compare(key(a), key(b)));
    const hadFocus = this.body.contains(focusOwner());
    const titles = [...this.head.children].map(({ textContent }) => textContent);
    if (titles.join("\n") !== this.columns.map(({ title }) => title).join("\n")) this.makeHead();
    [...this.head.children].forEach((head, at) =>
      setAll(head, { "aria-sort": at === column ? (descending ? "descending" : "ascending") : undefined }),
    );
    this.active = Math.max(0, Math.min(this.active, order.length - 1));
    this.drawn = order.slice(0, MOST_ROWS);
    // The bar of a single number says nothing.
    const bars = this.columns.map(({ kind, key, text, hasUnits }, at): BarScale | undefined => {
      if (hasUnits === true || (kind !== "bar" && (at !== column || kind === "text"))) return undefined;
      const amounts = this.rows.map((row) => Math.abs(Number(key(row)))).filter((amount) => !Number.isNaN(amount));
      return amounts.length > 1
        ? {
            largest: amounts.reduce((most, amount) => Math.max(most, amount), 0),
            characters: this.drawn.reduce((most, row) => Math.max(most, text(row).length), 0),
          }
        : undefined;
    });
    replaceAll(
      this.body,
      this.drawn.map((row, at) => this.row(row, at, bars)),
    );
    if (hadFocus) keepFocus(this.rowAt(this.active), { preventScroll: true });
    this.rest.textContent =
      order.length > MOST_ROWS ? `and ${plural(order.length - MOST_ROWS, "more row")}: save as CSV to have all` : "";
  }

  private makeHead(): void {
    const heads = this.columns.map((column, at) => {
      const { title } = column;
      const button = html("button", { type: "button" }, title);
      button.addEventListener("click", () => this.sortBy(at));
      return html("th", { scope: "col", class: classOf(column) }, button);
    });
    replaceAll(this.head, heads);
  }

  /** @param bars by column */
  private row(row: Row, at: number, bars: readonly (BarScale | undefined)[]): HTMLElement {
    const cells = this.columns.map((shown, column) => {
      const { kind, text, key, isLink, badge, cut } = shown;
      const cell = html("td", {
        class: classOf(shown),
        title: kind === "text" ? visible(String(key(row)) || text(row)) : undefined,
      });
      const bar = bars[column];
      const shownText = visible(text(row));
      const ends = cut === "middle" ? endsOf(shownText) : cut === "note" ? aroundNote(shownText) : undefined;
      const content = ends ? html("span", { class: "unseen" }, shownText) : shownText;
      const words = html("bdi", { class: isLink?.(row) ? "link" : undefined, ...ends }, content);
      if (bar) {
        cell.append(barOf(Math.abs(Number(key(row))), bar.largest, shown.barFill?.(row)));
        // Numbers of one width: all bars begin in one line.
        words.style.minWidth = `${bar.characters}ch`;
      }
      cell.append(words);
      const mark = badge?.(row);
      if (mark !== undefined) cell.append(" ", html("span", { class: "badge" }, mark));
      return cell;
    });
    const attributes = { tabindex: at === this.active ? 0 : -1, "aria-selected": String(this.isSelected(row)) };
    const element = html("tr", attributes, cells);
    element.addEventListener("focus", () => {
      this.body.children[this.active]?.setAttribute("tabindex", "-1");
      this.active = at;
      element.setAttribute("tabindex", "0");
    });
    element.addEventListener("click", (event) => {
      if (event.detail === 1) this.actions.select?.(row, event.ctrlKey || event.metaKey || event.shiftKey);
    });
    element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.actions.menu?.(row, { x: event.clientX, y: event.clientY }, element);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.actions.opening?.(row)?.();
      else if (event.key === " ") this.actions.select?.(row, true);
      else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
        const { left, bottom } = element.getBoundingClientRect();
        this.actions.menu?.(row, { x: left + 16, y: bottom }, element);
      } else return;
      event.preventDefault();
    });
    return element;
  }

  private opening({ target }: MouseEvent): (() => void) | undefined {
    const at = [...this.body.children].findIndex((element) => target instanceof Node && element.contains(target));
    if (at < 0) return undefined;
    return this.actions.opening?.(this.drawn[at]);
  }

  private key(event: KeyboardEvent): void {
    const last = this.body.children.length - 1;
    const next = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.rowAt(Math.max(0, Math.min(last, next)))?.focus();
  }

  private rowAt(at: number): HTMLElement | undefined {
    const row = this.body.children[at];
    return row instanceof HTMLElement ? row : undefined;
  }
}

function classOf({ kind, cut, leaves }: Column<never>): string {
  return [kind, ...(cut === undefined ? [] : [`cut-${cut}`]), ...(leaves ? ["leaves"] : [])].join(" ");
}

/**
 * The two ends of a text, which the style sheet shows beside each other, the first one cut: the whole stays one text for whoever reads
 * or copies it.
 */
function endsOf(text: string): Record<"data-start" | "data-end", string> | undefined {
  if (text.length <= SHORT_TEXT) return undefined;
  const end = text.length - Math.min(text.length >> 1, LONGEST_END);
  return { "data-start": text.slice(0, end), "data-end": text.slice(end) };
}

/** Longest note that a narrow column has room for, with its parentheses. */
const MAX_NOTE = 18;

/** A text and the note at its end: `work.cu:45 (not found here)`. @returns undefined without a note, or with a long one */
function aroundNote(text: string): Record<"data-start" | "data-end", string> | undefined {
  const at = text.lastIndexOf(" (");
  const isNote = at > 0 && text.endsWith(")") && text.length - at <= MAX_NOTE;
  return isNote ? { "data-start": text.slice(0, at), "data-end": text.slice(at) } : undefined;
}

/** Length by the amount, colour as given or by the heat, as in the drawing; the style sheet mixes, so that a new theme needs no new rows. */
function barOf(amount: number, largest: number, fill: string | undefined): HTMLElement {
  // What is nothing, or no number, has no bar: in high contrast its outline would be one.
  if (!(largest > 0 && amount > 0)) return html("span", { class: "table-track" });
  const bar = html("span", { class: "table-bar" });
  const share = Math.min(1, amount / largest);
  const at = heatPosition(amount, largest) * (RAMP_COLORS - 1);
  const below = Math.min(Math.floor(at), RAMP_COLORS - 2);
  bar.style.width = `${Math.max(1, share * LONGEST_BAR)}px`;
  bar.style.background =
    fill ?? `color-mix(in oklab, var(--hf-heat${below + 1}) ${(at - below) * 100}%, var(--hf-heat${below}))`;
  return html("span", { class: "table-track" }, bar);
}

/** What is no number comes after all numbers. */
function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number")
    return Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(b)) - Number(Number.isNaN(a)) : a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
