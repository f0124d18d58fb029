import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { InnermostTaker } from "../../../model/innermost";
import { decimalDifference } from "../../numberScan";
import type { LinkFact, PajeFacts } from "./facts";

/**
 * Innermost states of all tracks over time, in one pass that keeps no events. Gives the same as a sweep over all events, since a track is a
 * stack.
 */
export class InnermostFacts implements PajeFacts {
  /** Value of the innermost state. {@link NOTHING} if no state is open. */
  private inner = new Int32Array(64).fill(NOTHING);
  private since = new Float64Array(64);
  /** 1 if no time of the innermost state was reported yet. */
  private begins = new Uint8Array(64);

  /** End of the last state, on the recording's own clock. */
  lastSeconds = Number.NEGATIVE_INFINITY;

  /**
   * @param zeroSeconds second 0 of reported times, on the recording's own clock. undefined before the first report
   * @param firstSeconds becomes second 0 if that is undefined
   */
  constructor(
    private readonly taker: InnermostTaker,
    public zeroSeconds: number | undefined,
    private readonly firstSeconds: () => number,
  ) {}

  container(): void {
    // Resources come from the entities.
  }

  containerEnded(): void {
    // Its states have ended before.
  }

  /** @returns the state before, to which the track returns afterwards */
  opened(track: number, seconds: number, value: number): number {
    if (track >= this.inner.length) {
      this.inner = widened(this.inner, 2 * track, NOTHING);
      this.since = widened(this.since, 2 * track);
      this.begins = widened(this.begins, 2 * track);
    }
    const outer = this.inner[track];
    if (outer !== NOTHING) this.tell(track, outer, seconds);
    this.inner[track] = value;
    this.since[track] = seconds;
    this.begins[track] = 1;
    return outer;
  }

  closed(outer: number, track: number, _startSeconds: number, endSeconds: number, value: number): void {
    this.tell(track, value, endSeconds);
    this.happened(endSeconds);
    this.inner[track] = outer;
    this.since[track] = endSeconds;
    this.begins[track] = 0;
  }

  event(_track: number, seconds: number): void {
    this.happened(seconds);
  }

  variable(track: number, startSeconds: number, endSeconds: number, value: number): void {
    this.happened(startSeconds);
    const zero = (this.zeroSeconds ??= this.firstSeconds());
    this.taker.level(track, decimalDifference(startSeconds, zero), decimalDifference(endSeconds, zero), value);
  }

  link({ startSeconds, endSeconds }: Readonly<LinkFact>): void {
    this.happened(startSeconds);
    this.happened(endSeconds);
  }

  /** Ignores NaN. */
  private happened(seconds: number): void {
    if (seconds > this.lastSeconds) this.lastSeconds = seconds;
  }

  private tell(track: number, value: number, seconds: number): void {
    const since = this.since[track];
    const begins = this.begins[track] === 1;
    if (!(seconds > since || begins)) return;
    const zero = (this.zeroSeconds ??= this.firstSeconds());
    this.taker.spend(track, value, decimalDifference(since, zero), decimalDifference(seconds, zero), begins);
  }
}

/** No open state. {@link NONE} is a state without a value. */
const NOTHING = NONE - 1;
