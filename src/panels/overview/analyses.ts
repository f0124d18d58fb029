/** Analyses of a recording by names: all that an overview was asked with, its detail, and the window. */
import * as v from "valibot";
import type * as vscode from "vscode";
import { formatStretch } from "../../model/units";
import { counted } from "../../model/texts";
import { list } from "../../protocol/bounds";
import type { ToolControl } from "../../protocol/frame";
import { overviewState, type OverviewState } from "../../protocol/overview";
import { stretch } from "../../protocol/panel";
import { askName } from "../kit/askName";
import type { PanelHandle, View } from "../kit/definition";
import {
  chosenNamed,
  givenName,
  MOST_NAMED,
  namedMenu,
  recordingKey,
  RecordingNotes,
  withNamed,
  withoutNamed,
} from "../kit/recordingNotes";

const analysis = v.object({
  name: givenName,
  state: overviewState,
  /** Seconds; absent: the whole run. */
  window: v.optional(stretch),
});
export type Analysis = v.InferOutput<typeof analysis>;

const notes = v.object({ key: recordingKey, analyses: list(analysis, MOST_NAMED) });

type Notes = v.InferOutput<typeof notes>;
type Panel = Pick<PanelHandle<OverviewState, never>, "view" | "notice" | "change" | "showWindow">;

export class AnalysesStore extends RecordingNotes<Notes> {
  constructor(storage: Pick<vscode.Memento, "get" | "update">) {
    super(storage, "heatflow.overview.analyses", notes, (key) => ({ key, analyses: [] }));
  }
}

export function analysisControls({ dataSet }: View<OverviewState>, kept: AnalysesStore): ToolControl[] {
  const { analyses } = kept.of(dataSet.key);
  const tool = { kind: "tool", icon: "bookmark", leaves: 12, tucked: true } as const;
  return [
    { ...tool, id: "keep", name: "Save this analysis by a name" },
    {
      ...tool,
      id: "analyses",
      name: "Saved analyses",
      dot: analyses.length > 0,
      ...(analyses.length === 0 ? { disabled: "No analysis of this recording is saved yet." } : {}),
      menu: namedMenu(analyses.map(({ name, state, window }) => ({ name, title: titleOf(state, window) }))),
    },
  ];
}

function titleOf({ slices, kind, without = [] }: OverviewState, window: Analysis["window"]): string {
  const when = window ? formatStretch(window.from, window.to) : "the whole run";
  const left = without.length > 0 ? [`without ${counted(without.length, "state")}`] : [];
  return [when, kind, counted(slices, "slice"), ...left].join(" · ");
}

/** Asks for a name, and keeps what the panel shows. */
export async function keepAnalysis({ state, window, dataSet }: View<OverviewState>, panel: Panel, kept: AnalysesStore) {
  const { key } = dataSet;
  const prompt = "A name for detail, slices, resources, states and window, kept with the recording";
  const options = { title: "Save the Analysis", prompt, value: titleOf(state, window) };
  const name = await askName(options, kept.of(key).analyses);
  if (name === undefined) return;
  const added = { name, state, ...(window ? { window } : {}) };
  await kept.keep(key, { analyses: withNamed(kept.of(key).analyses, added) });
  await panel.change({});
  panel.notice(`Saved as ${name}.`);
}

/** @returns what the chosen analysis changes; undefined where one was removed */
export async function useAnalysis(
  value: string,
  { dataSet, state }: View<OverviewState>,
  panel: Panel,
  kept: AnalysesStore,
): Promise<Partial<OverviewState> | undefined> {
  const { key } = dataSet;
  const { name, isRemoved } = chosenNamed(value);
  const { analyses } = kept.of(key);
  if (isRemoved) {
    await kept.keep(key, { analyses: withoutNamed(analyses, name) });
    await panel.change({});
    return undefined;
  }
  const chosen = analyses.find((one) => one.name === name);
  if (!chosen) return undefined;
  panel.showWindow(chosen.window);
  // What the analysis does not say is as at first.
  const cleared = Object.fromEntries(Object.keys(state).map((one) => [one, undefined]));
  return { ...cleared, ...chosen.state };
}
