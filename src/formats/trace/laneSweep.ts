/** Events of a lane that are open at each moment, and the innermost one of them (semantics 8). */
import { widened } from "../../model/columns";
import { NONE } from "../../model/ids";
import { EarliestEnds } from "./earliestEnds";

/** Receives time of the innermost event, in ascending order. @param depth number of events that were open when it began */
export type Spend = (
  frame: number,
  category: number,
  fromSeconds: number,
  toSeconds: number,
  number: number,
  depth: number,
) => void;

/**
 * Renumbers an open event when an event below it on the path has ended.
 *
 * @param number of the event
 * @param was number that the event below it had before
 * @param is number of the event below it now; NONE if it is the outermost one
 */
export type Renumber = (number: number, was: number, is: number) => number;

/** A moment from which a sweep can continue, with the events that are open then, in the order in which they began. */
export interface OpenPath {
  readonly seconds: number;
  readonly ends: Float64Array;
  readonly frames: Int32Array;
  readonly categories: Uint8Array;
  readonly numbers: Int32Array;
  /** Number of renumberings in the lane before this moment. */
  readonly renumbered: number;
}

/** End of an ended entry after the events above it were renumbered; until then its end is NaN. */
const RENUMBERED = Number.NEGATIVE_INFINITY;
/**
 * Limit of renumberings in a lane: a constant, plus some per event. A thousand events that all overlap are renumbered half a million
 * times, and each number may be another calling context.
 */
const MAX_RENUMBERED = 1 << 17;
const RENUMBERED_PER_EVENT = 16;
/** Entries of ended events are removed when they exceed the open ones by this many. */
const MIN_ENDED = 64;

/**
 * Goes through the events of one lane by ascending start (of equal starts the longer one first).
 *
 * At each moment the path is the open events in the order in which they began, and the last of them is innermost. Events usually nest:
 * the ends descend along the path, so the last event ends next. Some tools record events that cross: one outlasts an event before it, and
 * stays on the path when that event has ended.
 */
export class LaneSweep {
  /** Time that some event covered so far, each moment once. */
  covered = 0;
  /** Whether some event outlasted an event that it began in. */
  hasCrossed = false;
  /** Entries of the path; those below the last one may have ended if events cross. */
  private size = 0;
  private cursor = 0;
  private ends = new Float64Array(64);
  private frames = new Int32Array(64);
  private categories = new Uint8Array(64);
  private numbers = new Int32Array(64);
  private depths = new Int32Array(64);
  /** Whether events on the path cross. If so, ends do not descend along the path, and {@link earliest} orders them. */
  private isCrossed = false;
  private readonly earliest = new EarliestEnds();
  /** Number of entries that have not ended. Only valid while events cross. */
  private open = 0;
  /** The first and the last entry that ended since the path was renumbered; NONE if none did. */
  private firstEnded: number = NONE;
  private lastEnded: number = NONE;
  private renumbered = 0;
  private mostRenumbered = 0;

  /** @param renumber for sweeps whose numbers depend on the path */
  constructor(
    private readonly spend: Spend,
    private readonly renumber?: Renumber,
  ) {}

  /**
   * @param events of the lane; only needed to renumber
   * @param path moment to go on from; the start of the lane if undefined
   */
  begin(events = 0, path?: OpenPath): void {
    this.size = 0;
    this.covered = 0;
    this.cursor = path?.seconds ?? Number.NEGATIVE_INFINITY;
    this.isCrossed = false;
    this.hasCrossed = false;
    this.renumbered = path?.renumbered ?? 0;
    this.mostRenumbered = MAX_RENUMBERED + RENUMBERED_PER_EVENT * events;
    this.firstEnded = this.lastEnded = NONE;
    path?.ends.forEach((end, at) => this.push(end, path.frames[at], path.categories[at], path.numbers[at]));
  }

  /**
   * @param number of the event, passed on with its time
   * @returns the number of events that are open when it begins
   */
  event(startSeconds: number, endSeconds: number, frame: number, category: number, number: number): number {
    this.advance(startSeconds);
    const depth = this.openCount;
    if (endSeconds > startSeconds) this.push(endSeconds, frame, category, number);
    return depth;
  }

  /** Spends the time before a moment, and removes events that have ended by then. */
  advance(seconds: number): void {
    if (this.isCrossed) this.advanceCrossed(seconds);
    else {
      while (this.size > 0) {
        const top = this.size - 1;
        const end = this.ends[top];
        this.spendUntil(end < seconds ? end : seconds);
        if (end > seconds) break;
        this.size = top;
      }
    }
    if (seconds > this.cursor) this.cursor = seconds;
  }

  end(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }

  /** Number of events that are open. */
  get openCount(): number {
    return this.isCrossed ? this.open : this.size;
  }

  /** Whether the limit of renumberings is reached, so that further events keep their numbers. */
  get isTangled(): boolean {
    return this.renumbered >= this.mostRenumbered;
  }

  /** Number of the innermost event at the present moment of the sweep; NONE if no event is open. */
  get innermost(): number {
    return this.size === 0 ? NONE : this.numbers[this.size - 1];
  }

  /** Frame of the innermost event; NONE if no event is open. */
  get innermostFrame(): number {
    return this.size === 0 ? NONE : this.frames[this.size - 1];
  }

  get openPath(): OpenPath {
    const entries = Array.from({ length: this.size }, (_, at) => at).filter((at) => isOpen(this.ends[at]));
    return {
      seconds: this.cursor,
      ends: Float64Array.from(entries, (at) => this.ends[at]),
      frames: Int32Array.from(entries, (at) => this.frames[at]),
      categories: Uint8Array.from(entries, (at) => this.categories[at]),
      numbers: Int32Array.from(entries, (at) => this.numbers[at]),
      renumbered: this.renumbered,
    };
  }

  private advanceCrossed(seconds: number): void {
    const { earliest } = this;
    while (this.open > 0 && earliest.seconds <= seconds) {
      const entry = earliest.take();
      // An event below the innermost one takes no time from it, but changes its path.
      if (entry === this.size - 1 || this.renumber) this.spendUntil(this.ends[entry]);
      this.remove(entry);
    }
    if (this.open > 0) this.spendUntil(seconds);
    if (this.firstEnded !== NONE) this.renumberPath();
    if (this.open <= 1) this.compact();
  }

  private spendUntil(seconds: number): void {
    if (!(seconds > this.cursor)) return;
    if (this.firstEnded !== NONE) this.renumberPath();
    const top = this.size - 1;
    this.covered += seconds - this.cursor;
    this.spend(this.frames[top], this.categories[top], this.cursor, seconds, this.numbers[top], this.depths[top]);
    this.cursor = seconds;
  }

  private remove(entry: number): void {
    this.open--;
    this.ends[entry] = Number.NaN;
    if (this.firstEnded === NONE || entry < this.firstEnded) this.firstEnded = entry;
    if (entry > this.lastEnded) this.lastEnded = entry;
    while (this.size > 0 && !isOpen(this.ends[this.size - 1])) this.size--;
  }

  /** Renumbers the events above ended ones, from the outermost inwards: their path has changed. */
  private renumberPath(): void {
    const { firstEnded, lastEnded, ends, numbers, renumber } = this;
    this.firstEnded = this.lastEnded = NONE;
    if (!renumber || this.isTangled) return;
    let below = firstEnded - 1;
    while (below >= 0 && !isOpen(ends[below])) below--;
    let is: number = below < 0 ? NONE : numbers[below];
    let was = is;
    for (let entry = firstEnded; entry < this.size; entry++) {
      if (ends[entry] === RENUMBERED) continue;
      const number = numbers[entry];
      if (Number.isNaN(ends[entry])) ends[entry] = RENUMBERED;
      else {
        is = numbers[entry] = renumber(number, was, is);
        // The events further inwards keep their numbers.
        if (is === number && entry > lastEnded) break;
        if (++this.renumbered >= this.mostRenumbered) break;
      }
      was = number;
    }
  }

  private push(endSeconds: number, frame: number, category: number, number: number): void {
    if (this.isCrossed && this.size > 2 * this.open + MIN_ENDED) this.compact();
    if (!this.isCrossed && this.size > 0 && endSeconds > this.ends[this.size - 1]) this.cross();
    if (this.size === this.ends.length) this.widen();
    const at = this.size++;
    this.ends[at] = endSeconds;
    this.frames[at] = frame;
    this.numbers[at] = number;
    this.categories[at] = category;
    this.depths[at] = this.isCrossed ? this.open : at;
    if (!this.isCrossed) return;
    this.open++;
    this.earliest.add(endSeconds, at);
  }

  private cross(): void {
    this.isCrossed = this.hasCrossed = true;
    this.open = this.size;
    this.earliest.clear();
    for (let entry = 0; entry < this.size; entry++) this.earliest.add(this.ends[entry], entry);
  }

  /** Removes the entries of events that have ended. */
  private compact(): void {
    const { ends } = this;
    let [to, isNested] = [0, true];
    for (let entry = 0; entry < this.size; entry++) {
      if (!isOpen(ends[entry])) continue;
      if (to > 0 && ends[entry] > ends[to - 1]) isNested = false;
      ends[to] = ends[entry];
      this.frames[to] = this.frames[entry];
      this.categories[to] = this.categories[entry];
      this.numbers[to] = this.numbers[entry];
      this.depths[to++] = this.depths[entry];
    }
    this.size = to;
    this.isCrossed = !isNested;
    this.earliest.clear();
    if (!isNested) for (let entry = 0; entry < to; entry++) this.earliest.add(ends[entry], entry);
  }

  private widen(): void {
    this.numbers = widened(this.numbers);
    this.ends = widened(this.ends);
    this.frames = widened(this.frames);
    this.categories = widened(this.categories);
    this.depths = widened(this.depths);
  }
}

function isOpen(end: number): boolean {
  return end > RENUMBERED;
}
