import { expect, it } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { chainStep } from "../../../../src/engine/traces/messageChain";
import { quietTask } from "../../../../src/model/task";

/** Two ranks: 0 sends to 1 in its first call, and receives in its second one; then a launch, and a message from nowhere. */
async function twoRanks() {
  const builder = new TraceBuilder(memoryColumnFiles);
  const category = builder.category("MPI", "communication");
  const ranks = [0, 1].map((rank) =>
    builder.resource({ name: `rank ${rank}`, type: "process", parent: -1, location: rank }),
  );
  const lanes = ranks.map((resource, rank) =>
    builder.lane({ name: `rank ${rank}`, kind: "intervals", resource, location: rank }),
  );
  const event = (rank: number, from: number, to: number) => builder.event(lanes[rank], from, to, 0, -1, category);
  event(0, 0, 9);
  event(0, 1, 2);
  event(0, 5, 6);
  event(0, 7, 8);
  event(1, 0, 9);
  event(1, 1, 3);
  event(1, 4, 5);
  event(1, 7, 7.5);
  builder.message("message", ranks[0], ranks[1], 1.5, 3, 8, 0);
  builder.message("message", ranks[1], ranks[0], 4.5, 6, 8, 0);
  builder.message("launch", ranks[0], ranks[1], 7.25, 7, Number.NaN, -1);
  builder.message("message", -1, ranks[1], Number.NaN, 7.25, 8, 0);
  const { trace, topology } = await finishTrace([{ builder, frameOf: Int32Array.of(0) }], {}, quietTask);
  const step = async (lane: number, start: number, isBackwards = false) => {
    const found = await chainStep(
      { topology } as never,
      trace,
      { lane, event: await trace.eventAt(lane, start), isBackwards },
      quietTask,
    );
    return found.kind === "none" ? found.why : [found.kind, found.lane, found.startSeconds, found.endSeconds];
  };
  return step;
}

it("leads from a send to its receive, on to the next send, to a launch, and back", async () => {
  const step = await twoRanks();
  // A receive ends with its call: what encloses it runs on.
  expect(await step(0, 1)).toEqual(["message", 1, 1, 3]);
  expect(await step(1, 1)).toEqual(["lane", 1, 4, 5]);
  expect(await step(1, 4)).toEqual(["message", 0, 5, 6]);
  expect(await step(0, 5)).toEqual(["lane", 0, 7, 8]);
  expect(await step(0, 7)).toEqual(["launch", 1, 7, 7.5]);
  expect(await step(0, 5, true)).toEqual(["message", 1, 4, 5]);
  expect(await step(1, 4, true)).toEqual(["lane", 1, 1, 3]);
  expect(await step(1, 1, true)).toEqual(["message", 0, 1, 2]);
});

it("says what is missing", async () => {
  const step = await twoRanks();
  expect(await step(1, 7, true)).toBe("the sender's side is not recorded");
  expect(await step(0, 1, true)).toBe("nothing is recorded that was received in this event");
});
