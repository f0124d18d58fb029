import * as vscode from "vscode";
import { numberIn } from "../../session/commandArguments";
import type { Session } from "../../session/session";
import type { FlameGraphPanels } from "./flameGraphPanels";

/** Ways to flame graphs: by command, from rows of the trees, from a bar of the super graph. */
export function flameGraphCommands(session: Session, panels: FlameGraphPanels) {
  return {
    "heatflow.showFlameGraph": async (argument: unknown) => {
      // The title of a recording's page passes the file.
      const dataSet =
        argument instanceof vscode.Uri
          ? session.dataSets.find(({ files }) => files.includes(argument.fsPath))?.id
          : numberIn(argument, "dataSet");
      await panels.show(dataSet, argument);
    },
    "heatflow.hotFunctions.showInSandwich": async (row: unknown) => {
      const id = numberIn(row, "function");
      if (id !== undefined) void (await panels.show())?.showSandwich(id);
    },
    "heatflow.callingContexts.showInFlameGraph": async (node: unknown) => {
      const row: unknown = typeof node === "object" && node !== null && "row" in node ? node.row : undefined;
      const context = numberIn(row, "context");
      const dataSet = session.current?.id;
      if (context === undefined || dataSet === undefined) return;
      void (await panels.show(dataSet))?.showRecording();
      session.select({ dataSet, target: { kind: "context", context }, name: "", origin: "callingContexts" });
    },
    /** The bar that is selected: a command's argument could name any question. */
    "heatflow.flameGraph.lookInside": async (argument: unknown) => {
      const { selection } = session;
      if (selection?.target.kind !== "bar") return;
      const { dataSet, target } = selection;
      void (await panels.show(dataSet, argument))?.showBar(target.query, target.bar);
    },
  };
}
