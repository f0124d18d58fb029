/** Messages between ranks, of which each file of a run has one side. */
import type { ColumnFiles } from "../../model/columnFile";
import { FloatColumn, IntColumn } from "../../model/columns";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { processName } from "./placeNames";
import { TraceBuilder } from "./traceBuilder";

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

/** Sends and receives of one file. The other side of each is in another file, so they are joined at the end. */
export interface MessageSides {
  readonly sends: MessageSide;
  readonly receives: MessageSide;
}

/** Ends of one file, and how far its clock is moved. */
export interface MessagePart {
  readonly ends: MessageSides;
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

/**
 * A part of the trace of its own: messages know both sides only once all files are read. Its resources are the files' own ones.
 *
 * @param ranks of the run, in any order, also more than once
 * @param columnFiles where columns go; undefined where messages are only counted
 * @returns undefined where there is no message
 */
export async function messagesBetween(
  ranks: readonly number[],
  parts: readonly MessagePart[],
  columnFiles: ColumnFiles | undefined,
  task: Task,
): Promise<TraceBuilder | undefined> {
  if (!parts.some(({ ends: { sends, receives } }) => sends.own.length + receives.own.length > 0)) return undefined;
  const builder = new TraceBuilder(columnFiles);
  const processes = new Map<number, number>();
  const add = (rank: number) =>
    builder.resource({ name: processName(rank), type: "process", parent: NONE, location: NONE });
  const process = (rank: number) => (rank === NONE ? NONE : entryOf(processes, rank, () => add(rank)));
  // In ascending order, whatever the order of messages.
  for (const rank of [...new Set(ranks)].sort((a, b) => a - b)) process(rank);
  try {
    joinMessages(
      parts,
      (from, to, sent, received, bytes, tag) =>
        builder.message("message", process(from), process(to), sent, received, bytes, tag),
      task,
    );
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
  return builder;
}
