/** Labels of the application tree: name, value and share, and times of activity. Heaviest first, and never over other marks. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import {
  ACTIVITY_COLUMNS,
  type ApplicationContent,
  type ApplicationNode,
  eventKinds,
} from "../../src/protocol/application";
import { appendAll } from "../../src/model/longLists";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { kindFill } from "../kit/kinds";
import type { Box, DrawView, Paint, Point, Shape, Sign } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { fitName, plural, visible } from "../shared/text";
import { chainsOf } from "./chains";
import { isActive } from "./describe";
import { MIN_NAMED, MIN_VALUED, type Placed } from "./sight";

const LINE = 14;
/** Height of small letters above their baseline. */
const LETTER = 6;
/** Widths that names are cut to, in pixels. */
const LENGTHS = [220, 150, 110, 84];
/** Minimum characters of a cut name: shorter ones could not be distinguished. */
const MIN_CHARACTERS = 12;
const BARS = { width: ACTIVITY_COLUMNS, height: 4, gap: 2 } as const;
const APART = 6;
const RING = 3;
/** Room for a frame around a circle, in pixels. */
const FRAME = 3;
/** Maximum length of a leader, and distance between the places that are tried, in pixels. */
const [MAX_LEADER, STEP] = [170, 7];

/** One of the ways in which a label is written, the best first. */
interface Form {
  readonly name: string;
  readonly value: string;
  /** The value stands below the name, not behind it. */
  readonly isBelow: boolean;
  readonly hasBars: boolean;
  readonly width: number;
  readonly height: number;
}

export function labelsOf(
  content: ApplicationContent,
  { at: points, folded }: Placed,
  radii: readonly number[],
  view: DrawView,
): { readonly shapes: readonly Shape[]; readonly signs: readonly Sign[] } {
  const { nodes, total } = content;
  const shapes: Shape[] = [];
  const signs: Sign[] = [];
  const taken = points.map((point, at) => around(point, radii[at] + (isActive(nodes[at]) ? RING : 0) + FRAME));
  appendAll(
    taken,
    folded.flatMap((point) => (point ? [around(point, 3)] : [])),
  );
  const isFree = (box: Box) =>
    box.x >= 0 &&
    box.x + box.width <= view.width &&
    box.y >= 0 &&
    box.y + box.height <= view.height &&
    taken.every((one) => !meets(one, box));
  const leaders: Line[] = [];
  const calls = new Set(nodes.map(({ parent }) => parent));
  const chains = chainsOf(nodes);
  const order = [...chains.keys()].sort((a, b) => nodes[b].inclusive - nodes[a].inclusive || a - b);
  for (const at of order) {
    const { x, y } = points[at];
    if (x < 0 || x > view.width || y < 0 || y > view.height) continue;
    const callers = chains.get(at) ?? [];
    const { whole, parts } = formsOf(content, at, callers, view);
    const share = nodes[at].inclusive / total;
    // A number without a name says little: from here on a leader is better.
    const near = share >= MIN_NAMED ? whole : [...whole, ...parts];
    const crossed = (box: Box) => {
      const line = lineTo(points[at], radius, box);
      return line ? crossings(line, points[at], taken, leaders) : 0;
    };
    const radius = radii[at] + (isActive(nodes[at]) ? RING : 0);
    const found =
      firstFree(near, (form) => nearPlaces(points[at], radius, form, calls.has(at)), isFree) ??
      (share >= MIN_VALUED
        ? (clearest(whole, (form) => leaderPlaces(points[at], form), isFree, crossed) ??
          firstFree(parts, (form) => nearPlaces(points[at], radius, form, calls.has(at)), isFree) ??
          clearest(parts, (form) => leaderPlaces(points[at], form), isFree, crossed))
        : undefined);
    if (!found) continue;
    const { form, box } = found;
    taken.push(box);
    const line = lineTo(points[at], radius, box);
    if (line) leaders.push(line);
    if (line) shapes.push(leaderShape(line, at, view.theme));
    appendAll(shapes, labelShapes(content, at, pathText(nodes, callers, at), form, box, view));
    signs.push({ box, mark: at });
  }
  folded.forEach((point, at) => {
    if (!point) return;
    const text = `${nodes[at].folded.contexts.toLocaleString("en")} more · ${formatShare(nodes[at].folded.value / total)}`;
    const [x, width] = [point.x + 3 + APART, view.measure(SIZE)(text)];
    const box = { x: point.x - 3, y: point.y - LINE / 2, width: width + APART + 6, height: LINE };
    if (!isFree({ ...box, x, width })) return;
    taken.push(box);
    shapes.push(
      wordsAt(view.theme)(x, point.y + 4, text, { fill: view.theme.muted, halo: view.theme.background, of: at }),
    );
    signs.push({ box, mark: at, does: "toggle" });
  });
  return { shapes, signs };
}

/** Forms of a label with name and value, and with one of them, best first. Names are cut before the value is left out. */
function formsOf(
  content: ApplicationContent,
  at: number,
  callers: readonly number[],
  { measure }: DrawView,
): { readonly whole: readonly Form[]; readonly parts: readonly Form[] } {
  const { nodes, total, unit } = content;
  const { inclusive, time } = nodes[at];
  const share = total > 0 ? inclusive / total : 0;
  const whole = visible(nodes[at].name);
  const value = `${formatValue(inclusive, unit)} · ${formatShare(share)}`;
  const widthOf = measure(SIZE);
  const cut = [...new Set(LENGTHS.map((most) => fitName(whole, most, widthOf)))].filter(
    (name) => name === whole || name.length >= MIN_CHARACTERS,
  );
  const path = pathText(nodes, callers, at);
  const held = callers.length === 0 ? "" : ` with ${plural(callers.length, "caller")}`;
  // All names of a chain if they have room, then their number, then the last name alone.
  const paths = callers.length > 0 && widthOf(path) <= LENGTHS[0] ? [path] : [];
  const names = [...new Set([...paths, ...cut.map((name) => name + held), ...cut])];
  const form = (name: string, text: string, isBelow: boolean, hasBars: boolean): Form => {
    const [first, second] = [widthOf(name), widthOf(text)];
    const isOne = !isBelow || name === "" || text === "";
    const width = isOne ? first + second + (name !== "" && text !== "" ? APART : 0) : Math.max(first, second);
    const height = (isOne ? LINE : 2 * LINE) + (hasBars ? 2 * BARS.height + 2 * BARS.gap : 0);
    return { name, value: text, isBelow, hasBars, width: hasBars ? Math.max(width, BARS.width) : width, height };
  };
  const both = [true, false].flatMap((hasBars) =>
    hasBars && !time
      ? []
      : names.flatMap((name) => [true, false].map((isBelow) => form(name, value, isBelow, hasBars))),
  );
  const valueAlone = form("", value, false, false);
  const nameAlone = names.map((name) => form(name, "", false, false));
  if (share >= MIN_NAMED) return { whole: both, parts: [...nameAlone, valueAlone] };
  return { whole: both, parts: share >= MIN_VALUED ? [valueAlone, ...nameAlone] : nameAlone };
}

/** `main › solve › kernel` */
function pathText(nodes: readonly ApplicationNode[], callers: readonly number[], at: number): string {
  return [...callers, at].map((one) => visible(nodes[one].name)).join(" › ");
}

function firstFree(
  forms: readonly Form[],
  places: (form: Form) => readonly Box[],
  isFree: (box: Box) => boolean,
): { readonly form: Form; readonly box: Box } | undefined {
  for (const form of forms) {
    const box = places(form).find(isFree);
    if (box) return { form, box };
  }
  return undefined;
}

/** The free place whose leader crosses the least: of the first form with a clear one, else of all forms. */
function clearest(
  forms: readonly Form[],
  places: (form: Form) => readonly Box[],
  isFree: (box: Box) => boolean,
  crossed: (box: Box) => number,
): { readonly form: Form; readonly box: Box } | undefined {
  let best: { readonly form: Form; readonly box: Box; readonly crossings: number } | undefined;
  for (const form of forms)
    for (const box of places(form)) {
      if (!isFree(box)) continue;
      const crossings = crossed(box);
      if (!best || crossings < best.crossings) best = { form, box, crossings };
      if (crossings === 0) return best;
    }
  return best;
}

/** Right, above, below, left of the circle; above first if a link leaves to the right. */
function nearPlaces({ x, y }: Point, radius: number, { width, height }: Form, isCaller: boolean): Box[] {
  const off = radius + APART;
  const right = { x: x + off, y: y - height / 2, width, height };
  const others = [x - radius, x - width / 2].flatMap((left) =>
    [y - radius - FRAME - height, y + radius + FRAME].map((top) => ({ x: left, y: top, width, height })),
  );
  const left = { x: x - off - width, y: y - height / 2, width, height };
  return isCaller ? [...others, right, left] : [right, ...others, left];
}

/** Distances of a label's side from its circle across. A slanted leader leaves the column, where a vertical one meets all circles below. */
const ASIDE = [4, 14, 26, 40];

/** Places further away, the nearest first. */
function leaderPlaces({ x, y }: Point, { width, height }: Form): Box[] {
  const places: Box[] = [];
  for (let off = 2 * STEP; off <= MAX_LEADER; off += STEP) {
    for (const aside of ASIDE)
      for (const left of [x + aside, x - aside - width])
        places.push({ x: left, y: y - off - height, width, height }, { x: left, y: y + off, width, height });
    for (const left of [x - width / 2, x + off, x - off - width]) {
      const tops = left === x - width / 2 ? [y - off - height, y + off] : [y - height / 2];
      for (const top of tops) places.push({ x: left, y: top, width, height });
    }
  }
  return places;
}

interface Line {
  readonly from: Point;
  readonly to: Point;
}

/** The line from a circle to a label that is not beside it; undefined if the label is. */
function lineTo({ x, y }: Point, radius: number, box: Box): Line | undefined {
  const to = {
    x: Math.min(box.x + box.width, Math.max(box.x, x)),
    y: Math.min(box.y + box.height, Math.max(box.y, y)),
  };
  const length = Math.hypot(to.x - x, to.y - y);
  if (length <= radius + APART + 1) return undefined;
  return { from: { x: x + ((to.x - x) * radius) / length, y: y + ((to.y - y) * radius) / length }, to };
}

function leaderShape({ from, to }: Line, of: number, { outline }: Theme): Shape {
  return { kind: "path", d: `M${from.x},${from.y}L${to.x},${to.y}`, stroke: outline, strokeWidth: 0.75, of };
}

/** Number of circles, labels and leaders that a line crosses, without the circle that it begins at. */
function crossings(line: Line, own: Point, taken: readonly Box[], leaders: readonly Line[]): number {
  const isOwn = ({ x, y, width, height }: Box) => own.x > x && own.x < x + width && own.y > y && own.y < y + height;
  const boxes = taken.filter((box) => !isOwn(box) && doesCross(line, box)).length;
  return boxes + leaders.filter((other) => doCross(line, other)).length;
}

function doesCross({ from, to }: Line, { x, y, width, height }: Box): boolean {
  if (Math.max(from.x, to.x) < x || Math.min(from.x, to.x) > x + width) return false;
  if (Math.max(from.y, to.y) < y || Math.min(from.y, to.y) > y + height) return false;
  const side = (px: number, py: number) => Math.sign((to.x - from.x) * (py - from.y) - (to.y - from.y) * (px - from.x));
  const corners = [side(x, y), side(x + width, y), side(x, y + height), side(x + width, y + height)];
  return corners.some((one) => one !== corners[0]);
}

function doCross(one: Line, other: Line): boolean {
  const turn = (a: Point, b: Point, c: Point) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  return (
    turn(one.from, one.to, other.from) !== turn(one.from, one.to, other.to) &&
    turn(other.from, other.to, one.from) !== turn(other.from, other.to, one.to)
  );
}

function labelShapes(
  content: ApplicationContent,
  at: number,
  title: string,
  { name, value, isBelow, hasBars }: Form,
  { x, y }: Box,
  view: DrawView,
): Shape[] {
  const { theme, measure } = view;
  const words = wordsAt(theme);
  const widthOf = measure(SIZE);
  const shapes: Shape[] = [];
  const isTwo = isBelow && name !== "" && value !== "";
  if (name !== "")
    shapes.push(
      ground(x, y + 10, widthOf(name), at, theme),
      words(x, y + 10, name, { halo: theme.background, of: at, title }),
    );
  if (value !== "") {
    const left = isTwo || name === "" ? x : x + widthOf(name) + APART;
    const base = y + 10 + (isTwo ? LINE : 0);
    shapes.push(
      ground(left, base, widthOf(value), at, theme),
      words(left, base, value, { fill: theme.soft, halo: theme.background, of: at }),
    );
  }
  const top = y + (isTwo ? 2 * LINE : LINE);
  if (hasBars) appendAll(shapes, barsOf(content, content.nodes[at], at, { x, y: top }, view));
  return shapes;
}

function around({ x, y }: Point, radius: number): Box {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

function meets(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Background behind letters. Their halo alone leaves gaps through which lines would show: above underscores and between words. */
function ground(x: number, baseline: number, width: number, of: number, theme: Theme): Shape {
  return { kind: "box", box: { x, y: baseline - LETTER, width, height: LETTER }, fill: theme.background, of };
}

/** Bars of a context: its times of activity with the shown window, and below them the share of its time in the window. */
function barsOf(
  { run, window }: ApplicationContent,
  { time, kind }: ApplicationNode,
  of: number,
  { x, y }: Point,
  { theme }: DrawView,
): Shape[] {
  if (!time || !run || !window) return [];
  const fill = kindFill(eventKinds[kind], theme);
  const bar = (from: number, width: number, top: number, paint: Paint): Shape => ({
    kind: "box",
    box: { x: x + from, y: top, width, height: BARS.height },
    of,
    ...paint,
  });
  const isOn = (column: number) => ((time.active[column >> 5] >>> (column % 32)) & 1) === 1;
  const runs: [number, number][] = [];
  for (let column = 0; column < ACTIVITY_COLUMNS; column++) {
    const last = runs.at(-1);
    if (!isOn(column)) continue;
    if (last?.[1] === column) last[1]++;
    else runs.push([column, column + 1]);
  }
  const scale = run.to > run.from ? BARS.width / (run.to - run.from) : 0;
  const share = time.runSeconds > 0 ? Math.min(1, time.windowSeconds / time.runSeconds) : 0;
  const ground = { fill: theme.background, stroke: theme.grid, strokeWidth: 1 };
  const below = y + BARS.height + BARS.gap;
  return [
    bar(0, BARS.width, y, ground),
    ...runs.map(([from, to]) => bar(from, to - from, y, { fill })),
    bar((window.from - run.from) * scale, Math.max(1, (window.to - window.from) * scale), y, {
      stroke: theme.text,
      strokeWidth: 1,
    }),
    bar(0, BARS.width, below, ground),
    ...(share > 0 ? [bar(0, Math.max(1, BARS.width * share), below, { fill: theme.muted })] : []),
  ];
}
