import * as vscode from "vscode";
import { offeredToCompare } from "./comparedScopes";
import type { RunComparison, Session, SessionDataSet } from "./session";

/**
 * Asks what a recording is to be compared with, of those of the same program that measured what it shows: it is the candidate of one that is open, and the baseline of one that is opened for this,
 * which is what came last.
 *
 * @returns undefined where the user went back
 */
export async function pickComparison(
  session: Pick<Session, "dataSets" | "scope" | "engine">,
  shown: SessionDataSet,
): Promise<RunComparison | undefined> {
  const others = await offeredToCompare(session, shown);
  const open: vscode.QuickPickItem & { info?: SessionDataSet } = {
    label: "$(folder-opened) Open another recording…",
    description: `as the candidate: ${shown.name} is its baseline`,
    alwaysShow: true,
  };
  const items = others.map((info) => ({ label: info.name, description: `baseline · ${info.format.label}`, info }));
  const title = `Compare ${shown.name} with…`;
  const chosen = await vscode.window.showQuickPick([...items, open], { title });
  if (!chosen) return undefined;
  if (chosen.info) return { baseline: chosen.info.id, candidate: shown.id };
  const before = new Set(session.dataSets.map(({ id }) => id));
  await vscode.commands.executeCommand("heatflow.open");
  const opened = session.dataSets.find(({ id }) => !before.has(id));
  return opened && { baseline: shown.id, candidate: opened.id };
}
