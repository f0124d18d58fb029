import * as vscode from "vscode";
import type { LineDetails, Place } from "../engine/api";
import { withCancellableProgress } from "../session/progress";
import type { Session } from "../session/session";
import { numberIn } from "../session/commandArguments";
import { textOf } from "./documentCosts";
import type { LineNavigator } from "./navigator";

interface Item extends vscode.QuickPickItem {
  readonly place?: Place;
}

/** "Why Here?": which rule put a cost on this line, and what else was considered; a pick goes there. */
export async function whyHere(session: Session, navigator: LineNavigator, argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const scope = session.scope();
  if (!editor || !scope || editor.document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("Put the cursor on a line with a cost first.");
    return;
  }
  const line = numberIn(argument, "line") ?? editor.selection.active.line + 1;
  const details = await withCancellableProgress("Looking up this line", (task) =>
    session.engine.lineDetails(scope, textOf(editor.document), line, task),
  );
  if (details.length === 0) {
    void vscode.window.showInformationMessage(
      `Line ${line} has no cost of its own in ${session.current?.name ?? "the data set"}. ` +
        "A text such as “→ solve 2.40 s” is what is called from here; it stands where it is spent.",
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(details.flatMap(itemsOf), {
    title: `Why line ${line}?`,
    placeHolder: "The rules that decided, and other places that were considered",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.place) await navigator.show(chosen.place, { focus: true });
}

function itemsOf({ name, link }: LineDetails): Item[] {
  const at = (place: Place) => `${vscode.workspace.asRelativePath(place.file)}:${place.line}`;
  return [
    { label: name, kind: vscode.QuickPickItemKind.Separator },
    ...link.places.map((place) => ({ label: at(place), description: link.rule, detail: link.reason, place })),
    ...link.considered.map(({ place, reason }) => ({
      label: at(place),
      description: "not taken",
      detail: reason,
      place,
    })),
  ];
}
