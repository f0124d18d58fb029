import { isArrow, type MessageKind } from "../../model/trace";
import { RecordedTimes, TimeSpans } from "./recordedTimes";
import type { TraceConsumer, TraceSink } from "./traceSink";

/** Numbers and time spans of events, messages and transfers: the outline of a trace that is shown with its profile. */
export class TraceCounts implements TraceConsumer {
  events = 0;
  /** Flows and launches. */
  arrows = 0;
  /** All calls of {@link message}, receives without a send among them. */
  links = 0;
  readonly messages = { count: 0, bytes: 0 };
  /** Per direction. */
  readonly transfers: { count: number; bytes: number }[] = [];
  /** Time span of the events of each lane. */
  lanes = new TimeSpans();
  readonly times = new RecordedTimes();

  lane(): void {
    // A lane without events does not extend the trace.
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
    this.times.sent.add(from, sentSeconds);
    this.times.received.add(to, receivedSeconds);
    if (isArrow(kind)) this.arrows++;
    else if (kind === "message" && !Number.isNaN(sentSeconds)) {
      this.messages.count++;
      if (bytes > 0) this.messages.bytes += bytes;
    }
  }

  point(counter: number, seconds: number): void {
    this.times.points.add(counter, seconds);
  }

  transfer({ lane, startSeconds, endSeconds, direction, bytes }: Parameters<TraceSink["transfer"]>[0]): void {
    this.times.transfers.add(lane, startSeconds);
    this.times.transfers.ended(lane, endSeconds);
    const known = (this.transfers[direction] ??= { count: 0, bytes: 0 });
    known.count++;
    if (bytes > 0) known.bytes += bytes;
  }

  async join(laneOf: Int32Array, counterOf: Int32Array): Promise<void> {
    this.lanes = this.lanes.renumbered(laneOf);
    this.times.renumber(laneOf, counterOf);
  }
}
