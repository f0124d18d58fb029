/** The tables below a drawing: as many as its content has, of what is found, with the drawing's actions. */
import type { TableSpec } from "../definition";
import type { Mark } from "../stage/scene";
import { TableView } from "./table";

/** What the page does with the mark of a row. */
export interface TableActions {
  mark(id: number): Mark | undefined;
  click(mark: Mark | undefined, adds: boolean): void;
  opening(mark: number | undefined): (() => void) | undefined;
  menu(mark: Mark, at: { x: number; y: number }, element: HTMLElement): void;
}

/** Which rows stand out. */
export interface TableEmphasis {
  /** Undefined: nothing is searched for. */
  readonly found: ReadonlySet<number> | undefined;
  isSelected(mark: number): boolean;
  /** Whether it is known yet what is selected in this content. */
  readonly isKnown: boolean;
}

export class Tables {
  private views: TableView<unknown>[] = [];
  private specs: readonly TableSpec<unknown>[] = [];
  /** Columns of each. */
  private widths: readonly number[] = [];
  /** What was selected when the tables were last scrolled for it. */
  private selected = "";

  constructor(
    private readonly place: HTMLElement,
    private readonly actions: TableActions,
  ) {}

  show(all: readonly TableSpec<unknown>[], { found, isSelected, isKnown }: TableEmphasis): void {
    const specs = all.map((spec) => ({ ...spec, columns: spec.columns.filter(({ saved }) => saved !== "only") }));
    this.specs = specs;
    // What stays keeps the order that people chose.
    const isOther =
      specs.length !== this.views.length || specs.some(({ columns }, at) => columns.length !== this.widths[at]);
    if (isOther) this.make();
    const isFound = (id: number | undefined) => found === undefined || id === undefined || found.has(id);
    specs.forEach(({ rows, markOf, columns }, at) =>
      this.views[at].show(
        rows.filter((row) => isFound(markOf(row))),
        (row) => {
          const id = markOf(row);
          return id !== undefined && isSelected(id);
        },
        columns,
      ),
    );
    this.follow(isSelected, isKnown);
  }

  /** Brings what is selected into sight when that is something else: who reads elsewhere stays there. */
  private follow(isSelected: (mark: number) => boolean, isKnown: boolean): void {
    const marks = this.specs.map(({ rows, markOf }) =>
      rows.map(markOf).filter((mark) => mark !== undefined && isSelected(mark)),
    );
    const isNothing = marks.every(({ length }) => length === 0);
    if (isNothing && !isKnown) return;
    const selected = isNothing ? "" : marks.join(";");
    if (selected !== this.selected) this.views.some((view) => view.scrollToSelected());
    this.selected = selected;
  }

  private make(): void {
    this.selected = "";
    this.widths = this.specs.map(({ columns }) => columns.length);
    this.views = this.specs.map(
      ({ caption, columns, sortedBy, ascending }, at) =>
        new TableView<unknown>(
          caption,
          columns,
          {
            select: (row, adds) => this.actions.click(this.markOf(at, row), adds),
            opening: (row) => this.actions.opening(this.markOf(at, row)?.id),
            menu: (row, place, element) => {
              const mark = this.markOf(at, row);
              if (mark) this.actions.menu(mark, place, element);
            },
          },
          sortedBy,
          !ascending,
        ),
    );
    this.place.replaceChildren(...this.views.map(({ element }) => element));
  }

  private markOf(table: number, row: unknown): Mark | undefined {
    const id = this.specs.at(table)?.markOf(row);
    return id === undefined ? undefined : this.actions.mark(id);
  }
}
