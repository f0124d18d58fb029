/**
 * HPCToolkit databases up to 2022: `experiment.xml` 2.0 to 2.2, with values and traces of threads in files beside it. Whichever
 * of its files is opened, the database is read once.
 *
 * What a database of 2011 has otherwise than those of 2012 on: traces of version 01.00 have no flags, their samples begin at byte
 * 24; a `MetricDB` says only in its name, `(I)` or `(E)`, what its values are; times are microseconds.
 *
 * What this format cannot say:
 * - Exclusive values that add up: its own repeat those of statements at their loop and procedure. They are made of the inclusive ones.
 * - More than six digits of a value in the XML; values of threads are whole in `.metric-db` files.
 * - Ranks and threads, but in the names of those files. Thread numbers from 500 on are GPU streams.
 * - When a call began or ended: traces are samples. Messages, counters and hosts are not there.
 */
import path from "node:path";
import { FormatError } from "../../../model/errors";
import { compareText } from "../../../model/strings";
import { headText, isXml } from "../../cursor";
import type { Format, Head, ReadContext, RecordingFile } from "../../format";
import { collectDataSets } from "../../reading";
import { isThreadFile } from "./scan/companions";
import { FORMAT, readDatabase } from "./assemble/database";
import { isRankValues } from "./assemble/rankValues";

const ROOT = "<HPCToolkitExperiment";

export const hpctoolkitV2: Format = {
  ...FORMAT,
  recognizes: ({ bytes }) => isExperiment(bytes) || isThreadFile(bytes) || isRankValues(bytes),
  async read(files, context, task) {
    const databases = await databasesOf(files, context);
    return collectDataSets(async (dataSets) => {
      for (const [index, entry] of databases.entries()) {
        const part = context.part(index, databases.length, entry.file);
        const dataSet = await context.attempt(entry, () => readDatabase(entry.file, entry.siblings, context, part));
        if (dataSet) dataSets.push(dataSet);
        task.check();
      }
    });
  },
};

/** Declarations may stand before the root element; nothing else may. */
function isExperiment(head: Head["bytes"]): boolean {
  const text = headText(head);
  return isXml(text) && text.includes(ROOT);
}

/** The `experiment.xml` of each file, each once. @throws FormatError for a file that was named and has none beside it */
async function databasesOf(files: readonly RecordingFile[], context: ReadContext): Promise<RecordingFile[]> {
  const found = new Map<string, RecordingFile>();
  const folders = new Map<string, RecordingFile>();
  for (const entry of files) {
    if (isExperiment((await context.head(entry.file)).bytes)) found.set(entry.file, entry);
    else if (!folders.has(path.dirname(entry.file)) || entry.named) folders.set(path.dirname(entry.file), entry);
  }
  for (const [folder, entry] of folders) {
    if ([...found.keys()].some((file) => path.dirname(file) === folder)) continue;
    const experiment = await context.attempt(entry, () => experimentBeside(entry, context));
    if (experiment) found.set(experiment.file, experiment);
  }
  return [...found.values()].sort((a, b) => compareText(a.file, b.file));
}

async function experimentBeside(
  { file, named, siblings }: RecordingFile,
  context: ReadContext,
): Promise<RecordingFile> {
  const folder = path.dirname(file);
  for (const name of siblings) {
    if (!name.endsWith(".xml")) continue;
    const candidate = path.join(folder, name);
    if (isExperiment((await context.head(candidate)).bytes)) return { file: candidate, named, siblings };
  }
  throw new FormatError({
    file,
    found: "values or a trace of threads, without the experiment.xml that says what they mean",
    expected: "experiment.xml in the same folder",
    advice: "Copy the whole database folder.",
  });
}
