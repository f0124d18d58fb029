import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import { MessageEnds } from "../../../../../src/formats/caliper/events/messageEnds";
import { joinMessages } from "../../../../../src/formats/trace/messages";
import { Recording } from "../../../../../src/formats/caliper/decode/recording";
import type { DataSet } from "../../../../../src/model/dataSet";
import { CancelledError } from "../../../../../src/model/errors";
import { NONE } from "../../../../../src/model/ids";
import { quietTask, taskOf } from "../../../../../src/model/task";
import { formatLaws, plain, readFixture } from "../../formatLaws";
import { attribute } from "../caliFixtures";
import { loop, mpiFunction, region } from "../caliWriter";
import { traceNaively } from "../naiveTrace";
import { EventWriter, ranksOfTrace } from "../traceFixtures";
import { eventRows, messageRows, naiveEventRows, naiveMessageRows, nanoseconds } from "../traceRows";

const ranks = ranksOfTrace();
const [, withMarks] = Object.values(ranks);

formatLaws(caliper, { "events of one rank": { "1.cali": withMarks } }, undefined, 0.2);

async function readAll(files: Record<string, string>, names = Object.keys(files)): Promise<DataSet> {
  const dataSets = await readFixture(caliper, files, { open: names });
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

async function readOne(text: string): Promise<DataSet> {
  return readAll({ "one.cali": text });
}

describe("event traces", () => {
  it("of several ranks are on one clock, to the nanosecond, each event with its context", async () => {
    const dataSet = await readAll(ranks);
    const naive = traceNaively(Object.values(ranks));
    expect(dataSet.trace?.zeroNanoseconds).toBe(1_795_233_161_999_999_999n);
    expect(dataSet.trace?.zeroNanoseconds).toBe(naive.zero);
    expect(await eventRows(dataSet)).toEqual(naiveEventRows(naive));
    expect(dataSet.trace?.lanes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "rank 0 intervals",
      "rank 1 intervals",
      "rank 1: name instants",
      "rank 2 intervals",
    ]);
    expect(dataSet.topology?.resources.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "process rank 0",
      "process rank 1",
      "process rank 2",
    ]);
  });

  it("do not depend on the order of files", async () => {
    const names = Object.keys(ranks);
    const forward = await plain([await readAll(ranks, names)]);
    expect(await plain([await readAll(ranks, [...names].reverse())])).toEqual(forward);
  });

  it("go by their times if recorded lengths contradict them, however few events there are", async () => {
    const inclusive = attribute("time.inclusive.duration.ns", "uint", 85, { "time.unit": "nsec" });
    const endOfSolve = attribute("event.end#region", "string", 84);
    for (const [events, tooLong] of [
      [1, 1],
      [3, -1],
      [40, 33],
    ]) {
      const writer = new EventWriter(0);
      const expected: string[] = [];
      for (let start = 0; start < 100 * events; start += 100) {
        writer.begin(region, "solve", start);
        writer.record(
          [
            [
              [region, "solve"],
              [endOfSolve, "solve"],
            ],
          ],
          [[inclusive, 60 + tooLong]],
          start + 60,
        );
        writer.leave();
        expected.push(`rank 0 | solve | ["solve"] | ${start} | ${start + 60} | 0`);
      }
      const dataSet = await readOne(writer.text());
      expect(await eventRows(dataSet)).toEqual(expected.sort());
      expect(dataSet.warnings.filter(({ message }) => message.includes("began"))).toEqual([]);
    }
  });

  it("leave the profile as it is", async () => {
    const dataSet = await readAll(ranks);
    expect(dataSet.metrics.map(({ name }) => name)).toEqual(["time.duration.ns"]);
    const total = dataSet.values[0].value.reduce((sum, value) => sum + value, 0);
    expect(nanoseconds(total)).toBe(61 + 400 + 227_487_310);
  });

  it("join sends with receives in the order of sending, and keep what has no other side", async () => {
    const dataSet = await readAll(ranks);
    expect(await messageRows(dataSet)).toEqual(naiveMessageRows(traceNaively(Object.values(ranks))));
    // By hand: zero is the start of rank 2, so ranks 0 and 1 are 227,487,160 and 227,487,159 ns late.
    expect(await messageRows(dataSet)).toEqual(
      [
        "rank 0 | rank 1 | 2048 | 7 | 227487193 | 227487203",
        "rank 0 | rank 1 | 64 | 7 | 227487198 | 227487204",
        "rank 0 | rank 2 | 8 | 1 | 227487199 | 227487299",
        "rank 0 | rank 2 | 8 | 1 | 227487200 | ?",
        "rank 2 | rank 1 | 16 | 0 | ? | 227487205",
      ].sort(),
    );
    // The last one was received, but nobody says that it was sent.
    expect(dataSet.trace?.messages).toEqual({ count: 4, bytes: 2048 + 64 + 8 + 8 });
  });

  it("name no rank where a number inside another communicator is all that is known", async () => {
    const one = new EventWriter(0).begin(region, "main", 1).send(1, 4, 9, 2, "false").end(3).text();
    const dataSet = await readOne(one);
    expect(await messageRows(dataSet)).toEqual(["rank 0 | ? | 4 | 9 | 2 | ?"]);
    expect(dataSet.warnings.map(({ message }) => message).join()).toMatch(/communicators other than the world's/);
  });

  it("know ranks of which no file was opened", async () => {
    const one = new EventWriter(0).begin(region, "main", 1).send(5, 4, 9, 2).end(3).text();
    expect(await messageRows(await readOne(one))).toEqual(["rank 0 | rank 5 | 4 | 9 | 2 | ?"]);
  });

  it("make a counter of a number that is set, and an instant of a text", async () => {
    const dataSet = await readOne(withMarks);
    const { trace, frames } = dataSet;
    expect(trace?.counters).toMatchObject([{ name: "phase", points: 1, minimum: 3, maximum: 3 }]);
    const lane = trace?.lanes.findIndex(({ kind }) => kind === "instants") ?? NONE;
    const marks = await trace?.readEvents(lane, 0, 10);
    expect(marks && frames.nameOf(marks.frame[0])).toBe("name = warm up");
    expect(marks?.startSeconds[0]).toBeCloseTo(14e-9, 15);
  });

  it("give attributes that are no regions lanes of their own, since they need not nest", async () => {
    const color = attribute("color", "string", 20);
    const text = new EventWriter(undefined)
      .begin(region, "main", 1)
      .begin(color, "red", 2)
      .begin(region, "inner", 3)
      .end(5)
      .end(6)
      .end(7)
      .text();
    expect(await eventRows(await readOne(text))).toEqual([
      'process | inner | ["main","inner"] | 3 | 5 | 1',
      'process | main | ["main"] | 1 | 7 | 0',
      "process: color | color = red | [] | 2 | 6 | 0",
    ]);
  });

  it("say what a category is for", async () => {
    const runtime = attribute("cupti.runtimeAPI", "string", 276);
    const text = new EventWriter(undefined)
      .begin(region, "main", 1)
      .begin(runtime, "cudaLaunchKernel", 2)
      .end(3)
      .begin(mpiFunction, "MPI_Send", 4)
      .end(5)
      .begin(loop, "step", 6)
      .end(7)
      .begin(attribute("io.region", "string", 276), "write", 8)
      .end(9)
      .end(10)
      .text();
    expect((await readOne(text)).trace?.categories).toEqual(
      expect.arrayContaining([
        { name: "region", kind: "compute" },
        { name: "loop", kind: "compute" },
        { name: "mpi.function", kind: "communication" },
        { name: "cupti.runtimeAPI", kind: "runtime" },
        { name: "io.region", kind: "io" },
      ]),
    );
  });

  it("say where clocks cannot be aligned", async () => {
    const started = { seconds: "100", nanoseconds: "5" };
    const known = new EventWriter(0, started).begin(region, "main", 1).end(2).text();
    const unknown = new EventWriter(1).begin(region, "main", 1).end(2).text();
    const some = await readAll({ "0.cali": known, "1.cali": unknown });
    expect(some.warnings).toEqual([
      { message: expect.stringContaining("does not say when it was started"), file: "/test/1.cali" },
      { message: "files of 1 of 3 ranks are missing: 2" },
    ]);
    // As of cali-query, which merges the files of several ranks: it keeps each start, but not whose it was.
    const joined = new EventWriter(0, started).begin(region, "main", 1).end(2);
    joined.out.globals([[attribute("starttime.nsec", "uint", 1612), "77"]]);
    const dataSet = await readOne(joined.text());
    expect(dataSet.warnings.map(({ message }) => message).join()).toMatch(/joins several processes/);
    expect(dataSet.trace?.zeroNanoseconds).toBeUndefined();
    expect(await eventRows(dataSet)).toEqual(['rank 0 | main | ["main"] | 1 | 2 | 0']);
  });

  it("of attributes that nothing defines go by their names", async () => {
    const color = attribute("color", "string", 20);
    const begun = new EventWriter(undefined).begin(region, "main", 1).text();
    expect(await eventRows(await readOne(begun))).toEqual(['process | main | ["main"] | 1 | 1 | 0']);
    const other = new EventWriter(undefined).begin(color, "red", 1).text();
    expect(await eventRows(await readOne(other))).toEqual(["process: color | color = red | [] | 1 | 1 | 0"]);
  });

  it("can be left while messages are joined", () => {
    const ends = (rank: number) => {
      const recording = new Recording("x.cali", "combined", { id: "x", label: "x" });
      const location = recording.location(rank, NONE, NONE);
      const messages = new MessageEnds(recording);
      const step = { clock: 0, perSecond: 1, peer: 1, tag: 2, bytes: 3, world: true };
      for (let at = 0; at < 10_000; at++)
        messages.take({ ...step, sent: rank === 0 }, location, Float64Array.of(at, 1 - rank, at % 7, 8));
      return { ends: messages, shiftSeconds: 0 };
    };
    const parts = [ends(0), ends(1)];
    let told = 0;
    joinMessages(parts, () => told++, quietTask);
    expect(told).toBe(10_000);
    let checks = 0;
    const cancelled = taskOf(
      () => ++checks > 4,
      () => undefined,
    );
    expect(() => joinMessages(parts, () => told++, cancelled)).toThrow(CancelledError);
  });

  it("end where none began without a lane going wrong, and that is said once, with their number", async () => {
    // As of a trace that was switched on while `main` ran.
    const text = (of: number | undefined, deep: number) => {
      const writer = new EventWriter(of);
      for (let at = 0; at < deep; at++) writer.begin(region, `main${at || ""}`, 1);
      writer.begin(region, "inner", 2).end(3);
      for (let at = 0; at < deep; at++) writer.end(4);
      const lines = writer.text().split("\n");
      const records = lines.flatMap((line, at) => (line.startsWith("__rec=ctx") ? [at] : [])).slice(0, deep);
      return lines.filter((_, at) => !records.includes(at)).join("\n");
    };
    const dataSet = await readOne(text(undefined, 1));
    expect(await eventRows(dataSet)).toEqual(['process | inner | ["main","inner"] | 2 | 3 | 0']);
    const said = ({ warnings }: DataSet) => warnings.map(({ message }) => message);
    expect(said(dataSet)).toEqual(["1 region began before the trace: its end is left out"]);
    const [of0, of1] = [text(0, 30), text(1, 5)];
    expect(said(await readAll({ "0.cali": of0, "1.cali": of1 })).filter((one) => one.includes("began"))).toEqual([
      "35 regions began before the trace: their ends are left out",
    ]);
  });

  it("of 100,000 regions inside each other are read like any other", async () => {
    const writer = new EventWriter(undefined);
    const lines: string[] = [writer.begin(region, "r", 1).text()];
    const text = lines.join("");
    const begin = /^__rec=ctx,(ref=\d+),(.*data=)1=1$/m.exec(text);
    expect(begin).not.toBeNull();
    // The same begin record again and again: the path says nothing of how deep it is.
    const many = Array.from({ length: 100_000 }, (_, at) => `__rec=ctx,${begin?.[1]},${begin?.[2]}${at + 2}=1\n`);
    const [head, tail] = text.split(/(?=__rec=globals)/);
    const dataSet = await readOne(head + many.join("") + tail);
    expect(dataSet.trace?.events).toBe(100_001);
    expect(dataSet.trace?.endSeconds).toBeCloseTo(100_001e-9, 12);
  });

  it("with hostile names and times are read", async () => {
    const text = new EventWriter(undefined)
      .begin(region, "__proto__", 1)
      .begin(region, "<img src=x>", 2)
      .begin(region, "x".repeat(100_000), 2)
      .begin(attribute("constructor", "string", 20), "__proto__", 3)
      .end(4)
      .end(5)
      .end(6)
      .end(9_007_199_254_740_991)
      .text();
    const dataSet = await readOne(text);
    expect((await eventRows(dataSet)).map((row) => row.slice(0, 40))).toHaveLength(4);
    expect(dataSet.trace?.endSeconds).toBeCloseTo(9_007_199.254740991, 6);
    const broken = await readOne(text.replace(/=9007199254740991=/, "=nan="));
    expect(broken.warnings.map(({ message }) => message)).toEqual([
      "events have times that are no numbers: those events are left out",
    ]);
  });
});
