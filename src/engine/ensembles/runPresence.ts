/** Which contexts or functions some runs have and others have not (semantics 10, Runs). */

/** What rows are wanted, by the runs that have them; with both sets both must hold. */
export interface RunPresence {
  /** At least one of these runs has it, and no other does; undefined: whichever have it. */
  readonly onlyIn?: readonly number[];
  /** None of these runs has it, and at least one other does; undefined: whichever lack it. */
  readonly missingIn?: readonly number[];
}

/** @param values one per run that stays; NaN: it lacks what they are of */
export type IsWanted = (values: Float64Array) => boolean;

/** @param stay the runs that values are of: what no run of these has is never wanted */
export function presenceTest(stay: Int32Array, { onlyIn, missingIn }: RunPresence): IsWanted {
  const among = (runs: readonly number[] | undefined) => {
    const named = new Set(runs);
    return runs && Array.from(stay, (run) => named.has(run));
  };
  const [only, missing] = [among(onlyIn), among(missingIn)];
  return (values) => {
    let having = 0;
    for (const [at, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      if (only?.[at] === false || missing?.[at] === true) return false;
      having++;
    }
    return having > 0;
  };
}
