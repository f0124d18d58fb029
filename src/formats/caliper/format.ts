/**
 * Caliper: `.cali`, and the json and json-split that `cali-query` makes of it. A run is one file, or one per rank.
 *
 * What recordings have beside what is described of them: nodes of metadata may be of an attribute that is defined later; up to
 * version 2.5 a ratio is named `a/b`, without `ratio#`; classic Caliper wrote one file per rank with no rank inside.
 *
 * What this format cannot say:
 * - Source lines, unless samples were taken and their addresses looked up. Regions are found in the source by their names.
 * - Before 2.10: the unit of a time, and which numbers add up. Names and values tell (`assemble/units.ts`).
 * - Which rank a file is of, where classic Caliper wrote one per rank: only the user knows whether they are ranks or runs.
 * - Values per rank, once a query has aggregated over ranks: one value stands for all.
 * - In json and json-split: which attribute a region of a path was of. In json-split the last digits of nanoseconds since 1970.
 * - Both sides of a message outside the world's communicator: a peer is a number inside the communicator.
 * - The number of a GPU, only an identifier; and in files that join processes, which of them started when.
 */
import type { DataSet } from "../../model/dataSet";
import { readEach } from "../fileJobs";
import type { Format } from "../format";
import { closeTraces } from "../reading";
import { assemble } from "./assemble/assemble";
import { caliperFile, formOf } from "./caliperFile";
import { readCaliperRuns } from "./caliperRun";
import type { Recording } from "./decode/recording";
import { settleRankFiles } from "./assemble/rankFiles";
import { runName, runsOf } from "./assemble/runs";

const read: Format["read"] = async (files, context, task) => {
  const recordings: Recording[] = [];
  const names = new Map<string, string>();
  const take = (recording: Recording) => {
    recording.settle(names);
    recordings.push(recording);
  };
  const dataSets: DataSet[] = [];
  try {
    await readEach(caliperFile, files, context, take, task);
    settleRankFiles(recordings, context.answer);
    const runs = runsOf(recordings);
    for (const run of runs) dataSets.push(await assemble(runName(run, runs.length), run, task));
    return dataSets;
  } catch (problem) {
    await Promise.allSettled(recordings.map((recording) => recording.discard()));
    await closeTraces(dataSets);
    throw problem;
  }
};

export const caliper: Format = {
  id: "caliper",
  label: "Caliper (.cali, json, json-split)",
  named: /\.cali(?:\.gz)?$/i,
  recognizes: (head) => formOf(head) !== undefined,
  read,
  readRuns: readCaliperRuns(read),
};
