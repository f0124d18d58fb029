import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { plain, readFixture } from "../../formatLaws";
import { type MadeFile, makeFile, type RandomProgram, randomProgram, rearranged, textOf } from "../randomProgram";
import { eventRows } from "../traceRows";

async function read(text: string): Promise<DataSet> {
  const [dataSet] = await readFixture(caliper, { "one.cali": text });
  return dataSet;
}

/** Lane, name, begin and end of each event, in nanoseconds from the first record on. */
async function spansOf(dataSet: DataSet): Promise<string[]> {
  const rows = (await eventRows(dataSet)).map((row) => row.split(" | "));
  return rows.map(([lane, name, , start, end]) => [lane, name, start, end].join(" | ")).sort();
}

function spansMade({ events }: MadeFile): string[] {
  return events.map(({ lane, name, start, end }) => [lane, name, start, end].join(" | ")).sort();
}

const cuts = fc.array(fc.nat(200), { maxLength: 8 });
const keys = fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { minLength: 9, maxLength: 9 });

describe("blocks of event records", () => {
  it("in any order give the events that the program had", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram(), cuts, keys, async (program, places, order) => {
        const file = makeFile(program);
        const dataSet = await read(textOf(file, rearranged(file.records, places, order)));
        expect(await spansOf(dataSet)).toEqual(spansMade(file));
        expect(dataSet.warnings.map(({ message }) => message).filter((one) => one.includes("began"))).toEqual([]);
      }),
    );
  });

  it("in any order give the same data set, bit for bit", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram(), cuts, keys, async (program, places, order) => {
        const file = makeFile(program);
        const whole = await plain([await read(textOf(file, file.records))]);
        expect(await plain([await read(textOf(file, rearranged(file.records, places, order)))])).toEqual(whole);
      }),
    );
  });

  it("written last block first, as Caliper does, have no region that began before the trace", async () => {
    const acts = Array.from({ length: 40 }, (_, at) => ({
      kind: at % 4 < 2 ? ("begin" as const) : ("end" as const),
      of: 0,
      name: at % 4 === 0 ? "main" : "f",
      after: 5,
    }));
    const program: RandomProgram = {
      rank: 0,
      hasLengths: false,
      threads: [{ thread: undefined, unranked: 3, acts: [{ kind: "begin", of: 0, name: "main", after: 1 }, ...acts] }],
    };
    const file = makeFile(program);
    const blocks = [file.records.slice(0, 11), file.records.slice(11, 23), file.records.slice(23)];
    const dataSet = await read(textOf(file, blocks.reverse().flat()));
    expect(dataSet.trace?.lanes.map(({ name }) => name)).toEqual(["rank 0"]);
    expect(dataSet.locations.map(({ rank }) => rank)).toEqual([0]);
    expect(await spansOf(dataSet)).toEqual(spansMade(file));
  });
});
