/** The scatter: axes, points or cells, the line, and names where there is room. Pure. */
import { scaleLinear } from "d3-scale";
import type { AxisName, CorrelationContent } from "../../src/protocol/correlation";
import { axisTicks, crisp, gridRows, rule, TEXT_SIZE as SIZE, withoutUnit, withRoom, wordsAt } from "../kit/axis";
import { type Box, circle, type DrawView, type Mark, meets, type Paint, type Scene, rounded } from "../kit/stage/scene";
import { fit, fitName, type Measure, visible } from "../shared/text";
import { axisName, canChoose, markFacts, markName, overNote } from "./describe";

/** Of more points than these only the farthest from the line are named. */
const MOST_NAMES = 64;
const OUTLIERS = 12;
const MARGIN = { top: 28, right: 18, bottom: 40 } as const;
/** Between the outermost points and the frame, as part of the values' range. */
const PADDING = 0.06;
/** Between a point and its name. */
const GAP = 6;
/** Between two names in one line. */
const APART = 6;
/** Between the axis and a name, whose halo would cut it. */
const OFF_AXIS = 4;
/** Pixels that the frame of a point reaches beyond it where names are near. */
const FRAMED = 3;

type Domain = readonly [least: number, most: number];
type Place = (value: number) => number;

interface Ends {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export function draw(content: CorrelationContent, view: DrawView): Scene {
  const { width, height, theme } = view;
  const { xs, ys, density } = content;
  const measure = view.measure(SIZE);
  const [domainX, domainY] = [domainOf(xs, density?.x), domainOf(ys, density?.y)];
  const inner = Math.max(40, height - MARGIN.top - MARGIN.bottom);
  const alongY = withoutUnit(axisTicks(domainY[0], domainY[1], Math.max(2, Math.floor(inner / 50)), content.y.unit));
  const ticksY = alongY.ticks;
  const widest = ticksY.reduce((most, { text }) => Math.max(most, measure(text)), 0);
  const left = Math.min(Math.ceil(widest) + 14, Math.max(40, width / 2));
  const plot = { x: left, y: MARGIN.top, width: Math.max(40, width - left - MARGIN.right), height: inner };
  const bottom = plot.y + plot.height;
  const alongX = withoutUnit(
    axisTicks(domainX[0], domainX[1], Math.max(2, Math.floor(plot.width / 110)), content.x.unit),
  );
  const ticksX = alongX.ticks;
  const [toX, toY] = [placeOf(domainX, [plot.x, plot.x + plot.width]), placeOf(domainY, [bottom, plot.y])];
  const marks = density ? cellMarks(content, density, toX, toY, view) : pointMarks(content, toX, toY, view);
  const line = lineOf(content, domainX, domainY, toX, toY);
  const fitLine = line ? [rule(`M${line.x1},${line.y1}L${line.x2},${line.y2}`, theme.text, 2)] : [];
  const text = wordsAt(theme);
  const units = { x: alongX.unit, y: alongY.unit };
  const title = (axis: AxisName) => titleOf(content, axis, units[axis], plot.width - 24, view.measure(SIZE, 600));
  // Units may be of any length.
  const placedY = ticksY.map(({ value, text: words }) => ({ at: toY(value), text: fit(words, left - 8, measure) }));
  const [rulesY, textsY] = gridRows(placedY, plot, theme);
  const placedX = ticksX.map(({ value, text: words }) => ({ at: toX(value), text: words }));
  return {
    below: [
      ...ticksX.map(({ value }) => rule(`M${crisp(toX(value))},${plot.y}V${bottom}`, theme.grid)),
      ...rulesY,
      rule(`M${crisp(plot.x)},${plot.y}V${crisp(bottom)}H${plot.x + plot.width}`, theme.outline),
      // Of cells, which lie side by side, nothing would be seen of it below them.
      ...(density ? [] : fitLine),
    ],
    marks,
    above: [
      ...(density ? fitLine : []),
      ...withRoom(placedX, plot.x + plot.width + MARGIN.right, view).map((tick) =>
        text(tick.at, bottom + 15, tick.text, { anchor: "middle" }),
      ),
      ...textsY,
      text(12, 15, `↑ ${title("y")}`, { weight: 600 }),
      text(plot.x + plot.width, bottom + 33, `${title("x")} →`, { weight: 600, anchor: "end" }),
      ...(density ? [] : namesOf(marks, plot, line, measure)).map(({ x, y, words }) =>
        text(x, y, words, { fill: theme.soft, halo: theme.background }),
      ),
    ],
    ...(canChoose(content) ? { brush: plot } : {}),
  };
}

function domainOf(values: Float64Array, extent?: Domain): Domain {
  let [least, most] = extent ?? [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return [0, 1];
  // Halved, since the distance of two values may be more than a number can hold.
  const padding = PADDING * 2 * (most / 2 - least / 2) || Math.abs(most) / 10 || 1;
  return [Math.max(-Number.MAX_VALUE, least - padding), Math.min(Number.MAX_VALUE, most + padding)];
}

function placeOf([least, most]: Domain, range: readonly [number, number]): Place {
  const scale = scaleLinear([least / 2, most / 2], range);
  return (value) => scale(value / 2);
}

/**
 * Name of an axis and the unit of its ticks, unless the metric is called by it, as `cycles` is. The unit stays if the name is cut.
 *
 * @param unit as ticks have it: `ms`; empty if each tick has its own
 */
function titleOf(content: CorrelationContent, axis: AxisName, unit: string, most: number, measure: Measure): string {
  const suffix = ["", content[axis].metric].includes(unit) ? "" : ` (${visible(unit)})`;
  const shown = measure(suffix) <= most / 2 ? suffix : "";
  return fitName(visible(axisName(content[axis], content)), most - measure(shown), measure) + shown;
}

/** Points from left to right, then from below upwards. */
function pointMarks(content: CorrelationContent, toX: Place, toY: Place, { theme }: DrawView): Mark[] {
  const { xs, ys, names, called } = content;
  const radius = xs.length > 2000 ? 2.5 : 3;
  // Where a point stands says its values; heat would say another one.
  const paint: Paint = { fill: theme.muted, stroke: theme.outline, strokeWidth: xs.length > 2000 ? 0.75 : 1 };
  const before = new Map<string, number>();
  const note = () => overNote(content);
  return [...xs.keys()]
    .sort((a, b) => xs[a] - xs[b] || ys[a] - ys[b] || a - b)
    .map((mark) => {
      const [x, y] = [rounded(toX(xs[mark])), rounded(toY(ys[mark]))];
      const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
      const name = names[called[mark]];
      const same = before.get(name) ?? 0;
      before.set(name, same + 1);
      return {
        id: mark,
        key: `${same} ${name}`,
        box,
        d: circle(box),
        paint,
        isRound: true,
        name: markName(content, mark),
        facts: () => markFacts(content, mark),
        note,
      };
    });
}

function cellMarks(
  content: CorrelationContent,
  { columns, rows, x, y, cells, counts }: NonNullable<CorrelationContent["density"]>,
  toX: Place,
  toY: Place,
  { theme }: DrawView,
): Mark[] {
  const share = shareOfFullest(counts);
  const mix = ([least, most]: Domain, part: number) => least * (1 - part) + most * part;
  return Array.from(cells, (cell, mark) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const [left, right] = [toX(mix(x, column / columns)), toX(mix(x, (column + 1) / columns))];
    const [top, bottom] = [toY(mix(y, (row + 1) / rows)), toY(mix(y, row / rows))];
    return {
      id: mark,
      key: `cell ${cell}`,
      box: { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) },
      paint: { fill: theme.heat(share(counts[mark])) },
      name: markName(content, mark),
      facts: () => markFacts(content, mark),
    };
  });
}

/** Where the heat of a cell's count is: by its logarithm, since few cells hold most points. */
function shareOfFullest(counts: Int32Array): (count: number) => number {
  const fullest = counts.reduce((most, count) => Math.max(most, count), 1);
  return (count) => densityHeat(fullest === 1 ? 1 : Math.log(count) / Math.log(fullest));
}

/** A cell with one point is told from an empty one. @param share 0 to 1, of the logarithm of the largest count */
export function densityHeat(share: number): number {
  return 0.1 + 0.9 * share;
}

/** The best-fit line inside the plot: where it leaves above or below, it ends there. */
function lineOf(
  { fit }: CorrelationContent,
  domainX: Domain,
  domainY: Domain,
  toX: Place,
  toY: Place,
): Ends | undefined {
  if (fit.kind !== "line") return undefined;
  const { slope, intercept } = fit;
  const at = (x: number) => slope * x + intercept;
  const ends = domainX.map((x) => {
    const within = Math.max(domainY[0], Math.min(domainY[1], at(x)));
    return within === at(x) || slope === 0 ? x : (within - intercept) / slope;
  });
  const [x1, y1, x2, y2] = [toX(ends[0]), toY(at(ends[0])), toX(ends[1]), toY(at(ends[1]))].map(rounded);
  return [x1, y1, x2, y2].every(Number.isFinite) ? { x1, y1, x2, y2 } : undefined;
}

/** Whether a line runs through a box: its corners are not all on one side. */
function isCrossed({ x, y, width, height }: Box, { x1, y1, x2, y2 }: Ends): boolean {
  const side = (atX: number, atY: number) => Math.sign((x2 - x1) * (atY - y1) - (y2 - y1) * (atX - x1));
  const sides = [side(x, y), side(x + width, y), side(x, y + height), side(x + width, y + height)];
  return sides.some((other) => other !== sides[0]);
}

/** Those farthest from the line first; where there is none, from left to right. */
function byDistance(marks: readonly Mark[], line: Ends | undefined): Mark[] {
  if (!line) return marks.slice(0, MOST_NAMES);
  const { x1, y1, x2, y2 } = line;
  const distance = ({ box: { x, y, width, height } }: Mark) =>
    Math.abs((x2 - x1) * (y + height / 2 - y1) - (y2 - y1) * (x + width / 2 - x1));
  const farthest = marks.map((mark) => ({ mark, far: distance(mark) })).sort((a, b) => b.far - a.far);
  return farthest.slice(0, marks.length > MOST_NAMES ? OUTLIERS : MOST_NAMES).map(({ mark }) => mark);
}

/** Beside its point each, where it covers no point, no other name and not the line. */
function namesOf(
  marks: readonly Mark[],
  plot: Box,
  line: Ends | undefined,
  measure: Measure,
): { x: number; y: number; words: string }[] {
  // What frames a point that has the focus crosses no name.
  const taken: Box[] = marks.map(({ box: { x, y, width, height } }) => ({
    x: x - FRAMED,
    y: y - FRAMED,
    width: width + 2 * FRAMED,
    height: height + 2 * FRAMED,
  }));
  const isFree = (box: Box) =>
    box.x >= plot.x + OFF_AXIS &&
    box.y >= plot.y &&
    box.x + box.width <= plot.x + plot.width &&
    box.y + box.height <= plot.y + plot.height - OFF_AXIS &&
    !(line && isCrossed(box, line)) &&
    !taken.some((other) => meets(box, other));
  return byDistance(marks, line).flatMap(({ box: point, name }) => {
    const words = fit(visible(name), 220, measure);
    const [width, height] = [measure(words), SIZE + 4];
    const [right, below] = [point.x + point.width, point.y + point.height];
    const [middleX, middleY] = [(point.x + right) / 2, (point.y + below) / 2];
    // A point near the plot's end has its name above or below it all the same, to its side.
    const x = Math.max(plot.x + OFF_AXIS, Math.min(middleX - width / 2, plot.x + plot.width - width));
    const places = [
      { x: right + GAP, y: middleY - height / 2 },
      { x: point.x - GAP - width, y: middleY - height / 2 },
      { x, y: point.y - GAP - height },
      { x, y: below + GAP },
    ].map((place) => ({ ...place, width, height }));
    const box = places.find(isFree);
    if (!box) return [];
    taken.push({ ...box, x: box.x - APART, width: box.width + 2 * APART });
    return [{ x: box.x, y: box.y + SIZE, words }];
  });
}
