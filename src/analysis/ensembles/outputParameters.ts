import type { RunColumn } from "../../model/runColumns";
import { isNamedAsOutput, namedCount } from "./parameterWords";

/** A parameter whose values are numbers; NaN if a run has none. */
export type NumberColumn = Extract<RunColumn, { readonly kind: "number" }>;

/** Numbers that differ by less than this share of the largest are measurements of one thing. */
const SAME_SHARE = 0.01;
/** Fractions with more digits are measured, not chosen. */
const MAX_CHOSEN_DIGITS = 3;

/**
 * The outputs of runs, which are no parameters of theirs (semantics 16, section 10, scaling): named as a time, a result or an identity;
 * numbers that differ by less than 1 % of the largest, or one of which is a fraction of more than three digits; or with another value
 * in each run, also in runs that agree in all other inputs. The name of a count (ranks, threads, sizes) takes precedence over the last
 * rule, since one run per number of ranks is common.
 *
 * @param columns all parameters of all runs
 * @returns names
 */
export function outputParameters(columns: readonly RunColumn[]): Set<string> {
  const outputs = new Set<string>();
  const candidates: NumberColumn[] = [];
  for (const column of columns) {
    if (isNamedAsOutput(column.name)) outputs.add(column.name);
    else if (column.kind === "number" && differs(column)) {
      if (isMeasured(column.values.filter(Number.isFinite))) outputs.add(column.name);
      else candidates.push(column);
    }
  }
  const measured = ownInEachRun(candidates);
  if (measured) outputs.add(measured.name);
  return outputs;
}

/** Inputs of runs: numbers that differ between runs, and are no outputs. */
export function inputParameters(columns: readonly RunColumn[], outputs: ReadonlySet<string>): NumberColumn[] {
  return columns.filter(
    (column): column is NumberColumn => column.kind === "number" && differs(column) && !outputs.has(column.name),
  );
}

/** Whether runs have different values, or only some of them have one. */
export function differs({ values }: NumberColumn): boolean {
  return new Set(values).size > 1;
}

function isMeasured(values: Float64Array): boolean {
  const [least, largest] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  // Halved, since the difference may be more than a number holds.
  const size = Math.max(Math.abs(least), Math.abs(largest)) / 2;
  if (least === largest || largest / 2 - least / 2 < SAME_SHARE * size) return true;
  return values.some((value) => !Number.isInteger(value) && digitsOf(value) > MAX_CHOSEN_DIGITS);
}

/** Number of decimal digits of a number, without leading and trailing zeros. */
function digitsOf(value: number): number {
  const [mantissa] = Math.abs(value).toExponential().split("e");
  return mantissa.replace(".", "").length;
}

/** The one input with another value in each run, some of which agree in all other inputs; undefined if there is none. */
function ownInEachRun(inputs: readonly NumberColumn[]): NumberColumn | undefined {
  const own = inputs.filter(({ values }) => values.every(Number.isFinite) && new Set(values).size === values.length);
  // Two of them tell all runs apart: no runs agree in all others.
  if (own.length !== 1 || namedCount(own[0].name) !== undefined) return undefined;
  const others = inputs.filter((column) => column !== own[0]);
  const runs = Array.from(own[0].values.keys(), (run) => others.map(({ values }) => values[run]).join(" "));
  return others.length > 0 && new Set(runs).size < runs.length ? own[0] : undefined;
}
