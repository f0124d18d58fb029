/** The table of runs: what is known of each, and which parameters differ. */
import { outlyingRuns } from "../../analysis/ensembles/outlyingRuns";
import { ranksOf } from "../../model/locations";
import { entryOf } from "../../model/maps";
import { compareText } from "../../model/strings";
import type { Ensemble } from "./ensemble";
import type { EnsembleRun, RunParameter } from "./ensembleApi";
import { outputsOf } from "./parameterColumns";
import { numberOf } from "./runMetadata";

/** @param totals by run, NaN where it lacks the metric */
export function runRows(ensemble: Ensemble, totals: Float64Array): EnsembleRun[] {
  const { deviations, isOutlying } = outlyingRuns(totals);
  return ensemble.members.map((member, run) => ({
    name: member.name,
    files: member.files,
    format: member.format.label,
    ...(member.startedAt === undefined ? {} : { startedAt: member.startedAt }),
    ranks: ranksOf(member.locations).length,
    contexts: member.tree.size,
    total: totals[run],
    deviations: deviations[run],
    isOutlying: isOutlying[run] === 1,
    metadata: Object.fromEntries([...member.metadata].map(([name, { value }]) => [name, value])),
  }));
}

/** Those that differ between runs first, inputs before outputs, then by name. */
export function parametersOf(ensemble: Ensemble): RunParameter[] {
  const found = new Map<string, { values: Set<string>; runs: number; origin: RunParameter["origin"] }>();
  for (const { metadata } of ensemble.members)
    for (const [name, { value, origin }] of metadata) {
      const one = entryOf(found, name, () => ({ values: new Set<string>(), runs: 0, origin }));
      one.values.add(value);
      one.runs++;
      // Where one run's is of a manifest, somebody chose to say it.
      if (origin !== "file") one.origin = origin;
    }
  const outputs = outputsOf(ensemble);
  const differs = ({ values, runs }: RunParameter) => values > 1 || runs < ensemble.size;
  const placeOf = (parameter: RunParameter) => (differs(parameter) ? Number(parameter.isOutput) : 2);
  return [...found]
    .map(([name, { values, runs, origin }]): RunParameter => {
      const isNumeric = [...values].every((value) => numberOf(value) !== undefined);
      return { name, origin, isNumeric, isOutput: outputs.has(name), values: values.size, runs };
    })
    .sort((a, b) => placeOf(a) - placeOf(b) || compareText(a.name, b.name));
}

/** What all of some runs have in common, and not all of the others have; what most runs have a value of their own of says nothing. */
export function commonParameters(
  ensemble: Ensemble,
  some: readonly number[],
  all: readonly number[],
): { readonly name: string; readonly value: string }[] {
  const { members } = ensemble;
  const [first, ...others] = some;
  const names = parametersOf(ensemble).filter(({ values, runs }) => 2 * values <= runs);
  const isTelling = new Set(names.map(({ name }) => name));
  const isIn = new Set(some);
  const rest = all.filter((run) => !isIn.has(run));
  return [...members[first].metadata].flatMap(([name, { value }]) => {
    const has = (run: number) => members[run].metadata.get(name)?.value === value;
    return isTelling.has(name) && rest.length > 0 && others.every(has) && !rest.every(has) ? [{ name, value }] : [];
  });
}
