/** The twin of a drawing: the same numbers as rows that sort, with the same actions by mouse and keyboard. */
import { html, setAll } from "./dom";
import { onDoubleClick } from "./doubleClick";
import { plural } from "./text";

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** What the column is sorted by. */
  readonly key: (row: Row) => number | string;
}

export interface RowActions<Row> {
  select?(row: Row): void;
  open?(row: Row): void;
  menu?(row: Row, at: { x: number; y: number }, element: HTMLElement): void;
}

/** More rows than anyone reads; all of them are in the CSV. */
const MOST_ROWS = 1000;

export class Table<Row> {
  readonly element = html("div", { class: "table" });
  private readonly body = html("tbody");
  private readonly heads: HTMLElement[];
  private readonly rest = html("p", { class: "more" });
  private rows: readonly Row[] = [];
  /** As they are drawn. */
  private drawn: readonly Row[] = [];
  private isSelected: (row: Row) => boolean = () => false;
  private sorted: { column: number; descending: boolean };
  private active = 0;

  constructor(
    caption: string,
    private readonly columns: readonly Column<Row>[],
    private readonly actions: RowActions<Row>,
    sortedBy: number,
    descending = true,
  ) {
    this.sorted = { column: sortedBy, descending };
    this.heads = columns.map((column, at) => {
      const button = html("button", { type: "button" }, column.title);
      button.addEventListener("click", () => this.sortBy(at));
      return html("th", { scope: "col" }, button);
    });
    const head = html("thead", {}, html("tr", {}, ...this.heads));
    this.element.append(html("table", { role: "grid" }, html("caption", {}, caption), head, this.body), this.rest);
    this.body.addEventListener("keydown", (event) => this.key(event));
    onDoubleClick(this.body, (first) => this.opening(first));
  }

  show(rows: readonly Row[], isSelected: (row: Row) => boolean): void {
    this.rows = rows;
    this.isSelected = isSelected;
    this.draw();
  }

  /** Numbers start with the largest, texts with A; the same column again turns it round. */
  private sortBy(column: number): void {
    const isNumber = this.rows.length > 0 && typeof this.columns[column].key(this.rows[0]) === "number";
    const descending = this.sorted.column === column ? !this.sorted.descending : isNumber;
    this.sorted = { column, descending };
    this.draw();
  }

  private draw(): void {
    const { column, descending } = this.sorted;
    const { key } = this.columns[column];
    const sign = descending ? -1 : 1;
    const order = this.rows.slice().sort((a, b) => sign * compare(key(a), key(b)));
    const hadFocus = this.body.contains(document.activeElement);
    this.heads.forEach((head, at) =>
      setAll(head, { "aria-sort": at === column ? (descending ? "descending" : "ascending") : undefined }),
    );
    this.active = Math.max(0, Math.min(this.active, order.length - 1));
    this.drawn = order.slice(0, MOST_ROWS);
    this.body.replaceChildren(...this.drawn.map((row, at) => this.row(row, at)));
    if (hadFocus) this.focus(this.active);
    this.rest.textContent =
      order.length > MOST_ROWS ? `and ${plural(order.length - MOST_ROWS, "more row")}: save as CSV to have all.` : "";
  }

  private row(row: Row, at: number): HTMLElement {
    const selected = this.isSelected(row);
    const cells = this.columns.map(({ text, key }) =>
      html("td", { class: typeof key(row) === "number" ? "number" : undefined }, html("bdi", {}, text(row))),
    );
    const element = html("tr", { tabindex: at === this.active ? 0 : -1, "aria-selected": String(selected) }, ...cells);
    element.addEventListener("focus", () => {
      this.body.children[this.active]?.setAttribute("tabindex", "-1");
      this.active = at;
      element.setAttribute("tabindex", "0");
    });
    element.addEventListener("click", (event) => {
      if (event.detail === 1) this.actions.select?.(row);
    });
    element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.actions.menu?.(row, { x: event.clientX, y: event.clientY }, element);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.actions.open?.(row);
      else if (event.key === " ") this.actions.select?.(row);
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
    const row = this.drawn[at];
    return () => this.actions.open?.(row);
  }

  private key(event: KeyboardEvent): void {
    const last = this.body.children.length - 1;
    const next = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.focus(Math.max(0, Math.min(last, next)));
  }

  private focus(at: number): void {
    const row = this.body.children[at];
    if (row instanceof HTMLElement) row.focus();
  }
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
