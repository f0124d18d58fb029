/** `--only-in` and `--missing-in`: runs by their names, or by globs of them. */
import type { EnsembleRuns, RunPresence } from "../engine/api";
import { matchesGlob } from "../supergraph/groupMap";
import { someOf } from "../model/texts";
import { ArgumentError } from "./arguments";

/** Names of runs, or globs of them, by option; none: it was not given. */
export interface PresenceOptions {
  readonly "only-in": readonly string[];
  readonly "missing-in": readonly string[];
}

/** @throws ArgumentError where a pattern names no run, or none that has the metric */
export function presenceOf(runs: EnsembleRuns, options: PresenceOptions): RunPresence {
  const named = (option: keyof PresenceOptions) => {
    const found = options[option].flatMap((pattern) => runsNamed(runs, pattern, `--${option}`));
    if (found.length > 0 && found.every((run) => Number.isNaN(runs.runs[run].total)))
      throw new ArgumentError(`--${option}: no run of ${options[option].join(", ")} has values of ${runs.metric}`);
    return found.length > 0 ? found : undefined;
  };
  const [onlyIn, missingIn] = [named("only-in"), named("missing-in")];
  return { ...(onlyIn ? { onlyIn } : {}), ...(missingIn ? { missingIn } : {}) };
}

/** Runs by their name, or by a glob. @throws ArgumentError where there is none */
export function runsNamed({ runs }: EnsembleRuns, wanted: string, option: string): number[] {
  const named = runs.flatMap(({ name }, run) => (name === wanted ? [run] : []));
  const found = named.length > 0 ? named : runs.flatMap(({ name }, run) => (matchesGlob(wanted, name) ? [run] : []));
  if (found.length > 0) return found;
  const names = runs.map(({ name }) => name);
  throw new ArgumentError(`${option}: there is no run '${wanted}'; there are ${someOf(names, 20)}`);
}
