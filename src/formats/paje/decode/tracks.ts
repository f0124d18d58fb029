import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import { PAIR_SEED } from "../scan/tokens";
import type { PajeFacts } from "./facts";
import { PairTable } from "../../../model/pairTable";

/** One track per type and container: the stack of its open states, or the value of its variable. */
export class Tracks {
  private readonly pairs = new PairTable(PAIR_SEED);
  /** Number of tracks that were checked for a type of another container. */
  checked = 0;
  /** Time of the latest line of each track. */
  lastSeconds = new Float64Array(64).fill(Number.NEGATIVE_INFINITY);
  /** Innermost open state of each track. */
  private top = new Int32Array(64).fill(NONE);
  private value = new Float64Array(64).fill(Number.NaN);
  /** Rounding error of the additions to a value, so that adding and subtracting the same gives 0. */
  private lost = new Float64Array(64);
  private since = new Float64Array(64);
  /** Tracks of a container as a list: the latest one, and from each the one before. */
  private latestOf = new Int32Array(64).fill(NONE);
  private before = new Int32Array(64);
  /** The track of the container's previous line. */
  private recentOf = new Int32Array(64).fill(NONE);

  /** Open states of all tracks. Ended states are reused. */
  private states = 0;
  private freeState = NONE;
  private stateBelow = new Int32Array(64);
  private stateStart = new Float64Array(64);
  private stateValue = new Int32Array(64);
  private stateLevel = new Int32Array(64);
  private stateHandle = new Int32Array(64);

  constructor(private readonly facts: PajeFacts) {}

  get count(): number {
    return this.pairs.size;
  }

  containerOf(track: number): number {
    return this.pairs.first[track];
  }

  typeOf(track: number): number {
    return this.pairs.second[track];
  }

  /** NONE if the track has no line yet. */
  find(container: number, type: number): number {
    const recent = container < this.recentOf.length ? this.recentOf[container] : NONE;
    return recent !== NONE && this.pairs.second[recent] === type ? recent : this.pairs.find(container, type);
  }

  of(container: number, type: number): number {
    const known = this.find(container, type);
    const track = known !== NONE ? known : this.addTrack(container, type);
    this.recentOf[container] = track;
    return track;
  }

  push(track: number, seconds: number, value: number, place: number): void {
    const state = this.takeState();
    const below = this.top[track];
    const level = below === NONE ? 0 : this.stateLevel[below] + 1;
    this.stateBelow[state] = below;
    this.stateStart[state] = seconds;
    this.stateValue[state] = value;
    this.stateLevel[state] = level;
    this.stateHandle[state] = this.facts.opened(track, seconds, value, place, level);
    this.top[track] = state;
  }

  /** @returns false if no state was open */
  pop(track: number, seconds: number): boolean {
    const state = this.top[track];
    if (state === NONE) return false;
    const start = this.stateStart[state];
    const end = seconds < start ? start : seconds;
    this.facts.closed(this.stateHandle[state], track, start, end, this.stateValue[state], this.stateLevel[state]);
    this.top[track] = this.stateBelow[state];
    this.stateBelow[state] = this.freeState;
    this.freeState = state;
    return true;
  }

  reset(track: number, seconds: number): void {
    while (this.pop(track, seconds));
  }

  hasValue(track: number): boolean {
    return !Number.isNaN(this.value[track]);
  }

  /** Sets a variable from now on. Of two values at one time, that of the later line counts. */
  set(track: number, seconds: number, value: number): void {
    if (seconds !== this.since[track]) this.endVariable(track, seconds);
    this.value[track] = value;
    this.lost[track] = 0;
    this.since[track] = seconds;
  }

  /** Adds to a variable, which starts at 0 if it has no value. */
  add(track: number, seconds: number, change: number): void {
    if (seconds !== this.since[track]) this.endVariable(track, seconds);
    const known = this.value[track];
    const before = Number.isNaN(known) ? 0 : known;
    const sum = before + change;
    // Knuth's exact error of a sum.
    const part = sum - before;
    const error = before - (sum - part) + (change - part);
    this.lost[track] = (Number.isNaN(known) ? 0 : this.lost[track]) + error;
    this.value[track] = sum;
    this.since[track] = seconds;
  }

  /** Sets a variable at a time before the start of its present value, until that start. */
  setLate(track: number, seconds: number, value: number): void {
    this.facts.variable(track, seconds, this.since[track], value);
  }

  /** Ends the states and variables of a container. */
  endAll(container: number, seconds: number): void {
    if (container >= this.latestOf.length) return;
    for (let track = this.latestOf[container]; track !== NONE; track = this.before[track]) {
      this.reset(track, seconds);
      this.endVariable(track, seconds);
      this.value[track] = Number.NaN;
    }
  }

  private endVariable(track: number, seconds: number): void {
    const value = this.value[track];
    if (Number.isNaN(value)) return;
    const since = this.since[track];
    this.facts.variable(track, since, seconds < since ? since : seconds, value + this.lost[track]);
  }

  private addTrack(container: number, type: number): number {
    const track = this.pairs.numberOf(container, type);
    if (track === this.top.length) {
      this.top = widened(this.top, 2 * track, NONE);
      this.before = widened(this.before);
      this.value = widened(this.value, 2 * track, Number.NaN);
      this.since = widened(this.since);
      this.lost = widened(this.lost);
      this.lastSeconds = widened(this.lastSeconds, 2 * track, Number.NEGATIVE_INFINITY);
    }
    if (container >= this.latestOf.length) {
      this.latestOf = widened(this.latestOf, 2 * container, NONE);
      this.recentOf = widened(this.recentOf, 2 * container, NONE);
    }
    this.before[track] = this.latestOf[container];
    this.latestOf[container] = track;
    return track;
  }

  private takeState(): number {
    if (this.freeState !== NONE) {
      const state = this.freeState;
      this.freeState = this.stateBelow[state];
      return state;
    }
    if (this.states === this.stateBelow.length) {
      this.stateBelow = widened(this.stateBelow);
      this.stateStart = widened(this.stateStart);
      this.stateValue = widened(this.stateValue);
      this.stateLevel = widened(this.stateLevel);
      this.stateHandle = widened(this.stateHandle);
    }
    return this.states++;
  }
}
