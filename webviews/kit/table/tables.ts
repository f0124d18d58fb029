/** The tables below a drawing: as many as its content has, of what is found, with the drawing's actions. */
import type { TableSpec } from "../definition";
import type { Gesture } from "../stage/sight";
import { TabBar } from "./tabs";
import { Press } from "./press";
import { TableView } from "./table";
import { replaceAll } from "../../shared/dom";

/** Pixels. */
const PICTURE = 320;

/** What the page does with the mark of a row, which need not be drawn. */
export interface TableActions {
  click(mark: number, adds: boolean): void;
  opening(mark: number): (() => void) | undefined;
  /** Brings a place into sight, or opens another table. */
  follow(gesture: Gesture): void;
  /** @param name of the row */
  menu(mark: number, name: string, at: { x: number; y: number }, element: HTMLElement): void;
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
  /** What was selected when the tables were last scrolled for it. */
  private selected = "";
  /** A row that is pressed keeps its element until the click is over, which would be lost with it. */
  private readonly press: Press;
  private held: { readonly specs: readonly TableSpec<unknown>[]; readonly emphasis: TableEmphasis } | undefined;
  private readonly tabs = new TabBar((tab) => this.actions.follow(tab.gesture));

  constructor(
    private readonly place: HTMLElement,
    private readonly actions: TableActions,
  ) {
    this.press = new Press(place, () => this.release());
  }

  show(all: readonly TableSpec<unknown>[], emphasis: TableEmphasis): void {
    const specs = all.map((spec) => ({ ...spec, columns: spec.columns.filter(({ saved }) => saved !== "only") }));
    if (this.press.isDown) this.held = { specs, emphasis };
    else this.draw(specs, emphasis);
  }

  private release(): void {
    const { held } = this;
    this.held = undefined;
    if (held) this.draw(held.specs, held.emphasis);
  }

  private draw(specs: readonly TableSpec<unknown>[], { found, isSelected, isKnown }: TableEmphasis): void {
    this.held = undefined;
    this.specs = specs;
    // What stays keeps the order that people chose.
    if (specs.length !== this.views.length) this.make();
    const isFound = (marks: readonly number[]) => marks.length === 0 || marks.some((mark) => found?.has(mark));
    specs.forEach(({ rows, markOf, foundWith, columns }, at) =>
      this.views[at].show(
        found === undefined ? rows : rows.filter((row) => isFound(foundWith?.(row) ?? [markOf(row) ?? []].flat())),
        (row) => {
          const id = markOf(row);
          return id !== undefined && isSelected(id);
        },
        columns,
      ),
    );
    specs.forEach(({ picture }, at) => this.views[at].showPicture(picture?.(PICTURE)));
    this.tabs.show(specs.flatMap(({ tab }) => tab ?? []));
    this.views.forEach(({ element }, at) => (element.hidden = specs[at].tab?.isOpen === false));
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
    if (selected !== this.selected) this.views.some((view) => !view.element.hidden && view.scrollToSelected());
    this.selected = selected;
  }

  private make(): void {
    this.selected = "";
    this.views = this.specs.map(
      ({ caption, columns, sortedBy, ascending }, at) =>
        new TableView<unknown>(
          caption,
          columns,
          {
            select: (row, adds) => this.select(at, row, adds),
            opening: (row) => this.withMark(at, row, (mark) => this.actions.opening(mark)),
            menu: (row, place, element) =>
              this.withMark(at, row, (mark) =>
                this.actions.menu(mark, this.specs[at].columns[0].text(row), place, element),
              ),
          },
          sortedBy,
          !ascending,
        ),
    );
    replaceAll(
      this.place,
      this.tabs.element,
      this.views.map(({ element }) => element),
    );
  }

  private select(table: number, drawn: unknown, adds: boolean): void {
    const { spec, row } = this.current(table, drawn);
    const place = row === undefined ? undefined : spec?.placeOf?.(row);
    if (place) this.actions.follow({ kind: "reveal", place });
    const gesture = row === undefined ? undefined : spec?.gestureOf?.(row);
    if (gesture) this.actions.follow(gesture);
    this.withMark(table, drawn, (mark) => this.actions.click(mark, adds));
  }

  private withMark<Outcome>(table: number, drawn: unknown, use: (mark: number) => Outcome): Outcome | undefined {
    const { spec, row } = this.current(table, drawn);
    const mark = row === undefined ? undefined : spec?.markOf(row);
    return mark === undefined ? undefined : use(mark);
  }

  /** The row of what the page shows by now that a drawn one is; undefined if it is gone. */
  private current(table: number, row: unknown): { spec?: TableSpec<unknown>; row?: unknown } {
    const drawn = this.specs.at(table);
    const spec = this.held ? this.held.specs.find(({ caption }) => caption === drawn?.caption) : drawn;
    if (!drawn || !spec || spec === drawn) return { spec, row };
    const nameOf = ({ columns: [first] }: TableSpec<unknown>, one: unknown) => first.key(one);
    const name = nameOf(drawn, row);
    // Numbers of rows may mean others in other content.
    if (spec.rows.includes(row) && nameOf(spec, row) === name) return { spec, row };
    return { spec, row: spec.rows.find((one) => nameOf(spec, one) === name) };
  }
}
