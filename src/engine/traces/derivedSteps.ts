/** Step functions that follow from events, messages and transfers, computed from those of a window; the whole run is made of such windows. */
import type { DataSet } from "../../model/dataSet";
import { eventKinds, type EventKind } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Chosen } from "../../model/members";
import { isNamedAsMpi } from "../../model/mpiNames";
import type { Task } from "../../model/task";
import { isTransfer, messageKinds, type Trace } from "../../model/trace";
import { LaneSweep } from "../../formats/trace/laneSweep";
import { Pace } from "../../source/pace";
import type { EventStates } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { lanesAside } from "./lanesAside";
import { chosenLocations, locationsOf, locationsOfLanes } from "./movement";
import { StepLevelBuilder, type StepLevels } from "./stepLevels";
import { firstMessage, messageReach } from "./timeline";
import { Transitions } from "./transitions";

const MESSAGE: number = messageKinds.indexOf("message");
/** Rows that are read at once. */
const PAGE = 1 << 14;
/** What begins in one window of those that a run is cut into. */
const PART = 1 << 20;

export interface DerivedRow {
  readonly name: string;
  readonly unit: string;
  readonly says: string;
  /** What it is of. */
  readonly kind: EventKind;
  /** About how many steps it has. */
  readonly steps: number;
  /** What begins, and ends, in a window or holds when it begins. */
  transitions(fromSeconds: number, toSeconds: number, task: Pick<Task, "check">): Promise<Transitions>;
}

/** @param chosen whose lanes, messages and transfers count */
export function derivedRows(dataSet: DataSet, trace: Trace, states: EventStates, chosen?: Chosen): DerivedRow[] {
  const isChosen = chosenLocations(dataSet, chosen);
  const locationOf = locationsOf(dataSet);
  const at = (resource: number) => (resource === NONE ? NONE : locationOf[resource]);
  const placeOf = locationsOfLanes(trace, locationOf);
  const isAside = lanesAside(dataSet, trace);
  const lanes = trace.lanes.flatMap(({ kind }, lane) =>
    kind === "intervals" && isChosen(placeOf[lane]) && !isAside(lane) ? [lane] : [],
  );
  const kindsOf = new Set(
    lanes.flatMap((lane) => Array.from(trace.stateSeconds(lane).state, (state) => kindOf(states, state))),
  );
  const rankOf = (lane: number) => (placeOf[lane] === NONE ? NONE : dataSet.locations[placeOf[lane]].rank);
  const rows: DerivedRow[] = [];
  const counting = (kind: EventKind, name: string, says: string, groupOf: (lane: number) => number) => {
    const number = eventKinds.indexOf(kind);
    if (!kindsOf.has(number)) return;
    const groups = new Map<number, number[]>();
    for (const lane of lanes) if (groupOf(lane) !== NONE) entryOf(groups, groupOf(lane), () => []).push(lane);
    rows.push({
      name,
      says,
      kind,
      unit: "1",
      steps: trace.events,
      transitions: (from, to, task) => busy(trace, states, [...groups.values()], number, from, to, task),
    });
  };
  const each = (lane: number) => lane;
  counting("computing", "lanes computing", "lanes whose innermost event is computing", each);
  counting("GPU", "GPU lanes computing", "lanes whose innermost event is work of a GPU", each);
  const isMpi = states.states.every(({ kind, name }) => eventKinds[kind] !== "communication" || isNamedAsMpi(name));
  const [where, doing] = [
    lanes.some((lane) => rankOf(lane) !== NONE) ? "ranks" : "lanes",
    isMpi ? "in MPI" : "communicating",
  ];
  counting(
    "communication",
    `${where} ${doing}`,
    where === "ranks"
      ? "ranks of which a lane's innermost event is communication"
      : "lanes whose innermost event is communication",
    where === "ranks" ? rankOf : each,
  );
  // Of unknown sizes nothing is known, and 0 B would be wrong.
  if (trace.messages.bytes > 0)
    rows.push({
      name: "bytes sent, not yet received",
      unit: "B",
      kind: "data movement",
      steps: 2 * trace.messages.count,
      says: "of messages of which both times were recorded",
      transitions: (from, to, task) => onTheWay(trace, (resource) => isChosen(at(resource)), from, to, task),
    });
  if (trace.transferDirections.some(isTransfer))
    rows.push({
      name: "transfers under way",
      unit: "B/s",
      kind: "data movement",
      steps: 2 * trace.transfers,
      says: "bytes of each transfer, spread evenly over its time",
      transitions: (from, to, task) =>
        transferring(trace, (lane) => isChosen(lane === NONE ? NONE : placeOf[lane]), from, to, task),
    });
  return rows;
}

/** @throws CancelledError */
export async function derivedLevels(trace: Trace, row: DerivedRow, task: Task): Promise<StepLevels> {
  const { startSeconds, endSeconds } = trace;
  const builder = new StepLevelBuilder(endSeconds, row.steps);
  const pace = new Pace(task);
  const parts = Math.max(1, Math.ceil(row.steps / PART));
  let before = Number.NaN;
  // With the run all that is under way ends: that nothing is then says nothing of the run. One moment alone has its value.
  const last = endSeconds > startSeconds ? endSeconds : Infinity;
  for (let part = 0; part < parts; part++) {
    await pace.breathe();
    const edge = (at: number) => startSeconds + (at / parts) * (endSeconds - startSeconds);
    const [from, to] = [edge(part), part + 1 === parts ? last : edge(part + 1)];
    const transitions = await row.transitions(from, to, task);
    transitions.each(from, to, (seconds, value) => {
      if (value !== before) builder.add(seconds, value, 0);
      before = value;
    });
  }
  return builder.build({
    read: async (seconds, _, toSeconds, take) =>
      (await row.transitions(seconds, toSeconds, { check: () => undefined })).each(
        seconds,
        Math.min(toSeconds, last),
        take,
      ),
  });
}

function kindOf({ states, of }: EventStates, state: number): number {
  return states[of[state]].kind;
}

/** How many groups of lanes have a lane whose innermost event is of a kind. */
async function busy(
  trace: Trace,
  states: EventStates,
  groups: readonly (readonly number[])[],
  kind: number,
  from: number,
  to: number,
  task: Pick<Task, "check">,
): Promise<Transitions> {
  const { frame, category } = trace.states;
  const isOf = new Set<number>();
  frame.forEach((one, state) => kindOf(states, state) === kind && isOf.add((one + 1) * 256 + category[state]));
  const all = new Transitions();
  for (const lanes of groups) {
    const own = lanes.length > 1 ? new Transitions() : all;
    for (const lane of lanes) {
      const { startSeconds, endSeconds } = trace.lanes[lane];
      if (!(startSeconds < to && endSeconds >= from)) continue;
      let [begun, until] = [Number.NaN, Number.NaN];
      const sweep = new LaneSweep((one, ofCategory, start, end) => {
        if (!isOf.has((one + 1) * 256 + ofCategory)) return;
        if (start !== until) {
          own.add(begun, until);
          begun = start;
        }
        until = end;
      });
      sweep.begin();
      await eachEventIn(trace, lane, { from, to: Math.min(to, Number.MAX_VALUE) }, task, (events, at) =>
        sweep.event(events.startSeconds[at], events.endSeconds[at], events.frame[at], events.category[at], 0),
      );
      sweep.end();
      own.add(begun, until);
    }
    if (own !== all) own.addUnionTo(all);
  }
  return all;
}

/** Bytes that were sent and have not arrived. */
async function onTheWay(
  trace: Trace,
  isFrom: (resource: number) => boolean,
  from: number,
  to: number,
  task: Pick<Task, "check">,
): Promise<Transitions> {
  const all = new Transitions();
  const { after } = await messageReach(trace, task);
  for (let first = await firstMessage(trace, from - after); first < trace.links; first += PAGE) {
    task.check();
    const page = await trace.readMessages(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      const [sent, received] = [page.sentSeconds[at], page.receivedSeconds[at]];
      if (sent >= to) return all;
      if (page.kind[at] === MESSAGE && page.bytes[at] > 0 && received > from && isFrom(page.from[at]))
        all.add(sent, received, page.bytes[at]);
    }
  }
  return all;
}

/** Bytes per second of the transfers that are under way. */
async function transferring(
  trace: Trace,
  isIn: (lane: number) => boolean,
  from: number,
  to: number,
  task: Pick<Task, "check">,
): Promise<Transitions> {
  const all = new Transitions();
  const moves = trace.transferDirections.map(isTransfer);
  for (let first = 0; first < trace.transfers; first += PAGE) {
    task.check();
    const page = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      const [start, end] = [page.startSeconds[at], page.endSeconds[at]];
      if (start >= to) return all;
      if (moves[page.direction[at]] && page.bytes[at] > 0 && end > from && isIn(page.lane[at]))
        all.add(start, end, page.bytes[at] / (end - start));
    }
  }
  return all;
}
