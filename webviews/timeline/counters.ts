/** Recorded counters below the lanes, on the lanes' axis of time. Pure. */
import { formatStretch, formatValue } from "../../src/model/units";
import type { TimelineContent } from "../../src/protocol/timeline";
import { counterMark, counterOfMark, type TimelineCounters } from "../../src/protocol/timelineCounters";
import { crisp, rule, wordsAt } from "../kit/axis";
import type { Box, DrawView, Fact, Mark, Point, Shape } from "../kit/stage/scene";
import { columnAt, columnFacts, curveIn } from "../kit/time/columns";
import { curveShapes, type ValueAxis } from "../kit/time/curves";
import { clearings, timeGrid } from "../kit/time/frame";
import { Axis, BESIDE } from "../kit/time/window";
import { fit, fitName, visible } from "../shared/text";
import { COUNTER_ROW, type TimelineSeen } from "./seen";

/** Pixels of a row above its values: of one with its name in it, too. */
const ABOVE = 4;
const NAMED = 15;
const NAME = 12;
const SIZE = 11;
/** Around a pointer. */
const POINTED = 2;

/** `power · GPU 0`. */
export function counterName({ names, places }: TimelineCounters, row: number): string {
  return [names[row], places[row]]
    .filter((part) => part !== "")
    .map(visible)
    .join(" · ");
}

function valueText({ units }: TimelineCounters, row: number, value: number): string {
  return Number.isNaN(value) ? "none" : formatValue(value, units[row]);
}

/** What a row has in the window. */
export function counterFacts(counters: TimelineCounters, row: number): Fact[] {
  const { ownLeast, ownMost, window } = counters;
  return [
    ["least", valueText(counters, row, ownLeast[row])],
    ["most", valueText(counters, row, ownMost[row])],
    ["in", formatStretch(window.from, window.to)],
  ];
}

/** The row that a mark is; undefined: it is none. */
export function rowOfMark({ counters }: TimelineContent, mark: number): number | undefined {
  const row = counters?.counter.indexOf(counterOfMark(mark)) ?? -1;
  return row < 0 ? undefined : row;
}

/** Rows of counters in a window of a drawing. */
export class CounterRows {
  private readonly counters: TimelineCounters | undefined;

  /** @param area of the rows */
  constructor(
    private readonly content: TimelineContent,
    private readonly seen: TimelineSeen,
    private readonly area: Box,
    private readonly view: DrawView,
  ) {
    this.counters = content.counters;
  }

  /** How many have room. */
  private get count(): number {
    return Math.min(this.counters?.counter.length ?? 0, Math.round(this.area.height / COUNTER_ROW));
  }

  /** The mark of the row so many rows below or above another one, or the first one; undefined: there is none. */
  beside(mark: number | undefined, by: number): number | undefined {
    const row = mark === undefined ? 0 : (rowOfMark(this.content, mark) ?? -by) + by;
    return this.counters && row >= 0 && row < this.count ? counterMark(this.counters.counter[row]) : undefined;
  }

  of(mark: number): Mark | undefined {
    const row = rowOfMark(this.content, mark);
    if (row === undefined || row >= this.count || !this.counters) return undefined;
    return this.markOf(this.counters, row, this.boxOf(row), counterFacts(this.counters, row));
  }

  at({ x, y }: Point): Mark | undefined {
    const { counters, area, seen } = this;
    const row = Math.floor((y - area.y) / COUNTER_ROW);
    if (!counters || row < 0 || row >= this.count) return undefined;
    const column = x < area.x ? undefined : columnAt(counters.bands, row, new Axis(area, seen).seconds(x));
    if (!column) return this.of(counterMark(counters.counter[row]));
    const box = { ...this.boxOf(row), x: x - POINTED, width: 2 * POINTED };
    const facts = columnFacts(column, (value) => valueText(counters, row, value));
    return this.markOf(counters, row, box, facts);
  }

  /** Whether names stand in the rows, above the curves: beside them not all have room, and what is left of some looks like others. */
  private get isNamedInside(): boolean {
    const { counters, area, view } = this;
    const wide = view.measure(NAME);
    return Array.from({ length: this.count }, (_, row) => row).some(
      (row) => counters !== undefined && wide(counterName(counters, row)) > area.x - BESIDE,
    );
  }

  /** What the canvas shows, over lanes that reach below theirs. */
  *shapes(): Iterable<Shape> {
    const { area, view, seen, counters, content } = this;
    const { theme } = view;
    if (area.height === 0) return;
    yield { kind: "box", box: area, fill: theme.background };
    yield* timeGrid(seen, area, view);
    for (let row = 0; row < this.count && counters; row++) {
      const { y, height } = this.boxOf(row);
      const above = this.isNamedInside ? NAMED : ABOVE;
      const inside = this.rowTexts(counters, row).filter((shape) => shape.kind === "text" && shape.at.x > area.x);
      yield* clearings(inside, { top: y, height: NAMED }, view);
      const values = new RowValues(counters, row, y + above, height - above);
      const curve = curveIn(counters.bands, row, content.end, values, seen, area);
      yield* curveShapes(curve, { fill: theme.soft, stroke: theme.soft });
    }
  }

  /** Names and largest values beside the rows, and lines between them. */
  frame(): Shape[] {
    const { area, view, counters } = this;
    const { theme } = view;
    if (area.height === 0) return [];
    const texts = Array.from({ length: this.count }, (_, row) => row).flatMap((row): Shape[] =>
      counters ? this.rowTexts(counters, row) : [],
    );
    const rows = Math.round(area.height / COUNTER_ROW);
    return [
      { kind: "box", box: { x: 0, y: area.y, width: area.x, height: area.height }, fill: theme.background },
      ...Array.from({ length: rows }, (_, row) =>
        rule(`M0,${crisp(area.y + row * COUNTER_ROW)}H${area.x + area.width}`, row === 0 ? theme.outline : theme.line),
      ),
      ...texts,
    ];
  }

  /** A part of a number would be another one: what has no room beside the row stands in it, or is left out. */
  private rowTexts(counters: TimelineCounters, row: number): Shape[] {
    const { area, view, isNamedInside } = this;
    const { theme } = view;
    const [words, ofName, ofValue] = [wordsAt(theme), view.measure(NAME), view.measure(SIZE)];
    const { y } = this.boxOf(row);
    const whole = counterName(counters, row);
    const value = valueText(counters, row, counters.most[row]);
    const beside = [`≤ ${value}`, value].find((text) => ofValue(text) <= area.x - 8);
    const muted = { anchor: "end", fill: theme.muted } as const;
    const most = beside === undefined ? [] : [words(area.x - 6, y + (isNamedInside ? 20 : 27), beside, muted)];
    if (!isNamedInside) return [words(area.x - 6, y + 14, whole, { anchor: "end", size: NAME }), ...most];
    const inside = beside === undefined ? `≤ ${value}` : "";
    const right = area.x + area.width - 6;
    const room = area.width - 10 - (inside === "" ? 0 : ofValue(inside) + 12);
    const name = fitName(whole, room, ofName) || fit(whole, room, ofName);
    return [
      words(area.x + 4, y + 12, name, { size: NAME, ...(name === whole ? {} : { title: whole }) }),
      ...(inside === "" ? most : [words(right, y + 12, inside, muted)]),
    ];
  }

  private boxOf(row: number): Box {
    const { x, y, width } = this.area;
    return { x, y: y + row * COUNTER_ROW + 1, width, height: COUNTER_ROW - 1 };
  }

  private markOf(counters: TimelineCounters, row: number, box: Box, facts: readonly Fact[]): Mark {
    const id = counterMark(counters.counter[row]);
    return {
      id,
      key: `counter ${counters.counter[row]}`,
      box,
      paint: { fill: this.view.theme.soft },
      name: counterName(counters, row),
      facts: () => facts,
    };
  }
}

/** From 0, or what the row has least in the run, to what it has most. */
class RowValues implements ValueAxis {
  private readonly from: number;
  private readonly to: number;

  constructor(
    { least, most }: TimelineCounters,
    row: number,
    private readonly y: number,
    private readonly height: number,
  ) {
    [this.from, this.to] = [Math.min(0, least[row]), Math.max(0, most[row])];
    if (!(this.to > this.from)) [this.from, this.to] = [0, 1];
  }

  at(value: number): number {
    const share = Math.min(1, Math.max(0, (value - this.from) / (this.to - this.from)));
    return this.y + this.height * (1 - share);
  }

  get base(): number {
    return this.at(0);
  }
}
