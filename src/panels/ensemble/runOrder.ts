/** Runs in the order of a parameter. Pure. */
import type { EnsembleRuns } from "../../engine/api";
import { NONE } from "../../protocol/ensemble";

/**
 * @param values of the parameter, in their order
 * @returns of each run the number of its value, or {@link NONE}; and all runs in the order of these, those without a value last
 */
export function orderedIndices(
  { runs }: Pick<EnsembleRuns, "runs">,
  parameter: string | undefined,
  values: readonly string[],
): { readonly value: Int32Array<ArrayBuffer>; readonly order: Int32Array<ArrayBuffer> } {
  const indexOf = new Map(values.map((text, at) => [text, at]));
  const value = Int32Array.from(runs, ({ metadata }) =>
    parameter !== undefined && Object.hasOwn(metadata, parameter) ? (indexOf.get(metadata[parameter]) ?? NONE) : NONE,
  );
  const key = (run: number) => (value[run] === NONE ? Infinity : value[run]);
  const order = Int32Array.from(runs.keys()).sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
  return { value, order };
}
