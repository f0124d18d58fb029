import type { ColumnFiles } from "../../../model/columnFile";
import type { DataSet, Hierarchy } from "../../../model/dataSet";
import type { Task } from "../../../model/task";
import { type ByteSource, PieceWindow } from "../../byteSource";
import { Recording } from "./recording";

/**
 * Reads one of Caliper's forms.
 *
 * @param columnFiles storage for columns of events. undefined if none are needed yet
 * @throws FormatError, CancelledError
 */
export type ReadForm = (
  source: ByteSource,
  hierarchy: Hierarchy,
  task: Task,
  pieceBytes?: number,
  columnFiles?: ColumnFiles,
) => Promise<Recording>;

/**
 * A recording of one file, in any of Caliper's forms. Its storage is freed if reading fails.
 *
 * @param read adds the file's content to the recording
 * @throws FormatError, CancelledError
 */
export async function readRecording(
  format: DataSet["format"],
  source: ByteSource,
  hierarchy: Hierarchy,
  task: Task,
  pieceBytes: number | undefined,
  columnFiles: ColumnFiles | undefined,
  read: (recording: Recording, window: PieceWindow) => Promise<void>,
): Promise<Recording> {
  const recording = new Recording(source.name, hierarchy, format, source.modifiedAt, columnFiles);
  const window = new PieceWindow(source, task, pieceBytes);
  try {
    await read(recording, window);
    await recording.close(task);
    if (recording.records === 0) recording.warn("empty", "the recording holds no records: nothing was measured");
    return recording;
  } catch (problem) {
    await recording.discard();
    throw problem;
  } finally {
    await window.settle();
  }
}
