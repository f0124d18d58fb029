/** The axis of a row's values. Pure. */
import { scaleLinear } from "d3-scale";
import type { MetricsContent } from "../../src/protocol/metrics";
import { axisTicks, type PlacedTick } from "../kit/axis";

/** Pixels between values that are written: about so many, and at least; of fewer values the ends are no round ones. */
const APART = 32;
const LINE = 14;
const FEWEST = 3;
/** What follows from events: a number of lanes is whole, as one of bytes is. */
const DERIVED = 2;
/** Longer units have no room beside each number: they stand beside the row's name. */
const LONGEST_UNIT = 4;
/** Of one value, the part of it above and below that its axis has. */
const AROUND = 0.05;

/** From a row's values to pixels: round numbers at both ends. */
export class RowAxis {
  /** Values that are written, from below. */
  readonly ticks: readonly PlacedTick[];
  private readonly from: number;
  private readonly to: number;

  /** @param y of its upper end */
  constructor(
    content: MetricsContent,
    row: number,
    private readonly y: number,
    private readonly height: number,
  ) {
    const about = Math.max(FEWEST, Math.floor(height / APART));
    const [least, most] = endsOf(content, row);
    const [from, to] = scaleLinear([least, most], [0, 1]).nice(about).domain();
    // Of values that hardly differ, round ones would be the same.
    [this.from, this.to] = to > from ? [from, to] : [least, most];
    const unit = content.units[row];
    const isWhole = (content.shows[row] === DERIVED && unit === "1") || unit === "B";
    const ticks = axisTicks(this.from, this.to, about, unit.length > LONGEST_UNIT ? "1" : unit)
      .filter(({ value }) => !isWhole || Number.isInteger(value))
      .map(({ value, text }) => ({ at: this.at(value), text }));
    const isClose = ticks.length > 2 && ticks[0].at - ticks[1].at < LINE;
    this.ticks = isClose ? [ticks[0], ticks[ticks.length - 1]] : ticks;
  }

  /** Pixels of a value; beyond the axis its end. */
  at(value: number): number {
    const share = Math.min(1, Math.max(0, (value - this.from) / (this.to - this.from)));
    return this.y + this.height * (1 - share);
  }

  /** Pixels of what areas stand on: 0, or the end that is nearest to it. */
  get base(): number {
    return this.at(0);
  }
}

/** From 0 to what the row has most in the run, or from the least to the most in the window. */
function endsOf({ scale, least, most, ownLeast, ownMost }: MetricsContent, row: number): readonly [number, number] {
  const isOwn = scale === "window" && !Number.isNaN(ownLeast[row]);
  const [low, high] = isOwn ? [ownLeast[row], ownMost[row]] : [Math.min(0, least[row]), Math.max(0, most[row])];
  if (Number.isNaN(low)) return [0, 1];
  if (high > low) return [low, high];
  const around = Math.abs(low) * AROUND || 1;
  return [low === 0 && !isOwn ? 0 : low - around, high + around];
}
