import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { timelineMarks } from "../../../../src/engine/traces/timelineMarks";
import type { TimelineMarks, TimelineQuery } from "../../../../src/engine/traces/timelineApi";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../../../src/model/dataSet";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { naiveSpans } from "../../formats/trace/naiveSpans";
import { type NaiveEvent, naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { type NaiveMark, naiveMarks } from "./naiveMarks";
import { FRAME_NAMES, namedFrames, toldTrace } from "./toldTraces";

const window = fc.record({
  from: fc.integer({ min: -8, max: 60 }).map((quarter) => quarter / 4 + 0.07),
  length: fc.integer({ min: 1, max: 60 }).map((quarter) => quarter / 4),
  pixels: fc.constantFrom(4, 30, 300, 3000),
  look: fc.constantFrom("depth" as const, "state" as const),
});

describe("marks of a timeline", () => {
  it("are the events that have the room, and clusters of all others, as an independent scan finds them", async () => {
    const dataSet = { frames: namedFrames() } as DataSet;
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.array(window, { minLength: 1, maxLength: 3 }), async (told, windows) => {
        const { trace } = await toldTrace(told);
        const states = eventStates(dataSet, trace);
        const names = states.states.map(({ name, kind }) => `${name} ${kind}`);
        const naive = naiveTrace(told);
        for (const { from, length, pixels, look } of windows) {
          const lanes = naive.lanes.map((_, lane) => ({ lane, firstDepth: 0, depths: trace.depths(lane).rows }));
          const asked = { fromSeconds: from, toSeconds: from + length, pixelSeconds: length / pixels };
          const marks = await timelineMarks(trace, states, { dataSet: 0, look, ...asked, lanes }, quietTask);
          expect(marks.stepSeconds).toBeGreaterThanOrEqual(2 * asked.pixelSeconds);
          expect(marks.stepSeconds).toBeLessThan(4 * asked.pixelSeconds);
          expect(marks.fromSeconds).toBeLessThanOrEqual(asked.fromSeconds);
          expect(marks.toSeconds).toBeGreaterThanOrEqual(asked.toSeconds);
          const exponent = Math.log2(marks.stepSeconds);
          const expected = naive.lanes.flatMap(({ events, kind }, lane) =>
            rowsOf(events, look, kind).flatMap(({ row, depth }) =>
              naiveMarks(naiveSpans(events, row, exponent), exponent, (cell) => nameOf(cell, states, trace), names)
                .filter(
                  ({ start, end }) =>
                    start < marks.toSeconds && (start >= marks.fromSeconds || end > marks.fromSeconds),
                )
                .map((mark) => ({ lane, depth, ...mark })),
            ),
          );
          expect(plain(marks, names)).toEqual(expected);
        }
        await trace.close();
      }),
      { numRuns: casesOf(400) },
    );
  });

  it("get longer steps until there are no more of them than asked for", async () => {
    const builder = new TraceBuilder(memoryColumnFiles);
    for (let lane = 0; lane < 4; lane++)
      builder.lane({ name: `lane ${lane}`, resource: -1, location: -1, kind: "intervals" });
    const category = builder.category("state", "compute");
    // What follows each other is never the same.
    for (let event = 0; event < 40_000; event++)
      builder.event(event % 4, Math.floor(event / 4), Math.floor(event / 4) + 1, (event >> 2) % 5, -1, category);
    const { trace } = await finishTrace([{ builder }], {}, quietTask);
    const states = eventStates({ frames: namedFrames() } as DataSet, trace);
    const lanes = trace.lanes.map((_, lane) => ({ lane, firstDepth: 0, depths: 1 }));
    const whole: TimelineQuery = {
      dataSet: 0,
      look: "depth",
      fromSeconds: 0,
      toSeconds: 10_000,
      pixelSeconds: 0.1,
      lanes,
    };
    const few = await timelineMarks(trace, states, { ...whole, mostMarks: 500 }, quietTask);
    expect(few.count).toBeLessThanOrEqual(500);
    expect(few.stepSeconds).toBeGreaterThan(0.4);
    expect(few.events.reduce((sum, one) => sum + one, 0)).toBe(40_000);
    // Something is always shown, even where nobody wants any.
    const none = await timelineMarks(trace, states, { ...whole, mostMarks: 0 }, quietTask);
    expect(none.count).toBeGreaterThan(0);
    expect(none.events.reduce((sum, one) => sum + one, 0)).toBe(40_000);
    await trace.close();
  });
});

function rowsOf(events: readonly NaiveEvent[], look: "depth" | "state", kind: string) {
  if (look === "state") return kind === "instants" ? [{ row: 0, depth: 0 }] : [{ row: -1, depth: 0 }];
  const depths = Math.max(0, ...events.map(({ depth }) => depth + 1));
  return Array.from({ length: depths }, (_, depth) => ({ row: depth, depth }));
}

/** Name and kind of a cell's `frame category`. */
function nameOf(cell: string, { states, of }: ReturnType<typeof eventStates>, trace: Trace): string {
  const [frame, category] = cell.split(" ").map(Number);
  const { name, kind } =
    states[of[trace.states.frame.findIndex((one, at) => one === frame && trace.states.category[at] === category)]];
  expect(name).toBe(FRAME_NAMES[frame]);
  return `${name} ${kind}`;
}

function plain(marks: TimelineMarks, names: readonly string[]): (NaiveMark & { lane: number; depth: number })[] {
  return Array.from({ length: marks.count }, (_, at) => ({
    lane: marks.lane[at],
    depth: marks.depth[at],
    start: marks.startSeconds[at],
    end: marks.endSeconds[at],
    events: marks.events[at],
    event: marks.event[at],
    state: names[marks.state[at]],
    share: marks.share[at],
  }));
}
