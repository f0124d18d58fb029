/** Some runs of an ensemble: by their names, or by a value of a parameter. */
import * as vscode from "vscode";
import type { EnsembleRuns } from "../../engine/api";
import { compareText } from "../../model/strings";
import { shorten, someOf } from "../../model/texts";
import { formatValue } from "../../model/units";
import { parse } from "../../protocol/bounds";
import { keptTerms, type RunTerm } from "../../protocol/runTerms";
import { groupingParameters } from "../ensembleRuns/parameters";

/** Values of parameters that are offered in one list with the runs. */
const MOST_VALUES = 1000;
const MAX_NAME = 200;
/** Terms that a sentence names. */
const MOST_NAMED = 4;

/** The runs of some terms, ascending: what names no run that there is counts for none. */
export function runsOfTerms({ runs }: Pick<EnsembleRuns, "runs">, terms: readonly RunTerm[]): number[] {
  return [...runs.keys()].filter((run) => {
    const { name, metadata } = runs[run];
    return terms.some((term) =>
      "run" in term
        ? term.run === name
        : Object.hasOwn(metadata, term.parameter) && metadata[term.parameter] === term.value,
    );
  });
}

/** `ranks 1, np8-r2` */
export function termsText(terms: readonly RunTerm[]): string {
  const texts = terms.map((term) => shorten("run" in term ? term.run : `${term.parameter} ${term.value}`, 60));
  return someOf(texts, MOST_NAMED);
}

/**
 * Asks which runs.
 *
 * @param says why what was chosen is not kept
 * @returns what may be none; undefined where the user went back, or it was said why not
 */
export async function pickTerms(
  title: string,
  runs: EnsembleRuns,
  now: readonly RunTerm[],
  says: { notice(message: string): void },
): Promise<RunTerm[] | undefined> {
  const isNow = (term: RunTerm) => now.some((one) => JSON.stringify(one) === JSON.stringify(term));
  const item = (term: RunTerm, label: string, description: string) => ({
    label: shorten(label, MAX_NAME),
    description,
    term,
    picked: isNow(term),
  });
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const values = groupingParameters(runs).flatMap(({ name }) => valuesOf(runs, name));
  const chosen = await vscode.window.showQuickPick(
    [
      heading("by parameter"),
      ...values
        .slice(0, MOST_VALUES)
        .map(({ count, ...term }) =>
          item(term, `${term.parameter} ${term.value}`, count === 1 ? "1 run" : `${count} runs`),
        ),
      heading("runs"),
      ...runs.runs.map(({ name, total }) =>
        item({ run: name }, name, Number.isNaN(total) ? "lacks this metric" : formatValue(total, runs.unit)),
      ),
    ],
    { title, canPickMany: true, matchOnDescription: true, ignoreFocusOut: true },
  );
  const picked = chosen?.flatMap((one) => ("term" in one ? [one.term] : []));
  if (!picked || picked.length === 0) return picked;
  const kept = parse(keptTerms, picked);
  if (!kept)
    says.notice("These are too many to be kept one by one: choose the value of a parameter that they have in common.");
  return kept;
}

/** Values of a parameter with how many runs have each, numbers ascending. */
function valuesOf({ runs }: EnsembleRuns, parameter: string) {
  const counts = new Map<string, number>();
  for (const { metadata } of runs)
    if (Object.hasOwn(metadata, parameter)) counts.set(metadata[parameter], (counts.get(metadata[parameter]) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ parameter, value, count }))
    .sort((a, b) => Number(a.value) - Number(b.value) || compareText(a.value, b.value));
}
