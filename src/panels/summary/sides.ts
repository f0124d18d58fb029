/** The two quantities that a summary lays off along the run: kinds of work of its lanes, or counters that were recorded. */
import type { Clock, CounterFacts, CountersOf, CounterStretches, Engine } from "../../engine/api";
import { eventKinds } from "../../model/eventKinds";
import { largestIn } from "../../model/longLists";
import type { Task } from "../../model/task";
import { resourcePath } from "../../model/resources";
import { shorten } from "../../model/texts";
import type { SelectControl } from "../../protocol/frame";
import {
  type CounterChoice,
  FINE,
  type SideChoice,
  type SummarySide,
  type SummaryState,
  type Utilisation,
  utilisations,
} from "../../protocol/summary";
import { boundShown } from "./clockContent";

const KINDS = eventKinds.length;
/** One list holds no more entries than people look through, and a control no longer values. */
const MOST_COUNTERS = 500;
const MAX_NAME = 200;
const LONGEST_VALUE = 4000;

/** A counter that is laid off, with what it was in each stretch. */
interface LaidOff {
  readonly row: number;
  readonly stretches: CounterStretches;
}

/** What is known of counters, beside a clock; a side without any is a kind of work. */
export interface SummaryCounters {
  readonly facts: CounterFacts;
  readonly left?: LaidOff;
  readonly right?: LaidOff;
}

type Known = { readonly clock: Clock; readonly counters: SummaryCounters } | undefined;

/** Asks for the counters that are chosen; the same where these are known. @param before of the same recording and restriction */
export async function askCounters(
  engine: Pick<Engine, "counterFacts" | "counterStretches">,
  { dataSet, chosen }: Pick<CountersOf, "dataSet" | "chosen">,
  { fromSeconds, toSeconds }: Clock,
  state: SummaryState,
  before: SummaryCounters | undefined,
  task: Task,
): Promise<SummaryCounters> {
  const of: CountersOf = { dataSet, recordedOnly: true, ...(chosen ? { chosen } : {}) };
  const facts = before?.facts ?? (await engine.counterFacts(of, task));
  const [left, right] = [rowOf(facts, state.left), rowOf(facts, state.right)];
  if (before && before.left?.row === left && before.right?.row === right) return before;
  const laidOff = async (row: number | undefined): Promise<LaidOff | undefined> => {
    if (row === undefined) return undefined;
    const known = [before?.left, before?.right].find((one) => one?.row === row);
    const query = { ...of, row, fromSeconds, toSeconds, count: FINE };
    return known ?? { row, stretches: await engine.counterStretches(query, task) };
  };
  const own = { left: await laidOff(left), right: await laidOff(right) };
  return { facts, ...(own.left ? { left: own.left } : {}), ...(own.right ? { right: own.right } : {}) };
}

/** The counter of this name, where the recording has it and the restriction leaves it. */
function rowOf(facts: CounterFacts, choice: SideChoice | undefined): number | undefined {
  if (choice === undefined || typeof choice === "string") return undefined;
  const places = placesOf(facts);
  const row = facts.rows.findIndex((one, at) => one.isLeft && one.name === choice.counter && places[at] === choice.of);
  return row < 0 ? undefined : row;
}

/** Where each counter was recorded: the resource's name, with all above it where another one of the counter's name is called so. */
function placesOf({ rows, resources }: CounterFacts): string[] {
  const nameOf = (resource: number) => (resource < 0 ? "" : resources[resource].name);
  const keys = rows.map(({ name, resource }) => JSON.stringify([name, nameOf(resource)]));
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rows.map(({ resource }, row) =>
    counts.get(keys[row]) === 1 ? nameOf(resource) : resourcePath(resources, resource),
  );
}

/** `power_draw · GPU 0` */
function counterName({ counter, of }: CounterChoice): string {
  return shorten(of === "" ? counter : `${counter} · ${of}`, MAX_NAME);
}

function valueOf(choice: SideChoice): string {
  return typeof choice === "string" ? choice : JSON.stringify([choice.counter, choice.of]);
}

/** What a value of a control stands for; undefined: nothing. */
export function choiceOf(value: string): SideChoice | undefined {
  const utilisation = utilisations.find((one) => one === value);
  if (utilisation) return utilisation;
  try {
    const parsed: unknown = JSON.parse(value);
    if (!Array.isArray(parsed)) return undefined;
    const [counter, of]: unknown[] = parsed;
    return typeof counter === "string" && typeof of === "string" ? { counter, of } : undefined;
  } catch {
    return undefined;
  }
}

export function sideControls(state: SummaryState, shown: Known): SelectControl[] {
  const [left, right] = sidesOf(state, shown);
  const [standardLeft, standardRight] = standardSides(shown?.clock);
  const missing = shown && shown.clock.bound.unit !== "GPU" ? { disabled: "Nothing was recorded of a GPU." } : {};
  const counters = shown ? counterChoices(shown.counters.facts) : [];
  const side = (id: "left" | "right", name: string, value: SideChoice, standard: SideChoice): SelectControl => {
    // Until it is known which counters there are, the one that is kept stands alone.
    const own = typeof value === "string" || counters.some((one) => valueOf(one) === valueOf(value)) ? [] : [value];
    return {
      kind: "select",
      id,
      name,
      value: valueOf(value),
      standard: valueOf(standard),
      choices: [
        ...utilisations.map((one) => ({ value: one, label: one, ...(one === "GPU" ? missing : {}) })),
        ...[...own, ...counters].map((one) => ({ value: valueOf(one), label: counterName(one), group: "counters" })),
      ],
    };
  };
  return [side("left", "Left", left, standardLeft), side("right", "Right", right, standardRight)];
}

/** Counters that the restriction leaves, each once. */
function counterChoices(facts: CounterFacts): CounterChoice[] {
  const choices = new Map<string, CounterChoice>();
  const places = placesOf(facts);
  facts.rows.forEach(({ name, isLeft }, row) => {
    const choice = { counter: name, of: places[row] };
    const value = valueOf(choice);
    if (isLeft && choices.size < MOST_COUNTERS && value.length <= LONGEST_VALUE) choices.set(value, choice);
  });
  return [...choices.values()];
}

/** What is chosen, as far as it is known to be there, else what says most. */
function sidesOf({ left, right }: SummaryState, shown: Known): [SideChoice, SideChoice] {
  const there = (choice: SideChoice | undefined) =>
    shown && typeof choice === "object" && rowOf(shown.counters.facts, choice) === undefined ? undefined : choice;
  const [standardLeft, standardRight] = standardSides(shown?.clock);
  return [there(left) ?? standardLeft, there(right) ?? standardRight];
}

/** Computing on CPUs, or what they do most where they never compute, and GPUs where there are some; else what ranks do beside computing. */
function standardSides(clock: Clock | undefined): [Utilisation, Utilisation] {
  return [clock ? busiest(clock) : "computing", clock?.bound.unit === "GPU" ? "GPU" : "exposed movement"];
}

function busiest({ fine: { cpu } }: Clock): Utilisation {
  const sums = new Float64Array(KINDS);
  cpu.forEach((seconds, cell) => (sums[cell % KINDS] += seconds));
  const computing = eventKinds.indexOf("computing");
  const most = largestIn(sums);
  const kind = sums[computing] > 0 || !(most > 0) ? computing : sums.indexOf(most);
  return utilisations.find((one) => one === eventKinds[kind]) ?? "computing";
}

/** Both quantities as they are drawn. */
export function sidesContent(state: SummaryState, shown: NonNullable<Known>): [SummarySide, SummarySide] {
  const { counters, clock } = shown;
  const chosen = sidesOf(state, shown);
  const standard = standardSides(clock);
  const side = (at: 0 | 1, laidOff: LaidOff | undefined): SummarySide => {
    const choice = chosen[at];
    if (typeof choice === "string") return sideOf(choice, clock);
    // What was asked for before something else was chosen.
    if (!laidOff || laidOff.row !== rowOf(counters.facts, choice)) return sideOf(standard[at], clock);
    return counterSide(choice, counters.facts, laidOff);
  };
  return [side(0, counters.left), side(1, counters.right)];
}

function counterSide(choice: CounterChoice, { rows }: CounterFacts, { row, stretches }: LaidOff): SummarySide {
  const { seconds, mean, least, most } = stretches;
  const { unit, shows } = rows[row];
  return {
    what: counterName(choice),
    of: shows === "rate" ? "its rate" : "as recorded",
    unit: shorten(unit, MAX_NAME),
    values: mean,
    spread: { seconds, least, most },
  };
}

/** Shares of whose time: kinds of work of CPU lanes' time, kernels and transfers of GPUs', what is exposed of what it is bound by. */
function sideOf(what: Utilisation, clock: Clock): SummarySide {
  const { fine, bound, cpuLanes, toSeconds, fromSeconds } = clock;
  const isOfGpus = bound.unit === "GPU";
  const length = (toSeconds - fromSeconds) / fine.count;
  const of = (places: string, number: number, seconds: Float64Array): SummarySide => ({
    what,
    utilisation: what,
    of: `of the time of ${places}`,
    values: seconds.map((one) => (number > 0 && length > 0 ? Math.max(0, one) / (number * length) : 0)),
  });
  const { over } = boundShown(bound);
  if (what === "GPU") return of(isOfGpus ? over : "no GPU", isOfGpus ? bound.count : 0, fine.computing);
  if (what === "data movement" && isOfGpus) return of(over, bound.count, fine.movement);
  if (what === "exposed movement") {
    return of(
      over,
      bound.count,
      fine.movement.map((one, at) => one - fine.hidden[at]),
    );
  }
  const kind = eventKinds.indexOf(what);
  const seconds = Float64Array.from({ length: fine.count }, (_, at) => fine.cpu[at * KINDS + kind]);
  return of(`${cpuLanes.toLocaleString("en")} CPU lane${cpuLanes === 1 ? "" : "s"}`, cpuLanes, seconds);
}
