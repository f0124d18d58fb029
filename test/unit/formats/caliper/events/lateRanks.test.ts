/** Processes that begin before `MPI_Init` says which rank they have, in runs of which some ranks have no file. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { summaryPlaces } from "../../../../../src/engine/traces/summaryPlaces";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { plain, readFixture } from "../../formatLaws";
import { makeFile, type RandomProgram, randomProgram, textOf } from "../randomProgram";

/** The run of ranks 0 and 3 of four. @param isLate the first records of each thread have no rank */
async function run(programs: readonly RandomProgram[], isLate: boolean): Promise<DataSet[]> {
  const files = programs.map(({ threads, hasLengths }, at): [string, string] => {
    const file = makeFile({ rank: 3 * at, threads, hasLengths }, isLate);
    return [`${at}.cali`, textOf(file, file.records)];
  });
  return readFixture(caliper, Object.fromEntries(files), { open: files.map(([name]) => name) });
}

it("give the run that they give if each record has its rank", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(randomProgram(), randomProgram()), async (programs) => {
      const [dataSet, ...others] = await run(programs, true);
      expect(others).toEqual([]);
      expect(dataSet.warnings.map(({ message }) => message)).toContain("files of 2 of 4 ranks are missing: 1–2");
      const { trace } = dataSet;
      if (trace === undefined) throw new Error("no trace");
      expect(trace.lanes.filter(({ name }) => name.startsWith("process"))).toEqual([]);
      const { mainLanes } = summaryPlaces(dataSet, trace, undefined);
      expect(mainLanes.length).toBeLessThanOrEqual(2);
      expect(await plain([dataSet])).toEqual(await plain(await run(programs, false)));
    }),
  );
});
