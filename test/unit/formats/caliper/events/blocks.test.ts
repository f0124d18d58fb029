import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import { joinBlocks, joinEarly } from "../../../../../src/formats/caliper/events/joinedBlocks";
import { LooseRows } from "../../../../../src/formats/caliper/events/looseEnds";
import { RecordedLengths, RegionEvents } from "../../../../../src/formats/caliper/events/regionEvents";
import { ThreadBlocks } from "../../../../../src/formats/caliper/events/threadBlocks";
import { memoryColumnFiles } from "../../../../../src/formats/memoryColumns";
import type { DataSet } from "../../../../../src/model/dataSet";
import { CancelledError } from "../../../../../src/model/errors";
import { quietTask, type Task, taskOf } from "../../../../../src/model/task";
import { plain, readFixture, type ReadOptions } from "../../formatLaws";
import { type MadeFile, makeFile, type RandomProgram, randomProgram, rearranged, textOf } from "../randomProgram";
import { region } from "../caliWriter";
import { EventWriter } from "../traceFixtures";
import { eventRows } from "../traceRows";

async function read(text: string, options?: ReadOptions): Promise<DataSet> {
  const [dataSet] = await readFixture(caliper, { "one.cali": text }, options);
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

  it("in any order give the same data set where hardly any memory may be taken", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram(), cuts, keys, async (program, places, order) => {
        const file = makeFile(program);
        const whole = await plain([await read(textOf(file, file.records))]);
        const text = textOf(file, rearranged(file.records, places, order));
        const columnFiles = { ...memoryColumnFiles, memoryBytes: 1 };
        expect(await plain([await read(text, { columnFiles, pieceBytes: 200 })])).toEqual(whole);
      }),
    );
  });

  it("of one record each are counted in any order as in that of time", async () => {
    const writer = new EventWriter(0).begin(region, "main", 1);
    for (let at = 0; at < 3; at++) writer.begin(region, `f${at}`, 2 + 2 * at).end(3 + 2 * at);
    const lines = writer.end(10).text().split("\n").slice(0, -1);
    const snapshots = lines.filter((line) => line.startsWith("__rec=ctx"));
    const [begun, ended, inner] = [snapshots[0], snapshots[snapshots.length - 1], snapshots.slice(1, -1)];
    const last = 300_000;
    const records = Array.from({ length: last + 1 }, (_, at) => {
      const line = at === 0 ? begun : at === last ? ended : inner[(at - 1) % inner.length];
      return line.replace(/=\d+=\d+$/, `=${100 + at}=1`);
    });
    const shuffled = [...records];
    for (let at = last; at > 0; at--) {
      // Some order that is the same in every run of the test.
      const other = (at * 2_654_435_761) % (at + 1);
      [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
    }
    const counted = async (ordered: readonly string[]) => {
      const [nodes, globals] = [lines.filter((line) => line.startsWith("__rec=node")), lines.slice(-1)];
      const text = [...nodes, ...ordered, ...globals].map((line) => `${line}\n`).join("");
      const { outline, warnings } = await read(text, { outlineOnly: true });
      return { outline, begun: warnings.filter(({ message }) => message.includes("began")) };
    };
    const { outline, begun: none } = await counted(records);
    expect([outline?.events, none]).toEqual([last / 2 + 1, []]);
    expect(await counted([...records].reverse())).toEqual({ outline, begun: [] });
    expect(await counted(shuffled)).toEqual({ outline, begun: [] });
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

  it("can be left while many of them are joined", () => {
    const count = 100_000;
    const joined = (task: Task, early: boolean) => {
      const [lengths, rows, thread] = [new RecordedLengths(), new LooseRows(), new ThreadBlocks()];
      const events = new RegionEvents(lengths, rows);
      const place = { place: 0, lane: 0, thread, attribute: "region", name: "f", around: -1, frame: 0, events };
      for (let seconds = 2 * count; seconds > 0; seconds--) {
        thread.startBlock(seconds);
        if (seconds % 2 === 0) events.end(seconds, Number.NaN, thread.block);
        else events.begin(seconds, seconds, thread.block);
      }
      let ends = 0;
      const target = { end: () => ends++, missingEnd: () => ends++ };
      if (early) joinEarly([place], rows, lengths, target, task);
      else joinBlocks([place], lengths, target, task);
      return ends;
    };
    for (const early of [true, false]) {
      // Further blocks may meet the first and the last of them.
      expect(joined(quietTask, early)).toBe(early ? count - 2 : count);
      let checks = 0;
      const cancelled = taskOf(
        () => ++checks > 3,
        () => undefined,
      );
      expect(() => joined(cancelled, early)).toThrow(CancelledError);
    }
  });
});
