import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callgrind } from "../../../../src/formats/callgrind/format";
import { inclusive } from "../../../../src/model/contextTree";
import { functionsOf, inclusiveByFunction } from "../../../../src/model/functions";
import { firstCell, type LineValues } from "../../../../src/model/lineValues";
import { readFixture } from "../formatLaws";
import { writeCallgrind, type WrittenCall, type WrittenFunction } from "./callgrindWriter";

/** A call as it happened: what it cost itself, and what it called at which line. */
interface Happened {
  readonly name: string;
  readonly own: number;
  readonly calls: readonly { readonly line: number; readonly callee: Happened }[];
}

function calls(depth: number): fc.Arbitrary<Happened> {
  const callee = depth === 0 ? undefined : calls(depth - 1);
  return fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    // Large enough for shares that are rounded to whole counts.
    own: fc.integer({ min: 1, max: 99 }).map((own) => 1000 * own),
    calls: callee
      ? fc.array(fc.record({ line: fc.integer({ min: 10, max: 12 }), callee }), { maxLength: 3 })
      : fc.constant([]),
  });
}

const happened = (recursive: boolean) => calls(5).map((call) => (recursive ? call : withoutRecursion(call, 0)));

/** Names by depth: nothing can call itself, but one function is still called from several. */
function withoutRecursion(call: Happened, depth: number): Happened {
  const calls = call.calls.map(({ line, callee }) => ({ line, callee: withoutRecursion(callee, depth + 1) }));
  return { name: `${call.name}${depth}`, own: call.own, calls };
}

function costOf(call: Happened): number {
  return call.calls.reduce((sum, { callee }) => sum + costOf(callee), call.own);
}

/**
 * What callgrind writes of it: levels of recursion beyond the first are one function with `'2` behind its name.
 *
 * @param backwards functions and calls in the other order
 * @param levels whether levels are kept apart at all (`--separate-recs=1`: they are not)
 */
function recorded(root: Happened, backwards = false, levels = true): string {
  const functions = new Map<string, { own: number; calls: Map<string, WrittenCall> }>();
  const visit = (call: Happened, path: readonly string[]): string => {
    const key = levels && path.includes(call.name) ? `${call.name}'2` : call.name;
    const own = functions.get(key) ?? { own: 0, calls: new Map<string, WrittenCall>() };
    functions.set(key, own);
    own.own += call.own;
    for (const { line, callee } of call.calls) {
      const name = visit(callee, [...path, call.name]);
      const known = own.calls.get(`${line} ${name}`);
      const costs = [(known?.costs[0] ?? 0) + costOf(callee)];
      own.calls.set(`${line} ${name}`, { line, callee: name, calls: (known?.calls ?? 0) + 1, costs });
    }
    return key;
  };
  visit(root, []);
  const written = [...functions].map(([name, { own, calls }]): WrittenFunction => ({
    name,
    file: "all.c",
    rows: inOrder([{ line: 1, costs: [own] }, ...calls.values()], backwards),
  }));
  return writeCallgrind([{ functions: inOrder(written, backwards) }]);
}

function inOrder<Item>(items: readonly Item[], backwards: boolean): Item[] {
  return backwards ? [...items].reverse() : [...items];
}

/** What each function cost itself. */
function trueExclusive(root: Happened): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (call: Happened) => {
    found.set(call.name, (found.get(call.name) ?? 0) + call.own);
    for (const { callee } of call.calls) visit(callee);
  };
  visit(root);
  return found;
}

/** By the definition: a call inside one of the same function counts once. */
function trueInclusive(root: Happened): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (call: Happened, path: readonly string[]) => {
    if (!path.includes(call.name)) found.set(call.name, (found.get(call.name) ?? 0) + costOf(call));
    for (const { callee } of call.calls) visit(callee, [...path, call.name]);
  };
  visit(root, []);
  return found;
}

/** What the calls at each line cost, without recursion. */
function trueCalls(root: Happened): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (call: Happened) => {
    for (const { line, callee } of call.calls) {
      const key = `${call.name} -> ${callee.name} all.c:${line}`;
      found.set(key, (found.get(key) ?? 0) + costOf(callee));
      visit(callee);
    }
  };
  visit(root);
  return found;
}

function rowSums(values: LineValues): number[] {
  const { rowStart, value } = values;
  return Array.from({ length: rowStart ? rowStart.length - 1 : value.length }, (_, row) => {
    let sum = 0;
    for (let at = firstCell(values, row); at < firstCell(values, row + 1); at++) sum += value[at];
    return sum;
  });
}

async function read(root: Happened, backwards = false, levels = true) {
  const [dataSet] = await readFixture(callgrind, { "callgrind.out.1": recorded(root, backwards, levels) });
  const { callGraph, frames } = dataSet;
  if (!callGraph) throw new Error("no call graph");
  return { dataSet, callGraph, name: (id: number) => frames.nameOf(callGraph.functions[id]) };
}

describe("a program that ran", () => {
  it("has the inclusive costs that its outermost calls had, recursion or not", async () => {
    await fc.assert(
      fc.asyncProperty(happened(true), async (root) => {
        const { callGraph, name } = await read(root);
        const found = new Map(rowSums(callGraph.functionInclusive[0]).map((cost, id) => [name(id), cost]));
        expect(found).toEqual(new Map([...trueInclusive(root)].sort(([a], [b]) => (a < b ? -1 : 1))));
        // No call costs more than its callee in all.
        const calls = rowSums(callGraph.inclusive[0]);
        calls.forEach((cost, row) =>
          expect(cost).toBeLessThanOrEqual(found.get(name(callGraph.calls.callee[row])) ?? 0),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("says which inclusive costs are only bounds, where levels of recursion were not kept apart", async () => {
    await fc.assert(
      fc.asyncProperty(happened(true), async (root) => {
        const { dataSet, callGraph, name } = await read(root, false, false);
        const truth = trueInclusive(root);
        rowSums(callGraph.functionInclusive[0]).forEach((cost, id) => {
          const real = truth.get(name(id)) ?? 0;
          if (callGraph.atMost[id] === 1) expect(cost).toBeGreaterThanOrEqual(real);
          else expect(cost).toBe(real);
        });
        const said = dataSet.notRecorded?.some((text) => text.startsWith("no levels of recursion in this recording"));
        expect(said).toBe(callGraph.atMost.includes(1));
        expect((await read(root)).callGraph.atMost.includes(1)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it("has estimated contexts that add up to what was measured, function by function", async () => {
    await fc.assert(
      fc.asyncProperty(happened(false), async (root) => {
        const { dataSet, callGraph, name } = await read(root);
        const { tree, frames, values } = dataSet;
        const functions = functionsOf(tree, frames, callGraph.functions);
        const estimated = inclusiveByFunction(functions, inclusive(tree, Float64Array.from(rowSums(values[0]))));
        const measured = rowSums(callGraph.functionInclusive[0]);
        const { caller, callee, frame } = callGraph.calls;
        const calls = rowSums(callGraph.inclusive[0]).map((cost, row): [string, number] => [
          `${name(caller[row])} -> ${name(callee[row])} ${frames.nameOf(frame[row])}`,
          cost,
        ]);
        expect(new Map(calls)).toEqual(trueCalls(root));
        // But for what is below 0.01 % of the total and not unfolded, and for whole counts.
        const least = 1e-3 * costOf(root) + tree.size;
        measured.forEach((cost, id) => expect(Math.abs(estimated[id] - cost)).toBeLessThanOrEqual(least));
      }),
      { numRuns: 100 },
    );
  });

  it("has estimated contexts in which each function costs itself what it did, however it recurses", async () => {
    await fc.assert(
      fc.asyncProperty(happened(true), async (root) => {
        const { dataSet } = await read(root);
        const { tree, frames, values } = dataSet;
        const costs = rowSums(values[0]);
        const found = new Map<string, number>();
        for (let context = 0; context < tree.size; context++) {
          const isLine = frames.kindOf(tree.frame[context]) === "line";
          const own = isLine ? tree.parent[context] : context;
          const name = frames.nameOf(tree.frame[own]);
          found.set(name, (found.get(name) ?? 0) + costs[context]);
        }
        // To the last digit: shares of counts are counts.
        expect(costs.every(Number.isInteger)).toBe(true);
        expect(found).toEqual(new Map(trueExclusive(root)));
        expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(costOf(root));
      }),
      { numRuns: 100 },
    );
  });

  it("has the same contexts and costs whatever the order of its functions and calls", async () => {
    await fc.assert(
      fc.asyncProperty(happened(true), async (root) => {
        const [one, other] = [await read(root), await read(root, true)];
        const listed = ({ dataSet: { tree, frames, values } }: typeof one) =>
          Array.from(tree.frame, (frame, context) => [
            frames.nameOf(frame),
            tree.parent[context],
            rowSums(values[0])[context],
          ]);
        expect(listed(other)).toEqual(listed(one));
      }),
      { numRuns: 30 },
    );
  });
});
