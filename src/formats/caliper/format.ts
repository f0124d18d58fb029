import type { Hierarchy } from "../../model/dataSet";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import type { Format, Head } from "../format";
import { assemble } from "./assemble";
import { isCali, readCali } from "./cali";
import { isJsonSplit, readJsonSplit } from "./jsonSplit";
import type { Recording } from "./recording";
import { runName, runsOf } from "./runs";

/** One of the forms in which Caliper writes. */
interface Form {
  recognizes(head: Uint8Array): boolean;
  read(source: ByteSource, hierarchy: Hierarchy, task: Task): Promise<Recording>;
}

const forms: readonly Form[] = [
  { recognizes: isCali, read: readCali },
  { recognizes: isJsonSplit, read: readJsonSplit },
];

const formOf = ({ bytes }: Head) => forms.find((form) => form.recognizes(bytes));

/** Caliper: `.cali`, and what `cali-query` makes of it. A run is one file, or one a rank. */
export const caliper: Format = {
  id: "caliper",
  label: "Caliper (.cali, json-split)",
  recognizes: (head) => formOf(head) !== undefined,
  async read(files, context, task) {
    const recordings: Recording[] = [];
    for (const [index, entry] of files.entries()) {
      const recording = await context.attempt(entry, async () => {
        const form = formOf(await context.head(entry.file));
        const source = await context.open(entry.file);
        try {
          const part = context.part(index, files.length, entry.file);
          return await form?.read(source, context.hierarchy, part);
        } finally {
          await source.close();
        }
      });
      if (recording) recordings.push(recording);
    }
    const runs = runsOf(recordings);
    return runs.map((run) => assemble(runName(run, runs.length), run, task));
  },
};
