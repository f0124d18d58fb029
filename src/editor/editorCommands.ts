import * as vscode from "vscode";
import { ignoreCancelled } from "../model/errors";
import { withCancellableProgress } from "../session/progress";
import type { Session } from "../session/session";
import type { HeatBy } from "../session/settings";
import { missingFiles } from "./missingFiles";
import type { LineNavigator } from "./navigator";
import type { SourceLocator } from "./sourceLocator";
import { whyHere } from "./whyHere";
import { notices } from "../session/notices";

/** Frames that are looked at for files that were not found. */
const MOST_PLACES = 500;

/** Switches, "Why Here?" and "Locate Source File…". */
export function registerEditorCommands(
  session: Session,
  navigator: LineNavigator,
  locator: SourceLocator,
): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register("heatflow.toggleHeat", () => toggle("heat.enabled")),
    register("heatflow.switchHeat", () => choose("heat.by", otherHeat)),
    register("heatflow.toggleCodeLens", () => toggle("codeLens.enabled")),
    register("heatflow.whyHere", (argument: unknown) => whyHere(session, navigator, argument).catch(ignoreCancelled)),
    register("heatflow.locateSource", () => locateSource(session, locator)),
  );
}

const toggle = (name: string) => choose(name, (value) => value !== true);
const otherHeat = (value: unknown): HeatBy => (value === "bytes" ? "time" : "bytes");

/** Where the setting was set before it is set again, so that a switch never hides behind a stronger one. */
async function choose(name: string, next: (value: unknown) => boolean | HeatBy): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("heatflow");
  const known = configuration.inspect(name);
  const target =
    known?.workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : known?.workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  await configuration.update(name, next(configuration.get(name)), target);
}

async function locateSource(session: Session, locator: SourceLocator): Promise<void> {
  const scope = session.scope();
  if (!scope) return;
  const places = await withCancellableProgress("Looking for missing source files", (task) =>
    session.engine.hotPlaces({ scope, limit: MOST_PLACES }, task),
  ).catch(ignoreCancelled);
  if (!places) return;
  const missing = missingFiles(places);
  if (missing.length === 0) {
    const foreign = await session.engine.foreignClause({ dataSet: scope.dataSet });
    void notices.showInformationMessage(
      foreign === undefined
        ? "No source file of this data set is missing."
        : `The recording names no source file, and ${foreign}. Open the folder of the program that was recorded.`,
    );
    return;
  }
  const items = missing.map(({ file, functions }) => ({ label: file, description: functions.join(", "), file }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Locate which source file?",
    placeHolder: "Recorded files that were not found here, by cost",
    matchOnDescription: true,
  });
  if (chosen) await locator.locate(chosen.file);
}
