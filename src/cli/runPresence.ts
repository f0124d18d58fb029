/** Which contexts or functions some runs have and others have not (semantics 10, Runs). */
import type { EnsembleRuns } from "../engine/api";
import { matchesGlob } from "../supergraph/groupMap";
import { someOf } from "../model/texts";
import { ArgumentError } from "./arguments";

/** Names of runs, or globs of them, by option; none: it was not given. */
export interface PresenceOptions {
  readonly "only-in": readonly string[];
  readonly "missing-in": readonly string[];
}

/** @param values one per run that stays; NaN: it lacks what they are of */
export type IsWanted = (values: Float64Array) => boolean;

/**
 * Only in: at least one of the runs has it, and no other does. Missing in: none of the runs has it, and at least one other does.
 *
 * @param stay the runs that values are of
 * @throws ArgumentError where a pattern names no run, or none that has the metric
 */
export function presenceFilter(runs: EnsembleRuns, stay: Int32Array, options: PresenceOptions): IsWanted {
  const placesOf = (option: keyof PresenceOptions) => {
    const named = new Set(options[option].flatMap((pattern) => runsNamed(runs, pattern, `--${option}`)));
    const is = Array.from(stay, (run) => named.has(run));
    if (named.size > 0 && !is.includes(true))
      throw new ArgumentError(`--${option}: no run of ${options[option].join(", ")} has values of ${runs.metric}`);
    return named.size > 0 ? is : undefined;
  };
  const [only, missing] = [placesOf("only-in"), placesOf("missing-in")];
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

/** Runs by their name, or by a glob. @throws ArgumentError where there is none */
export function runsNamed({ runs }: EnsembleRuns, wanted: string, option: string): number[] {
  const named = runs.flatMap(({ name }, run) => (name === wanted ? [run] : []));
  const found = named.length > 0 ? named : runs.flatMap(({ name }, run) => (matchesGlob(wanted, name) ? [run] : []));
  if (found.length > 0) return found;
  const names = runs.map(({ name }) => name);
  throw new ArgumentError(`${option}: there is no run '${wanted}'; there are ${someOf(names, 20)}`);
}
