import { NONE } from "../../../model/ids";
import { MessageSide } from "../../trace/messages";
import type { EventOwner } from "./eventOwner";

/** Which values of a record are of a message, and which side of it the record is. */
export interface MessageStep {
  readonly sent: boolean;
  readonly clock: number;
  readonly perSecond: number;
  /** {@link NONE}: what was given to a collective. */
  readonly peer: number;
  readonly tag: number;
  readonly bytes: number;
  /** Ranks are those of the world, and not numbers inside another communicator. */
  readonly world: boolean;
}

/** Sends and receives of one file. The other side of each is in another file, so they are joined at the end. */
export class MessageEnds {
  sends = new MessageSide();
  receives = new MessageSide();

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

  /** All are there: the first send belongs to the first receive. */
  sort(): void {
    this.sends = inOrder(this.sends);
    this.receives = inOrder(this.receives);
  }
}

/** One side in the order of time, whatever the order of the file's blocks. Equal times stay in the order of the file if it is in order. */
function inOrder(side: MessageSide): MessageSide {
  const { own, peer, tag, seconds, bytes } = side;
  const isSorted = seconds.values.subarray(0, seconds.length).every((time, at, all) => at === 0 || all[at - 1] <= time);
  if (isSorted) return side;
  const keys = [seconds, own, peer, tag, bytes];
  const order = Uint32Array.from({ length: seconds.length }, (_, at) => at).sort((a, b) => {
    for (const { values } of keys) if (values[a] !== values[b]) return values[a] < values[b] ? -1 : 1;
    return a - b;
  });
  const sorted = new MessageSide();
  for (const at of order)
    sorted.push(own.values[at], peer.values[at], tag.values[at], seconds.values[at], bytes.values[at]);
  return sorted;
}

function wholeNumber(value: number): number {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff ? value : NONE;
}
