/**
 * A step function at several resolutions: at each of them bins of 2^n seconds, of which those in which steps begin are kept, with what lies
 * between their first step and their last. What holds between two bins is what the earlier one ended with. Levels are kept down to
 * one bin for {@link STEPS_PER_BIN} steps; what is finer is read from where the steps come from.
 */
import { widened } from "../../model/columns";
import { Pieces, type StepPart } from "./stepPieces";

/** Steps by ascending time, each at a time of its own. NaN: from there on there is no value. */
export interface StepSource {
  /**
   * Hands out the steps from a known one on.
   *
   * @param seconds of that step
   * @param index that was said of it when levels were made
   * @param toSeconds what begins then or later is not wanted
   */
  read(
    seconds: number,
    index: number,
    toSeconds: number,
    take: (seconds: number, value: number) => void,
  ): Promise<void>;
}

const STEPS_PER_BIN = 32;
const FEWEST_BINS = 256;
/** Times are told apart to so many bits of the run: numbers of bins are whole. */
const BITS = 50;
/** A level of so few bins has no coarser one. */
const COARSEST = 64;

/** One level: a column for each part of what is known of a bin. */
export class StepLevel {
  readonly pieces: Pieces;
  /** The bin covers from `bin * 2^exponent` on. */
  bin: Float64Array<ArrayBuffer>;
  /** What the source calls the first step; of the finest level alone. */
  index: Float64Array<ArrayBuffer>;

  constructor(
    public exponent: number,
    room = 16,
  ) {
    this.pieces = new Pieces(room);
    this.bin = new Float64Array(room);
    this.index = new Float64Array(room);
  }

  get count(): number {
    return this.pieces.count;
  }

  get bytes(): number {
    return this.pieces.bytes + 16 * this.bin.length;
  }

  append(bin: number, index: number): number {
    const at = this.pieces.append();
    if (at >= this.bin.length) {
      this.bin = widened(this.bin);
      this.index = widened(this.index);
    }
    this.bin[at] = bin;
    this.index[at] = index;
    return at;
  }

  /** The first bin with this number or a later one. */
  from(bin: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bin[middle] >= bin) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** How many bins there would be that are 2^by times as wide. */
  countIf(by: number): number {
    let [count, before] = [0, Number.NaN];
    for (let at = 0; at < this.count; at++) {
      const bin = Math.floor(this.bin[at] / 2 ** by);
      if (bin !== before) count++;
      before = bin;
    }
    return count;
  }

  /** The same in bins that are 2^by times as wide. */
  coarser(by = 1): StepLevel {
    const wide = new StepLevel(this.exponent + by, Math.max(16, this.count));
    for (let at = 0; at < this.count; at++) {
      const bin = Math.floor(this.bin[at] / 2 ** by);
      const last = wide.count - 1;
      if (last >= 0 && wide.bin[last] === bin) wide.pieces.join(last, this.pieces, at);
      else wide.pieces.copy(wide.append(bin, this.index[at]), this.pieces, at);
    }
    return wide;
  }
}

/** Takes steps in their order, and makes levels of them. */
export class StepLevelBuilder {
  private level: StepLevel;
  private readonly most: number;

  /** @param steps about how many there will be */
  constructor(endSeconds: number, steps: number) {
    const size = Math.max(Math.abs(endSeconds), 1e-9);
    this.level = new StepLevel(Math.ceil(Math.log2(size)) - BITS);
    this.most = Math.max(FEWEST_BINS, Math.ceil(steps / STEPS_PER_BIN));
  }

  add(seconds: number, value: number, index: number): void {
    const { level } = this;
    const bin = Math.floor(seconds / 2 ** level.exponent);
    const last = level.count - 1;
    if (last >= 0 && level.bin[last] === bin) return level.pieces.step(last, seconds, value);
    level.pieces.begin(level.append(bin, index), seconds, value);
    if (level.count <= this.most) return;
    let by = 1;
    while (level.countIf(by) > this.most) by++;
    this.level = level.coarser(by);
  }

  build(source: StepSource): StepLevels {
    const levels = [this.level];
    for (let finest = this.level; finest.count > COARSEST;) levels.push((finest = finest.coarser()));
    return new StepLevels(levels, source);
  }
}

/** A step function in a window. */
export interface StepsInWindow {
  /** What holds when the window begins; NaN: nothing does. */
  readonly held: number;
  /** What begins in it. */
  readonly pieces: Pieces;
}

export class StepLevels {
  constructor(
    /** The finest one first. */
    private readonly levels: readonly StepLevel[],
    private readonly source: StepSource,
  ) {}

  get bytes(): number {
    return this.levels.reduce((sum, level) => sum + level.bytes, 0);
  }

  get steps(): number {
    const { count, steps } = this.levels[0].pieces;
    return steps.subarray(0, count).reduce((sum, one) => sum + one, 0);
  }

  /** All of it. */
  get whole(): StepPart {
    return this.levels[this.levels.length - 1].pieces.all();
  }

  /**
   * @param exponent steps that begin in one bin of 2^exponent seconds may be one piece
   * @param toSeconds what begins then is not part of it
   */
  async within(fromSeconds: number, toSeconds: number, exponent: number): Promise<StepsInWindow> {
    const pieces = new Pieces();
    let held = Number.NaN;
    const step = (seconds: number, value: number) => {
      if (seconds < fromSeconds) held = value;
      else if (seconds < toSeconds) pieces.begin(pieces.append(), seconds, value);
    };
    const at = Math.max(
      0,
      this.levels.findLastIndex((level) => level.exponent <= exponent),
    );
    const isTooCoarse = this.levels[0].exponent > exponent;
    const visit = async (depth: number, first: number, end: number): Promise<void> => {
      const level = this.levels[depth];
      const known = level.pieces;
      for (let one = first; one < end; one++) {
        if (known.first[one] >= toSeconds) return;
        const isInside = known.first[one] >= fromSeconds && known.until[one] < toSeconds;
        if (known.until[one] < fromSeconds) held = known.last[one];
        else if (isInside && (!isTooCoarse || known.steps[one] === 1)) pieces.copy(pieces.append(), known, one);
        else if (depth > 0) {
          const finer = this.levels[depth - 1];
          await visit(depth - 1, finer.from(2 * level.bin[one]), finer.from(2 * level.bin[one] + 2));
        } else {
          // One reading for all bins that follow each other.
          let last = one;
          while (isTooCoarse && last + 1 < end && known.steps[last + 1] > 1 && known.first[last + 1] < toSeconds)
            last++;
          const until = Math.min(toSeconds, last + 1 < level.count ? known.first[last + 1] : Infinity);
          await this.source.read(known.first[one], level.index[one], until, step);
          one = last;
        }
      }
    };
    const level = this.levels[at];
    // What was there before the window holds into it.
    const first = level.from(Math.floor(fromSeconds / 2 ** level.exponent));
    await visit(at, Math.max(0, first - 1), level.count);
    return { held, pieces };
  }
}
