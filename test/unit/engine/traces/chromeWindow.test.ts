import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chromeWindow } from "../../../../src/engine/traces/chromeWindow";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { timelineSums } from "../../../../src/engine/traces/timelineSums";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { byName, checked, expectAlike, sumsOf } from "./exportedWindows";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-window-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const NAMES = ["main", 'solve "x" \\ ü', "MPI_Send", "memcpy", "init", "read"];
const FRAMES = new FrameTable(new StringTable());
NAMES.forEach((name, line) => FRAMES.intern({ name, kind: "region", line: line + 1 }));

/** Seconds on a clock of nanoseconds: no clock tells 5e-324 s from none. */
const time = fc.integer({ min: 0, max: 12e9 }).map((nanoseconds) => nanoseconds / 1e9);
const lane = fc.array(fc.tuple(time, time, fc.nat(NAMES.length - 1)), { maxLength: 12 });

/** Of some stretches those that nest, as calls do. */
function nested(all: readonly (readonly [number, number, number])[]): [number, number, number][] {
  const kept: [number, number, number][] = [];
  for (const [one, other, frame] of all) {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const isNested = kept.every(
      ([begin, end]) => to <= begin || from >= end || (from >= begin && to <= end) || (from <= begin && to >= end),
    );
    if (isNested && to > from) kept.push([from, to, frame]);
  }
  return kept.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

describe("a window as a Chrome trace", () => {
  it("is one, and opened again has the window's sums by function, its messages and counters", async () => {
    let file = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(lane, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(time, time), { maxLength: 6 }),
        fc.array(fc.tuple(time, fc.integer({ min: -5, max: 5 })), { maxLength: 6 }),
        time,
        time,
        async (lanes, messages, points, one, other) => {
          const builder = new TraceBuilder(memoryColumnFiles);
          const category = builder.category("region", "compute");
          const resources = lanes.map((_, rank) =>
            builder.resource({ name: `rank ${rank}`, type: "process", parent: NONE, location: rank }),
          );
          lanes.forEach((events, rank) => {
            const own = { name: `rank ${rank}`, resource: resources[rank], location: rank, kind: "intervals" as const };
            const at = builder.lane(own);
            for (const [from, to, frame] of nested(events)) builder.event(at, from, to, frame, NONE, category);
          });
          for (const [sent, received] of messages)
            builder.message("message", resources[0], resources[lanes.length - 1], sent, received, 8, NONE);
          const counter = builder.counter("power", "W", resources[0]);
          for (const [seconds, value] of points) builder.point(counter, seconds, value);
          const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
          const dataSet = { name: "random", frames: FRAMES, topology } as never;
          const states = eventStates(dataSet, trace);
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const window = { lanes: lanes.map((_, at) => at), fromSeconds: from, toSeconds: to };
          const { text, flows, cutFlows } = await chromeWindow(dataSet, trace, states, window, quietTask);
          const events = checked(text);
          const isWithin = (at: number) => at >= from && at <= to;
          const whole = messages.filter(([sent, received]) => isWithin(sent) && isWithin(received));
          expect(flows).toBe(whole.length);
          expect(events.filter(({ ph }) => ph === "s")).toHaveLength(whole.length);
          const touching = messages.filter((ends) => Math.max(...ends) >= from && Math.min(...ends) <= to);
          expect(flows + cutFlows).toBe(touching.length);
          // The level at the window's begin is a point there.
          const known = trace.counters.length > 0 ? await trace.readCounter(0, 0, 100) : undefined;
          const levels = Array.from(known?.seconds ?? [], (seconds, at) => [seconds, known?.value[at] ?? 0] as const);
          const inside = levels.filter(([seconds]) => isWithin(seconds) && seconds <= trace.endSeconds);
          const start = Math.max(from, trace.startSeconds);
          const before = levels.filter(([seconds]) => seconds < start).at(-1);
          const begun = before && inside[0]?.[0] !== start && to >= start ? [before[1]] : [];
          const written = events.filter(({ ph }) => ph === "C").map(({ args }) => args.value);
          if (from <= trace.endSeconds) expect(written).toEqual([...begun, ...inside.map(([, value]) => value)]);
          const { rows } = await timelineSums(trace, states, window, quietTask);
          const expected = byName(rows, states.states);
          if (!events.some(({ ph }) => ph === "X")) return expectAlike(new Map(), expected);
          const target = path.join(folder, `${file++}.json`);
          fs.writeFileSync(target, text);
          expectAlike((await sumsOf(target)).sums, expected);
        },
      ),
      { numRuns: casesOf(60) },
    );
  });

  it("keeps events within each other that end with the window", async () => {
    const builder = new TraceBuilder(memoryColumnFiles);
    const category = builder.category("region", "compute");
    const at = builder.lane({ name: "l", resource: NONE, location: 0, kind: "intervals" });
    // Of these starts and the window's end, each told by a duration, the ends differ in the last bit of a double.
    for (const from of [2e-8, 0.845778062, 7.573773484, 8.540498716]) builder.event(at, from, 12, 3, NONE, category);
    const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
    const dataSet = { name: "nested", frames: FRAMES, topology } as never;
    const window = { lanes: [0], fromSeconds: 6.497236069, toSeconds: 9.679694788 };
    const { text } = await chromeWindow(dataSet, trace, eventStates(dataSet, trace), window, quietTask);
    const target = path.join(folder, "nested.json");
    fs.writeFileSync(target, text);
    const [exclusive, inclusive] = (await sumsOf(target)).sums.get("memcpy") ?? [];
    expect(exclusive).toBeCloseTo(3.182458719, 11);
    expect(inclusive).toBeCloseTo(3.182458719, 11);
  });

  it("says where it has too much, and has names for what has none", async () => {
    const builder = new TraceBuilder(memoryColumnFiles);
    const category = builder.category("region", "compute");
    const at = builder.lane({ name: "l", resource: NONE, location: NONE, kind: "instants" });
    builder.event(at, 1, 1, NONE, NONE, category);
    const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
    const dataSet = { name: "one", frames: FRAMES, topology } as never;
    const whole = { lanes: [0], fromSeconds: 0, toSeconds: 2 };
    const { text } = await chromeWindow(dataSet, trace, eventStates(dataSet, trace), whole, quietTask);
    expect(checked(text).filter(({ ph }) => ph === "i")).toEqual([
      { ph: "i", s: "t", name: "(no name)", cat: "computing", pid: 1, tid: 1, ts: 0 },
    ]);
    const many = {
      ...trace,
      counters: [{ name: "c", unit: "", resource: NONE, points: 600_000, minimum: 0, maximum: 0 }],
    };
    const endless = Object.assign(Object.create(trace) as typeof trace, {
      counters: many.counters,
      readCounter: (_: number, __: number, count: number) =>
        Promise.resolve({ count, seconds: new Float64Array(count).fill(1), value: new Float64Array(count) }),
    });
    await expect(chromeWindow(dataSet, endless, eventStates(dataSet, trace), whole, quietTask)).rejects.toThrow(
      /more than 500,000 events.*zoom in/,
    );
  });
});
