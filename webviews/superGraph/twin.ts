/** The drawing's numbers as two tables: bars and flows. */
import { formatShare, formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import { type Column, Table } from "../shared/table";
import { visible } from "../shared/text";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import { barName } from "./describe";
import { barCount, bothOf, halfOf, signed, totalOf } from "./halves";
import { imbalanceText } from "./miniHistograms";

export interface TwinActions {
  select(bar: number): void;
  /** @param of the graph that the row was of */
  open(bar: number, of: GraphMessage): void;
  menu(bar: number, at: { x: number; y: number }, element: HTMLElement): void;
}

interface Row {
  readonly graph: GraphMessage;
  readonly histograms?: HistogramsMessage;
  /** Index of a bar, or of a flow. */
  readonly index: number;
}

const bar = ({ graph, index }: Row) => graph.bars[index];
const flow = ({ graph, index }: Row) => graph.flows[index];

function amountColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => formatValue(value(row), row.graph.unit), key: value };
}

function shareColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => formatShare(value(row) / totalOf(row.graph, row.index)), key: value };
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
  {
    title: "share",
    text: (row) => formatShare(flow(row).inclusive / totalOf(row.graph, flow(row).source)),
    key: (row) => flow(row).inclusive,
  },
];

/** Which half, and the same bar in the other: where there are two graphs. */
const halfColumns: readonly Column<Row>[] = [
  nameColumn("of", ({ graph, index }) => visible((halfOf(graph, index) ?? graph.pair?.halves[0])?.name ?? "")),
  amountColumn("inclusive, other", (row) => otherOf(row)?.inclusive ?? 0),
  amountColumn("exclusive, other", (row) => otherOf(row)?.exclusive ?? 0),
  {
    title: "difference, exclusive",
    text: ({ graph, index }) => signed(ownDifference({ graph, index }), graph.unit),
    key: ownDifference,
  },
];

const histogramColumns: readonly Column<Row>[] = [
  amountColumn("min", (row) => histogram(row)?.minimum ?? 0),
  amountColumn("mean", (row) => histogram(row)?.mean ?? 0),
  amountColumn("max", (row) => histogram(row)?.maximum ?? 0),
  {
    title: "imbalance",
    text: (row) => imbalanceText(histogram(row) ?? {}),
    key: (row) => histogram(row)?.imbalance ?? 0,
  },
  nameColumn("slowest", (row) => visible(histogram(row)?.slowest ?? "")),
];

function histogram({ histograms, index }: Row) {
  return histograms?.bars.at(index);
}

/** Numbers of the same bar in the half that this one is not of. */
function otherOf({ graph, index }: Row) {
  const both = bothOf(graph, index);
  return both?.[index < barCount(graph) ? 1 : 0];
}

/** A bar's own exclusive less that of the same bar in the other half. */
function ownDifference({ graph, index }: Row): number {
  return graph.bars[index].exclusive - (otherOf({ graph, index })?.exclusive ?? 0);
}

export class Twin {
  readonly element = html("div", { class: "twin", hidden: true });
  private bars: Table<Row>;
  private readonly flows: Table<Row>;
  private columns = "";

  constructor(private readonly actions: TwinActions) {
    this.bars = this.barTable(barColumns);
    // A flow leads into its target: that is what opens.
    this.flows = new Table(
      "Flows",
      flowColumns,
      {
        select: (row) => actions.select(flow(row).target),
        open: (row) => actions.open(flow(row).target, row.graph),
        menu: (row, at, element) => actions.menu(flow(row).target, at, element),
      },
      2,
    );
  }

  show(
    graph: GraphMessage,
    selected: number | undefined,
    found: ReadonlySet<number> | undefined,
    histograms?: HistogramsMessage,
  ): void {
    const columns = `${graph.pair !== undefined} ${histograms !== undefined}`;
    if (columns !== this.columns) {
      this.columns = columns;
      this.bars = this.barTable([
        ...barColumns.slice(0, 1),
        ...(graph.pair ? halfColumns.slice(0, 1) : []),
        ...barColumns.slice(1, -1),
        ...(graph.pair ? halfColumns.slice(1) : []),
        ...(histograms ? histogramColumns : []),
        ...barColumns.slice(-1),
      ]);
      this.element.replaceChildren(this.bars.element, this.flows.element);
    }
    const rows = (items: readonly unknown[]) => items.map((_, index): Row => ({ graph, histograms, index }));
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

  private barTable(columns: readonly Column<Row>[]): Table<Row> {
    const { actions } = this;
    const inclusive = columns.findIndex(({ title }) => title === "inclusive");
    return new Table(
      "Bars",
      columns,
      {
        select: ({ index }) => actions.select(index),
        open: ({ index, graph }) => actions.open(index, graph),
        menu: ({ index }, at, element) => actions.menu(index, at, element),
      },
      inclusive,
    );
  }
}
