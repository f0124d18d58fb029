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
import { fitName, visible } from "../shared/text";
import { isActive } from "./describe";
import { MIN_VALUED, type Placed } from "./sight";

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
  const calls = new Set(nodes.map(({ parent }) => parent));
  const order = [...nodes.keys()].sort((a, b) => nodes[b].inclusive - nodes[a].inclusive || a - b);
  for (const at of order) {
    const { x, y } = points[at];
    if (x < 0 || x > view.width || y < 0 || y > view.height) continue;
    const forms = formsOf(content, at, view);
    const radius = radii[at] + (isActive(nodes[at]) ? RING : 0);
    const found =
      firstFree(forms, (form) => nearPlaces(points[at], radius, form, calls.has(at)), isFree) ??
      (nodes[at].inclusive >= MIN_VALUED * total
        ? firstFree(forms, (form) => leaderPlaces(points[at], form), isFree)
        : undefined);
    if (!found) continue;
    const { form, box } = found;
    taken.push(box);
    appendAll(shapes, leader(points[at], radius, box, at, view.theme));
    appendAll(shapes, labelShapes(content, at, form, box, view));
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

/** Forms of a label, best first. Names are cut before the value is left out; for small shares the value is left out first. */
function formsOf(content: ApplicationContent, at: number, { measure }: DrawView): Form[] {
  const { nodes, total, unit } = content;
  const { inclusive, time } = nodes[at];
  const share = total > 0 ? inclusive / total : 0;
  const whole = visible(nodes[at].name);
  const value = `${formatValue(inclusive, unit)} · ${formatShare(share)}`;
  const widthOf = measure(SIZE);
  const names = [...new Set(LENGTHS.map((most) => fitName(whole, most, widthOf)))].filter(
    (name) => name === whole || name.length >= MIN_CHARACTERS,
  );
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
  return share >= MIN_VALUED ? [...both, valueAlone, ...nameAlone] : [...both, ...nameAlone];
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

/** Places further away, the nearest first. */
function leaderPlaces({ x, y }: Point, { width, height }: Form): Box[] {
  const places: Box[] = [];
  for (let off = 2 * STEP; off <= MAX_LEADER; off += STEP)
    for (const across of [4, -width / 2, -width])
      places.push(
        { x: x + across, y: y - off - height, width, height },
        { x: x + across, y: y + off, width, height },
        { x: x + across + Math.sign(across + width / 2) * off, y: y - height / 2, width, height },
      );
  return places;
}

/** A thin line to a label that is not beside its circle. */
function leader({ x, y }: Point, radius: number, box: Box, of: number, theme: Theme): Shape[] {
  const to = {
    x: Math.min(box.x + box.width, Math.max(box.x, x)),
    y: Math.min(box.y + box.height, Math.max(box.y, y)),
  };
  const length = Math.hypot(to.x - x, to.y - y);
  if (length <= radius + APART + 1) return [];
  const from = { x: x + ((to.x - x) * radius) / length, y: y + ((to.y - y) * radius) / length };
  return [{ kind: "path", d: `M${from.x},${from.y}L${to.x},${to.y}`, stroke: theme.outline, strokeWidth: 0.75, of }];
}

function labelShapes(
  content: ApplicationContent,
  at: number,
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
      words(x, y + 10, name, { halo: theme.background, of: at, title: visible(content.nodes[at].name) }),
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
    ...{ kind: "box", box: { x: x + from, y: top, width, height: BARS.height }, of, ...paint },
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
