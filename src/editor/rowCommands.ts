/** Both ways from a row of a tree, or from what is selected: to the function itself, and to its hottest line. */
import * as vscode from "vscode";
import type { SourceLink } from "../engine/api";
import { ignoreCancelled } from "../model/errors";
import { numberIn, targetIn } from "../session/commandArguments";
import { hottestPlace, type LeadingPlace } from "../session/hottestPlace";
import { withCancellableProgress } from "../session/progress";
import type { Navigator, Session } from "../session/session";
import { shownScope } from "../session/targetScope";
import { notices } from "../session/notices";

export function registerRowCommands(session: Session, navigator: Navigator): vscode.Disposable {
  const going = (linkOf: (place: LeadingPlace) => SourceLink) => (argument: unknown) =>
    go(session, navigator, argument, linkOf).catch(ignoreCancelled);
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register("heatflow.rows.goToFunction", going(functionOf)),
    register(
      "heatflow.rows.goToHottestLine",
      going(({ link }) => link),
    ),
  );
}

/** The function of a place: the place itself, where it is no line of one. */
export function functionOf({ link, definition }: LeadingPlace): SourceLink {
  return definition ?? link;
}

async function go(
  session: Session,
  navigator: Navigator,
  argument: unknown,
  linkOf: (place: LeadingPlace) => SourceLink,
): Promise<void> {
  const row = targetIn(argument);
  const { selection } = session;
  const target = row ?? selection?.target;
  // Rows of trees are of the data set that is shown.
  const scope = shownScope(session, row ? numberIn(argument, "dataSet") : selection?.dataSet);
  if (!scope || !target) return;
  const place = await withCancellableProgress("Looking up where this leads", (task) =>
    hottestPlace(session, scope, target, task),
  );
  if (place) return navigator.go(linkOf(place), { focus: true });
  void notices.showInformationMessage("No line is known for this.");
}
