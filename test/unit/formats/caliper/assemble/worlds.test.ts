import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { readFixture } from "../../formatLaws";
import { attribute } from "../caliFixtures";
import { CaliWriter, channel, durationNs, rank, regions, worldSize, type WrittenAttribute } from "../caliWriter";

/** The file of one rank. @param size names the world's size */
function fileOf(own: number, size: readonly (readonly [WrittenAttribute, string])[]): string {
  const out = new CaliWriter();
  out.snapshot(
    [regions("main")],
    [
      [rank, own],
      [durationNs, 1000],
    ],
  );
  out.globals([[channel, "profile"], ...size]);
  return out.text();
}

const jobsize = attribute("jobsize", "int", 1612);

async function readAll(files: Readonly<Record<string, string>>): Promise<DataSet[]> {
  return readFixture(caliper, files, { open: Object.keys(files) });
}

function files(ranks: readonly number[], of: WrittenAttribute, size: string): Record<string, string> {
  return Object.fromEntries(ranks.map((own) => [`profile-${own}.cali`, fileOf(own, [[of, size]])]));
}

describe("files of one world", () => {
  it.each([
    ["mpi.world.size", worldSize],
    ["jobsize, as Adiak names it", jobsize],
  ])("are told to be incomplete by %s", async (_, size) => {
    const [dataSet, ...others] = await readAll(files([0, 1, 4, 6, 7], size, "8"));
    expect(others).toEqual([]);
    expect(dataSet.warnings).toEqual([{ message: "files of 3 of 8 ranks are missing: 2–3, 5" }]);
    const [whole] = await readAll(files([0, 1, 2], size, "3"));
    expect(whole.warnings).toEqual([]);
  });

  it.each([
    ["mpi.world.size", worldSize],
    ["jobsize", jobsize],
  ])("are not those that a larger job left, by %s", async (_, size) => {
    const left = files([4, 5, 6, 7], size, "8");
    const dataSets = await readAll({ ...left, ...files([0, 1, 2, 3], size, "4") });
    expect(dataSets.map(({ files: { length }, warnings }) => [length, warnings.map(({ message }) => message)])).toEqual(
      [
        [4, []],
        [4, ["files of 4 of 8 ranks are missing: 0–3"]],
      ],
    );
    expect(dataSets[0].locations.map((place) => place.rank)).toEqual([0, 1, 2, 3]);
  });
});
