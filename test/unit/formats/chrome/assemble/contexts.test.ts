import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { functionFrame } from "../../../../../src/formats/chrome/decode/callStacks";
import type { DataSet } from "../../../../../src/model/dataSet";
import { NONE } from "../../../../../src/model/ids";
import { read } from "../readAs";

/** An event of a random call tree, with the path that leads to it. */
interface Call {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly path: string;
}

/** Calls that nest properly, in the order of their starts: made by walking a random tree. */
function randomCalls(count: number, seed: number): Call[] {
  let state = seed;
  const random = (most: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % most;
  };
  const calls: { name: string; start: number; end: number; path: string }[] = [];
  const open: number[] = [];
  let now = 0;
  while (calls.length < count) {
    now += 1 + random(5);
    const isReturn = open.length > 0 && (open.length >= 40 || random(100) < 48);
    if (isReturn) calls[open.pop() ?? 0].end = now;
    else {
      const name = `f${random(6)}`;
      const above = open.length === 0 ? "" : `${calls[open[open.length - 1]].path}/`;
      open.push(calls.push({ name, start: now, end: 0, path: above + name }) - 1);
    }
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) calls[at].end = ++now;
  return calls;
}

/** Exclusive time by path: that of each moment belongs to the innermost call, moment by moment. */
function naiveTimes(calls: readonly Call[]): Map<string, number> {
  const owner: (string | undefined)[] = new Array<string | undefined>(Math.max(...calls.map(({ end }) => end)));
  // Later starts are further inside: they take the moments over.
  for (const { start, end, path } of calls) owner.fill(path, start, end);
  const times = new Map<string, number>();
  for (const path of owner) if (path !== undefined) times.set(path, (times.get(path) ?? 0) + 1);
  return times;
}

function pathsOf({ tree, frames }: DataSet): string[] {
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const own = frames.nameOf(tree.frame[context]);
    paths.push(tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`);
  }
  return paths;
}

const written = ({ name, start, end }: Call) =>
  `{"ph":"X","name":"${name}","pid":1,"tid":1,"ts":${start},"dur":${end - start}}`;

/** The same calls as pairs of a beginning and an end, in the order of time. */
function asPairs(calls: readonly Call[]): string[] {
  const marks = calls.flatMap(({ name, start, end }) => [
    { at: start, text: `{"ph":"B","name":"${name}","pid":1,"tid":1,"ts":${start}}` },
    { at: end, text: `{"ph":"E","name":"${name}","pid":1,"tid":1,"ts":${end}}` },
  ]);
  return marks.sort((a, b) => a.at - b.at).map(({ text }) => text);
}

describe("calling contexts of nested events", () => {
  const calls = randomCalls(10_000, 4711);

  it.each([
    ["in the order of their starts", calls.map(written)],
    ["in the order of their ends", [...calls].sort((a, b) => a.end - b.end).map(written)],
    ["as beginnings and ends", asPairs(calls)],
  ])("%s are those of a walk through the calls, in any window", async (_, lines) => {
    const dataSet = await read(`[${lines.join(",\n")}]`);
    const paths = pathsOf(dataSet);
    const windows = [
      [0, calls.length],
      [4095, 3],
      [4096, 1],
      [8191, 200],
      [9999, 10],
      [5000, 0],
    ];
    for (const [first, count] of windows) {
      const events = await dataSet.trace?.readEvents(0, first, count);
      const wanted = calls.slice(first, first + count).map(({ path }) => path);
      expect(Array.from(events?.context ?? [], (context) => paths[context])).toEqual(wanted);
    }
  });

  it("have the time in which they are innermost", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 1, max: 300 }), async (seed, count) => {
        const some = randomCalls(count, seed + 1);
        const dataSet = await read(`[${some.map(written).join(",")}]`);
        const paths = pathsOf(dataSet);
        const { rowStart, value } = dataSet.values[0];
        const found = new Map<string, number>();
        for (const [context, path] of paths.entries())
          for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
            found.set(path, Math.round(value[cell] * 1e9) / 1e3);
        expect(new Map([...found].sort())).toEqual(new Map([...naiveTimes(some)].sort()));
      }),
      { numRuns: 100 },
    );
  });
});

describe("a line of a recorded stack", () => {
  it.each([
    ["run(app/main.js:12:3)", { name: "run", file: "app/main.js", line: 12 }],
    ["(anonymous)(a(b).js:7:1)", { name: "(anonymous)", file: "a(b).js", line: 7 }],
    ["solver.py(41): step", { name: "step", file: "solver.py", line: 41 }],
    ["f(:1:2)", { name: "f(:1:2)" }],
    ["f(a.js:1)", { name: "f(a.js:1)" }],
  ])("%s names a function and its place", (text, expected) => {
    expect(functionFrame(text)).toEqual({ kind: "function", ...expected });
  });
});
