/** The drawing in pixels: bins above, members on a line below, and what leads from one to the other. Pure. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import type { Measure } from "../shared/text";
import { valueText } from "./describe";
import { ticks } from "./ticks";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Tick {
  /** Pixels along the axis. */
  readonly at: number;
  readonly text: string;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Where bins are drawn. */
  readonly plot: Box;
  /** As high as its count; at least to be seen where there is one. */
  readonly bins: readonly Box[];
  readonly counts: readonly Tick[];
  readonly values: readonly Tick[];
  /** Top of the shadows, below the texts of the values. */
  readonly shadowTop: number;
  /** Where members stand, one beside the other. */
  readonly line: Box;
  /** Some of the members by their keys. */
  readonly members: readonly Tick[];
  /** Path data of each bin's shadows, in pieces of at most {@link PIECE} that are drawn one by one. */
  readonly shadows: readonly (readonly string[])[];
  /** Shadows are few enough for outlines of their own. */
  readonly fewShadows: boolean;
}

const MARGIN = { left: 52, right: 14, top: 20, bottom: 38 } as const;
/** For the texts of the values. */
const BAND = 20;
const LINE_HEIGHT = 14;
/** Of a bin that is the only one: all-equal values. */
const ONLY_BIN = 120;
const GAP = 1;
/** Pixels between round values, about; those whose texts have no room are left out. */
const VALUE_STEP = 60;
/** Shadows in one path: a path of thousands that cross each other takes far longer than its pieces do. */
export const PIECE = 64;
/** Shadows with outlines. */
const FEW = 300;

/** @param measure how wide a text of the drawing is */
export function buildScene(
  histogram: HistogramMessage,
  { width, height }: { width: number; height: number },
  measure: Measure,
): Scene {
  const inner = Math.max(40, width - MARGIN.left - MARGIN.right);
  const free = Math.max(60, height - MARGIN.top - MARGIN.bottom - BAND - LINE_HEIGHT);
  const plot = { x: MARGIN.left, y: MARGIN.top, width: inner, height: Math.round(free * 0.52) };
  const shadowTop = plot.y + plot.height + BAND;
  const line = { x: plot.x, y: MARGIN.top + free + BAND, width: inner, height: LINE_HEIGHT };
  const bins = binBoxes(histogram, plot);
  const runs = runsOf(histogram);
  return {
    width,
    height,
    plot,
    bins,
    counts: countTicks(histogram, plot),
    values: valueTicks(histogram, plot, measure),
    shadowTop,
    line,
    members: memberTicks(histogram, line, measure),
    shadows: shadowsOf(histogram, runs, bins, { top: shadowTop, bottom: line.y, line }),
    fewShadows: runs.length <= FEW,
  };
}

/** The bin under a point of the drawing, in its column or among the texts below. */
export function binAt({ plot, bins, shadowTop }: Scene, x: number, y: number): number | undefined {
  if (y < 0 || y > shadowTop) return undefined;
  const bin = nearestBin({ plot, bins }, x);
  return bin !== undefined && x >= bins[bin].x - GAP && x <= bins[bin].x + bins[bin].width + GAP ? bin : undefined;
}

/** The bin whose column is nearest. */
export function nearestBin({ plot, bins }: Pick<Scene, "plot" | "bins">, x: number): number | undefined {
  if (bins.length === 0) return undefined;
  return Math.max(0, Math.min(bins.length - 1, Math.floor(((x - plot.x) / plot.width) * bins.length)));
}

/** Position of the member under a point of the drawing. */
export function memberAt({ line }: Scene, members: number, x: number, y: number): number | undefined {
  if (y < line.y - 4 || y > line.y + line.height + 18 || x < line.x || x > line.x + line.width) return undefined;
  return Math.min(members - 1, Math.floor(((x - line.x) / line.width) * members));
}

/** Where a member stands. */
export function memberBox({ line }: Scene, members: number, position: number): Box {
  const width = line.width / members;
  return { x: line.x + position * width, y: line.y, width, height: line.height };
}

function binBoxes({ counts }: HistogramMessage, plot: Box): Box[] {
  const most = counts.reduce((largest, count) => Math.max(largest, count), 1);
  const step = plot.width / counts.length;
  return counts.map((count, bin) => {
    const width = counts.length === 1 ? Math.min(ONLY_BIN, plot.width) : Math.max(0.5, step - (step > 4 ? GAP : 0));
    const x = counts.length === 1 ? plot.x + (plot.width - width) / 2 : plot.x + bin * step;
    // One member among thousands is to be seen.
    const height = count === 0 ? 0 : Math.max(3, (count / most) * plot.height);
    return { x, y: plot.y + plot.height - height, width, height };
  });
}

function countTicks({ counts }: HistogramMessage, plot: Box): Tick[] {
  const most = counts.reduce((largest, count) => Math.max(largest, count), 1);
  return ticks(0, most, Math.max(2, Math.floor(plot.height / 36)))
    .filter(Number.isInteger)
    .map((count) => ({
      at: plot.y + plot.height - (count / most) * plot.height,
      text: count.toLocaleString("en"),
    }));
}

function valueTicks(histogram: HistogramMessage, plot: Box, measure: Measure): Tick[] {
  const { edges } = histogram;
  if (edges.length === 0) return [];
  const text = valueText(histogram);
  const [least, most] = [edges[0], edges[edges.length - 1]];
  if (least === most) return [{ at: plot.x + plot.width / 2, text: text(least) }];
  const at = (value: number) => plot.x + ((value - least) / (most - least)) * plot.width;
  const all = ticks(0, most - least, Math.max(2, Math.floor(plot.width / VALUE_STEP))).map((above) => least + above);
  // Round numbers, where the numbers themselves are shown; else round distances from the least.
  const isNarrow = text(most).includes(" + ");
  const round = isNarrow ? all : ticks(least, most, Math.max(2, Math.floor(plot.width / VALUE_STEP)));
  return apart(
    round.map((value) => ({ at: at(value), text: text(value) })),
    measure,
    plot,
  );
}

function memberTicks({ line: { keys } }: HistogramMessage, line: Box, measure: Measure): Tick[] {
  const step = line.width / keys.length;
  return apart(
    keys.map((text, position) => ({ at: line.x + (position + 0.5) * step, text })),
    measure,
    line,
  );
}

/** As many as have room beside each other, evenly picked. */
function apart(all: readonly Tick[], measure: Measure, within: Box): Tick[] {
  const widest = all.reduce((most, { text }) => Math.max(most, text.length), 1) * Math.max(4, measure("0")) + 10;
  const every = Math.max(1, Math.ceil((all.length * widest) / within.width));
  const inside = (tick: Tick) => tick.at + measure(tick.text) / 2 <= within.x + within.width + MARGIN.right;
  return all.filter((tick, at) => at % every === 0 && inside(tick));
}

/** Members that stand side by side and are in one bin. */
interface Run {
  readonly bin: number;
  readonly from: number;
  readonly to: number;
}

function runsOf({ line: { bins } }: HistogramMessage): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < bins.length;) {
    let to = from + 1;
    while (to < bins.length && bins[to] === bins[from]) to++;
    if (bins[from] >= 0) runs.push({ bin: bins[from], from, to });
    from = to;
  }
  return runs;
}

/**
 * Shadow lines (dissertation 3.3.2): from a bin's foot to its members. Members side by side share a ribbon, and the foot is
 * divided among a bin's ribbons in the order of the line, so that they do not cross each other.
 */
function shadowsOf(
  { line: { keys, bins: binOf }, counts }: HistogramMessage,
  runs: readonly Run[],
  bins: readonly Box[],
  { top, bottom, line }: { top: number; bottom: number; line: Box },
): string[][] {
  const onLine = new Array<number>(counts.length).fill(0);
  for (const bin of binOf) if (bin >= 0) onLine[bin]++;
  const paths = counts.map((): string[] => []);
  const used = new Array<number>(counts.length).fill(0);
  const step = line.width / keys.length;
  const middle = tenth((top + bottom) / 2);
  const [upper, lower] = [tenth(top), tenth(bottom)];
  for (const { bin, from, to } of runs) {
    const { x, width } = bins[bin];
    const share = (members: number) => tenth(x + (members / onLine[bin]) * width);
    const [left, right] = [share(used[bin]), share((used[bin] += to - from))];
    const first = tenth(line.x + from * step);
    // Thinner than a pixel it would not be seen.
    const last = Math.max(first + 1, tenth(line.x + to * step));
    paths[bin].push(
      `M${left},${upper}C${left},${middle} ${first},${middle} ${first},${lower}H${last}C${last},${middle} ${right},${middle} ${right},${upper}Z`,
    );
  }
  return paths.map((all) =>
    Array.from({ length: Math.ceil(all.length / PIECE) }, (_, at) => all.slice(at * PIECE, (at + 1) * PIECE).join("")),
  );
}

function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
