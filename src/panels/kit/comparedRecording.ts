/** Which open recording a panel's own is compared with. */
import * as vscode from "vscode";
import type { DataSetInfo } from "../../engine/api";
import type { Session } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";
import type { GraphWorld } from "./pinnedSubjects";
import { comparedScope, type ScopedDataSet } from "../superGraph/splitPlan";
import { shorten } from "../../model/texts";

/** The open recording of these files with its values; a string says why there is none. */
export function comparedRecording(
  session: Session,
  own: DataSetInfo,
  files: readonly string[] | undefined,
): ScopedDataSet | string | undefined {
  if (!files) return undefined;
  const info = session.dataSets.find((candidate) => hasFiles(candidate, files));
  if (!info) return `${fileName(files)} is not open: nothing is compared until it is opened again.`;
  if (info.id === own.id) return undefined;
  const scope = session.scope(info.id);
  return scope ? { info, scope } : `${shorten(info.name, 200)} has no metric that could be compared.`;
}

/** What of the window decides the bars of graphs. */
export function graphWorld(session: Session): GraphWorld {
  return {
    groups: currentSettings().groups,
    filesOf: (dataSet) => session.dataSets.find(({ id }) => id === dataSet)?.files,
    compared(own, files) {
      const other = comparedRecording(session, own.info, files);
      return typeof other === "object" ? comparedScope(own, other) : (other ?? "It was compared with itself.");
    },
  };
}

/** What a recording is called that need not be open. */
export function comparedName(session: Session, files: readonly string[]): string {
  const info = session.dataSets.find((candidate) => hasFiles(candidate, files));
  return shorten(info?.name ?? fileName(files), 200);
}

/** Asks which recording to compare with; one more may be opened. @returns its files; undefined where the user went back */
export async function pickCompared(session: Session, own: DataSetInfo): Promise<readonly string[] | undefined> {
  const others = session.dataSets.filter(({ id }) => id !== own.id);
  const open: vscode.QuickPickItem & { info?: DataSetInfo } = {
    label: "$(folder-opened) Open another recording…",
    alwaysShow: true,
  };
  const items = others.map((info) => ({ label: info.name, description: info.format.label, info }));
  const chosen = await vscode.window.showQuickPick([...items, open], { title: `Compare ${own.name} with` });
  if (!chosen) return undefined;
  if (chosen.info) return chosen.info.files;
  const before = new Set(session.dataSets.map(({ id }) => id));
  await vscode.commands.executeCommand("heatflow.open");
  return session.dataSets.find(({ id }) => !before.has(id))?.files;
}

function fileName([file = "The recording"]: readonly string[]): string {
  return shorten(file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1), 200);
}

/** Whether a data set came from exactly these files. */
export function hasFiles(dataSet: DataSetInfo, files: readonly string[]): boolean {
  return dataSet.files.length === files.length && dataSet.files.every((file, at) => file === files[at]);
}
