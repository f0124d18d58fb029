import * as vscode from "vscode";
import type { Scope, Target } from "../engine/api";
import { numberIn, targetIn } from "../session/commandArguments";
import { withCancellableProgress } from "../session/progress";
import type { Session } from "../session/session";
import { textOf } from "./documentCosts";
import type { LineNavigator } from "./navigator";
import { reasonList, reasonsOfCall, reasonsOfLink, type Reason } from "./whyTexts";
import { notices } from "../session/notices";

/** Frames of a bar or function whose links are explained, heaviest first. */
const MOST_FRAMES = 8;

/**
 * "Why Here?": which rule made a link, and what else was considered; a pick goes there. Of a row of a tree, of what is selected
 * (`{ selected: 1 }`: a bar), else of the line that the cursor is on, with what stands there and what is called from there.
 */
export async function whyHere(session: Session, navigator: LineNavigator, argument: unknown): Promise<void> {
  const target = numberIn(argument, "selected") === undefined ? targetIn(argument) : session.selection?.target;
  const scope = session.scope(target && numberIn(argument, "dataSet"));
  if (scope && target) return whyTarget(session, navigator, scope, target);
  const editor = vscode.window.activeTextEditor;
  if (!editor || !scope || editor.document.uri.scheme !== "file") {
    void notices.showInformationMessage("Put the cursor on a line with a cost first.");
    return;
  }
  const line = numberIn(argument, "line") ?? editor.selection.active.line + 1;
  const asked = textOf(editor.document);
  const reasons = await withCancellableProgress("Looking up this line", async (task) => {
    const details = await session.engine.lineDetails({ scope, document: asked, line }, task);
    const calls = await session.engine.lineCalls({ scope, document: asked, line }, task);
    return [
      ...details.flatMap(({ name, link, otherLinks }) => reasonsOfLink(name, link, otherLinks)),
      ...calls.flatMap(reasonsOfCall),
    ];
  });
  if (reasons.length === 0) {
    const name = session.current?.name ?? "the data set";
    void notices.showInformationMessage(`${name} has no cost on line ${line}, and no call from it.`);
    return;
  }
  await pick(navigator, `Why line ${line}?`, reasons);
}

async function whyTarget(session: Session, navigator: LineNavigator, scope: Scope, target: Target): Promise<void> {
  const reasons = await withCancellableProgress("Looking up where this leads", async (task) => {
    const own =
      target.kind === "context" ? [await session.engine.describeContext({ scope, context: target.context })] : [];
    const frames = await session.engine.hotPlaces({ scope, target, limit: MOST_FRAMES }, task);
    const links = new Map([...own, ...frames].map(({ name, link }) => [JSON.stringify([name, link]), { name, link }]));
    return [...links.values()].flatMap(({ name, link }) => reasonsOfLink(name, link));
  });
  await pick(navigator, "Why does it lead there?", reasons);
}

async function pick(navigator: LineNavigator, asked: string, reasons: readonly Reason[]): Promise<void> {
  const { title, rows } = reasonList(asked, reasons);
  const items = rows.map(({ heading, place, what, why }) => {
    if (heading !== undefined) return { label: heading, kind: vscode.QuickPickItemKind.Separator };
    const label = place ? `${vscode.workspace.asRelativePath(place.file)}:${place.line}` : "no line";
    return { label, description: what, detail: why, place };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: "Rules that chose this place, and other places that were considered",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen && "place" in chosen && chosen.place) await navigator.show(chosen.place, { focus: true });
}
