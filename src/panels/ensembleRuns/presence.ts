/** Functions that only some runs have, or that some runs lack: which runs these are, how they are chosen, and what is said of it. */
import * as vscode from "vscode";
import type { EnsembleRuns, RunPresence } from "../../engine/api";
import { formatValue } from "../../model/units";
import { compareText } from "../../model/strings";
import { shorten, someOf } from "../../model/texts";
import { type EnsembleRunsState, keptTerms, type RunTerm } from "../../protocol/ensembleRuns";
import { parse } from "../../protocol/bounds";
import type { ToolControl } from "../../protocol/frame";
import type { Change, PanelHandle } from "../kit/definition";
import { groupingParameters } from "./parameters";
import type { ShownRuns } from "./shown";

type Kind = "onlyIn" | "missingIn";
const kinds = ["onlyIn", "missingIn"] as const satisfies readonly Kind[];
const WORDS = { onlyIn: "only in", missingIn: "missing in" } as const;
/** Entries of the menu. */
const [ALL, TARGET, SOME] = ["all", "target", "some"];
/** Values of parameters that are offered in one list with the runs. */
const MOST_VALUES = 1000;
const MOST_NAME = 200;
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

/** What the engine is asked with; undefined: of all functions. */
export function presenceOf(runs: EnsembleRuns, { onlyIn, missingIn }: EnsembleRunsState): RunPresence | undefined {
  if (!onlyIn && !missingIn) return undefined;
  return {
    ...(onlyIn ? { onlyIn: runsOfTerms(runs, onlyIn) } : {}),
    ...(missingIn ? { missingIn: runsOfTerms(runs, missingIn) } : {}),
  };
}

/** `only in ranks 1, np8-r2`; undefined where nothing is left out. */
export function presenceText(state: EnsembleRunsState): string | undefined {
  const parts = kinds.flatMap((kind) => {
    const terms = state[kind];
    return terms ? [`${WORDS[kind]} ${someOf(terms.map(termText), MOST_NAMED)}`] : [];
  });
  return parts.length > 0 ? parts.join(", ") : undefined;
}

function termText(term: RunTerm): string {
  return shorten("run" in term ? term.run : `${term.parameter} ${term.value}`, 60);
}

export function presenceTool(state: EnsembleRunsState, shown: ShownRuns | undefined): ToolControl {
  const isSet = state.onlyIn !== undefined || state.missingIn !== undefined;
  const withoutTarget =
    state.target === undefined || !shown?.runs.runs.some(({ name }) => name === state.target)
      ? { disabled: "No target run is chosen." }
      : {};
  return {
    ...{ kind: "tool", id: "presence", name: "Functions that only some runs have, or lack", icon: "filter", leaves: 5 },
    on: isSet,
    menu: [
      { value: ALL, label: "all functions", checked: !isSet },
      ...kinds.flatMap((kind) => {
        const terms = state[kind];
        const isTarget = terms?.length === 1 && "run" in terms[0] && terms[0].run === state.target;
        const some = isTarget || !terms ? "some runs…" : `${someOf(terms.map(termText), MOST_NAMED)}…`;
        return [
          {
            ...{ value: `${kind} ${TARGET}`, label: `${WORDS[kind]} the target run`, group: kind, checked: isTarget },
            ...withoutTarget,
          },
          {
            ...{ value: `${kind} ${SOME}`, label: shorten(`${WORDS[kind]} ${some}`, MOST_NAME), group: kind },
            checked: terms !== undefined && !isTarget,
          },
        ];
      }),
    ],
  };
}

/** @param choice an entry of the tool's menu */
export async function choosePresence(
  state: EnsembleRunsState,
  choice: string,
  panel: Pick<PanelHandle<EnsembleRunsState, ShownRuns>, "onScreen" | "notice">,
): Promise<Change<EnsembleRunsState>> {
  if (choice === ALL) return { onlyIn: undefined, missingIn: undefined };
  const [name, of] = choice.split(" ");
  const kind = kinds.find((one) => one === name);
  const runs = panel.onScreen?.shown.runs;
  if (!kind || !runs) return undefined;
  if (of === TARGET) return state.target === undefined ? undefined : { [kind]: [{ run: state.target }] };
  const picked = await pickTerms(kind, runs, state[kind] ?? []);
  if (!picked) return undefined;
  if (picked.length === 0) return { [kind]: undefined };
  const kept = parse(keptTerms, picked);
  if (!kept) {
    panel.notice("These are too many to be kept one by one: choose the value of a parameter that they have in common.");
    return undefined;
  }
  return { [kind]: kept };
}

/** @returns none: nothing is left out; undefined where the user went back */
async function pickTerms(
  kind: Kind,
  runs: EnsembleRuns,
  now: readonly RunTerm[],
): Promise<readonly RunTerm[] | undefined> {
  const isNow = (term: RunTerm) => now.some((one) => JSON.stringify(one) === JSON.stringify(term));
  const item = (term: RunTerm, label: string, description: string) => ({
    ...{ label: shorten(label, MOST_NAME), description, term, picked: isNow(term) },
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
    {
      title: kind === "onlyIn" ? "Only Functions of Which Runs?" : "Functions That Are Missing in Which Runs?",
      ...{ canPickMany: true, matchOnDescription: true, ignoreFocusOut: true },
    },
  );
  return chosen?.flatMap((one) => ("term" in one ? [one.term] : []));
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
