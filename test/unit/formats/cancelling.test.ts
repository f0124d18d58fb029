import { describe, expect, it } from "vitest";
import { CallStacks } from "../../../src/formats/chrome/decode/callStacks";
import { chromeTrace } from "../../../src/formats/chrome/format";
import { NestedContexts } from "../../../src/formats/chrome/assemble/nestedContexts";
import { memoryColumnFiles } from "../../../src/formats/memoryColumns";
import { paje } from "../../../src/formats/paje/format";
import { columnMemory } from "../../../src/formats/trace/blocks";
import { Rows } from "../../../src/formats/trace/rows";
import { inOrder } from "../../../src/formats/trace/sorting";
import { joinTopologies } from "../../../src/formats/trace/topology";
import { TraceBuilder } from "../../../src/formats/trace/traceBuilder";
import { ContextTreeBuilder } from "../../../src/model/contextTree";
import { CancelledError } from "../../../src/model/errors";
import { FrameTable } from "../../../src/model/frames";
import { NONE } from "../../../src/model/ids";
import { StringTable } from "../../../src/model/strings";
import { quietTask, type Task, taskOf } from "../../../src/model/task";
import { readFixture } from "./formatLaws";
import { headOf } from "./paje/writer";
import { finishTrace } from "../../../src/formats/trace/finishTrace";

/** All of a file at once: nothing is looked at because a piece ended. */
const ONE_PIECE = 64 << 20;

/** Counts how often somebody looks whether to stop; stops at look number `most`. */
function looking(most = Infinity): Task & { readonly looks: number } {
  let looks = 0;
  const task = taskOf(
    () => looks++ >= most,
    () => undefined,
  );
  return {
    ...task,
    get looks() {
      return looks;
    },
  };
}

/** Looks must come by what there is to do: a fixed number of steps is a fraction of the time that a cancel may take. */
describe("whether to stop is looked at", () => {
  it("every few thousand resources that are joined, and once more as they are put in order", () => {
    const resources = Array.from({ length: 20_000 }, (_, at) => ({
      name: `thread ${at}`,
      type: "thread",
      parent: NONE,
      location: NONE,
    }));
    for (const parts of [1, 2]) {
      const task = looking();
      joinTopologies(Array(parts).fill({ resources, links: [] }), task);
      expect(task.looks).toBeGreaterThan(((parts + 1) * resources.length) / 1100);
    }
  });

  it("every hundred lanes of a trace, which may have one event each", async () => {
    const lanes = 20_000;
    const builder = new TraceBuilder({ ...memoryColumnFiles });
    const category = builder.category("c", "other");
    for (let at = 0; at < lanes; at++)
      builder.event(
        builder.lane({ name: `${at}`, resource: NONE, location: NONE, kind: "intervals" }),
        at,
        at + 1,
        at,
        NONE,
        category,
      );
    const task = looking();
    const { trace } = await finishTrace([{ builder }], {}, task);
    expect(trace.lanes).toHaveLength(lanes);
    expect(task.looks).toBeGreaterThan(lanes / 128);
    await trace.close();
  });

  it("while rows are sorted, at each step of it", () => {
    const count = 300_000;
    const rows = new Rows({ f64: 1, i32: 0, u16: 0, u8: 0 }, count);
    for (let at = 0; at < count; at++) rows.f64[0][at] = (at * 48_271) % 300_007;
    rows.count = count;
    const task = looking();
    const sorted = inOrder(rows, { tie: () => 0 }, task).f64[0];
    expect(sorted).toEqual(rows.f64[0].slice().sort());
    // Every merge of pieces goes over all rows: pieces of sixteen become one in fourteen rounds.
    expect(task.looks).toBeGreaterThan((14 * count) / (1 << 16));
  });

  it("while columns are written out, which stops half way", async () => {
    const files = { ...memoryColumnFiles, memoryBytes: 8 << 20 };
    const builder = new TraceBuilder(files);
    const category = builder.category("c", "other");
    const lane = builder.lane({ name: "lane", resource: NONE, location: NONE, kind: "intervals" });
    for (let at = 0; at < 500_000; at++) builder.event(lane, at, at + 1, 0, NONE, category);
    const memory = columnMemory(files);
    expect(memory.resident).toBeGreaterThan(12 << 20);
    await expect(builder.settle(looking(2))).rejects.toBeInstanceOf(CancelledError);
    expect(memory.resident).toBeGreaterThan(6 << 20);
    await builder.settle(quietTask);
    expect(memory.resident).toBeLessThanOrEqual(4 << 20);
    await builder.discard();
    expect(memory.resident).toBe(0);
  });

  it("every few hundred threads and stack frames of a Chrome trace", async () => {
    const many = 20_000;
    const frames = Array.from({ length: many }, (_, at) => `"${at}":{"name":"f","parent":"${at - 1}"}`).join();
    const events = Array.from({ length: many }, (_, at) => `{"ph":"X","name":"e","pid":1,"tid":${at},"ts":1,"dur":1}`);
    const text = `{"stackFrames":{${frames}},"traceEvents":[${events.join()}]}`;
    const task = looking(many / 600);
    const read = (toLook: Task) =>
      readFixture(chromeTrace, { "a.json": text }, { pieceBytes: ONE_PIECE, task: toLook });
    await expect(read(task)).rejects.toBeInstanceOf(CancelledError);
    const all = looking();
    const [{ trace }] = await read(all);
    // Frames and events as they are read; threads where they are joined, named, placed, and become lanes.
    expect(all.looks).toBeGreaterThan((2 * many) / 600 + many / 128);
    await trace?.close();
  });

  it("every few thousand frames of stacks that events were recorded with", () => {
    const stacks = new CallStacks(new FrameTable(new StringTable()));
    const deep = 50_000;
    let stack: number = NONE;
    for (let at = 0; at < deep; at++) stack = stacks.child(stack, at);
    const task = looking();
    const contexts = new NestedContexts(new ContextTreeBuilder(), stacks);
    contexts.enter(NONE, stack, deep + 1, task);
    expect(task.looks).toBeGreaterThan(Math.floor(deep / 4096));
  });

  it("rarely where stacks grow frame by frame: none is gone through again", () => {
    const stacks = new CallStacks(new FrameTable(new StringTable()));
    const tree = new ContextTreeBuilder();
    const contexts = new NestedContexts(tree, stacks);
    const root = stacks.child(NONE, 0);
    const around = contexts.enter(NONE, root, 0);
    const many = 20_000;
    const task = looking();
    let stack = root;
    for (let at = 1; at <= many; at++) contexts.enter(around, (stack = stacks.child(stack, at)), at, task);
    expect(tree.size).toBe(1 + many);
    expect(task.looks).toBeLessThan((5 * many) / 4096);
  });

  it("every thousand lines of a Paje trace, which may declare a container each", async () => {
    const many = 20_000;
    const lines = Array.from({ length: many }, (_, at) => `6 0 c${at} M 0 c${at}\n`).join("");
    const text = `${headOf()}0 M 0 Machine\n${lines}`;
    const task = looking();
    const [{ topology }] = await readFixture(paje, { "a.trace": text }, { pieceBytes: ONE_PIECE, task });
    expect(topology?.resources).toHaveLength(many);
    // As they are read, when the trace ends with them, and twice as they are joined.
    expect(task.looks).toBeGreaterThan((4 * many) / 1100);
  });
});
