import type { ColumnFiles } from "../../model/columnFile";
import type { DataSet, Hierarchy } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import { eventColumns, type Format, type Head } from "../format";
import { assemble } from "./assemble";
import { isCali, readCali } from "./cali";
import { isJsonRecords, readJsonRecords } from "./jsonRecords";
import { isJsonSplit, readJsonSplit } from "./jsonSplit";
import type { Recording } from "./recording";
import { runName, runsOf } from "./runs";

/** One of the forms in which Caliper writes. */
interface Form {
  recognizes(head: Uint8Array): boolean;
  read(
    source: ByteSource,
    hierarchy: Hierarchy,
    task: Task,
    pieceBytes?: number,
    columnFiles?: ColumnFiles,
  ): Promise<Recording>;
}

const forms: readonly Form[] = [
  { recognizes: isCali, read: readCali },
  { recognizes: isJsonSplit, read: readJsonSplit },
  { recognizes: isJsonRecords, read: readJsonRecords },
];

const formOf = ({ bytes }: Head) => forms.find((form) => form.recognizes(bytes));

/** Caliper: `.cali`, and what `cali-query` makes of it. A run is one file, or one a rank. */
export const caliper: Format = {
  id: "caliper",
  label: "Caliper (.cali, json, json-split)",
  recognizes: (head) => formOf(head) !== undefined,
  async read(files, context, task) {
    const recordings: Recording[] = [];
    const dataSets: DataSet[] = [];
    try {
      for (const [index, entry] of files.entries()) {
        const recording = await context.attempt(entry, async () => {
          const form = formOf(await context.head(entry.file));
          if (form === undefined) throw ofNoForm(entry.file);
          const source = await context.open(entry.file);
          try {
            const part = context.part(index, files.length, entry.file);
            return await form.read(source, context.hierarchy, part, undefined, eventColumns(context));
          } finally {
            await source.close();
          }
        });
        if (recording) recordings.push(recording);
      }
      const runs = runsOf(recordings);
      for (const run of runs) dataSets.push(await assemble(runName(run, runs.length), run, task));
      return dataSets;
    } catch (problem) {
      await Promise.allSettled([
        ...recordings.map((recording) => recording.discard()),
        ...dataSets.map(({ trace }) => trace?.close()),
      ]);
      throw problem;
    }
  },
};

function ofNoForm(file: string): FormatError {
  return new FormatError({
    file,
    at: { byte: 0 },
    found: "none of the forms that Caliper writes",
    expected: "records of a .cali file, or json of one of its forms",
    advice: "The file may be empty, or was replaced while it was opened: look at it, and open it again.",
  });
}
