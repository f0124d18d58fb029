import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FlowGraph, flowOf } from "../../../../../src/formats/callgrind/estimate/flowGraph";
import { unfold } from "../../../../../src/formats/callgrind/estimate/unfold";
import { callgrind } from "../../../../../src/formats/callgrind/format";
import { lastOf } from "../../../../../src/model/steps";
import { quietTask, type Task } from "../../../../../src/model/task";
import { seeds } from "../../../randomCases";
import { readFixture } from "../../formatLaws";
import { writeCallgrind, type WrittenFunction } from "../callgrindWriter";

/** Functions, some of them further levels of recursion of others. */
const names = ["a", "a'2", "a'3", "b", "b'2", "c", "c'2", "d", "e", "f", "g", "h"];
/** What a file of twelve functions may take: passes over a cycle end after 10,000 in each of two metrics. */
const MOST_CHECKS = 30_000;
const MOST_WITHOUT_COSTS = 1000;

const nothing = fc.constant(0);
const rarely = fc.oneof({ arbitrary: nothing, weight: 6 }, { arbitrary: fc.integer({ min: 1, max: 1e7 }), weight: 1 });
const often = fc.oneof(nothing, fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1e12 }));

/** Costs of calls are whatever they are: no run had them. The second event is measured nowhere. */
function programs(own: fc.Arbitrary<number>): fc.Arbitrary<WrittenFunction[]> {
  const line = fc.record({ line: fc.nat(20), costs: fc.tuple(own, nothing) });
  const call = fc.record({
    line: fc.nat(20),
    callee: fc.constantFrom(...names),
    calls: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1e9 })),
    costs: fc.tuple(often, often),
  });
  const rows = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.array(call, { maxLength: 5 }))
    .map((both) => both.flat());
  return fc.array(fc.record({ name: fc.constantFrom(...names), file: fc.constant("x.c"), rows }), {
    minLength: 1,
    maxLength: 12,
  });
}

/** What two events come to, and how often a cancel would have been noticed: after each pass over a cycle and with each unfolding. */
async function read(functions: readonly WrittenFunction[] | string) {
  let checks = 0;
  const task: Task = { ...quietTask, check: () => checks++ };
  const text =
    typeof functions === "string" ? functions : writeCallgrind([{ functions }], { events: ["Ir", "Unmeasured"] });
  const [{ values, tree }] = await readFixture(callgrind, { "callgrind.out.1": text }, { task });
  return { sums: values.map(({ value }) => value.reduce((sum, one) => sum + one, 0)), contexts: tree.size, checks };
}

function ownOf(functions: readonly WrittenFunction[]): number {
  return functions.flatMap(({ rows }) => rows).reduce((sum, row) => ("callee" in row ? sum : sum + row.costs[0]), 0);
}

describe("calls that cost what nothing was measured of", () => {
  it("take few steps, and functions have no cost, whatever the cycles", async () => {
    const runs = { numRuns: seeds(1000).length };
    await fc.assert(
      fc.asyncProperty(programs(nothing), async (functions) => {
        const { sums, contexts, checks } = await read(functions);
        expect(sums).toEqual([0, 0]);
        expect(contexts).toBeLessThanOrEqual(names.length);
        expect(checks).toBeLessThan(MOST_WITHOUT_COSTS);
      }),
      runs,
    );
  });

  it("take few steps beside what was measured", async () => {
    const runs = { numRuns: seeds(1000).length };
    await fc.assert(
      fc.asyncProperty(programs(rarely), async (functions) => {
        const { sums, checks } = await read(functions);
        expect(sums).toEqual([ownOf(functions), 0]);
        expect(checks).toBeLessThan(MOST_CHECKS);
      }),
      runs,
    );
  });

  it("take few steps where a cycle through two levels of recursion is all there is", async () => {
    const text = `creator: callgrind-3.19
events: Ir Dr
fl=x.c
fn=f1
cfn=f6
calls=2 1
5 0 0
cfn=f2'2
calls=2 1
15 0 0
fn=f2'2
cfn=f12
calls=5 1
10 0 0
cfn=f8
calls=8 1
2 10000000 0
fn=f6
cfn=f10'2
calls=4 1
11 0 0
cfn=f12
calls=8 1
6 0 0
cfn=f10
calls=10 1
10 0 0
cfn=f2'2
calls=5 1
14 0 0
fn=f12
cfn=f1
calls=8 1
5 0 0`;
    const { sums, checks } = await read(text);
    expect(sums).toEqual([0, 0]);
    expect(checks).toBeLessThan(MOST_WITHOUT_COSTS);
  });

  it("end the fitting of weights where nine tenths of a difference are rounded to the difference", () => {
    // Main calls f, which calls its second level and g; that calls itself and g: of the smallest number there is.
    const least = Number.MIN_VALUE;
    const graph: FlowGraph = {
      edges: { nodes: 4, start: Int32Array.of(0, 1, 3, 5, 5), target: Int32Array.of(1, 2, 3, 2, 3) },
      cost: Float64Array.of(least, 1e7, 1e7, 1e7, 1e7),
      calls: Float64Array.of(1, 1, 1, 5, 1),
      own: Float64Array.of(0, 0, 0, least),
      functionOf: Int32Array.of(0, 1, 1, 2),
      levels: true,
    };
    let checks = 0;
    const task: Task = { ...quietTask, check: () => checks++ };
    const { node, share } = lastOf(unfold(graph, flowOf(graph, task), () => 1, 1000, task));
    expect(share.reduce((sum, one, at) => sum + (node[at] === 3 ? one : 0), 0)).toBeCloseTo(1, 9);
    expect(checks).toBeLessThan(MOST_WITHOUT_COSTS);
  });
});
