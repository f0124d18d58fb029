/** How much of a quantity the leaves of a hierarchy have in a window: time in states, events, integrals of variables (semantics 9). */
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Resource } from "../../model/resources";
import { compareNames } from "../../model/strings";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { LaneSweep } from "../../formats/trace/laneSweep";
import { capacityUnit, integralOf } from "../hardware/counterUse";
import { COMPUTING } from "../hardware/use";
import type { DrawnState } from "../overview/overviewApi";
import { drawnStates } from "../overview/shownStates";
import { lanesOf, shownOfLanes, TYPED } from "../overview/traceModel";
import type { TimeWindow } from "../scope";
import { eachEventIn } from "../traces/eventsInWindow";
import { type EventStates, stateNumbers } from "../traces/eventStates";
import type { Quantity, QuantityOffered, ResourcesQuery } from "./resourceApi";
import { addUp, type ResourceTree } from "./resourceTree";

/** States, and variables, that areas are offered to be by. */
const MOST_OFFERED = 200;

/** Lanes that are added up, and the states that their time is divided by. */
export interface StatesOfLanes {
  readonly lanes: readonly number[];
  readonly names: readonly string[];
  /** With what they look like. */
  readonly drawn: readonly DrawnState[];
  /** The number of the state; -1: none. */
  readonly of: (frame: number, category: number) => number;
  readonly stateTypes: readonly string[];
  readonly stateType: string;
}

const NO_STATES: StatesOfLanes = { lanes: [], names: [], drawn: [], of: () => -1, stateTypes: [], stateType: "" };

/** Nothing where no event takes time: some traces have variables alone. @throws RequestError where there is no such type of states */
export function statesOfLanes(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  query: Pick<ResourcesQuery, "stateType" | "by">,
  isChosen: (lane: number) => boolean,
): StatesOfLanes {
  if (!trace.lanes.some(({ kind, events }) => kind === "intervals" && events > 0)) return NO_STATES;
  const isTyped = dataSet.format.id === TYPED;
  const { lanes: all, stateTypes, stateType } = lanesOf(dataSet, trace, query, isTyped);
  // Colours, and what is one of many, are the same whatever is restricted.
  const shown = shownOfLanes(dataSet, trace, states, all, isTyped, query);
  const drawn = drawnStates(dataSet, { ...shown, stateType }, query);
  return { names: shown.names, of: shown.of, drawn, lanes: all.filter(isChosen), stateTypes, stateType };
}

/** What may be summed: what nothing was recorded of is not offered. */
export function quantitiesOf(
  { lanes, drawn }: StatesOfLanes,
  variables: readonly Variable[],
): readonly QuantityOffered[] {
  const offered: QuantityOffered[] = [];
  if (lanes.length > 0) {
    offered.push({ id: "time", name: "time in states", unit: "s" }, { id: "count", name: "events", unit: "1" });
    for (const { name, readable } of drawn.slice(0, MOST_OFFERED))
      offered.push({ id: `state ${name}`, name: readable, unit: "s" });
  }
  for (const { name, unit } of variables.slice(0, MOST_OFFERED))
    offered.push({ id: `variable ${name}`, ...integralNamed(name, unit) });
  return offered;
}

/** An integral over time: of a rate it is the amount; of what has no unit that is known, its values times seconds. */
function integralNamed(name: string, unit: string): Pick<QuantityOffered, "name" | "unit"> {
  if (unit.endsWith("/s")) return { name, unit: unit.slice(0, -2) };
  return { name: `${name} × s`, unit: "1" };
}

/** A variable, of whatever many resources. */
export interface Variable {
  readonly name: string;
  readonly unit: string;
  /** Counters of the trace, each with its resource. */
  readonly counters: readonly number[];
}

/** By name. Counters without a resource, and totals so far, are no amounts of a resource. */
export function variablesOf(
  { counters }: Pick<Trace, "counters">,
  resources: readonly Pick<Resource, "type">[],
): readonly Variable[] {
  const found = new Map<string, { unit: string; counters: number[]; types: Set<string> }>();
  counters.forEach(({ name, unit, resource, grows }, counter) => {
    if (resource === NONE || grows) return;
    const own = entryOf(found, name, () => ({ unit, counters: [], types: new Set<string>() }));
    own.counters.push(counter);
    own.types.add(resources[resource]?.type ?? "");
  });
  return [...found]
    .map(([name, { unit, counters: own, types }]) => {
      const isPlain = unit === "" || unit === "1";
      return { name, unit: (isPlain ? capacityUnit(name, types) : undefined) ?? unit, counters: own };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/** Integrals over the window by node, and for how many of its leaves the variable was known at some time of it. */
export interface Integrals {
  readonly sums: Float64Array;
  readonly known: Float64Array;
}

/** Where variables are, and when their resources end, seconds. */
export interface VariableGround {
  readonly trace: Trace;
  readonly tree: ResourceTree;
  readonly ends: readonly number[];
}

/** @throws RequestError where sums are no numbers any more */
export async function integralsOf(
  { trace, tree, ends }: VariableGround,
  { name, counters }: Pick<Variable, "name" | "counters">,
  { from, to }: TimeWindow,
  task: Task,
): Promise<Integrals> {
  const sums = new Float64Array(tree.parent.length);
  const known = new Float64Array(tree.parent.length);
  for (const counter of counters) {
    const { resource } = trace.counters[counter];
    const leaf = tree.ofResource[resource];
    const { amount, seconds } = await integralOf(trace, counter, { from, to: Math.min(to, ends[resource]) }, task);
    if (!(seconds > 0)) continue;
    sums[leaf] += amount;
    known[leaf]++;
  }
  addUp(tree, sums, 1);
  addUp(tree, known, 1);
  if (!Number.isFinite(sums[0])) throw new RequestError(`${name} has values that are too large to be added up.`);
  return { sums, known };
}

/** By node and state: seconds in which lanes were innermost in it, and events of it that begin in the window. */
export interface StateSums {
  readonly seconds: Float64Array;
  readonly events: Float64Array;
  /** Seconds in which lanes were innermost in what computes. */
  readonly computing: ReadonlyMap<number, number>;
}

export async function stateSums(
  trace: Trace,
  tree: ResourceTree,
  { lanes, names, of }: StatesOfLanes,
  window: TimeWindow & { readonly isLast: boolean },
  kinds: EventStates,
  task: Task,
): Promise<StateSums> {
  const states = names.length;
  const seconds = new Float64Array(tree.parent.length * states);
  const events = new Float64Array(tree.parent.length * states);
  // What begins with the run's last moment is part of a window that ends there.
  const until = window.isLast ? Infinity : window.to;
  const stateOf = stateNumbers(trace, kinds.of);
  const computing = new Map<number, number>();
  let [row, computes] = [0, 0];
  const sweep = new LaneSweep((frame, category, from, to) => {
    const part = Math.min(to, window.to) - Math.max(from, window.from);
    if (!(part > 0)) return;
    const state = of(frame, category);
    if (state >= 0) seconds[row + state] += part;
    if (kinds.states[stateOf(frame, category)].kind === COMPUTING) computes += part;
  });
  for (const [at, lane] of lanes.entries()) {
    task.progress(at / lanes.length, "Adding up what each resource did");
    [row, computes] = [tree.ofLane[lane] * states, 0];
    sweep.begin();
    await eachEventIn(trace, lane, { from: window.from, to: until }, task, (columns, event) => {
      const [frame, category] = [columns.frame[event], columns.category[event]];
      sweep.event(columns.startSeconds[event], columns.endSeconds[event], frame, category, 0);
      const state = columns.startSeconds[event] >= window.from ? of(frame, category) : -1;
      if (state >= 0) events[row + state]++;
    });
    sweep.end();
    computing.set(lane, computes);
  }
  addUp(tree, seconds, states);
  addUp(tree, events, states);
  return { seconds, events, computing };
}

/** The quantity that is asked for, else the first one. @returns NONE where there is none */
export function chosenQuantity(offered: readonly QuantityOffered[], wanted: string | undefined): number {
  const found = offered.findIndex(({ id }) => id === wanted);
  return found >= 0 ? found : offered.length > 0 ? 0 : NONE;
}

/** The name in `state NAME` or `variable NAME`. @throws RequestError of a quantity without one */
export function nameIn(quantity: Quantity): string {
  const at = quantity.indexOf(" ");
  if (at < 0) throw new RequestError(`'${quantity}' names nothing.`);
  return quantity.slice(at + 1);
}
