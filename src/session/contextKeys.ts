import * as vscode from "vscode";
import { correlationMessage, histogramMessage, timelineMessage } from "./notRecorded";
import type { Session } from "./session";

/** Keeps the keys up to date that the manifest's when-clauses read. */
export function keepContextKeys(session: Session): vscode.Disposable {
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand("setContext", key, value);
  const update = () => {
    const { dataSets, closedRecordings, current } = session;
    const scope = session.scope();
    set("heatflow.hasDataSets", dataSets.length > 0);
    set("heatflow.hasRecordings", dataSets.length + closedRecordings.length > 0);
    set("heatflow.comparing", session.comparison !== undefined);
    set("heatflow.canCompare", dataSets.length > 1);
    set("heatflow.restricted", (scope?.chosen ?? scope?.window ?? scope?.kinds) !== undefined);
    set("heatflow.hasHistogram", !current || histogramMessage(current, scope) === undefined);
    set("heatflow.hasTimeline", !current || timelineMessage(current) === undefined);
    set("heatflow.hasCorrelation", !current || correlationMessage(current, scope) === undefined);
  };
  update();
  return vscode.Disposable.from(session.onDidChangeDataSets(update), session.onDidChangeScope(update));
}
