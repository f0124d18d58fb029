import { NONE } from "../../model/ids";
import { IntColumn } from "../intColumn";
import type { Recording } from "./recording";

/** One side of the messages that a file has, in the order of its records. */
export interface Side {
  /** The rank whose record it is. */
  readonly own: IntColumn;
  /** The other rank; {@link NONE} where it is known inside a communicator only. */
  readonly peer: IntColumn;
  readonly tag: IntColumn;
  seconds: Float64Array;
  bytes: Float64Array;
}

/** Which values of a record are of a message, and which side of it the record is. */
export interface MessageStep {
  readonly sent: boolean;
  readonly clock: number;
  readonly perSecond: number;
  readonly peer: number;
  readonly tag: number;
  readonly bytes: number;
  /** Ranks are those of the world, and not numbers inside another communicator. */
  readonly world: boolean;
}

/** Sends and receives of one file. The other side of each is in another file, so they are joined at the end. */
export class MessageEnds {
  readonly sends = newSide();
  readonly receives = newSide();

  constructor(private readonly recording: Recording) {}

  take(step: MessageStep, location: number, values: Float64Array): void {
    const seconds = values[step.clock] / step.perSecond;
    const peer = wholeNumber(values[step.peer]);
    const { rank } = this.recording.locations[location];
    if (!Number.isFinite(seconds) || peer === NONE || rank === NONE) {
      this.recording.warn("messages", "messages without a rank, a peer or a time are left out");
      return;
    }
    if (!step.world)
      this.recording.warn(
        "communicators",
        "messages of communicators other than the world's name their peer by its number inside: only one side of these is known",
      );
    const bytes = step.bytes === NONE ? Number.NaN : values[step.bytes];
    const tag = step.tag === NONE ? NONE : wholeNumber(values[step.tag]);
    push(step.sent ? this.sends : this.receives, rank, step.world ? peer : NONE, tag, seconds, bytes);
  }
}

function newSide(): Side {
  return {
    own: new IntColumn(),
    peer: new IntColumn(),
    tag: new IntColumn(),
    seconds: new Float64Array(256),
    bytes: new Float64Array(256),
  };
}

function push(side: Side, own: number, peer: number, tag: number, seconds: number, bytes: number): void {
  const at = side.own.length;
  if (at === side.seconds.length) {
    side.seconds = widen(side.seconds);
    side.bytes = widen(side.bytes);
  }
  side.own.push(own);
  side.peer.push(peer);
  side.tag.push(tag);
  side.seconds[at] = seconds;
  side.bytes[at] = bytes;
}

function widen(column: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(column.length * 2);
  wider.set(column);
  return wider;
}

function wholeNumber(value: number): number {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff ? value : NONE;
}

/** Ends of one file, and how far its clock is moved. */
export interface MessagePart {
  readonly ends: MessageEnds;
  readonly shiftSeconds: number;
}

/** A message with both sides, or the one that was recorded. */
export type Told = (
  from: number,
  to: number,
  sentSeconds: number,
  receivedSeconds: number,
  bytes: number,
  tag: number,
) => void;

/**
 * Joins sends with receives: messages between two ranks with one tag and communicator arrive in the order in which they
 * were sent (MPI standard, 3.5, non-overtaking), so the first send belongs to the first receive. What has no other side is
 * told with the one it has.
 *
 * @param tell is called for each message; ranks are NONE where not known
 */
export function joinMessages(parts: readonly MessagePart[], tell: Told): void {
  const waiting = new Map<string, { readonly part: MessagePart; readonly at: number }[]>();
  const next = new Map<string, number>();
  for (const part of parts) {
    const { sends } = part.ends;
    for (let at = 0; at < sends.own.length; at++) {
      const [own, peer] = [sends.own.values[at], sends.peer.values[at]];
      if (peer === NONE) {
        tell(own, NONE, sends.seconds[at] + part.shiftSeconds, Number.NaN, sends.bytes[at], sends.tag.values[at]);
        continue;
      }
      const key = `${own} ${peer} ${sends.tag.values[at]}`;
      const list = waiting.get(key);
      if (list) list.push({ part, at });
      else waiting.set(key, [{ part, at }]);
    }
  }
  for (const part of parts) {
    const { receives } = part.ends;
    for (let at = 0; at < receives.own.length; at++) {
      const [own, peer] = [receives.own.values[at], receives.peer.values[at]];
      const tag = receives.tag.values[at];
      const key = `${peer} ${own} ${tag}`;
      const index = next.get(key) ?? 0;
      const send = peer === NONE ? undefined : waiting.get(key)?.[index];
      const received = receives.seconds[at] + part.shiftSeconds;
      if (send === undefined) {
        tell(peer, own, Number.NaN, received, receives.bytes[at], tag);
        continue;
      }
      next.set(key, index + 1);
      const { sends } = send.part.ends;
      const bytes = Number.isNaN(sends.bytes[send.at]) ? receives.bytes[at] : sends.bytes[send.at];
      tell(peer, own, sends.seconds[send.at] + send.part.shiftSeconds, received, bytes, tag);
    }
  }
  for (const [key, list] of waiting) {
    for (const { part, at } of list.slice(next.get(key) ?? 0)) {
      const { sends } = part.ends;
      const sent = sends.seconds[at] + part.shiftSeconds;
      tell(sends.own.values[at], sends.peer.values[at], sent, Number.NaN, sends.bytes[at], sends.tag.values[at]);
    }
  }
}
