/** What counters say of the use of an element: `power_used` of `power`, as SimGrid has them, and how busy the system saw a core. */
import { hardwareKindOf, type HardwareKind } from "../../model/hardware";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { TimeWindow } from "../scope";

/** Points that are read at once. */
const PAGE = 1 << 14;

/** An integral over time, and over how much of the window the counter had a value. */
export interface Integral {
  readonly amount: number;
  readonly seconds: number;
}

/** A level holds from its point to the next, and has no value before its first (semantics 9, Counters). */
export async function integralOf(
  trace: Trace,
  counter: number,
  { from, to }: TimeWindow,
  task: Pick<Task, "check">,
): Promise<Integral> {
  const { points } = trace.counters[counter];
  let [amount, seconds] = [0, 0];
  let [since, level] = [Number.NaN, Number.NaN];
  const hold = (until: number) => {
    const part = Math.min(until, to) - Math.max(since, from);
    if (!(part > 0)) return;
    amount += part * level;
    seconds += part;
  };
  for (let first = await pageBefore(trace, counter, from); first < points; first += PAGE) {
    task.check();
    const page = await trace.readCounter(counter, first, PAGE);
    for (let at = 0; at < page.count; at++) {
      hold(page.seconds[at]);
      [since, level] = [page.seconds[at], page.value[at]];
    }
    if (since >= to) break;
  }
  hold(to);
  return { amount, seconds };
}

/** The last page of points that does not begin after this: what held then stands in it. */
async function pageBefore(trace: Trace, counter: number, seconds: number): Promise<number> {
  let [low, high] = [0, Math.floor(Math.max(0, trace.counters[counter].points - 1) / PAGE)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const point = await trace.readCounter(counter, middle * PAGE, 1);
    if (point.seconds[0] <= seconds) low = middle;
    else high = middle - 1;
  }
  return low * PAGE;
}

/** Counters of what is used, each with the one of what there is: by the resource that they are of. */
export function capacityCounters({ counters }: Pick<Trace, "counters">): Map<number, { used: number; of: number }> {
  const numbers = new Map(counters.map(({ name, resource }, counter) => [`${resource} ${name}_used`, counter]));
  const pairs = new Map<number, { used: number; of: number }>();
  counters.forEach(({ name, resource }, used) => {
    const of = numbers.get(`${resource} ${name}`);
    if (of !== undefined) pairs.set(resource, { used, of });
  });
  return pairs;
}

/** SimGrid writes its capacities without units: those of its manual. Kinds of resources that have them. */
const CAPACITIES: readonly { readonly names: readonly string[]; readonly kind: HardwareKind; readonly unit: string }[] =
  [
    { names: ["power", "speed"], kind: "machine", unit: "flop/s" },
    { names: ["bandwidth"], kind: "link", unit: "B/s" },
  ];
/** Name of a counter of the used part of a capacity. */
const USED = /_used$/;

/** Whether a counter of this name is a capacity. */
export function isCapacity(name: string): boolean {
  return CAPACITIES.some(({ names }) => names.includes(name));
}

/** Unit of a capacity, or of its used part. @param types of the resources that have it @returns undefined for other counters */
export function capacityUnit(name: string, types: Iterable<string>): string | undefined {
  const capacity = name.replace(USED, "");
  const known = CAPACITIES.find(({ names }) => names.includes(capacity));
  if (known === undefined) return undefined;
  for (const type of types) if (hardwareKindOf(type) !== known.kind) return undefined;
  return known.unit;
}

/** Counters of how busy the system saw a hardware thread, in percent, with the system's number of it. */
export function busyCounters({
  counters,
}: Pick<Trace, "counters">): { counter: number; resource: number; number: number }[] {
  return counters.flatMap(({ name, resource }, counter) => {
    const number = /^core (\d{1,9}) busy$/.exec(name)?.[1];
    return number === undefined ? [] : [{ counter, resource, number: Number(number) }];
  });
}
