/** The drawing's numbers as two tables: bars and flows. */
import { formatShare, formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import { type Column, Table } from "../shared/table";
import { visible } from "../shared/text";
import { barName } from "./describe";

export interface TwinActions {
  select(bar: number): void;
  open(bar: number): void;
  menu(bar: number, at: { x: number; y: number }, element: HTMLElement): void;
}

interface Row {
  readonly graph: GraphMessage;
  /** Index of a bar, or of a flow. */
  readonly index: number;
}

const bar = ({ graph, index }: Row) => graph.bars[index];
const flow = ({ graph, index }: Row) => graph.flows[index];

function amountColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => formatValue(value(row), row.graph.unit), key: value };
}

function shareColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => formatShare(value(row) / row.graph.total), key: value };
}

function nameColumn(title: string, name: (row: Row) => string): Column<Row> {
  return { title, text: name, key: name };
}

const barColumns: readonly Column<Row>[] = [
  nameColumn("bar", (row) => barName(row.graph, row.index)),
  amountColumn("inclusive", (row) => bar(row).inclusive),
  shareColumn("share", (row) => bar(row).inclusive),
  amountColumn("exclusive", (row) => bar(row).exclusive),
  shareColumn("share, exclusive", (row) => bar(row).exclusive),
  amountColumn("hidden", (row) => bar(row).hidden),
  { title: "level", text: (row) => String(bar(row).level), key: (row) => bar(row).level },
  nameColumn("entry functions", (row) => {
    const { entries, moreEntries } = bar(row);
    const shown = entries.slice(0, 3).map(({ name }) => visible(name));
    const more = entries.length + moreEntries - shown.length;
    return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
  }),
];

const flowColumns: readonly Column<Row>[] = [
  nameColumn("from", (row) => barName(row.graph, flow(row).source)),
  nameColumn("to", (row) => barName(row.graph, flow(row).target)),
  amountColumn("inclusive", (row) => flow(row).inclusive),
  shareColumn("share", (row) => flow(row).inclusive),
];

export class Twin {
  readonly element: HTMLElement;
  private readonly bars: Table<Row>;
  private readonly flows: Table<Row>;

  constructor(actions: TwinActions) {
    this.bars = new Table(
      "Bars",
      barColumns,
      {
        select: ({ index }) => actions.select(index),
        open: ({ index }) => actions.open(index),
        menu: ({ index }, at, element) => actions.menu(index, at, element),
      },
      1,
    );
    // A flow leads into its target: that is what opens.
    this.flows = new Table(
      "Flows",
      flowColumns,
      {
        select: (row) => actions.select(flow(row).target),
        open: (row) => actions.open(flow(row).target),
        menu: (row, at, element) => actions.menu(flow(row).target, at, element),
      },
      2,
    );
    this.element = html("div", { class: "twin", hidden: true }, this.bars.element, this.flows.element);
  }

  show(graph: GraphMessage, selected: number | undefined, found: ReadonlySet<number> | undefined): void {
    const rows = (items: readonly unknown[]) => items.map((_, index): Row => ({ graph, index }));
    const isFound = (index: number) => found === undefined || found.has(index);
    this.bars.show(
      rows(graph.bars).filter(({ index }) => isFound(index)),
      ({ index }) => index === selected,
    );
    this.flows.show(
      rows(graph.flows).filter((row) => isFound(flow(row).source) || isFound(flow(row).target)),
      () => false,
    );
  }
}
