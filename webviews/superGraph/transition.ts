/**
 * How one graph turns into the next, as the authors found to keep the mental map (dissertation 3.3.4): flows fade out first,
 * bars move, flows come back. Bars begin where they were, parts of a bar where the whole was. Pure: time is handed in.
 */
import type { Box } from "../kit/stage/scene";
import type { PlacedBar } from "./placed";

/** Milliseconds of each of the three. */
const OUT = 140;
const MOVE = 260;
const BACK = 160;
/** Pixels that nobody sees moving. */
const UNSEEN = 0.5;

export interface Moment {
  /** On their way. */
  readonly bars: readonly PlacedBar[];
  /** Opacities: of what was there before and is no more; of flows, labels, and bars that were nowhere. */
  readonly before: number;
  readonly flows: number;
}

export class Transition {
  private starts: readonly (Box | undefined)[] = [];
  private of: readonly PlacedBar[] | undefined;

  /**
   * @param before bars as they were drawn last
   * @param from for each bar of the new graph the one of `before` where it begins; -1: nowhere
   * @param begun milliseconds
   */
  constructor(
    private readonly before: readonly PlacedBar[],
    private readonly from: Int32Array,
    private readonly begun: number,
  ) {}

  /** Whether a bar of the new graph was nowhere before. */
  isNew(bar: number): boolean {
    return this.from[bar] === -1;
  }

  /** Bars of the graph before that none of the new ones was made from. */
  get gone(): number[] {
    const made = new Set(this.from);
    return this.before.map((_, bar) => bar).filter((bar) => !made.has(bar));
  }

  /** Nothing would be seen to move, come or go. */
  isStill(bars: readonly PlacedBar[]): boolean {
    return (
      this.gone.length === 0 &&
      bars.every((bar, at) => {
        const start = this.from[at] < 0 ? undefined : this.before.at(this.from[at]);
        return start !== undefined && isNear(start, bar);
      })
    );
  }

  /** @returns undefined when it is over */
  at(now: number, bars: readonly PlacedBar[]): Moment | undefined {
    if (this.of !== bars) {
      this.starts = startBoxes(this.before, this.from, bars);
      this.of = bars;
    }
    const time = now - this.begun;
    if (time >= OUT + MOVE + BACK) return undefined;
    const way = eased(within((time - OUT) / MOVE));
    const back = within((time - OUT - MOVE) / BACK);
    return {
      bars: way === 1 ? bars : bars.map((bar, at) => between(this.starts[at], bar, way)),
      before: 1 - within(time / OUT),
      flows: back,
    };
  }
}

/**
 * Where bars begin. Several that were made from one lie below each other in its place, in the order in which they end.
 *
 * @param from for each of `bars` an index of `before`, or -1
 */
export function startBoxes(before: readonly Box[], from: Int32Array, bars: readonly Box[]): (Box | undefined)[] {
  const parts = new Map<number, number[]>();
  from.forEach((origin, bar) => {
    if (before.at(origin) && origin >= 0) parts.set(origin, [...(parts.get(origin) ?? []), bar]);
  });
  const starts = Array.from<Box | undefined>({ length: bars.length });
  for (const [origin, made] of parts) {
    const whole = before[origin];
    const all = made.reduce((sum, bar) => sum + bars[bar].height, 0);
    let { y } = whole;
    for (const bar of made.sort((a, b) => bars[a].y - bars[b].y || bars[a].x - bars[b].x)) {
      const height = all > 0 ? (whole.height * bars[bar].height) / all : whole.height / made.length;
      starts[bar] = { x: whole.x, y, width: whole.width, height };
      y += height;
    }
  }
  return starts;
}

function between(start: Box | undefined, end: PlacedBar, way: number): PlacedBar {
  if (!start || isNear(start, end)) return end;
  const mix = (a: number, b: number) => a + (b - a) * way;
  const x = mix(start.x, end.x);
  const y = mix(start.y, end.y);
  const height = mix(start.height, end.height);
  const width = mix(start.width, end.width);
  const high = end.height > 0 ? height / end.height : 0;
  return {
    ...end,
    x,
    y,
    height,
    width,
    hiddenHeight: end.hiddenHeight * high,
    entries: end.entries.map((entry) => ({
      x,
      width,
      y: y + (entry.y - end.y) * high,
      height: entry.height * high,
    })),
  };
}

function isNear(a: Box, b: Box): boolean {
  return (["x", "y", "width", "height"] as const).every((side) => Math.abs(a[side] - b[side]) <= UNSEEN);
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** Slow at both ends. */
function eased(share: number): number {
  return share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
}
