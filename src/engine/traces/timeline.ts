/** Answers about a trace event by event: what there is, one event, messages between lanes, a small picture of the whole. */
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { eventKinds } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import { largestIn } from "../../model/longLists";
import { shownNames } from "../../model/shownNames";
import type { Chosen } from "../../model/members";
import type { Task } from "../../model/task";
import { messageKinds, type MessageColumns, type Trace } from "../../model/trace";
import { demangled } from "../../source/signature";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { doesChange } from "./counterSteps";
import { type EventStates, stateNumbers } from "./eventStates";
import { phaseSeries } from "./phases";
import { membersAt } from "../members/membersAt";
import { chosenLocations, leftResources, locationsOf, locationsOfLanes } from "./movement";
import type {
  TimelineEvent,
  TimelineFacts,
  TimelineLane,
  TimelineMessages,
  TimelineMessagesQuery,
  TimelineStrip,
} from "./timelineApi";

/** Depths of a lane that are shown at once where not all are. */
export const SHOWN_DEPTHS = 5;
const COMMUNICATION: number = eventKinds.indexOf("communication");
const COLLECTIVE: number = messageKinds.indexOf("collective");
/** Messages that are read at once. */
const PAGE = 1 << 14;

/** @throws RequestError where a recording has no events */
export function traceOf({ trace, name }: DataSet): Trace {
  if (!trace) throw new RequestError(`${name} has no events.`);
  return trace;
}

/** @throws CancelledError */
export async function timelineFacts(
  dataSet: DataSet,
  { states, of }: EventStates,
  chosen: Chosen | undefined,
  task: Task,
): Promise<TimelineFacts> {
  const trace = traceOf(dataSet);
  const isLeft = leftResources(dataSet, chosen);
  const counters = trace.counters.map(({ resource }) => isLeft(resource));
  const isChanging = await changingCounters(trace, task);
  const locations = locationsOfLanes(trace, locationsOf(dataSet));
  const isChosen = chosenLocations(dataSet, chosen);
  const members = membersAt(dataSet.locations);
  const isBrief = briefLanes(trace, isChosen, locations);
  const communicationIn = (lane: number) => {
    const { state, seconds } = trace.stateSeconds(lane);
    return seconds.reduce((sum, one, at) => sum + (states[of[state[at]]].kind === COMMUNICATION ? one : 0), 0);
  };
  return {
    startSeconds: trace.startSeconds,
    endSeconds: trace.endSeconds,
    events: trace.events,
    messages: trace.messages.count,
    lanes: trace.lanes.map(
      ({ name, kind, resource, events, startSeconds, endSeconds, coveredSeconds }, lane): TimelineLane => {
        const { rows, innermost } = trace.depths(lane);
        return {
          name,
          kind,
          resource,
          events,
          depths: rows,
          busiestDepth: busiest(innermost),
          startSeconds,
          endSeconds,
          isChosen: isChosen(locations[lane]),
          members: members([locations[lane]]),
          isBrief: isBrief[lane] && members([locations[lane]])?.by === "thread",
          coveredSeconds,
          communicationSeconds: communicationIn(lane),
        };
      },
    ),
    resources: (dataSet.topology?.resources ?? []).map(({ name, type, parent }) => ({ name, type, parent })),
    states,
    byTime: statesByTime(trace, states.length, of),
    shownNames: shownNames(
      states.map(({ name }) => name),
      demangled,
    ),
    phases: phaseSeries(dataSet, trace),
    counters: counters.filter(Boolean).length,
    changingCounters: counters.filter((left, at) => left && isChanging[at]).length,
  };
}

const changing = new WeakMap<Trace, readonly boolean[]>();

/** Whether each recorded counter changes, found once per trace. */
async function changingCounters(trace: Trace, task: Task): Promise<readonly boolean[]> {
  const known = changing.get(trace);
  if (known) return known;
  const found: boolean[] = [];
  for (const counter of trace.counters.keys()) {
    task.progress(counter / trace.counters.length, "Reading counters");
    found.push(await doesChange(trace, counter, task));
  }
  changing.set(trace, found);
  return found;
}

/** Share of the busiest lane's work below which a lane is brief. */
const BRIEF_SHARE = 0.01;

/** Whether each lane did little beside the busiest one: helpers that ran for a moment. Ranks never did, because an idle one is a finding. */
function briefLanes(
  { lanes }: Trace,
  isChosen: (location: number) => boolean,
  locations: ArrayLike<number>,
): boolean[] {
  // Samples do not last: their number says how busy a lane was.
  const areSamples = lanes.every(({ kind }) => kind === "instants");
  const work = lanes.map(({ events, coveredSeconds }) => (areSamples ? events : coveredSeconds));
  const busiest = largestIn(work.filter((_, lane) => isChosen(locations[lane])));
  return lanes.map(({ kind }, lane) => (areSamples || kind === "intervals") && work[lane] < BRIEF_SHARE * busiest);
}

function statesByTime(trace: Trace, count: number, of: Int32Array): Int32Array {
  const sums = new Float64Array(count);
  for (const lane of trace.lanes.keys()) {
    const { state, seconds } = trace.stateSeconds(lane);
    for (const [at, one] of seconds.entries()) sums[of[state[at]]] += one;
  }
  return Int32Array.from(sums.keys()).sort((a, b) => sums[b] - sums[a] || a - b);
}

/** Where the neighbouring depths begin that have most time, of equal ones the outermost. */
function busiest(seconds: Float64Array): number {
  let sum = seconds.subarray(0, SHOWN_DEPTHS).reduce((all, one) => all + one, 0);
  let [first, most] = [0, sum];
  for (let at = SHOWN_DEPTHS; at < seconds.length; at++) {
    sum += seconds[at] - seconds[at - SHOWN_DEPTHS];
    if (sum > most) [first, most] = [at + 1 - SHOWN_DEPTHS, sum];
  }
  return first;
}

/** One event, but for its link: its context, or else the first one of its function; and its frame if it has no context itself. @throws RequestError where there is no such event */
export async function timelineEvent(
  open: OpenDataSet,
  dataSet: DataSet,
  { of }: EventStates,
  lane: number,
  event: number,
): Promise<Omit<TimelineEvent, "link"> & { readonly context: number; readonly frame: number }> {
  const trace = traceOf(dataSet);
  if (!(event >= 0 && event < (trace.lanes.at(lane)?.events ?? 0)) || lane < 0)
    throw new RequestError(`${dataSet.name} has no event ${event} in lane ${lane}.`);
  const { startSeconds, endSeconds, frame, context, depth, category } = await trace.readEvents(lane, event, 1);
  const states = trace.states;
  const state = states.frame.findIndex((one, at) => one === frame[0] && states.category[at] === category[0]);
  const name = frame[0] === NONE ? "" : dataSet.frames.nameOf(frame[0]);
  const named = context[0] === NONE ? functionNamed(open, name) : NONE;
  return {
    name,
    state: of[state],
    startSeconds: startSeconds[0],
    endSeconds: endSeconds[0],
    depth: depth[0],
    category: trace.categories[category[0]].name,
    callers:
      context[0] === NONE
        ? []
        : open
            .pathOf(context[0])
            .slice(0, -1)
            .map((at) => open.shownContext(at)),
    frame: context[0] === NONE ? frame[0] : NONE,
    context: context[0] === NONE && named !== NONE ? open.functions.ofContext.indexOf(named) : context[0],
    target:
      context[0] !== NONE
        ? { kind: "context", context: context[0] }
        : named === NONE
          ? undefined
          : { kind: "function", function: named },
  };
}

/** The first function of a name. */
function functionNamed({ functions, dataSet: { frames } }: OpenDataSet, name: string): number {
  return functions.frame.findIndex((frame) => frames.nameOf(frame) === name);
}

/** By resource: the first lane that is at it or inside it, {@link NONE} where there is none. */
export function laneOfResource({ topology }: DataSet, trace: Trace): Int32Array {
  const resources = topology?.resources ?? [];
  const lanes = new Int32Array(resources.length).fill(NONE);
  trace.lanes.forEach(({ resource }, lane) => {
    for (let at = resource; at !== NONE && lanes[at] === NONE; at = resources[at].parent) lanes[at] = lane;
  });
  return lanes;
}

/** How far messages reach from their time of sending: in seconds, to an arrival after it, and to one before it, where clocks differ. */
export interface MessageReach {
  readonly after: number;
  readonly before: number;
}

/** Of each trace, known after all messages were looked at once. */
const reachOf = new WeakMap<Trace, MessageReach>();

export async function timelineMessages(
  dataSet: DataSet,
  { fromSeconds, toSeconds, lanes, leastBytes, most }: TimelineMessagesQuery,
  task: Task,
): Promise<TimelineMessages> {
  const trace = traceOf(dataSet);
  const laneOf = laneOfResource(dataSet, trace);
  const reach = await messageReach(trace, task);
  const wanted = new Uint8Array(trace.lanes.length);
  for (const lane of lanes) wanted[lane] = 1;
  const laneAt = (resource: number) => (resource === NONE ? NONE : laneOf[resource]);
  const isWanted = (lane: number) => lane !== NONE && wanted[lane] === 1;
  const found: { page: MessageColumns; at: number }[] = [];
  for (let first = await firstMessage(trace, fromSeconds - reach.after); first < trace.links; first += PAGE) {
    task.check();
    const page = await trace.readMessages(first, PAGE);
    if (timeOf(page, 0) >= toSeconds + reach.before) break;
    for (let at = 0; at < page.count; at++) {
      const [sent, received] = [page.sentSeconds[at], page.receivedSeconds[at]];
      // Of what was recorded at one side only, that side's time.
      const [begin, end] = [Number.isNaN(sent) ? received : sent, Number.isNaN(received) ? sent : received];
      const isInWindow = Math.min(begin, end) < toSeconds && Math.max(begin, end) >= fromSeconds;
      if (!isInWindow || page.bytes[at] < leastBytes || page.kind[at] === COLLECTIVE) continue;
      if (isWanted(laneAt(page.from[at])) || isWanted(laneAt(page.to[at]))) found.push({ page, at });
    }
  }
  const total = found.length;
  const bytesOf = ({ page, at }: (typeof found)[number]) => page.bytes[at] || 0;
  const shown =
    total <= most
      ? found
      : found
          .map((one, order) => ({ one, order }))
          .sort((a, b) => bytesOf(b.one) - bytesOf(a.one) || a.order - b.order)
          .slice(0, most)
          .sort((a, b) => a.order - b.order)
          .map(({ one }) => one);
  return {
    count: shown.length,
    fromLane: Int32Array.from(shown, ({ page, at }) => laneAt(page.from[at])),
    toLane: Int32Array.from(shown, ({ page, at }) => laneAt(page.to[at])),
    sentSeconds: Float64Array.from(shown, ({ page, at }) => page.sentSeconds[at]),
    receivedSeconds: Float64Array.from(shown, ({ page, at }) => page.receivedSeconds[at]),
    bytes: Float64Array.from(shown, ({ page, at }) => page.bytes[at]),
    kind: Uint8Array.from(shown, ({ page, at }) => page.kind[at]),
    total,
    hidden: total - shown.length,
  };
}

/** A message's place in the order of messages. */
function timeOf({ sentSeconds, receivedSeconds }: MessageColumns, at: number): number {
  return Number.isNaN(sentSeconds[at]) ? receivedSeconds[at] : sentSeconds[at];
}

/** What finding messages that are under way needs. */
export async function messageReach(trace: Trace, task: Pick<Task, "check">): Promise<MessageReach> {
  const known = reachOf.get(trace);
  if (known !== undefined) return known;
  let [after, before] = [0, 0];
  for (let first = 0; first < trace.links; first += PAGE) {
    task.check();
    const { count, sentSeconds, receivedSeconds } = await trace.readMessages(first, PAGE);
    for (let at = 0; at < count; at++) {
      const length = receivedSeconds[at] - sentSeconds[at] || 0;
      after = Math.max(after, length);
      before = Math.max(before, -length);
    }
  }
  const reach = { after, before };
  reachOf.set(trace, reach);
  return reach;
}

/** The first message whose time is at or after this one. */
export async function firstMessage(trace: Trace, seconds: number): Promise<number> {
  let [low, high] = [0, trace.links];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(await trace.readMessages(middle, 1), 0) >= seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As {@link TimelineStrip} says. */
export async function timelineStrip(
  trace: Trace,
  { states, of }: EventStates,
  columns: number,
  mostRows: number,
  task: Task,
): Promise<TimelineStrip> {
  const lanesPerRow = Math.max(1, Math.ceil(trace.lanes.length / mostRows));
  const rows = Math.ceil(trace.lanes.length / lanesPerRow);
  const kind = new Uint8Array(rows * columns);
  const width = (trace.endSeconds - trace.startSeconds) / columns;
  if (!(width > 0)) return { rows, lanesPerRow, kind };
  const kinds = 1 + Math.max(0, largestIn(states.map((state) => state.kind)));
  // Samples have no duration: of these alone, their numbers are what is known.
  const isSamples = trace.lanes.every(({ kind: one, events }) => one === "instants" || events === 0);
  for (let row = 0; row < rows; row++) {
    task.check();
    const seconds = new Float64Array(columns * kinds);
    const lanes = Math.min(lanesPerRow, trace.lanes.length - row * lanesPerRow);
    for (let at = 0; at < lanes; at++) addStrip(trace, row * lanesPerRow + at, { states, of }, seconds, columns, kinds);
    if (isSamples)
      for (let at = 0; at < lanes; at++)
        await addSamples(trace, row * lanesPerRow + at, { states, of }, seconds, columns, kinds, task);
    for (let column = 0; column < columns; column++) {
      const own = seconds.subarray(column * kinds, (column + 1) * kinds);
      const covered = own.reduce((sum, one) => sum + one, 0);
      const most = own.indexOf(largestIn(own));
      if (covered > (isSamples ? 0 : (lanes * width) / 2)) kind[row * columns + column] = most + 1;
    }
  }
  return { rows, lanesPerRow, kind };
}

/** Adds the numbers of a lane's samples by column and kind. */
async function addSamples(
  trace: Trace,
  lane: number,
  { states, of }: EventStates,
  counts: Float64Array,
  columns: number,
  kinds: number,
  task: Task,
): Promise<void> {
  const stateOf = stateNumbers(trace, of);
  const width = (trace.endSeconds - trace.startSeconds) / columns;
  const { events } = trace.lanes[lane];
  for (let first = 0; first < events; first += PAGE) {
    task.check();
    const { count, startSeconds, frame, category } = await trace.readEvents(
      lane,
      first,
      Math.min(PAGE, events - first),
    );
    for (let at = 0; at < count; at++) {
      const column = Math.min(columns - 1, Math.floor((startSeconds[at] - trace.startSeconds) / width));
      counts[column * kinds + states[stateOf(frame[at], category[at])].kind]++;
    }
  }
}

/** Adds a lane's time by column and kind; the time of a bin that lies in several columns is spread evenly over it. */
function addStrip(
  trace: Trace,
  lane: number,
  { states, of }: EventStates,
  seconds: Float64Array,
  columns: number,
  kinds: number,
): void {
  const width = (trace.endSeconds - trace.startSeconds) / columns;
  const level = trace.level(lane, width / 2);
  if (!level) return;
  const { startSeconds, binSeconds, bins, rowStart, state, seconds: ofCell } = level;
  for (let bin = 0; bin < bins; bin++) {
    const start = startSeconds + bin * binSeconds - trace.startSeconds;
    const from = Math.max(0, Math.floor(start / width));
    const to = Math.min(columns - 1, Math.ceil((start + binSeconds) / width) - 1);
    for (let column = from; column <= to; column++) {
      const overlap = Math.min(start + binSeconds, (column + 1) * width) - Math.max(start, column * width);
      const part = Math.max(0, overlap) / binSeconds;
      for (let cell = rowStart[bin]; cell < rowStart[bin + 1]; cell++)
        seconds[column * kinds + states[of[state[cell]]].kind] += part * ofCell[cell];
    }
  }
}
