import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { InnermostTaker } from "../../../model/innermost";
import { decimalDifference } from "../../numberScan";
import type { LinkFact, PajeFacts } from "./facts";

/**
 * What a trace says of its states alone: the innermost one of each track, moment by moment, in one pass that keeps nothing. The same as a
 * sweep over all events finds, since a track is a stack.
 */
export class InnermostFacts implements PajeFacts {
  /** Value of the innermost state; {@link NOTHING} where none is open. */
  private inner = new Int32Array(64).fill(NOTHING);
  private since = new Float64Array(64);
  /** 1: nothing of the innermost state was told yet. */
  private begins = new Uint8Array(64);

  /** When the last of what has happened ended, on the recording's own clock. */
  lastSeconds = Number.NEGATIVE_INFINITY;

  /**
   * @param zeroSeconds second 0 of what is handed over, on the recording's own clock; undefined until the first is
   * @param firstSeconds becomes second 0 if that is not known
   */
  constructor(
    private readonly taker: InnermostTaker,
    public zeroSeconds: number | undefined,
    private readonly firstSeconds: () => number,
  ) {}

  container(): void {
    // Resources are what the entities have.
  }

  containerEnded(): void {
    // States of it have ended by themselves.
  }

  /** @returns what the track was in before: it is in that again afterwards */
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

  /** NaN is no time. */
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

/** No state; {@link NONE} is one without a value. */
const NOTHING = NONE - 1;
