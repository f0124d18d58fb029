import * as vscode from "vscode";
import type { FlameState } from "../../protocol/flameGraph";
import { numberIn } from "../../session/commandArguments";
import type { Session } from "../../session/session";
import { pinSelection } from "../kit/pins";
import { functionOf, functionRows } from "./flames";

/** Shows a data set's flame graph (default: of the current one) with a change of what it shows. */
export interface FlameGraphPanels {
  show(argument: unknown, dataSet?: number): Promise<{ change(state: Partial<FlameState>): Promise<void> } | undefined>;
}

/** Ways to flame graphs: by command, from rows of the trees, from a bar of the super graph. */
export function flameGraphCommands(session: Session, panels: FlameGraphPanels) {
  /** Of several choices that look something up, the last one counts. */
  let choices = 0;
  return {
    "heatflow.showFlameGraph": async (argument: unknown) => {
      // The title of a recording's page passes the file.
      const file = argument instanceof vscode.Uri ? argument.fsPath : undefined;
      await panels.show(argument, session.dataSets.find(({ files }) => file !== undefined && files.includes(file))?.id);
    },
    "heatflow.hotFunctions.showInSandwich": async (row: unknown) => {
      const id = numberIn(row, "function");
      const scope = session.current && session.scope(session.current.id);
      if (id === undefined || !scope) return;
      const choice = ++choices;
      const [panel, rows] = await Promise.all([panels.show(undefined), functionRows(session.engine, scope)]);
      const named = rows.find((candidate) => candidate.function === id);
      if (named && choice === choices) void panel?.change({ mode: "sandwich", function: functionOf(named) });
    },
    "heatflow.callingContexts.showInFlameGraph": async (node: unknown) => {
      const row: unknown = typeof node === "object" && node !== null && "row" in node ? node.row : undefined;
      const context = numberIn(row, "context");
      const dataSet = session.current?.id;
      if (context === undefined || dataSet === undefined) return;
      choices++;
      void (await panels.show(undefined, dataSet))?.change({ mode: "recording" });
      session.select({ dataSet, target: { kind: "context", context }, name: "", origin: "callingContexts" });
    },
    /** The bar that is selected: a command's argument could name any question. */
    "heatflow.flameGraph.lookInside": async (argument: unknown) => {
      const { selection } = session;
      const dataSet = session.dataSets.find(({ id }) => id === selection?.dataSet);
      if (selection?.target.kind !== "bar" || !dataSet) return;
      choices++;
      const bar = pinSelection(selection, { session, dataSet });
      void (await panels.show(argument, dataSet.id))?.change({ mode: "bar", bar });
    },
  };
}
