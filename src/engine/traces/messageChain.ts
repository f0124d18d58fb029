/** Along chains of messages, flows and launches: from where something was sent to where it arrived, and back. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { runningEvents } from "./runningEvents";
import { firstMessage, laneOfResource, messageReach } from "./timeline";
import type { ChainStep } from "./timelineListApi";
import { receiversOf } from "./waitCauses";

/** Rows that are read at once. */
const PAGE = 1 << 13;
const COLLECTIVE: number = messageKinds.indexOf("collective");
const MESSAGE: number = messageKinds.indexOf("message");

interface Link {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly sent: number;
  readonly received: number;
}

/**
 * The event that what an event sent arrives in, of several the first one sent; or, back, the one that sent what arrived last in it. From
 * an event that only received, forward leads to the lane's next one that sends, and back from one that only sent to the last that received.
 */
export async function chainStep(
  dataSet: DataSet,
  trace: Trace,
  { lane, event, isBackwards }: { readonly lane: number; readonly event: number; readonly isBackwards: boolean },
  task: Task,
): Promise<ChainStep> {
  if (trace.links === 0) return { kind: "none", why: "no messages or launches are recorded" };
  const { startSeconds, endSeconds } = await trace.readEvents(lane, event, 1);
  const [start, end] = [startSeconds[0], endSeconds[0]];
  const links = new LaneLinks(dataSet, trace, lane, task);
  const own = await (isBackwards ? links.lastReceived(start, end) : links.firstSent(start, end));
  if (own) return arrivedAt(dataSet, trace, own, isBackwards, task);
  // The other side of the chain has brought one here: it goes on along the lane.
  const came = await (isBackwards ? links.firstSent(start, end) : links.lastReceived(start, end));
  const on = came && (await (isBackwards ? links.lastReceived(-Infinity, start) : links.firstSent(end, Infinity)));
  const here = on && (await eventAtMoment(trace, lane, isBackwards ? on.received : on.sent, isBackwards, task));
  if (here !== undefined && here !== event) return placeOf(trace, lane, here, "lane");
  return { kind: "none", why: `nothing is recorded that was ${isBackwards ? "received" : "sent"} in this event` };
}

async function arrivedAt(
  dataSet: DataSet,
  trace: Trace,
  { kind, from, to, sent, received }: Link,
  isBackwards: boolean,
  task: Task,
): Promise<ChainStep> {
  const [resource, seconds] = isBackwards ? [from, sent] : [to, received];
  const lane = resource === NONE ? NONE : laneOfResource(dataSet, trace)[resource];
  const side = isBackwards ? "sender" : "receiver";
  if (lane === NONE || Number.isNaN(seconds)) return { kind: "none", why: `the ${side}'s side is not recorded` };
  const event = await eventAtMoment(trace, lane, seconds, !isBackwards && kind === MESSAGE, task);
  if (event === undefined) return { kind: "none", why: `${trace.lanes[lane].name} has no event at that moment` };
  return placeOf(trace, lane, event, messageKinds[kind] as "message" | "flow" | "launch");
}

async function placeOf(trace: Trace, lane: number, event: number, kind: "message" | "flow" | "launch" | "lane") {
  const { startSeconds, endSeconds } = await trace.readEvents(lane, event, 1);
  return { kind, lane, event, startSeconds: startSeconds[0], endSeconds: endSeconds[0] };
}

/**
 * The innermost event at a moment, or one without length there.
 *
 * @param isEnding the moment ends what it belongs to: an event that ends with it is meant before one that begins with it
 */
async function eventAtMoment(trace: Trace, lane: number, seconds: number, isEnding: boolean, task: Task) {
  const before = justBefore(seconds);
  const ending = async () => {
    const event = (await runningEvents(trace, lane, before, task)).at(-1);
    return event !== undefined && (await trace.readEvents(lane, event, 1)).endSeconds[0] >= seconds ? event : undefined;
  };
  const running = async () => (await runningEvents(trace, lane, seconds, task)).at(-1);
  const instant = async () => {
    const event = await trace.eventAt(lane, seconds);
    const { count, startSeconds } = await trace.readEvents(lane, event, 1);
    return count > 0 && startSeconds[0] === seconds ? event : undefined;
  };
  const tries = isEnding ? [ending, running, instant] : [running, instant, ending];
  for (const attempt of tries) {
    const event = await attempt();
    if (event !== undefined) return event;
  }
  return undefined;
}

/** The last moment before another one that a double tells apart from it. */
function justBefore(seconds: number): number {
  return seconds - Math.max(Math.abs(seconds) * 2 ** -52, Number.MIN_VALUE);
}

/** What a lane sent and received. */
class LaneLinks {
  private readonly isHere: (resource: number) => boolean;

  constructor(
    dataSet: DataSet,
    private readonly trace: Trace,
    lane: number,
    private readonly task: Task,
  ) {
    this.isHere = receiversOf(dataSet, trace, lane);
  }

  /** The first one that was sent in a stretch. */
  async firstSent(from: number, to: number): Promise<Link | undefined> {
    for (let first = await firstMessage(this.trace, from); first < this.trace.links; first += PAGE) {
      this.task.check();
      for (const link of await this.page(first, PAGE)) {
        // Of what has no time of sending, the order is that of receiving.
        if (link.sent > to) return undefined;
        if (link.sent >= from && this.isHere(link.from)) return link;
      }
    }
    return undefined;
  }

  /** The one that was received last in a stretch. */
  async lastReceived(from: number, to: number): Promise<Link | undefined> {
    const { trace, task } = this;
    const { after, before } = await messageReach(trace, task);
    let last: Link | undefined;
    // Backwards from what may be sent last of it: what is sent much earlier has arrived before what was found.
    for (let end = await firstMessage(trace, justAfter(to + before)); end > 0; end -= PAGE) {
      task.check();
      const first = Math.max(0, end - PAGE);
      const links = await this.page(first, end - first);
      for (const link of links)
        if (link.received >= from && link.received <= to && this.isHere(link.to))
          if (!last || link.received > last.received) last = link;
      const earliest = links[0]?.sent;
      if (earliest !== undefined && earliest + after < Math.max(from, last?.received ?? from)) break;
    }
    return last;
  }

  private async page(first: number, most: number): Promise<Link[]> {
    const { count, kind, from, to, sentSeconds, receivedSeconds } = await this.trace.readMessages(first, most);
    const links: Link[] = [];
    for (let at = 0; at < count; at++)
      if (kind[at] !== COLLECTIVE)
        links.push({
          kind: kind[at],
          from: from[at],
          to: to[at],
          sent: sentSeconds[at],
          received: receivedSeconds[at],
        });
    return links;
  }
}

function justAfter(seconds: number): number {
  return Number.isFinite(seconds) ? seconds + Math.max(Math.abs(seconds) * 2 ** -52, Number.MIN_VALUE) : seconds;
}
