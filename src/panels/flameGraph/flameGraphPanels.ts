import { parse } from "../../protocol/bounds";
import { flameState } from "../../protocol/flameGraph";
import type { PanelParts } from "../kit/dataSetPanel";
import { DataSetPanels } from "../kit/dataSetPanels";
import { FlameGraphPanel } from "./flameGraphPanel";
import type { FlamePanelState } from "./flameMessage";

export type FlameGraphPanels = DataSetPanels<FlameGraphPanel, FlamePanelState>;

/** The flame graph panels; a new one highlights the session's selection. */
export function flameGraphPanels(parts: PanelParts): FlameGraphPanels {
  return new DataSetPanels<FlameGraphPanel, FlamePanelState>(parts, {
    viewType: "heatflow.flameGraph",
    title: "Flame Graph",
    create: (...made) => new FlameGraphPanel(...made),
    start: ({ files, key }) => ({
      files: files.slice(0, 1),
      dataSet: key,
      mode: "recording",
      order: "left-heavy",
      colour: "exclusive",
    }),
    read: (kept) => {
      const state = parse(flameState, kept);
      if (!state) return undefined;
      const { files, dataSet, mode, notKept, bar, order, colour } = state;
      return { files, dataSet, mode, notKept, function: state.function, bar, order, colour };
    },
  });
}
