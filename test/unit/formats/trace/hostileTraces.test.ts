import { describe, expect, it } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { ColumnFiles } from "../../../../src/model/columnFile";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";

const inLittleMemory: ColumnFiles = { memoryBytes: 100_000, create: () => memoryColumnFiles.create() };

function builderWithLane(files: ColumnFiles = memoryColumnFiles): { builder: TraceBuilder; lane: number } {
  const builder = new TraceBuilder(files);
  return { builder, lane: builder.lane({ name: "lane", resource: NONE, location: NONE, kind: "intervals" }) };
}

async function finished(builder: TraceBuilder) {
  return finishTrace([{ builder }], {}, quietTask);
}

describe("a trace of strange events", () => {
  it("leaves out what has no time, and counts it", async () => {
    const { builder, lane } = builderWithLane();
    const category = builder.category("state", "compute");
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, -1e300]) {
      builder.event(lane, time, 1, 0, NONE, category);
      builder.event(lane, 0, time, 0, NONE, category);
      builder.end(builder.begin(lane, time, 0, NONE, category), 1, lane);
      builder.point(builder.counter("power", "W", NONE), time, 1);
    }
    const kept = builder.begin(lane, 2, 0, NONE, category);
    builder.end(kept, Number.NaN, lane);
    builder.end(kept, 1, lane);
    builder.end(kept, 9, lane);
    const { trace, warnings } = await finished(builder);
    expect(warnings).toEqual([
      { message: "12 events or values have times that are no numbers, or beyond all bounds: they were left out" },
    ]);
    expect(trace.events).toBe(1);
    // An end before the start is an end at the start, and an event ends once.
    expect(trace.lanes[0]).toMatchObject({ startSeconds: 2, endSeconds: 2, coveredSeconds: 0 });
    expect(trace.counters[0]).toMatchObject({ points: 0, minimum: Number.NaN });
  });

  it("keeps messages of which nothing is known but their sides", async () => {
    const { builder } = builderWithLane();
    const resource = builder.resource({ name: "p", type: "process", parent: NONE, location: NONE });
    builder.message("message", resource, NONE, Number.NaN, Number.POSITIVE_INFINITY, Number.NaN, NONE);
    const { trace } = await finished(builder);
    expect(trace.messages).toEqual({ count: 0, bytes: 0 });
    expect(trace.arrows).toBe(0);
    const { from, to, sentSeconds, receivedSeconds } = await trace.readMessages(0, 10);
    expect([from[0], to[0], sentSeconds[0], receivedSeconds[0]]).toEqual([0, NONE, Number.NaN, Number.NaN]);
    expect([trace.startSeconds, trace.endSeconds]).toEqual([0, 0]);
  });

  it("may have more categories and directions than a byte holds", async () => {
    const { builder, lane } = builderWithLane();
    for (let at = 0; at < 400; at++) {
      builder.event(lane, at, at + 1, 0, NONE, builder.category(`category ${at}`, "other"));
      builder.transfer({
        lane,
        startSeconds: at,
        endSeconds: at,
        bytes: 1,
        direction: builder.transferDirection(`direction ${at}`),
        fromDevice: NONE,
        toDevice: NONE,
        bandwidth: Number.NaN,
        frame: 0,
        context: NONE,
      });
    }
    const { trace } = await finished(builder);
    const { category } = await trace.readEvents(0, 0, 400);
    expect(trace.categories).toHaveLength(256);
    expect(trace.categories[255].name).toBe("other categories");
    expect(new Set(category).size).toBe(256);
    expect(trace.categoryUse.reduce((sum, { events }) => sum + events, 0)).toBe(400);
    expect(trace.categoryUse[255]).toEqual({ events: 145, seconds: 145 });
    const { direction } = await trace.readTransfers(0, 400);
    expect(trace.transferDirections).toHaveLength(256);
    expect(Math.max(...direction)).toBe(255);
  });

  it("may nest a hundred thousand deep, or end crosswise", async () => {
    const count = 100_000;
    const { builder, lane } = builderWithLane(inLittleMemory);
    const category = builder.category("call", "compute");
    const open = [];
    for (let at = 0; at < count; at++) {
      open.push(builder.begin(lane, at, at % 7, NONE, category));
      if (at % 1000 === 0) await builder.settle();
    }
    const crossed = builder.lane({ name: "lane 2", resource: NONE, location: NONE, kind: "intervals" });
    for (let at = 0; at < count; at++) builder.event(crossed, at, at + count, 0, NONE, category);
    for (let at = 0; at < count; at++) builder.end(open[at], 2 * count - at, lane);
    const { trace } = await finished(builder);
    const last = await trace.readEvents(0, count - 1, 1);
    expect([last.depth[0], last.startSeconds[0], last.endSeconds[0]]).toEqual([65535, count - 1, count + 1]);
    expect(trace.lanes[0].coveredSeconds).toBe(2 * count);
    const { depth } = await trace.readEvents(1, 0, count);
    expect(depth.every((open, at) => open === Math.min(at, 65535))).toBe(true);
    expect(trace.lanes[1].coveredSeconds).toBe(2 * count - 1);
    await trace.close();
  });

  it("brings many late ends into the file", async () => {
    const count = 5000;
    const { builder, lane } = builderWithLane({ ...inLittleMemory, memoryBytes: 1000 });
    const category = builder.category("call", "compute");
    const events = [];
    for (let at = 0; at < count; at++) {
      events.push(builder.begin(lane, at, 0, at, category));
      if (at % 10 === 0) await builder.settle();
    }
    // In an order of their own, and half of them never.
    for (let at = 0; at < count; at += 2)
      builder.end(events[(at * 7919) % count], 10_000 + ((at * 7919) % count), lane);
    const { trace } = await finished(builder);
    const { context, endSeconds } = await trace.readEvents(0, 0, count);
    context.forEach((number, at) => expect(endSeconds[at]).toBe(number % 2 === 0 ? 10_000 + number : 14_998));
    await trace.close();
  });

  it("is a trace even where nothing was reported", async () => {
    const { trace, topology } = await finishTrace([], {}, quietTask);
    expect([trace.events, trace.links, trace.transfers, trace.lanes, topology.resources]).toEqual([0, 0, 0, [], []]);
    expect((await trace.readMessages(0, 10)).count).toBe(0);
    const { builder } = builderWithLane();
    const { trace: empty } = await finished(builder);
    expect(empty.lanes).toMatchObject([{ events: 0, startSeconds: Number.NaN, coveredSeconds: 0 }]);
    expect([empty.level(0, 1), await empty.eventAt(0, 0, true)]).toEqual([undefined, 0]);
    expect((await empty.readEvents(0, 0, 10)).count).toBe(0);
  });

  it("says so where it is read after it was closed", async () => {
    const { builder, lane } = builderWithLane();
    builder.event(lane, 0, 1, 0, NONE, builder.category("state", "compute"));
    const { trace } = await finished(builder);
    await trace.close();
    await expect(trace.readEvents(0, 0, 1)).rejects.toThrow();
    await builder.discard();
  });
});
