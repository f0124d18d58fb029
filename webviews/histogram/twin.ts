/** The drawing's numbers as two tables: bins and members. */
import { formatValue } from "../../src/model/units";
import type { HistogramMessage } from "../../src/protocol/histogram";
import { html } from "../shared/dom";
import { type Column, Table } from "../shared/table";
import { visible } from "../shared/text";
import { valueText } from "./describe";
import type { Emphasis } from "./drawing";
import type { Spot } from "./interaction";

export interface TwinActions {
  toggle(bin: number): void;
  point(member: number): void;
  open(): void;
  menu(spot: Spot, at: { x: number; y: number }, element: HTMLElement): void;
}

interface Row {
  readonly histogram: HistogramMessage;
  readonly emphasis: Emphasis;
  /** Of a bin, or position of a member. */
  readonly index: number;
}

const amount = ({ histogram }: Row, value: number) => valueText(histogram)(value);

function countColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => value(row).toLocaleString("en"), key: value };
}

function amountColumn(title: string, value: (row: Row) => number): Column<Row> {
  return { title, text: (row) => amount(row, value(row)), key: value };
}

const binColumns: readonly Column<Row>[] = [
  countColumn("bin", ({ index }) => index + 1),
  amountColumn("from", ({ histogram, index }) => histogram.edges[index]),
  amountColumn("to", ({ histogram, index }) => histogram.edges[index + 1]),
  countColumn("count", ({ histogram, index }) => histogram.counts[index]),
  countColumn("chosen", ({ emphasis, index }) => emphasis.chosen?.bins[index] ?? 0),
  {
    title: "members",
    text: ({ histogram, index }) => visible(histogram.ranges[index]).slice(0, 300),
    key: ({ histogram, index }) => histogram.ranges[index],
  },
];

const binOf = ({ histogram, index }: Row) => histogram.line.bins[index];
const hostOf = ({ histogram, index }: Row) => histogram.line.hosts?.[index] ?? -1;
const attributeOf = ({ histogram, index }: Row) => histogram.line.attribute?.values[index] ?? 0;

const memberColumns: readonly Column<Row>[] = [
  {
    title: "member",
    text: ({ histogram, index }) => visible(histogram.line.keys[index]),
    key: ({ histogram, index }) =>
      Number.isFinite(Number(histogram.line.keys[index])) ? Number(histogram.line.keys[index]) : index,
  },
  {
    title: "value",
    text: (row) => (binOf(row) < 0 ? "not a finite number" : amount(row, row.histogram.line.values[row.index])),
    key: ({ histogram, index }) => histogram.line.values[index],
  },
  { title: "bin", text: (row) => (binOf(row) < 0 ? "none" : String(binOf(row) + 1)), key: binOf },
  { title: "host", text: (row) => (hostOf(row) < 0 ? "not known" : String(hostOf(row))), key: hostOf },
  {
    title: "place on the line",
    text: (row) => {
      const { attribute } = row.histogram.line;
      return attribute ? `${row.index + 1}: ${formatValue(attributeOf(row), attribute.unit)}` : String(row.index + 1);
    },
    key: ({ index }) => index,
  },
];

export class Twin {
  readonly element: HTMLElement;
  private readonly bins: Table<Row>;
  private readonly members: Table<Row>;

  constructor(actions: TwinActions) {
    const { open } = actions;
    this.bins = new Table(
      "Bins",
      binColumns,
      {
        select: ({ index }) => actions.toggle(index),
        open,
        menu: ({ index }, at, element) => actions.menu({ bin: index }, at, element),
      },
      0,
      false,
    );
    this.members = new Table(
      "Members",
      memberColumns,
      {
        select: ({ index }) => actions.point(index),
        open,
        menu: ({ index }, at, element) => actions.menu({ member: index }, at, element),
      },
      1,
    );
    this.element = html("div", { class: "twin", hidden: true }, this.bins.element, this.members.element);
  }

  show(histogram: HistogramMessage, emphasis: Emphasis): void {
    const rows = (items: readonly unknown[]) => items.map((_, index): Row => ({ histogram, emphasis, index }));
    this.bins.show(rows(histogram.counts), ({ index }) => (emphasis.chosen?.bins[index] ?? 0) > 0);
    const { found, chosenMembers } = emphasis;
    this.members.show(
      rows(histogram.line.keys).filter(({ index }) => found === undefined || found.has(index)),
      ({ index }) => chosenMembers?.has(index) === true,
    );
  }
}
