/** Rows below each other, each with an axis of its own values, on one axis of time. Pure. */
import { eventKinds, type MetricsContent } from "../../src/protocol/metrics";
import { highlightBar } from "../kit/highlight";
import { crisp, rule, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import {
  type Box,
  type DrawView,
  type Emphasis,
  isIn,
  type ManyMarks,
  type Mark,
  type MoveKey,
  type Point,
  type Scene,
  type Shape,
  standsBack,
} from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { curveIn } from "../kit/time/columns";
import { type Curve, curveShapes } from "../kit/time/curves";
import { clearings, measuredRange, ruler, scrollbar, timeGrid } from "../kit/time/frame";
import { Axis, SCROLLBAR } from "../kit/time/window";
import { fitName, visible } from "../shared/text";
import { RowAxis } from "./axes";
import { rowFill, rowLine } from "./colours";
import { noteOf, pixelFacts, rowFacts, rowName, rowWordings } from "./describe";
import { type Layout, NAMED, placesBetween, type RowPlace, rowPlace } from "./rows";
import { areaOf, layoutIn, type MetricsSeen, seenOf } from "./seen";

const NAME = 12;
/** Of rows that are not found. */
const LEFT_OUT = 0.4;
/** Parts of a window that no number is of. */
const BACK = 0.6;
/** Pixels around a pointer. */
const POINTED = 2;
/** Rows that PageUp and PageDown go by. */
const PAGE = 10;

export function draw(content: MetricsContent, view: DrawView, given?: MetricsSeen): Scene {
  const drawing = new Drawing(content, view, seenOf(content, given));
  return { below: [], marks: [], many: drawing, above: drawing.frame() };
}

/** A content in a window: rows as shapes, and which of them is where. */
class Drawing implements ManyMarks {
  private readonly area: Box;
  private readonly layout: Layout;
  /** Places in the order of rows that are in sight. */
  private readonly places: readonly number[];
  private readonly theme: Theme;

  constructor(
    private readonly content: MetricsContent,
    private readonly view: DrawView,
    private readonly seen: MetricsSeen,
  ) {
    this.area = areaOf(view);
    this.layout = layoutIn(content, this.area);
    this.places = placesBetween(this.layout, content.names.length, seen.top, seen.top + this.area.height);
    this.theme = view.theme;
  }

  of(row: number): Mark | undefined {
    const place = this.content.order.indexOf(row);
    const box = place < 0 || !this.places.includes(place) ? undefined : this.boxOf(place);
    return box && this.markOf(row, box, rowFacts(this.content, row));
  }

  at(point: Point): Mark | undefined {
    const place = this.places.find((one) => isIn(this.boxOf(one), point));
    if (place === undefined) return undefined;
    const row = this.content.order[place];
    const seconds = new Axis(this.area, this.seen).seconds(point.x);
    const { y, height } = this.boxOf(place);
    const box = { x: point.x - POINTED, y, width: 2 * POINTED, height };
    return this.markOf(row, box, pixelFacts(this.content, row, seconds) ?? rowFacts(this.content, row));
  }

  next(from: number | undefined, key: MoveKey): number | undefined {
    const { order } = this.content;
    const place = from === undefined ? -1 : order.indexOf(from);
    if (place < 0) return order.at(this.places.at(0) ?? 0);
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE, Home: -order.length, End: order.length };
    const step = key === "ArrowLeft" || key === "ArrowRight" ? 0 : by[key];
    return order[Math.min(order.length - 1, Math.max(0, place + step))];
  }

  *shapes({ found }: Pick<Emphasis, "found" | "selected">): Iterable<Shape> {
    yield* timeGrid(this.seen, this.area, this.view);
    for (const place of this.places) {
      const { y } = this.boxOf(place);
      yield* clearings(this.title(place), { top: y, height: NAMED - 1 }, this.view);
    }
    for (const place of this.places) yield* this.rowShapes(place, found);
    yield* this.leftOut();
  }

  /** What stands around the rows: ruler, names, values of their axes, what is measured. */
  frame(): Shape[] {
    const { area, view, seen, layout } = this;
    return [
      ...this.places.flatMap((place) => this.words(place)),
      ...ruler(seen, area, view),
      ...measuredRange(seen, area, view),
      ...scrollbar(layout.height, seen, area, view),
    ];
  }

  private *rowShapes(place: number, found: ReadonlySet<number> | undefined): Iterable<Shape> {
    const { content, area, theme } = this;
    const row = content.order[place];
    const { y, height } = this.plotOf(place);
    const values = new RowAxis(content, row, y, height);
    for (const { at } of values.ticks) yield rule(`M${area.x},${crisp(at)}H${area.x + area.width}`, theme.grid);
    const curve = this.curveOf(row, values);
    const [fill, stroke] = [rowFill(content, row, theme), rowLine(content, row, theme)];
    const kind = content.kinds[row] < 0 ? undefined : eventKinds[content.kinds[row]];
    const isBack = found?.has(row) === false || (kind !== undefined && standsBack(this.view, kind));
    yield* curveShapes(curve, { fill, stroke, ...(isBack ? { opacity: LEFT_OUT } : {}) });
  }

  private curveOf(row: number, values: RowAxis): Curve {
    const { seen, area, content } = this;
    const { bands } = content;
    const place = bands?.rows.indexOf(row) ?? -1;
    if (!bands || place < 0) return { area: "", band: "", line: "" };
    return curveIn(bands, place, content.end, values, seen, area);
  }

  /** Of what lies outside of a restriction there are no numbers. */
  private *leftOut(): Iterable<Shape> {
    const { content, area, seen, theme } = this;
    const { range, asked } = content;
    if (content.isMeasured || (range.from === asked.from && range.to === asked.to)) return;
    const axis = new Axis(area, seen);
    for (const [from, to] of [
      [area.x, axis.within(range.from)],
      [axis.within(range.to), area.x + area.width],
    ]) {
      const box = { x: from, y: area.y, width: to - from, height: area.height };
      if (to > from) yield { kind: "box", box, fill: theme.background, fillOpacity: BACK };
    }
  }

  private isSeen(baseline: number): boolean {
    const { y, height } = this.area;
    return baseline - 9 > y && baseline + 3 < y + height;
  }

  /** A row's name and numbers above it. */
  private title(place: number): Shape[] {
    const { content, area, theme, view } = this;
    const row = content.order[place];
    const words = wordsAt(theme);
    const { y } = this.boxOf(place);
    if (!this.isSeen(y + 11)) return [];
    const [left, right] = [area.x + 4, area.x + area.width - 6 - this.scrolled];
    const [ofName, ofNumbers] = [view.measure(NAME), view.measure(SIZE)];
    const whole = visible(rowName(content, row));
    const least = Math.min(ofName(whole), ofName("mmmmmmmmmmmm"));
    const wordings = rowWordings(content, row);
    const withRoom = (name: number) => wordings.find((wording) => name + 12 + ofNumbers(wording) <= right - left);
    // Less of the numbers goes before a part of the name.
    const numbers = withRoom(ofName(whole)) ?? withRoom(least);
    const room = right - left - (numbers === undefined ? 0 : ofNumbers(numbers) + 12);
    const name = fitName(whole, room, ofName);
    return [
      words(left, y + 11, name, { size: NAME, ...(name === whole ? {} : { title: whole }) }),
      ...(numbers === undefined ? [] : [words(right, y + 11, numbers, { anchor: "end", fill: theme.muted })]),
    ];
  }

  /** A row's name and numbers above it, the values of its axis beside it. */
  private words(place: number): Shape[] {
    const { content, area, theme, view } = this;
    const row = content.order[place];
    const words = wordsAt(theme);
    const plot = this.plotOf(place);
    const values = new RowAxis(content, row, plot.y, plot.height).ticks
      .filter(({ at }) => this.isSeen(at + 4))
      .map(({ at, text }) => words(area.x - 8, at + 4, text, { anchor: "end", fill: theme.muted }));
    const box = this.boxOf(place);
    const top = Math.max(area.y, box.y);
    const height = Math.min(area.y + area.height, box.y + box.height) - top;
    const bar =
      view.highlighted?.places.has(row) && height > 0 ? [highlightBar({ x: 0, y: top, width: 0, height }, view)] : [];
    return [...bar, ...this.title(place), ...values];
  }

  private get scrolled(): number {
    return this.layout.height > this.area.height ? SCROLLBAR : 0;
  }

  private boxOf(place: number): Box {
    const { y, height } = this.rowPlace(place);
    return { x: this.area.x, y, width: this.area.width, height };
  }

  private plotOf(place: number): { readonly y: number; readonly height: number } {
    const { plotY, plotHeight } = this.rowPlace(place);
    return { y: plotY, height: plotHeight };
  }

  private rowPlace(place: number): RowPlace {
    const { y, plotY, ...heights } = rowPlace(this.layout, place);
    const down = this.area.y - this.seen.top;
    return { ...heights, y: y + down, plotY: plotY + down };
  }

  private markOf(row: number, box: Box, facts: ReturnType<typeof rowFacts>): Mark {
    const { content, theme } = this;
    return {
      id: row,
      key: `${row}`,
      box,
      paint: { fill: rowFill(content, row, theme) },
      name: rowName(content, row),
      facts: () => facts,
      note: () => noteOf(content, row),
    };
  }
}
