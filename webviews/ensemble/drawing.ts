/** An ensemble: bars as axes from 0 to their largest run, with the number of runs along them, and flows that taper (dissertation 4). Pure. */
import { type EnsembleContent, guideMark } from "../../src/protocol/ensemble";
import { formatRatio, formatValue } from "../../src/model/units";
import type { Box, DrawView, Mark, MoveKey, Scene, Shape } from "../kit/stage/scene";
import { fit, visible } from "../shared/text";
import { BoxIndex } from "../superGraph/boxIndex";
import { barDifference, barFacts, guideFacts, guideName, targetValue } from "./describe";
import { type Guide, GUIDE_LINE, guidesOf, guideText, middleOf } from "./guides";
import { byHeight, edgesOf, NAME, NARROWEST, namesOf, TEXT } from "./names";
import { ensembleSize, type Placed, placed, placeOnAxis, STRIP } from "./placed";
import { strip } from "./strip";

export interface EnsembleScene extends Scene {
  readonly content: EnsembleContent;
  readonly placed: Placed;
  /** What a canvas writes: hundreds of texts that change with each target take the browser as long as all else. */
  readonly written: readonly Shape[];
}

/** Right of a bar: numbers and guides. */
const BESIDE = 8;
const HALF_LINE = 7;
/** Bars from this height on have guides. */
const WITH_GUIDES = 50;
/** Levels at least so far apart have more words beside their bars. */
const [WIDE, WIDER] = [170, 210];
/** More values than these beside bars lie on a canvas. */
const MOST_ELEMENTS = 100;
/** Where a value stands, off its line. */
const VALUE_PLACES = [0, -12, 12, -24, 24];
const NOTHING: readonly Shape[] = [];

export function draw(content: EnsembleContent, view: DrawView): EnsembleScene {
  const where = placed(content, view);
  const { bars } = where;
  const names = namesOf(content, view, bars);
  const taken = new BoxIndex(view.width, view.height, [...bars.map(edgesOf), ...names.boxes]);
  const runs = strip(content, view);
  const labels = new Labels(content, view, where, taken);
  // The heaviest first: what finds no room is in the tooltip and the table.
  const order = byHeight(content);
  for (const bar of order) labels.beside(bar);
  for (const bar of order) labels.guides(bar);
  const marks = bars.map((box, bar): Mark => ({
    id: bar,
    key: `bar ${content.bars.name[bar]} ${content.bars.level[bar]} ${bar}`,
    box: atLeast(box),
    framed: box,
    name: visible(content.bars.name[bar]),
    paint: barPaint(content, bar, view),
    facts: () => barFacts(content, bar),
  }));
  const isWritten = labels.values.length > MOST_ELEMENTS;
  return {
    content,
    placed: where,
    written: isWritten ? labels.values : NOTHING,
    below: runs.below,
    marks: [...marks, ...labels.marks, ...runs.marks],
    // What stays the same with another target comes first.
    above: [...names.shapes, ...runs.above, ...labels.texts, ...(isWritten ? [] : labels.values)],
    brush: runs.box,
    move: (from, key) => moved(content, where, from, key),
  };
}

/** What is lower than a pointer is steady is hit around it. */
function atLeast({ x, y, width, height }: Box): Box {
  const more = Math.max(0, 4 - height);
  return { x, y: y - more / 2, width, height: height + more };
}

/** Gradients lie below: of the bar itself there is the edge, and, of a difference, what it is. */
function barPaint({ beside: { difference }, bars }: EnsembleContent, bar: number, { theme }: DrawView): Mark["paint"] {
  const edge = { stroke: theme.edge ?? theme.outline, strokeWidth: 1 };
  if (bars.runs[bar] === 0) return { ...edge, dash: [3, 3] };
  if (!difference) return edge;
  const largest = difference.difference.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return { ...edge, fill: theme.difference(largest > 0 ? difference.difference[bar] / largest : 0) };
}

/** Places texts one after the other where nothing stands yet. */
class Labels {
  /** Of guides. */
  readonly texts: Shape[] = [];
  /** Of targets and differences. */
  readonly values: Shape[] = [];
  readonly marks: Mark[] = [];
  /** By bar: where its target's value stands. */
  private readonly valueAt = new Map<number, number>();

  constructor(
    private readonly content: EnsembleContent,
    private readonly view: DrawView,
    private readonly where: Placed,
    private readonly taken: BoxIndex,
  ) {}

  /** The target's value at its line, or what differs at the top. */
  beside(bar: number): void {
    const { content, where } = this;
    const { target, difference } = content.beside;
    const { theme, measure } = this.view;
    const box = where.bars[bar];
    if (difference) {
      const [text, ratio] = barDifference(content, bar).split(" · ");
      this.value(bar, Math.min(box.y + 10, box.y + box.height / 2 + 4), [
        [text, theme.text],
        ...(ratio === undefined ? [] : [[ratio, theme.soft] as const]),
      ]);
      return;
    }
    const own = targetValue(content, bar);
    if (!target) return;
    if (Number.isNaN(own)) {
      if (box.height >= GUIDE_LINE) this.value(bar, box.y + box.height / 2 + 4, [["not in this run", theme.link]]);
      return;
    }
    const y = placeOnAxis(content, bar, own, box);
    const median = content.bars.median[bar];
    const text = formatValue(own, content.unit);
    const more = median > 0 && where.pitch >= WIDE ? `${formatRatio(own / median)} median` : "";
    const base = box.height < 16 ? box.y + box.height / 2 + 4 : y + 4;
    const texts: [string, string][] = [
      [text, theme.link],
      ...(more === "" ? [] : [[more, theme.soft] as [string, string]]),
    ];
    this.value(bar, base, texts, measure(TEXT, 600)(text));
  }

  /** @param line where its baseline would stand best */
  private value(bar: number, line: number, texts: readonly (readonly [string, string])[], width?: number): void {
    const { measure } = this.view;
    const box = this.where.bars[bar];
    const x = box.x + box.width + BESIDE;
    const [[first, fill], second] = texts;
    const wide = width ?? measure(TEXT, 600)(first);
    const wanted = wide + (second ? 6 + measure(TEXT)(second[0]) : 0);
    const roomAt = (at: number) => this.roomAt(x, at - NAME + 2, at + 3, wanted);
    // At its line, else just above or below it.
    const base = VALUE_PLACES.map((off) => line + off).find((at) => roomAt(at) >= wide);
    if (base === undefined) return;
    const room = roomAt(base);
    this.text(this.values, bar, { x, y: base }, first, { weight: 600, fill });
    const hasSecond = second !== undefined && wide + 6 + measure(TEXT)(second[0]) <= room;
    if (hasSecond) this.text(this.values, bar, { x: x + wide + 6, y: base }, second[0], { fill: second[1] });
    this.valueAt.set(bar, base - 4);
    const all = wide + (hasSecond ? 6 + measure(TEXT)(second[0]) : 0);
    this.taken.add({ left: x, right: x + all, top: base - NAME + 2, bottom: base + 3 });
  }

  guides(bar: number): void {
    const box = this.where.bars[bar];
    if (box.height < WITH_GUIDES || this.content.beside.difference) return;
    for (const guide of guidesOf(this.content, bar, box).reverse()) this.guide(guide, box);
  }

  /** Beside the middle of its bins, else above or below the target's value, which is never dropped. */
  private guide(guide: Guide, { x, width, y }: Box): void {
    const { content, where } = this;
    const { theme, measure } = this.view;
    const value = this.valueAt.get(guide.bar);
    const middle = middleOf(guide);
    const places = [middle, ...(value === undefined ? [] : [value - 15.5, value + 15.5])];
    const isNear = (at: number) => at === middle || Math.abs(at - middle) < 2 * GUIDE_LINE;
    const left = x + width;
    const textX = left + BESIDE;
    const rest = measure(TEXT);
    const count = where.pitch > WIDER ? `${guide.runs} run${guide.runs === 1 ? "" : "s"}` : `×${guide.runs}`;
    const wordings = [guideText(content, guide, where.pitch < 110), guideText(content, guide, true)];
    for (const at of places) {
      if (at < y + 4 || !isNear(at)) continue;
      const wanted = rest(wordings[0]) + 6 + rest(count);
      const room = this.roomAt(textX, at - HALF_LINE, at + HALF_LINE, wanted);
      const own = room - 6 - rest(count);
      if (own < 0) continue;
      const whole = wordings.find((words) => rest(words) <= own);
      const text = whole ?? (own >= NARROWEST ? fit(wordings[1], own, rest) : "");
      const countX = text === "" ? 0 : rest(text) + 6;
      const id = guideMark(ensembleSize(content), guide.bar, guide.first, guide.last);
      const knee = Math.max(guide.top, Math.min(guide.bottom, at));
      const d = `M${left},${guide.top}h4V${guide.bottom}h-4` + `M${left + 4},${knee}L${left + 7},${at}`;
      if (text !== "") this.text(this.texts, guide.bar, { x: textX, y: at + 4 }, text, { fill: theme.text });
      this.text(this.texts, guide.bar, { x: textX + countX, y: at + 4 }, count, { fill: theme.soft });
      const right = textX + countX + rest(count);
      const [top, bottom] = [Math.min(guide.top, at - HALF_LINE), Math.max(guide.bottom, at + HALF_LINE)];
      this.taken.add({ left: textX, right, top: at - HALF_LINE, bottom: at + HALF_LINE });
      this.marks.push({
        id,
        key: `guide ${content.bars.name[guide.bar]} ${guide.bar} ${guide.first} ${guide.last}`,
        within: guide.bar,
        box: { x: left + 0.5, y: at - HALF_LINE, width: right - left, height: 2 * HALF_LINE },
        framed: { x: left + 0.5, y: top, width: right - left + 2, height: bottom - top },
        d,
        paint: { stroke: theme.outline, strokeWidth: 1 },
        name: guideName(content, guide),
        facts: () => guideFacts(content, guide),
        note: () => "click: only these runs",
      });
      return;
    }
  }

  private roomAt(x: number, top: number, bottom: number, wanted: number): number {
    const { width, height } = this.view;
    if (top < STRIP || bottom > height) return 0;
    return this.taken.roomBeside(x, 1, top, bottom, 4, Math.min(wanted, width - 4 - x), 1);
  }

  private text(
    to: Shape[],
    bar: number,
    at: { x: number; y: number },
    text: string,
    more: Partial<Shape & { kind: "text" }>,
  ): void {
    const { background } = this.view.theme;
    to.push({ kind: "text", at, text, size: TEXT, halo: background, of: bar, ...more });
  }
}

/** Along the heaviest flow, and up and down in a level; from its top to the runs and back. */
function moved(
  content: EnsembleContent,
  { bars }: Placed,
  from: number,
  key: Extract<MoveKey, `Arrow${string}`>,
): number | undefined {
  const { edges, runs } = content;
  const size = bars.length;
  if (from >= size + runs.name.length) return Math.floor((from - size - runs.name.length) / content.bins ** 2);
  if (from >= size) {
    const at = runs.order.indexOf(from - size);
    if (key === "ArrowDown") return size > 0 ? 0 : from;
    if (key === "ArrowUp") return from;
    return size + (runs.order.at(Math.max(0, at + (key === "ArrowLeft" ? -1 : 1))) ?? from - size);
  }
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const [near, far] = key === "ArrowRight" ? [edges.source, edges.target] : [edges.target, edges.source];
    const flows = [...near.keys()].filter((edge) => near[edge] === from);
    const heaviest = flows.reduce((best, edge) => (edges.most[edge] > (edges.most[best] ?? -1) ? edge : best), -1);
    return heaviest < 0 ? from : far[heaviest];
  }
  // All bars, level by level from top to bottom.
  const order = [...bars.keys()].sort((a, b) => bars[a].x - bars[b].x || bars[a].y - bars[b].y || a - b);
  const at = order.indexOf(from);
  if (key === "ArrowUp" && at === 0) return runs.order.length > 0 ? size + runs.order[0] : from;
  return order.at(Math.max(0, at + (key === "ArrowUp" ? -1 : 1))) ?? from;
}
