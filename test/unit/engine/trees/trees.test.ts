import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callerRows, contextRows, hotFunctions } from "../../../../src/engine/trees/trees";
import type { ContextRow } from "../../../../src/engine/trees/treeApi";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { SparseBuilder } from "../../../../src/model/values";
import { type Cost, openRecording, recordingOf } from "../recordings";

const scope = { dataSet: 1, metric: 0, over: "sum" } as const;
const all = 1000;

const path = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 6 });
const costs = fc.array(fc.tuple(path, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 1,
  maxLength: 20,
}) as fc.Arbitrary<Cost[]>;

/** The function with this name. */
function idOf(open: OpenDataSet, name: string): number {
  return Array.from({ length: open.functions.size }, (_, id) => id).find((id) => open.functionName(id) === name) ?? -1;
}

describe("contexts without a value of any metric", () => {
  it("are no rows, as those of asynchronous events, unless all are like that; what leads to a value is one", () => {
    // A value for each, of which all but that of `work` are taken away.
    const recorded = recordingOf("main 1\n  work 2\n  never 1\nrequest 1\n  dns 1");
    const openWith = (...paths: string[][]) => {
      const values = new SparseBuilder();
      for (const one of paths) values.add(recorded.contextOf(one), 0, 2);
      const numbers = Int32Array.from({ length: recorded.tree.size }, (_, at) => at);
      return new OpenDataSet(
        1,
        { ...recorded, values: [values.build(recorded.tree.size, numbers, Int32Array.of(0))] },
        0,
      );
    };
    const rowsOf = (open: OpenDataSet, parent?: number) =>
      contextRows(open, scope, parent, all).rows.map(({ name, children }) => [name, children]);
    const open = openWith(["main", "work"]);
    expect(rowsOf(open)).toEqual([["main", 1]]);
    expect(rowsOf(open, recorded.contextOf(["main"]))).toEqual([["work", 0]]);
    const functions = callerRows(open, scope, [], all);
    expect([functions.rows.map(({ name }) => name), functions.more]).toEqual([["work", "main"], 0]);
    expect(rowsOf(openWith())).toEqual([
      ["main", 2],
      ["request", 1],
    ]);
  });
});

describe("frames without a name", () => {
  it("are told by the rows of their contexts, and of their function by its heaviest context", () => {
    fc.assert(
      fc.property(costs, (input) => {
        const recorded = recordingOf(input);
        // Every second context stands for some.
        const nameless = new Map(
          Array.from({ length: recorded.tree.size }, (_, context) => context)
            .filter((context) => context % 2 === 0)
            .map((context) => [context, { address: context === 0 ? -4096 : 16 * context, frames: context + 1 }]),
        );
        const open = new OpenDataSet(1, { ...recorded, nameless }, 0);
        const toldOf = (context: number | undefined) =>
          context === undefined || context % 2 === 1
            ? undefined
            : { address: context === 0 ? "0xfffffffffffff000" : `0x${context.toString(16)}0`, frames: context + 1 };
        const rows = contextsBelow(open, undefined);
        for (const { context, nameless: own } of rows) expect(own).toEqual(toldOf(context));
        for (const { function: id, nameless: own } of hotFunctions(open, scope, "exclusive", all)) {
          const contexts = rows.filter(({ context }) => open.functions.ofContext[context] === id && context % 2 === 0);
          const most = Math.max(...contexts.map(({ exclusive }) => exclusive));
          const ofMost = contexts.filter(({ exclusive }) => exclusive === most).map(({ context }) => context);
          expect(own).toEqual(toldOf(ofMost.length === 0 ? undefined : Math.min(...ofMost)));
        }
      }),
    );
  });
});

/** Rows of all contexts at and below the children of one. */
function contextsBelow(open: OpenDataSet, parent: number | undefined): ContextRow[] {
  const { rows } = contextRows(open, scope, parent, all);
  return rows.flatMap((row) => [row, ...contextsBelow(open, row.context)]);
}

describe("callers", () => {
  it("split a function's exclusive cost over the chains that call it", () => {
    fc.assert(
      fc.property(costs, (input) => {
        const { open } = openRecording(input);
        for (const root of callerRows(open, scope, [], all).rows) {
          const name = root.name;
          const own = input.filter(([frames]) => frames[frames.length - 1] === name);
          expect(root.exclusive).toBe(own.reduce((sum, [, , seconds]) => sum + seconds, 0));
          const rows = callerRows(open, scope, root.path, all).rows;
          expect(rows.length).toBe(root.callers);
          for (const row of rows) {
            const expected = own.filter(([frames]) => frames[frames.length - 2] === row.name);
            expect(row.exclusive).toBe(expected.reduce((sum, [, , seconds]) => sum + seconds, 0));
          }
        }
      }),
    );
  });

  it("count recursion once in the inclusive of a chain", () => {
    const { open } = openRecording(`
        main
          f 10
            g
              f 1
          h
            f 100`);
    const f = idOf(open, "f");
    const rows = callerRows(open, scope, [f], all).rows;
    expect(rows.map(({ name, inclusive, exclusive }) => ({ name, inclusive, exclusive }))).toEqual([
      { name: "h", inclusive: 100, exclusive: 100 },
      { name: "main", inclusive: 11, exclusive: 10 },
      { name: "g", inclusive: 1, exclusive: 1 },
    ]);
    expect(hotFunctions(open, scope, "inclusive", all).map((row) => row.name)).toEqual(["f", "main", "h", "g"]);
    expect(hotFunctions(open, scope, "exclusive", all)[0]).toMatchObject({ name: "f", exclusive: 111, inclusive: 111 });
  });

  it("take extremes over ranks of the whole row, not of its parts", () => {
    const { open } = openRecording(`
        main rank0=1
          x
            f rank0=3
          y
            f rank1=5`);
    const most = { ...scope, over: "max" } as const;
    expect(callerRows(open, most, [], all).rows.find((row) => row.name === "f")).toMatchObject({ exclusive: 5 });
    expect(contextRows(open, most, undefined, all).rows[0]).toMatchObject({ name: "main", inclusive: 5, exclusive: 1 });
    const least = { ...scope, over: "min" } as const;
    expect(callerRows(open, least, [], all).rows.find((row) => row.name === "f")).toMatchObject({ exclusive: 3 });
  });
});

describe("calling contexts", () => {
  it("have children whose inclusive and the parent's exclusive add up to the parent's inclusive", () => {
    fc.assert(
      fc.property(costs, (input) => {
        const { open } = openRecording(input);
        const pending = [...contextRows(open, scope, undefined, all).rows];
        expect(pending.reduce((sum, row) => sum + row.inclusive, 0)).toBe(
          input.reduce((sum, [, , cost]) => sum + cost, 0),
        );
        for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
          const { rows } = contextRows(open, scope, row.context, all);
          expect(rows.length).toBe(row.children);
          expect(rows.reduce((sum, child) => sum + child.inclusive, row.exclusive)).toBe(row.inclusive);
          pending.push(...rows);
        }
      }),
    );
  });

  it("say how many rows a limit leaves out", () => {
    const { open } = openRecording(`
        a 1
        b 2
        c 3`);
    const { rows, more } = contextRows(open, scope, undefined, 2);
    expect(rows.map((row) => row.name)).toEqual(["c", "b"]);
    expect(more).toBe(1);
  });
});
