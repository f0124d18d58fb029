/** The rectangles in sight as a table. */
import { formatShare, formatValue } from "../../src/model/units";
import type { FlamePane } from "../../src/protocol/flameGraph";
import { html } from "../shared/dom";
import { type Column, Table } from "../shared/table";
import type { Rectangles } from "./rectangles";

export interface TwinActions {
  select(pane: FlamePane, node: number): void;
  /** @param revision of the rectangles that the row is of */
  open(pane: FlamePane, node: number, revision: number): void;
  menu(pane: FlamePane, at: number, where: { x: number; y: number }, element: HTMLElement): void;
}

interface Row {
  readonly rectangles: Rectangles;
  readonly at: number;
}

const message = ({ rectangles }: Row) => rectangles.message;

const columns: readonly Column<Row>[] = [
  {
    title: "name",
    text: ({ rectangles, at }) => rectangles.name(at),
    key: ({ rectangles, at }) => rectangles.name(at),
  },
  {
    title: "inclusive",
    text: (row) => formatValue(message(row).inclusive[row.at], message(row).unit),
    key: (row) => message(row).inclusive[row.at],
  },
  {
    title: "share",
    text: (row) => formatShare(message(row).inclusive[row.at] / message(row).total),
    key: (row) => message(row).inclusive[row.at],
  },
  {
    title: "exclusive",
    text: (row) => (row.rectangles.isRun(row.at) ? "" : formatValue(message(row).exclusive[row.at], message(row).unit)),
    key: (row) => message(row).exclusive[row.at],
  },
  {
    title: "share, exclusive",
    text: (row) =>
      row.rectangles.isRun(row.at) ? "" : formatShare(message(row).exclusive[row.at] / message(row).total),
    key: (row) => message(row).exclusive[row.at],
  },
  { title: "level", text: (row) => `${message(row).depth[row.at] + 1}`, key: (row) => message(row).depth[row.at] },
  {
    title: "below",
    text: ({ rectangles, at }) =>
      rectangles.message.parent[at] < 0 ? "" : rectangles.name(rectangles.message.parent[at]),
    key: ({ rectangles, at }) =>
      rectangles.message.parent[at] < 0 ? "" : rectangles.name(rectangles.message.parent[at]),
  },
  { title: "drawing", text: (row) => message(row).pane, key: (row) => message(row).pane },
  {
    title: "group",
    text: (row) => row.rectangles.group(row.at) ?? "",
    key: (row) => row.rectangles.group(row.at) ?? "",
  },
];

export class Twin {
  readonly element: HTMLElement;
  private readonly table: Table<Row>;

  constructor(actions: TwinActions) {
    const node = (row: Row) => message(row).node[row.at];
    this.table = new Table(
      "Rectangles in sight",
      columns,
      {
        select: (row) => actions.select(message(row).pane, node(row)),
        open: (row) => actions.open(message(row).pane, node(row), message(row).revision),
        menu: (row, at, element) => actions.menu(message(row).pane, row.at, at, element),
      },
      1,
    );
    this.element = html("div", { class: "twin", hidden: true }, this.table.element);
  }

  /** While something is searched for: only what was found. */
  show(panes: readonly { rectangles: Rectangles | undefined; selected: number | undefined }[]): void {
    const selected = new Map(panes.map((pane) => [pane.rectangles, pane.selected]));
    const rows = panes.flatMap(({ rectangles }): Row[] => {
      if (!rectangles) return [];
      const all = Array.from({ length: rectangles.count }, (_, at): Row => ({ rectangles, at }));
      return rectangles.message.found === undefined ? all : all.filter(({ at }) => rectangles.isFound(at));
    });
    this.table.show(rows, (row) => message(row).node[row.at] === selected.get(row.rectangles));
  }
}
