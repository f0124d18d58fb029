import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import { IntColumn, FloatColumn } from "../../../model/columns";
import type { EventOwner } from "./eventOwner";

/** One side of the messages that a file has, in the order of its records. */
export class MessageSide {
  /** The rank whose record it is. */
  readonly own = new IntColumn();
  /** The other rank; {@link NONE} where it is known inside a communicator only. */
  readonly peer = new IntColumn();
  readonly tag = new IntColumn();
  readonly seconds = new FloatColumn();
  readonly bytes = new FloatColumn();

  push(own: number, peer: number, tag: number, seconds: number, bytes: number): void {
    this.own.push(own);
    this.peer.push(peer);
    this.tag.push(tag);
    this.seconds.push(seconds);
    this.bytes.push(bytes);
  }
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
  readonly sends = new MessageSide();
  readonly receives = new MessageSide();

  constructor(private readonly recording: EventOwner) {}

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
    (step.sent ? this.sends : this.receives).push(rank, step.world ? peer : NONE, tag, seconds, bytes);
  }
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
export type TakeMessage = (
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
 * taken with the one it has.
 *
 * @param take gets each message; ranks are NONE where not known
 */
export function joinMessages(parts: readonly MessagePart[], take: TakeMessage, task: Task): void {
  const sends = joined(parts, ({ ends }) => ends.sends);
  const receives = joined(parts, ({ ends }) => ends.receives);
  const waiting = new Map<string, { readonly sends: number[]; next: number }>();
  for (const [at, { side, row, shiftSeconds }] of sends.entries()) {
    if (at % MESSAGES_A_CHECK === 0) task.check();
    const [own, peer, tag] = [side.own.values[row], side.peer.values[row], side.tag.values[row]];
    if (peer === NONE) {
      take(own, NONE, side.seconds.values[row] + shiftSeconds, Number.NaN, side.bytes.values[row], tag);
      continue;
    }
    const key = `${own} ${peer} ${tag}`;
    const queue = waiting.get(key);
    if (queue) queue.sends.push(at);
    else waiting.set(key, { sends: [at], next: 0 });
  }
  for (const [at, { side, row, shiftSeconds }] of receives.entries()) {
    if (at % MESSAGES_A_CHECK === 0) task.check();
    const [own, peer, tag] = [side.own.values[row], side.peer.values[row], side.tag.values[row]];
    const received = side.seconds.values[row] + shiftSeconds;
    const queue = peer === NONE ? undefined : waiting.get(`${peer} ${own} ${tag}`);
    if (queue === undefined || queue.next === queue.sends.length) {
      take(peer, own, Number.NaN, received, side.bytes.values[row], tag);
      continue;
    }
    const send = sends.at(queue.sends[queue.next++]);
    const bytes = send.side.bytes.values[send.row];
    const sent = send.side.seconds.values[send.row] + send.shiftSeconds;
    take(peer, own, sent, received, Number.isNaN(bytes) ? side.bytes.values[row] : bytes, tag);
  }
  let left = 0;
  for (const queue of waiting.values()) {
    for (const at of queue.sends.slice(queue.next)) {
      if (left++ % MESSAGES_A_CHECK === 0) task.check();
      const { side, row, shiftSeconds } = sends.at(at);
      const sent = side.seconds.values[row] + shiftSeconds;
      take(side.own.values[row], side.peer.values[row], sent, Number.NaN, side.bytes.values[row], side.tag.values[row]);
    }
  }
}

/** Messages between two checks for a cancel. */
const MESSAGES_A_CHECK = 4096;

interface End {
  readonly side: MessageSide;
  readonly row: number;
  readonly shiftSeconds: number;
}

/** One side of all parts, numbered through, without an object that stays for each. */
function joined(parts: readonly MessagePart[], sideOf: (part: MessagePart) => MessageSide) {
  const starts: number[] = [];
  let size = 0;
  for (const part of parts) {
    starts.push(size);
    size += sideOf(part).own.length;
  }
  const inPart = (part: number, row: number): End => ({
    side: sideOf(parts[part]),
    row,
    shiftSeconds: parts[part].shiftSeconds,
  });
  return {
    at(index: number): End {
      let [low, high] = [0, parts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= index) low = middle;
        else high = middle;
      }
      return inPart(low, index - starts[low]);
    },
    *entries(): Generator<[number, End]> {
      for (const [part, start] of starts.entries()) {
        const count = sideOf(parts[part]).own.length;
        for (let row = 0; row < count; row++) yield [start + row, inPart(part, row)];
      }
    },
  };
}
