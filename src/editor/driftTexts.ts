/** What is said where a file is not what was recorded (semantics 4, Edits). Pure. */
import type { Drift } from "../engine/api";
import { counted } from "../model/texts";

/** @returns undefined where there is nothing to say */
export function driftText(drift: Drift): string | undefined {
  const parts: string[] = [];
  if (drift.newerThanRecording)
    parts.push("this file is newer than the recording: the costs may be those of older code");
  if (drift.movedLines > 0) parts.push(`${counted(drift.movedLines, "line")} with cost moved with your edits`);
  if (drift.lostLines > 0)
    parts.push(`${counted(drift.lostLines, "line")} with cost ${drift.lostLines === 1 ? "is" : "are"} gone`);
  return parts.length === 0 ? undefined : parts.join("; ");
}
