/** Waits of a single call and their causes: the rule of semantics 9, "Cause of a wait". Pure. */

/** A call of MPI: its first and last moment. */
export interface CallTimes {
  readonly start: number;
  readonly end: number;
}

/** A call that may have sent a message. */
export interface SendingCall {
  readonly start: number;
  readonly event: number;
}

/** Whether a message arrives in a call, its sides included. */
export function arrivesIn({ start, end }: CallTimes, received: number): boolean {
  return received >= start && received <= end;
}

/**
 * Whether a message arrives later than the last one known. Of equal arrivals, the first counts.
 *
 * @param before arrival of the last message known
 */
export function arrivesLater(received: number, before: number | undefined): boolean {
  return before === undefined || received > before;
}

/**
 * When a message began to be sent.
 *
 * @param running the innermost call of MPI that runs on the sender's lane when the message leaves; undefined if none is recorded
 */
export function sendBegin(running: SendingCall | undefined, sent: number): number {
  return running === undefined ? sent : running.start;
}

/** @returns until when a receiver waited for its sender; undefined if the send began before the call, which then waited for the transfer */
export function lateSenderUntil({ start, end }: CallTimes, begun: number): number | undefined {
  return begun > start && end > start ? Math.min(begun, end) : undefined;
}

/** @param begun when the receiving call began @returns until when a blocking send waited for its receiver; undefined if it did not */
export function lateReceiverUntil({ start, end }: CallTimes, begun: number): number | undefined {
  return begun > start && begun <= end ? begun : undefined;
}

/** @param entered when the last rank entered @returns until when a rank waited in a collective; undefined if it did not */
export function collectiveUntil({ start, end }: CallTimes, entered: number): number | undefined {
  const until = Math.min(entered, end);
  return until > start ? until : undefined;
}

/** The collectives of a lane, by ascending start. */
export interface Collectives {
  /** MPI functions, as `mpiFunction` returns them. */
  readonly name: readonly string[];
  readonly start: Float64Array;
  readonly event: Int32Array;
}

/**
 * Matches the collectives of all lanes by their order, up to the first one that is not the same in all lanes: communicators are not
 * recorded.
 */
export class MatchedCollectives {
  /** Number of matched collectives of each lane. */
  readonly matched: number;
  /** Index of the lane that entered last, by order; of equal times the first lane. */
  readonly last: Int32Array;

  constructor(readonly lanes: readonly Collectives[]) {
    const most = lanes.reduce((longest, { name }) => Math.max(longest, name.length), 0);
    const last: number[] = [];
    while (last.length < most) {
      const order = last.length;
      if (lanes.some(({ name }) => name[order] === undefined || name[order] !== lanes[0].name[order])) break;
      last.push(lanes.reduce((late, { start }, lane) => (start[order] > lanes[late].start[order] ? lane : late), 0));
    }
    this.last = Int32Array.from(last);
    this.matched = lanes.length < 2 ? 0 : last.length;
  }

  /** Why a collective of this order has no cause. */
  whyNot(): string {
    return this.lanes.length < 2
      ? "the collectives of other ranks are not recorded"
      : "communicators are not recorded, and ranks call different collectives";
  }
}

/** Why there is no wait between ranks whose clocks have no common zero. */
export const SEPARATE_CLOCKS = "the clocks of the ranks have no common zero, so waits between ranks cannot be computed";
