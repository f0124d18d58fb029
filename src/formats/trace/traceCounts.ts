import { widened } from "../../model/columns";
import { isArrow, type MessageKind } from "../../model/trace";
import type { TraceConsumer, TraceSink } from "./traceSink";

/** First and last time by lane, resource or counter, on the reader's clock; NONE (-1) is a number, too. */
export class TimeSpans {
  private first = new Float64Array(16).fill(Number.POSITIVE_INFINITY);
  private last = new Float64Array(16).fill(Number.NEGATIVE_INFINITY);

  /** NaN counts as nothing. */
  add(number: number, seconds: number): void {
    const at = number + 1;
    if (at >= this.first.length) {
      this.first = widened(this.first, 2 * at, Number.POSITIVE_INFINITY);
      this.last = widened(this.last, 2 * at, Number.NEGATIVE_INFINITY);
    }
    if (seconds < this.first[at]) this.first[at] = seconds;
    if (seconds > this.last[at]) this.last[at] = seconds;
  }

  /** Something ends that has begun: never before it did, whatever the recording says. */
  ended(number: number, seconds: number): void {
    if (seconds > this.last[number + 1]) this.last[number + 1] = seconds;
  }

  /** @param take gets the first and the last time of each number that has some */
  each(take: (number: number, seconds: number) => void): void {
    for (let at = 0; at < this.first.length; at++) {
      if (!(this.first[at] <= this.last[at])) continue;
      take(at - 1, this.first[at]);
      take(at - 1, this.last[at]);
    }
  }
}

/** Counts events, messages and transfers, and finds from when to when they are: all that is shown of a trace with its profile. */
export class TraceCounts implements TraceConsumer {
  events = 0;
  /** Flows and launches. */
  arrows = 0;
  /** All calls of {@link message}, receives without a send among them. */
  links = 0;
  readonly messages = { count: 0, bytes: 0 };
  /** By direction. */
  readonly transfers: { count: number; bytes: number }[] = [];
  /** By lane: events and transfers. */
  readonly lanes = new TimeSpans();
  /** By resource. */
  readonly sent = new TimeSpans();
  readonly received = new TimeSpans();
  /** By counter. */
  readonly points = new TimeSpans();

  lane(): void {
    // Only lanes with events count for the time of a trace.
  }

  begin(lane: number, startSeconds: number): void {
    this.events++;
    this.lanes.add(lane, startSeconds);
  }

  end(_event: number, endSeconds: number, lane: number): void {
    this.lanes.ended(lane, endSeconds);
  }

  event(lane: number, startSeconds: number, endSeconds: number): void {
    this.begin(lane, startSeconds);
    this.lanes.ended(lane, endSeconds);
  }

  message(
    kind: MessageKind,
    from: number,
    to: number,
    sentSeconds: number,
    receivedSeconds: number,
    bytes: number,
  ): void {
    this.links++;
    this.sent.add(from, sentSeconds);
    this.received.add(to, receivedSeconds);
    if (isArrow(kind)) this.arrows++;
    else if (kind === "message" && !Number.isNaN(sentSeconds)) {
      this.messages.count++;
      if (bytes > 0) this.messages.bytes += bytes;
    }
  }

  point(counter: number, seconds: number): void {
    this.points.add(counter, seconds);
  }

  transfer({ lane, startSeconds, endSeconds, direction, bytes }: Parameters<TraceSink["transfer"]>[0]): void {
    this.lanes.add(lane, startSeconds);
    this.lanes.ended(lane, endSeconds);
    const known = (this.transfers[direction] ??= { count: 0, bytes: 0 });
    known.count++;
    if (bytes > 0) known.bytes += bytes;
  }
}
