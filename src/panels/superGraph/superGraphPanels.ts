import type * as vscode from "vscode";
import { parse } from "../../protocol/bounds";
import { groupChoices, type GroupChoice, superGraphState } from "../../protocol/superGraph";
import { numberIn } from "../../session/commandArguments";
import { currentSettings } from "../../session/sourceFeed";
import type { PanelParts } from "../kit/dataSetPanel";
import { DataSetPanels } from "../kit/dataSetPanels";
import { SavedStepsStore } from "./savedSteps";
import { type PanelState, SuperGraphPanel } from "./superGraphPanel";

export type SuperGraphPanels = DataSetPanels<SuperGraphPanel, PanelState>;

/** The super graph panels; a new one highlights the session's selection. @param storage where steps are saved by name */
export function superGraphPanels(parts: PanelParts, storage: vscode.Memento): SuperGraphPanels {
  const saved = new SavedStepsStore(storage);
  return new DataSetPanels<SuperGraphPanel, PanelState>(parts, {
    viewType: "heatflow.superGraph",
    title: "Super Graph",
    create: (made, panel, state) => new SuperGraphPanel(made, saved, panel, state),
    start: ({ files, key }) => ({ files: files.slice(0, 1), dataSet: key, ...startValues() }),
    read: (kept) => {
      const state = parse(superGraphState, kept);
      if (!state) return undefined;
      const { files, dataSet, filter, groupBy, steps, histograms, colour, below, compared } = state;
      return { files, dataSet, filter, groupBy, steps, histograms, colour, below, compared };
    },
  });
}

/** Filter and grouping that a new panel starts with; "file" means by file with an honest way out (semantics 2.2). */
function startValues(): { filter: number; groupBy: GroupChoice } {
  const { superGraphFilterPercent, superGraphGroupBy } = currentSettings();
  const groupBy = groupChoices.find((choice) => choice === superGraphGroupBy) ?? "auto";
  return { filter: superGraphFilterPercent, groupBy: groupBy === "file" ? "auto" : groupBy };
}

/** "Compare Runs…": the super graph of a recording, set against that of another one. */
export function superGraphCommands(panels: SuperGraphPanels) {
  return {
    "heatflow.compareRuns": async (argument: unknown) => {
      await (await panels.show(numberIn(argument, "dataSet"), argument))?.compare();
    },
  };
}
