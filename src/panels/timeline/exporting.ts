/** The window of a timeline as a file that Perfetto, chrome://tracing and Heatflow open. */
import * as vscode from "vscode";
import type { TimeWindow } from "../../engine/api";
import { counted } from "../../model/texts";
import { numberIn } from "../../session/commandArguments";
import { timelineMessage } from "../../session/notRecorded";
import { withCancellableProgress } from "../../session/progress";
import type { Session, SessionDataSet } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";
import { askTarget } from "../kit/save";
import { problemOf } from "../kit/problems";
import { notices } from "../../session/notices";

/** Exports what the views over time show of a recording: the one that the argument names, else the current one. */
export async function exportWindowCommand(session: Session, argument: unknown): Promise<void> {
  const id = numberIn(argument, "dataSet");
  const dataSet = id === undefined ? session.current : session.dataSets.find((one) => one.id === id);
  if (!dataSet) return;
  const nothing = timelineMessage(dataSet);
  if (nothing !== undefined) return void notices.showInformationMessage(nothing);
  const { lanes } = await session.engine.timelineFacts({ dataSet: dataSet.id });
  await exportWindow(
    session,
    dataSet,
    lanes.map((_, lane) => lane),
    session.windows.of(dataSet.id),
  );
}

/** Asks where to, and writes these lanes. @param window undefined: the whole run */
export async function exportWindow(
  session: Session,
  dataSet: SessionDataSet,
  lanes: readonly number[],
  window: TimeWindow | undefined,
): Promise<void> {
  try {
    const { from, to } = window ?? { from: -Infinity, to: Infinity };
    const query = { dataSet: dataSet.id, categories: currentSettings().categories };
    // Before the question where to: of what is too much nobody has to choose a file.
    const { text, events, flows, points, cutFlows } = await withCancellableProgress("Exporting the window", (task) =>
      session.engine.chromeWindow({ ...query, lanes, fromSeconds: from, toSeconds: to }, task),
    );
    const target = await askTarget(dataSet, { title: "Window", saved: "window" }, "Chrome trace (JSON)", "json");
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, Buffer.from(text, "utf8"));
    const parts = [
      counted(events, "event"),
      ...(flows > 0 ? [counted(flows, "message")] : []),
      ...(points > 0 ? [counted(points, "counter value")] : []),
    ];
    const cut = cutFlows > 0 ? ` ${counted(cutFlows, "message")} with a side outside are left out.` : "";
    void notices.showInformationMessage(`Saved ${parts.join(", ")} as ${target.fsPath}.${cut}`);
  } catch (error) {
    const { kind, message } = problemOf(error);
    if (kind !== "cancelled") void notices.showErrorMessage(`Could not export the window. ${message}`);
  }
}
