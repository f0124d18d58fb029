/** What is shown of a trace with its profile: counted while it was read, or looked up in its columns. Both give the same. */
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { isTransfer, type Trace, type TraceOutline } from "../../model/trace";
import type { TraceBuilder } from "./traceBuilder";
import { MOST_CATEGORIES, resourceShifts, TimeSpan } from "./parts";
import { addTimes, type TraceClock } from "./traceClock";

/** Names of counters: more cannot be chosen. */
const MOST_NAMES = 100;
/** Transfers that are read at once. */
const PAGE = 1 << 14;

export function outlineOfCounts(builders: readonly TraceBuilder[], clock: TraceClock, task: Task): TraceOutline {
  const span = new TimeSpan();
  const categories = new Set<string>();
  const counterNames = new Set<string>();
  const directions = new Map<string, Amount>();
  const messages = { count: 0, bytes: 0 };
  let hasLasting = false;
  const sums = { lanes: 0, events: 0, counters: 0, arrows: 0, links: 0 };
  for (const builder of builders) {
    const { counts, counters } = builder;
    sums.lanes += builder.lanes.length;
    sums.counters += counters.values.length;
    for (const { name } of counters.values) counterNames.add(name);
    for (const { kind, name } of builder.categories.values) categories.add(`${kind} ${name}`);
    if (counts === undefined) continue;
    hasLasting ||= builder.lanes.some(({ kind }, lane) => kind === "intervals" && counts.lanes.has(lane));
    sums.events += counts.events;
    sums.arrows += counts.arrows;
    sums.links += counts.links;
    messages.count += counts.messages.count;
    messages.bytes += counts.messages.bytes;
    counts.transfers.forEach((amount, direction) => addTo(directions, builder.directions.values[direction], amount));
    const shifts = resourceShifts(builder, task);
    addTimes(builder, (resource) => shifts.get(resource) ?? 0, span);
  }
  return {
    ...sums,
    ...instantsOnly(sums.events, hasLasting),
    zeroSeconds: clock.zeroSeconds,
    startSeconds: span.isEmpty ? 0 : clock.at(span.start, 0),
    endSeconds: span.isEmpty ? 0 : clock.at(span.end, 0),
    categories: Math.min(categories.size, MOST_CATEGORIES),
    counterNames: sortedNames(counterNames),
    messages,
    transfers: transfersOf(directions),
  };
}

function instantsOnly(events: number, hasLasting: boolean): Pick<TraceOutline, "instantsOnly"> {
  return events > 0 && !hasLasting ? { instantsOnly: true } : {};
}

function sortedNames(names: ReadonlySet<string>): string[] {
  return [...names].sort(compareText).slice(0, MOST_NAMES);
}

/** @param zeroSeconds the trace's zero on the readers' clock */
export async function outlineOfTrace(
  trace: Trace,
  zeroSeconds: number,
  task: Pick<Task, "check">,
): Promise<TraceOutline> {
  const directions = new Map<string, Amount>();
  for (let first = 0; first < trace.transfers; first += PAGE) {
    task.check();
    const { count, direction, bytes } = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < count; at++)
      addTo(directions, trace.transferDirections[direction[at]], { count: 1, bytes: bytes[at] > 0 ? bytes[at] : 0 });
  }
  return {
    lanes: trace.lanes.length,
    events: trace.events,
    ...instantsOnly(
      trace.events,
      trace.lanes.some(({ kind, events }) => kind === "intervals" && events > 0),
    ),
    zeroSeconds,
    startSeconds: trace.startSeconds,
    endSeconds: trace.endSeconds,
    categories: trace.categories.length,
    counters: trace.counters.length,
    counterNames: sortedNames(new Set(trace.counters.map(({ name }) => name))),
    messages: { ...trace.messages },
    arrows: trace.arrows,
    links: trace.links,
    transfers: transfersOf(directions),
  };
}

interface Amount {
  count: number;
  bytes: number;
}

function addTo(directions: Map<string, Amount>, name: string, { count, bytes }: Amount): void {
  const known = directions.get(name);
  if (known === undefined) directions.set(name, { count, bytes });
  else {
    known.count += count;
    known.bytes += bytes;
  }
}

function transfersOf(directions: ReadonlyMap<string, Amount>): TraceOutline["transfers"] {
  const rows = [...directions].map(([name, amount]) => ({ name, ...amount }));
  rows.sort((a, b) => b.bytes - a.bytes || b.count - a.count || (a.name < b.name ? -1 : 1));
  const moved = rows.filter(({ name }) => isTransfer(name));
  return {
    count: moved.reduce((sum, { count }) => sum + count, 0),
    bytes: moved.reduce((sum, { bytes }) => sum + bytes, 0),
    directions: rows,
  };
}
