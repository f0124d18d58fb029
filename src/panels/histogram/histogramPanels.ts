import { parse } from "../../protocol/bounds";
import { histogramState } from "../../protocol/histogram";
import { nameIn, numberIn, targetIn } from "../../session/commandArguments";
import type { Session } from "../../session/session";
import type { PanelParts } from "../kit/dataSetPanel";
import { DataSetPanels } from "../kit/dataSetPanels";
import { HistogramPanel, type PanelState } from "./histogramPanel";

export type HistogramPanels = DataSetPanels<HistogramPanel, PanelState>;

/** As the authors of CallFlow found to work (dissertation 3.3.2). */
const STARTING_BINS = 20;

/** The histogram panels; a new one shows what is selected, else the whole recording. */
export function histogramPanels(parts: PanelParts): HistogramPanels {
  return new DataSetPanels<HistogramPanel, PanelState>(parts, {
    viewType: "heatflow.histogram",
    title: "Histogram",
    create: (...made) => new HistogramPanel(...made),
    start: ({ files }) => ({ files: files.slice(), value: "exclusive", bins: STARTING_BINS, order: "id" }),
    read: (kept) => {
      const state = parse(histogramState, kept);
      if (!state) return undefined;
      const { files, by, value, bins, order, subject } = state;
      return { files, by, value, bins, order, subject };
    },
  });
}

/** "Show Histogram over Ranks": of what is selected, or of the row that it was asked of. */
export function histogramCommands(session: Session, panels: HistogramPanels) {
  return {
    "heatflow.histogram": async (argument: unknown) => {
      const dataSet = numberIn(argument, "dataSet") ?? session.current?.id;
      const target = targetIn(argument);
      if (dataSet !== undefined && target)
        session.select({ dataSet, target, name: nameIn(argument) ?? "", origin: "histogram" });
      await panels.show(dataSet, argument);
    },
  };
}
