import * as vscode from "vscode";
import { sameFolderFirst } from "./recordingNames";
import type { Session, SessionDataSet } from "./session";

/** Asks what a recording is to be compared with; one more may be opened. @returns undefined where the user went back */
export async function pickBaseline(
  session: Pick<Session, "dataSets">,
  candidate: SessionDataSet,
): Promise<SessionDataSet | undefined> {
  const others = sameFolderFirst(
    session.dataSets.filter(({ id }) => id !== candidate.id),
    candidate,
  );
  const open: vscode.QuickPickItem & { info?: SessionDataSet } = {
    label: "$(folder-opened) Open another recording…",
    alwaysShow: true,
  };
  const items = others.map((info) => ({ label: info.name, description: info.format.label, info }));
  const title = `Baseline that ${candidate.name} is compared with`;
  const chosen = await vscode.window.showQuickPick([...items, open], { title });
  if (!chosen || chosen.info) return chosen?.info;
  const before = new Set(session.dataSets.map(({ id }) => id));
  await vscode.commands.executeCommand("heatflow.open");
  return session.dataSets.find(({ id }) => !before.has(id));
}
