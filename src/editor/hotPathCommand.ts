import * as vscode from "vscode";
import type { HotPath, Scope, Target } from "../engine/api";
import { ignoreCancelled } from "../model/errors";
import { numberIn, targetIn } from "../session/commandArguments";
import { noMetricText } from "../session/notRecorded";
import { withCancellableProgress } from "../session/progress";
import { overText, shownUnit } from "../session/scopeChoice";
import type { Navigator, Session } from "../session/session";
import { shownScope } from "../session/targetScope";
import { currentSettings } from "../session/sourceFeed";
import { hotPathText, nearestText } from "./hotPathTexts";
import { notices } from "../session/notices";

/** "Follow Hot Path": from what is selected, or from the row that it was asked of. */
export function registerHotPath(session: Session, navigator: Navigator): vscode.Disposable {
  return vscode.commands.registerCommand("heatflow.hotPath", (argument: unknown) =>
    follow(session, navigator, argument).catch(ignoreCancelled),
  );
}

async function follow(session: Session, navigator: Navigator, argument: unknown): Promise<void> {
  const scope = shownScope(session, numberIn(argument, "dataSet"));
  if (!scope) return sayWhyNone(session);
  const target = targetIn(argument) ?? selectedIn(session, scope);
  const { hotPathThreshold } = currentSettings();
  const path = await withCancellableProgress("Following the hot path", (task) =>
    session.engine.hotPath({ scope, target, threshold: hotPathThreshold }, task),
  );
  const end = path?.steps.at(-1);
  if (!path || !end) {
    void notices.showInformationMessage("There is no path to follow: the selection has no known calling context.");
    return;
  }
  const { dataSet } = scope;
  const reached: Target = { kind: "context", context: end.context };
  session.select({ dataSet, target: reached, name: end.name, origin: "hotPath", comesIntoSight: true });
  const announced = announce(session, navigator, scope, path, hotPathThreshold);
  if (path.link.places.length > 0) await navigator.go(path.link, { focus: true });
  await announced;
}

/** Says where the path leads, and offers what there is where its end has no line. */
async function announce(
  session: Session,
  navigator: Navigator,
  scope: Scope,
  path: HotPath,
  threshold: number,
): Promise<void> {
  const info = session.dataSets.find(({ id }) => id === scope.dataSet);
  if (!info) return;
  const { link, nearest } = path;
  const text = hotPathText(path, shownUnit(info.metrics[scope.metric]), overText(info, scope), threshold);
  const chosen = await notices.showInformationMessage(
    text,
    ...(nearest ? [{ title: nearestText(nearest), link: nearest.link }] : []),
    ...(link.missingFile === undefined ? [] : [{ title: "Locate…", link }]),
  );
  if (chosen) await navigator.go(chosen.link, { focus: true });
}

function selectedIn({ selection }: Session, { dataSet }: Scope): Target | undefined {
  return selection?.dataSet === dataSet ? selection.target : undefined;
}

function sayWhyNone({ current }: Session): void {
  const text = current ? `${noMetricText(current)}, so no path is hot.` : "No performance data is open.";
  void notices.showInformationMessage(text);
}
