/** Which open recording a panel's own is compared with. */
import type { DataSetInfo } from "../../engine/api";
import type { Session } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";
import type { GraphWorld } from "./pinnedSubjects";
import type { ScopedDataSet } from "../../session/comparedScopes";
import { comparedScope } from "../superGraph/splitPlan";
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

function fileName([file = "The recording"]: readonly string[]): string {
  return shorten(file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1), 200);
}

/** Whether a data set came from exactly these files. */
export function hasFiles(dataSet: DataSetInfo, files: readonly string[]): boolean {
  return dataSet.files.length === files.length && dataSet.files.every((file, at) => file === files[at]);
}
