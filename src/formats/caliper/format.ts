import type { DataSet } from "../../model/dataSet";
import { readEach } from "../fileJobs";
import type { Format } from "../format";
import { closeTraces } from "../reading";
import { assemble } from "./assemble/assemble";
import { caliperFile } from "./caliperFile";
import { formOf } from "./forms";
import type { Recording } from "./decode/recording";
import { runName, runsOf } from "./assemble/runs";

/** Caliper: `.cali`, and what `cali-query` makes of it. A run is one file, or one per rank. */
export const caliper: Format = {
  id: "caliper",
  label: "Caliper (.cali, json, json-split)",
  recognizes: (head) => formOf(head) !== undefined,
  async read(files, context, task) {
    const recordings: Recording[] = [];
    const dataSets: DataSet[] = [];
    try {
      await readEach(caliperFile, files, context, (recording) => recordings.push(recording), task);
      const runs = runsOf(recordings);
      for (const run of runs) dataSets.push(await assemble(runName(run, runs.length), run, task));
      return dataSets;
    } catch (problem) {
      await Promise.allSettled(recordings.map((recording) => recording.discard()));
      await closeTraces(dataSets);
      throw problem;
    }
  },
};
