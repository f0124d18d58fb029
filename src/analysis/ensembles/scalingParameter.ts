import type { RunColumn } from "../../model/runColumns";
import { compareText } from "../../model/strings";
import type { NumberColumn } from "./outputParameters";
import { namedCount } from "./parameterWords";
import { parameterValues } from "./scaling";

/** The numeric parameter that runs scale over at first, and all that can be chosen. */
export interface ScalingOffer {
  /** Undefined if no input is a number that programs scale over: the user has to choose. */
  readonly parameter: string | undefined;
  /** Inputs by name, then outputs by name. */
  readonly offered: readonly string[];
}

/**
 * The parameter that runs scale over until another one is chosen (semantics 16, section 10, scaling): ranks, else threads, cores or
 * GPUs, else the size with most values, else the input with most values. It needs two different values, all positive.
 *
 * @param outputs names, see `outputParameters`
 */
export function offerScaling(columns: readonly RunColumn[], outputs: ReadonlySet<string>): ScalingOffer {
  const numbers = columns
    .filter((column): column is NumberColumn => column.kind === "number" && parameterValues(column.values).length > 1)
    .sort((a, b) => compareText(a.name, b.name));
  const inputs = numbers.filter(({ name }) => !outputs.has(name));
  const first = byPreference(inputs).find(({ values }) => parameterValues(values)[0] > 0);
  return {
    parameter: first?.name,
    offered: [...inputs, ...numbers.filter(({ name }) => outputs.has(name))].map(({ name }) => name),
  };
}

/** Places of counts in {@link byPreference}. */
const PLACES = { ranks: 1, threads: 2, size: 3 } as const;

/** Columns as programs scale over them: ranks, threads, sizes, then all others; those with most values before the rest, then by name. */
export function byPreference(columns: readonly NumberColumn[]): NumberColumn[] {
  return columns
    .map((column) => ({ column, place: placeOf(column.name), values: parameterValues(column.values).length }))
    .sort(
      (a, b) =>
        a.place - b.place ||
        // Several counts of ranks are about the same ranks: the number of their values decides nothing.
        (a.place >= PLACES.size ? b.values - a.values : 0) ||
        compareText(a.column.name, b.column.name),
    )
    .map(({ column }) => column);
}

/** The number of ranks that a recording has values of is known without its name. */
function placeOf(name: string): number {
  if (name === "ranks") return 0;
  const count = namedCount(name);
  return count === undefined ? PLACES.size + 1 : PLACES[count];
}
