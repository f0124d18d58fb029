import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { ColumnFiles } from "../../../../src/model/columnFile";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { isFull } from "../../randomCases";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";

const LANES = 3;
const EVENTS = 120_000;
const MEMORY = 200_000;
const files: ColumnFiles = { memoryBytes: MEMORY, create: () => memoryColumnFiles.create() };

/** By lane: start, end and frame of every event, as told. */
const told: { start: number; end: number; frame: number }[][] = Array.from({ length: LANES }, () => []);
let trace: Trace;

beforeAll(async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const builder = new TraceBuilder(files);
  for (let lane = 0; lane < LANES; lane++)
    builder.lane({ name: `lane ${lane}`, resource: NONE, location: NONE, kind: "intervals" });
  const category = builder.category("state", "compute");
  for (let event = 0; event < EVENTS; event++) {
    // The first lane has half of the events; many of one time, some that outlast thousands of others.
    const lane = random(4) % LANES;
    const start = random(5000);
    const end = start + (random(1000) === 0 ? random(3000) : random(3));
    // Numbered as they arrive, so that events of one time and length are told apart.
    builder.event(lane, start, end, event, NONE, category);
    told[lane].push({ start, end, frame: event });
    if (event % 1000 === 0) await builder.settle();
  }
  ({ trace } = await finishTrace([{ builder }], {}, quietTask));
  for (const lane of told) lane.sort((a, b) => a.start - b.start || b.end - a.end || a.frame - b.frame);
});

afterAll(() => trace.close());

describe("a trace of more events than one block holds", () => {
  it("is read by any range", async () => {
    for (let lane = 0; lane < LANES; lane++)
      for (const [first, count] of [
        [0, Number.POSITIVE_INFINITY],
        [8190, 4],
        [5, 20_000],
        [told[lane].length - 3, 10],
        [told[lane].length, 1],
      ]) {
        const rows = await trace.readEvents(lane, first, count);
        const expected = told[lane].slice(first, first + count);
        expect(rows.count).toBe(expected.length);
        expect([...rows.frame]).toEqual(expected.map(({ frame }) => frame));
        expect([...rows.startSeconds]).toEqual(expected.map(({ start }) => start));
        expect([...rows.endSeconds]).toEqual(expected.map(({ end }) => end));
      }
  });

  it("is found at any time", async () => {
    const step = isFull ? 7 : 61;
    for (let lane = 0; lane < LANES; lane++)
      for (let at = -1; at < 9000; at += at < 5001 ? step : 500) {
        const first = told[lane].findIndex(({ start }) => start >= at);
        const running = told[lane].findIndex(({ start, end }) => start >= at || end > at);
        expect(await trace.eventAt(lane, at)).toBe(first < 0 ? told[lane].length : first);
        expect(await trace.eventAt(lane, at, true)).toBe(running < 0 ? told[lane].length : running);
      }
  });

  it("leaves its columns on disk", () => {
    const levels = trace.lanes.reduce((sum, _, lane) => {
      let bytes = 12 * trace.stateSeconds(lane).state.length;
      for (let least = 0; ;) {
        const level = trace.level(lane, least);
        if (!level || level.binSeconds < least) return sum + bytes;
        bytes += 12 * level.state.length + 4 * level.rowStart.length;
        least = level.binSeconds * 1.5;
      }
    }, 0);
    // Every event is something of its own here: 16 bytes for it at its depth, and as much for each stretch in which it is innermost.
    const spans = 16 * EVENTS * (1 + 2);
    // Columns grow by doubling.
    expect(trace.bytes).toBeLessThan(2 * (levels + spans) + MEMORY + 100_000);
    expect(EVENTS * 27).toBeGreaterThan(10 * MEMORY);
  });
});
