import { parse } from "../../protocol/bounds";
import { correlationState } from "../../protocol/correlation";
import { flagIn, numberIn } from "../../session/commandArguments";
import type { Session } from "../../session/session";
import { CorrelationPanel, type PanelState } from "./correlationPanel";
import type { PanelParts } from "../kit/dataSetPanel";
import { DataSetPanels } from "../kit/dataSetPanels";

export type CorrelationPanels = DataSetPanels<CorrelationPanel, PanelState>;

/** The correlation panels; a new one shows exclusive against inclusive of what is selected. */
export function correlationPanels(parts: PanelParts): CorrelationPanels {
  return new DataSetPanels<CorrelationPanel, PanelState>(parts, {
    viewType: "heatflow.correlation",
    title: "Correlation",
    create: (...made) => new CorrelationPanel(...made),
    start: ({ files }) => ({
      files: files.slice(),
      x: { value: "exclusive", of: "selection" },
      y: { value: "inclusive", of: "selection" },
    }),
    read: (kept) => {
      const state = parse(correlationState, kept);
      return state && { files: state.files, points: state.points, x: state.x, y: state.y };
    },
  });
}

/** The command that shows a data set's correlation; with `pin` it keeps what is selected on y. */
export function correlationCommands(session: Session, panels: CorrelationPanels) {
  return {
    "heatflow.correlation": async (argument: unknown) => {
      const dataSet = numberIn(argument, "dataSet") ?? session.current?.id;
      const panel = await panels.show(dataSet, argument);
      if (flagIn(argument, "pin")) panel?.pinSelected();
    },
  };
}
