/** Inputs that differ between the runs of a scaling study beside the one that they scale over (semantics 16, section 10, scaling). */
import { groupBy } from "../../model/maps";
import { counted } from "../../model/texts";
import { differs, type NumberColumn } from "./outputParameters";
import { byPreference } from "./scalingParameter";

/** An input with more than one value. */
export interface AlsoDifferent {
  readonly name: string;
  /** Its different values, ascending; NaN at the end if a run has none. */
  readonly values: Float64Array;
  /** The value that most runs have, the one at the smallest n of several; NaN if most have none. */
  readonly usual: number;
  readonly others: readonly OtherValue[];
}

export interface OtherValue {
  /** NaN: the runs have none. */
  readonly value: number;
  /** Ascending by n. */
  readonly at: readonly { readonly n: number; readonly runs: number; readonly runsOfAll: number }[];
}

/** Runs without the values that also differ. */
export interface LeaveOut {
  /** Indexes of the runs to leave out, ascending. */
  readonly runs: readonly number[];
  /** Label of the button: `Leave out 64`. */
  readonly text: string;
}

/**
 * Inputs that differ, without those that rank the runs as the parameter does.
 *
 * @param parameter n of each run, no NaN
 * @param inputs of the same runs
 * @returns ranks first, then threads, sizes and all others
 */
export function alsoDifferent(parameter: Float64Array, inputs: readonly NumberColumn[]): AlsoDifferent[] {
  const others = inputs.filter((column) => differs(column) && !ranksAlike(parameter, column.values));
  return byPreference(others).map((column) => differing(parameter, column));
}

/** Whether values rise with n, and equal n have equal values. */
function ranksAlike(parameter: Float64Array, values: Float64Array): boolean {
  const order = Int32Array.from(values.keys()).sort((a, b) => parameter[a] - parameter[b]);
  return order.every((run, at) => {
    if (at === 0) return !Number.isNaN(values[run]);
    const before = order[at - 1];
    return parameter[before] === parameter[run] ? values[before] === values[run] : values[before] < values[run];
  });
}

function differing(parameter: Float64Array, { name, values }: NumberColumn): AlsoDifferent {
  const known = (run: number) => (Number.isNaN(values[run]) ? Infinity : values[run]);
  const byValue = (a: number, b: number) => (known(a) === known(b) ? a - b : known(a) - known(b));
  const runs = [...values.keys()].sort((a, b) => parameter[a] - parameter[b] || byValue(a, b));
  const runsOf = groupBy(runs, (run) => values[run]);
  // The sort is stable. If equally many runs have two values, the one at the smaller n counts as usual.
  const [[usual]] = [...runsOf].sort(([, a], [, b]) => b.length - a.length);
  const ofAll = groupBy(runs, (run) => parameter[run]);
  const others = [...runsOf].filter(([value]) => !isSame(value, usual));
  return {
    name,
    usual,
    values: Float64Array.from(runsOf.keys()).sort(),
    others: others.map(([value, having]) => {
      const at = [...groupBy(having, (run) => parameter[run])];
      return { value, at: at.map(([n, some]) => ({ n, runs: some.length, runsOfAll: ofAll.get(n)?.length ?? 0 })) };
    }),
  };
}

/**
 * The runs that have another value than most, if runs with two values of n are left without them.
 *
 * @param parameter n of each run
 * @param inputs of the same runs
 * @param also what {@link alsoDifferent} found of them
 */
export function leaveOut(
  parameter: Float64Array,
  inputs: readonly NumberColumn[],
  also: readonly AlsoDifferent[],
): LeaveOut | undefined {
  const usualOf = new Map(also.map(({ name, usual }) => [name, usual]));
  const differing = inputs.filter(({ name }) => usualOf.has(name));
  const isLeftOut = (run: number) => differing.some(({ name, values }) => !isSame(values[run], usualOf.get(name)));
  const [runs, left] = [
    [...parameter.keys()].filter(isLeftOut),
    [...parameter.keys()].filter((run) => !isLeftOut(run)),
  ];
  const leftAt = new Set(left.map((run) => parameter[run]));
  if (runs.length === 0 || leftAt.size < 2) return undefined;
  const at = [...new Set(runs.map((run) => parameter[run]))].sort((a, b) => a - b);
  const isWhole = at.length <= MAX_PLACES && at.every((n) => !leftAt.has(n));
  return { runs, text: `Leave out ${isWhole ? listed(at.map(String)) : counted(runs.length, "run")}` };
}

function isSame(value: number, usual: number | undefined): boolean {
  return value === usual || (Number.isNaN(value) && Number.isNaN(usual));
}

/** Inputs, values of one input, and values of n that a sentence names. */
const MAX_INPUTS = 4;
const MAX_VALUES = 3;
const MAX_PLACES = 3;
/** Parameters whose names are the plural of what they count. */
const COUNTS = new Set(["ranks", "threads", "cores", "gpus", "nodes", "processes", "tasks"]);

/** `problem_size is 6 at 64 ranks, else 10; iterations 10, else 20`. @returns "" if nothing also differs */
export function alsoDifferentText(parameter: string, also: readonly AlsoDifferent[]): string {
  let before = "";
  const texts = also.slice(0, MAX_INPUTS).map(({ name, values, usual, others }) => {
    if (others.length > MAX_VALUES) {
      before = "";
      const known = values.filter(Number.isFinite);
      return `${name} has ${values.length} values, ${known[0]} to ${known[known.length - 1]}`;
    }
    const found = others.map(({ value, at }) => ({ value: valueText(value), place: placeText(parameter, at) }));
    const [{ place }] = found;
    const isAsBefore = found.length === 1 && place === before;
    before = found.length === 1 ? place : "";
    const list = found.map((one) => (isAsBefore ? one.value : `${one.value} ${one.place}`)).join(", ");
    return `${name}${isAsBefore ? "" : " is"} ${list}, else ${valueText(usual)}`;
  });
  const more = also.length - texts.length;
  return [...texts, ...(more > 0 ? [counted(more, "more input")] : [])].join("; ");
}

function valueText(value: number): string {
  return Number.isNaN(value) ? "not recorded" : String(value);
}

/** `at 27 and 64 ranks`; `in 1 of 3 runs at size 10`. */
function placeText(parameter: string, at: OtherValue["at"]): string {
  const isWhole = at.every(({ runs, runsOfAll }) => runs === runsOfAll);
  const isCount = COUNTS.has(parameter.toLowerCase());
  const [first] = at;
  const noun = isCount && at.length === 1 && first.n === 1 ? parameter.slice(0, -1) : parameter;
  const named = (numbers: string) => (isCount ? `${numbers} ${noun}` : `${parameter} ${numbers}`);
  const numbers = someNumbers(at.map(({ n }) => n));
  if (isWhole) return `at ${named(numbers)}`;
  const runs = at.reduce((sum, one) => sum + one.runs, 0);
  const all = at.reduce((sum, one) => sum + one.runsOfAll, 0);
  return `in ${runs} of ${counted(all, "run")} at ${named(numbers)}`;
}

function someNumbers(numbers: readonly number[]): string {
  const texts = numbers.map(String);
  if (texts.length <= MAX_PLACES) return listed(texts);
  return listed([...texts.slice(0, MAX_PLACES), `${texts.length - MAX_PLACES} more`]);
}

/** `1`, `1 and 2`, `1, 2 and 3`. */
function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}`;
}
