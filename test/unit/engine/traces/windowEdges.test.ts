/** What lies at the edges of a window, or goes backwards, in traces that no law's random cases are made of. */
import { expect, it } from "vitest";
import { chainStep } from "../../../../src/engine/traces/messageChain";
import { runningEvents } from "../../../../src/engine/traces/runningEvents";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { timelineMessages } from "../../../../src/engine/traces/timeline";
import { timelineSums } from "../../../../src/engine/traces/timelineSums";
import { waitCause } from "../../../../src/engine/traces/waitCauses";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { CancelledError } from "../../../../src/model/errors";
import { FrameTable } from "../../../../src/model/frames";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";

function framesNamed(names: readonly string[]): FrameTable {
  const frames = new FrameTable(new StringTable());
  for (const name of names) frames.intern({ name, kind: "region" });
  return frames;
}

/** Lanes of ranks, each with its events as [start, end, frame]. */
async function traceOf(
  lanes: readonly (readonly (readonly [start: number, end: number, frame: number])[])[],
  messages: readonly (readonly [from: number, to: number, sent: number, received: number])[] = [],
  names: readonly string[] = ["f", "g"],
) {
  const builder = new TraceBuilder(memoryColumnFiles);
  const category = builder.category("any", "other");
  const ranks = lanes.map((_, rank) =>
    builder.resource({ name: `rank ${rank}`, type: "process", parent: -1, location: rank }),
  );
  for (const [rank, events] of lanes.entries()) {
    const lane = builder.lane({ name: `rank ${rank}`, kind: "intervals", resource: ranks[rank], location: rank });
    for (const [start, end, frame] of events) builder.event(lane, start, end, frame, -1, category);
  }
  for (const [from, to, sent, received] of messages)
    builder.message("message", ranks[from], ranks[to], sent, received, 8, 0);
  const frameOf = Int32Array.from(names.keys());
  const { trace, topology } = await finishTrace([{ builder, frameOf }], {}, quietTask);
  const dataSet = { trace, topology, frames: framesNamed(names), locations: [] } as never;
  return { trace, dataSet, states: eventStates(dataSet, trace) };
}

it.each([511, 512, 513, 2000])("windows make up the run where events lie %i deep", async (depth) => {
  // The innermost one is another function, and most of the time.
  const events = Array.from(
    { length: depth + 1 },
    (_, at) => [at / 1024, 100 - at / 1024, at === depth ? 1 : 0] as const,
  );
  const { trace, states } = await traceOf([events]);
  const sumsOf = (fromSeconds: number, toSeconds: number) =>
    timelineSums(trace, states, { lanes: [0], fromSeconds, toSeconds }, quietTask);
  const innermost = async (from: number, to: number) => {
    const { rows } = await sumsOf(from, to);
    return rows.find(({ state }) => states.states[state].name === "g");
  };
  const length = 100 - depth / 512;
  expect((await innermost(0, 100))?.exclusiveSeconds).toBeCloseTo(length, 9);
  expect((await innermost(0, 50))?.exclusiveSeconds).toBeCloseTo(length / 2, 9);
  expect((await innermost(50, 100))?.exclusiveSeconds).toBeCloseTo(length / 2, 9);
  expect((await innermost(50, 50.5))?.inclusiveSeconds).toBe(0.5);
});

it("counts what begins with the run's last moment in the window that ends there", async () => {
  const { trace, states } = await traceOf([
    [
      [0, 4, 0],
      [2, 2, 1],
      [4, 4, 1],
    ],
  ]);
  const countIn = async (fromSeconds: number, toSeconds: number) => {
    const { rows } = await timelineSums(trace, states, { lanes: [0], fromSeconds, toSeconds }, quietTask);
    return rows.reduce((sum, { count }) => sum + count, 0);
  };
  expect(await countIn(0, 4)).toBe(trace.events);
  expect((await countIn(0, 2)) + (await countIn(2, 4))).toBe(trace.events);
  expect(await countIn(2, 3)).toBe(1);
});

it("shows a message that arrives before it was sent wherever it is under way", async () => {
  // Clocks of ranks that are not the same; as many others that one page of messages does not hold them.
  const others = Array.from({ length: 20_000 }, (_, at) => [0, 1, at / 10_000, at / 10_000] as const);
  const { trace, dataSet } = await traceOf([[[0, 10, 0]], [[0, 10, 0]]], [...others, [0, 1, 8, 4]]);
  const shown = async (fromSeconds: number, toSeconds: number) => {
    const query = { fromSeconds, toSeconds, lanes: [0, 1], leastBytes: 0, most: 10 };
    return (await timelineMessages(dataSet, { dataSet: 0, ...query }, quietTask)).total;
  };
  expect(trace.links).toBe(20_001);
  expect(await shown(3, 4)).toBe(0);
  expect(await shown(3, 5)).toBe(1);
  expect(await shown(5, 6)).toBe(1);
  expect(await shown(7, 9)).toBe(1);
  expect(await shown(1.99985, 6)).toBe(2);
});

it("goes back along a message that arrived before it was sent", async () => {
  const { trace, dataSet } = await traceOf([[[7, 9, 0]], [[3, 5, 0]]], [[0, 1, 8, 4]]);
  const step = (lane: number, isBackwards: boolean) =>
    chainStep(dataSet, trace, { lane, event: 0, isBackwards }, quietTask);
  expect(await step(0, false)).toMatchObject({ kind: "message", lane: 1, event: 0 });
  expect(await step(1, true)).toMatchObject({ kind: "message", lane: 0, event: 0 });
});

it("tells the cause of a wait to who still asks when the first one to ask has gone", async () => {
  const { trace, dataSet } = await traceOf([[[0, 9, 0]], [[4, 9, 0]]], [], ["MPI_Barrier"]);
  let isGone = false;
  const first = {
    ...quietTask,
    check: () => {
      if (isGone) throw new CancelledError();
    },
  };
  const gone = waitCause(dataSet, trace, 0, 0, first);
  const stays = waitCause(dataSet, trace, 0, 0, quietTask);
  isGone = true;
  await gone.catch(() => undefined);
  expect(await stays).toMatchObject({ kind: "last rank", lane: 1, waitedSeconds: 4 });
});

it("what runs at a moment is known where more events are open than there are rows, and end in any order", async () => {
  let state = 3;
  const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const events = Array.from(
    { length: 1500 },
    (_, at) => [at, at + 1 + random(random(3) === 0 ? 3000 : 800), 0] as const,
  );
  const { trace } = await traceOf([events]);
  expect(trace.depths(0).rows).toBe(512);
  for (const seconds of [0, 300, 700.5, 1100, 1499, 1800, 2500, 4000]) {
    const running = events.flatMap(([start, end], event) => (start <= seconds && end > seconds ? [event] : []));
    expect(await runningEvents(trace, 0, seconds, quietTask)).toEqual(running);
  }
});
