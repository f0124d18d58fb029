import { describe, expect, it } from "vitest";
import { exclusiveOf } from "../../../../src/formats/exclusive";
import type { ContextTree } from "../../../../src/model/contextTree";
import { attribute, read } from "./caliFixtures";
import { CaliWriter, regions, time } from "./caliWriter";

// Each of these takes minutes where the work grows with the square of the input.
describe("sizes that no tool writes", () => {
  it("of a global: 100,000 values, kept in their order", async () => {
    const values = Array.from({ length: 100_000 }, (_, at) => `v${at}`);
    const many = attribute("many", "string", 1612);
    const out = new CaliWriter();
    out.snapshot([regions("main")], [[time, 1]]);
    out.globals(values.map((value) => [many, value] as const));
    const dataSet = await read(out.text());
    expect(dataSet.globals.get("many")).toEqual(values);
  });

  it("of an inclusive tree: 100,000 leaves below 100,000 contexts without a value", () => {
    const depth = 100_000;
    const size = 2 * depth;
    // Context 0 has the only value above the leaves.
    const tree: ContextTree = {
      size,
      parent: Int32Array.from({ length: size }, (_, at) => Math.min(at, depth) - 1),
      frame: new Int32Array(size),
      end: Int32Array.from({ length: size }, (_, at) => (at < depth ? size : at + 1)),
    };
    const hasValue = (context: number) => context === 0 || context >= depth;
    const rowStart = new Int32Array(size + 1);
    for (let context = 0; context < size; context++)
      rowStart[context + 1] = rowStart[context] + (hasValue(context) ? 1 : 0);
    const value = new Float64Array(depth + 1).fill(1);
    value[0] = 2 * depth;
    const exclusive = exclusiveOf(tree, { rowStart, column: new Int32Array(depth + 1), value }, 1);
    expect(exclusive.value[0]).toBe(depth);
    expect(exclusive.value.subarray(1).every((one) => one === 1)).toBe(true);
  });
});
