import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phaseSeries, phasesOf } from "../../../../src/engine/traces/phases";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { toldTrace } from "./toldTraces";

function framesOf(names: readonly string[]): FrameTable {
  const frames = new FrameTable(new StringTable());
  names.forEach((name, line) => frames.intern({ name, kind: "region", line: line + 1 }));
  return frames;
}

const phasesIn = async (frames: FrameTable, trace: Trace, series: string, most = 1000) =>
  phasesOf({ frames } as never, trace, { series, lanes: trace.lanes.map((_, lane) => lane), most }, quietTask);

interface Span {
  readonly name: string;
  readonly nth: number;
  readonly lane: number;
  readonly event: number;
  readonly start: number;
  readonly end: number;
}

/** The n-th of each name in all lanes, put together by looking at every pair. */
function together(spans: readonly Span[]) {
  const firsts = spans.filter(
    (one, at) => spans.findIndex((other) => other.name === one.name && other.nth === one.nth) === at,
  );
  return firsts.map(({ name, nth }) => {
    const own = spans.filter((one) => one.name === name && one.nth === nth);
    const lengths = own.map(({ start, end }) => end - start);
    const longest = own.find(({ start, end }) => end - start === Math.max(...lengths));
    return {
      name,
      nth,
      from: Math.min(...own.map(({ start }) => start)),
      to: Math.max(...own.map(({ end }) => end)),
      lanes: new Set(own.map(({ lane }) => lane)).size,
      mean: lengths.reduce((sum, one) => sum + one, 0) / own.length,
      longest: Math.max(...lengths),
      lane: longest?.lane,
      event: longest?.event,
    };
  });
}

describe("phases of a run", () => {
  it("are the n-th events of a name in all lanes, from the first begin to the last end", async () => {
    const names = ["iteration#step", "epoch#3", "iteration#step", "epoch#4", "init"];
    const frames = framesOf(names);
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.nat(4), async (told, most) => {
        const { trace } = await toldTrace(told);
        const lanes = naiveTrace(told).lanes;
        const spansOf = (isOf: (name: string) => boolean): Span[] =>
          lanes.flatMap(({ events, kind }, lane) =>
            events.flatMap(({ frame, start, end }, event) => {
              if (kind === "instants" || !isOf(names[frame])) return [];
              const nth = events.slice(0, event).filter((one) => names[one.frame] === names[frame]).length;
              return [{ name: names[frame], nth, lane, event, start, end }];
            }),
          );
        const cases = [
          [
            "iterations step",
            together(spansOf((name) => name === "iteration#step")),
            (nth: number) => `step ${nth + 1}`,
          ],
          ["steps epoch", together(spansOf((name) => name.startsWith("epoch"))), undefined],
        ] as const;
        for (const [series, expected, called] of cases) {
          const found = await phasesIn(frames, trace, series);
          const rows = found.name.map((name, at) => ({
            name,
            from: found.fromSeconds[at],
            to: found.toSeconds[at],
            lanes: found.lanes[at],
            mean: found.meanSeconds[at],
            longest: found.longestSeconds[at],
            lane: found.lane[at],
            event: found.event[at],
          }));
          const named = expected.map(({ name, nth, ...rest }) => ({
            ...rest,
            name: called ? called(nth) : nth === 0 ? name : `${name} (${nth + 1})`,
          }));
          const key = (row: (typeof rows)[number]) => JSON.stringify(row, Object.keys(row).sort());
          expect(rows.map(key).sort()).toEqual(named.map((row) => key(row as (typeof rows)[number])).sort());
          expect([...found.fromSeconds]).toEqual([...found.fromSeconds].sort((a, b) => a - b));
          const few = await phasesIn(frames, trace, series, most);
          expect(few.name).toEqual(found.name.slice(0, most));
          expect(few.more).toBe(Math.max(0, found.name.length - most));
        }
      }),
      { numRuns: casesOf(150) },
    );
  });

  it("are what a tool calls phases, what lanes do first of all, asynchronous events, and marks up to the next one", async () => {
    const frames = framesOf(["main", "setup", "run", "request", "start", "stop", "MPI_Finalize"]);
    const [main, setup, run, request, start, stop, finalize] = [0, 1, 2, 3, 4, 5, 6];
    const builder = new TraceBuilder(memoryColumnFiles);
    const [region, phase] = [builder.category("region", "compute"), builder.category("phase", "compute")];
    const resource = builder.resource({ name: "p", type: "process", parent: NONE, location: NONE });
    const lane = (name: string, location: number, kind: "intervals" | "instants" = "intervals") =>
      builder.lane({ name, resource, location, kind });
    const [one, two, async, marks] = [
      lane("rank 0", 0),
      lane("rank 1", 1),
      lane("p 7", NONE),
      lane("m", NONE, "instants"),
    ];
    for (const [of, late] of [
      [one, 0],
      [two, 1],
    ]) {
      builder.event(of, 0, 20, main, NONE, region);
      builder.event(of, 20, 20, finalize, NONE, builder.category("mpi.function", "communication"));
      builder.event(of, 1 + late, 5, setup, NONE, phase);
      builder.event(of, 6, 9 + late, run, NONE, region);
      builder.event(of, 12, 15, run, NONE, region);
    }
    builder.event(async, 3, 8, request, NONE, region);
    builder.event(marks, 4, 4, start, NONE, region);
    builder.event(marks, 16, 16, stop, NONE, region);
    const { trace } = await finishTrace([{ builder }], {}, quietTask);
    expect(phaseSeries({ frames } as never, trace).map(({ id, kind }) => [id, kind])).toEqual([
      ["phases", "phases"],
      ["regions", "regions"],
      ["tracks", "phases"],
      ["marks", "marks"],
    ]);
    const said = async (series: string) => {
      const { name, fromSeconds, toSeconds, lanes } = await phasesIn(frames, trace, series);
      return name.map((text, at) => [text, fromSeconds[at], toSeconds[at], lanes[at]]);
    };
    expect(await said("phases")).toEqual([["setup", 1, 5, 2]]);
    expect(await said("regions")).toEqual([
      ["setup", 1, 5, 2],
      ["run", 6, 10, 2],
      ["run (2)", 12, 15, 2],
    ]);
    expect(await said("tracks")).toEqual([["request", 3, 8, 1]]);
    expect(await said("marks")).toEqual([
      ["start", 4, 16, 1],
      ["stop", 16, 20, 1],
    ]);
    expect(await said("nothing of the kind")).toEqual([]);
  });
});
