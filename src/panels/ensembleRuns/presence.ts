/** Functions that only some runs have, or that some runs lack: which runs these are, how they are chosen, and what is said of it. */
import type { EnsembleRuns, RunPresence } from "../../engine/api";
import { shorten } from "../../model/texts";
import type { EnsembleRunsState } from "../../protocol/ensembleRuns";
import type { ToolControl } from "../../protocol/frame";
import { pickTerms, runsOfTerms, termsText } from "../ensemble/runTerms";
import type { Change, PanelHandle } from "../kit/definition";
import type { ShownRuns } from "./shown";

type Kind = "onlyIn" | "missingIn";
const kinds = ["onlyIn", "missingIn"] as const satisfies readonly Kind[];
const WORDS = { onlyIn: "only in", missingIn: "missing in" } as const;
/** Entries of the menu. */
const [ALL, TARGET, SOME] = ["all", "target", "some"];
const MAX_NAME = 200;

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
    return terms ? [`${WORDS[kind]} ${termsText(terms)}`] : [];
  });
  return parts.length > 0 ? parts.join(", ") : undefined;
}

export function presenceTool(state: EnsembleRunsState, shown: ShownRuns | undefined): ToolControl {
  const isSet = state.onlyIn !== undefined || state.missingIn !== undefined;
  const withoutTarget =
    state.target === undefined || !shown?.runs.runs.some(({ name }) => name === state.target)
      ? { disabled: "No target run is chosen." }
      : {};
  return {
    kind: "tool",
    id: "presence",
    name: "Functions that only some runs have, or lack",
    icon: "filter",
    leaves: 5,
    on: isSet,
    menu: [
      { value: ALL, label: "all functions", checked: !isSet },
      ...kinds.flatMap((kind) => {
        const terms = state[kind];
        const isTarget = terms?.length === 1 && "run" in terms[0] && terms[0].run === state.target;
        const some = isTarget || !terms ? "some runs…" : `${termsText(terms)}…`;
        return [
          {
            value: `${kind} ${TARGET}`,
            label: `${WORDS[kind]} the target run`,
            group: kind,
            checked: isTarget,
            ...withoutTarget,
          },
          {
            value: `${kind} ${SOME}`,
            label: shorten(`${WORDS[kind]} ${some}`, MAX_NAME),
            group: kind,
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
  const title = kind === "onlyIn" ? "Only Functions of Which Runs?" : "Functions That Are Missing in Which Runs?";
  const picked = await pickTerms(title, runs, state[kind] ?? [], panel);
  return picked && { [kind]: picked.length === 0 ? undefined : picked };
}
