/** `heatflow hot` of traces without a metric: states with their time and lines, as a naive sum has them. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { hotArguments } from "../../../src/cli/hotCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";
import { drawing } from "../formats/dmtracker/recordings";
import { definitions, headOf } from "../formats/paje/writer";
import { casesOf, seed } from "../randomCases";
import { ArgumentError } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-states-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const source = path.join(folder, "program");
fs.mkdirSync(path.join(source, "src"), { recursive: true });
fs.writeFileSync(path.join(source, "src", "cg.c"), "int line;\n".repeat(90));
fs.writeFileSync(path.join(source, "grid.py"), "\n\ndef solve():\n    pass\n");

interface State {
  readonly name: string;
  /** Line of `src/cg.c`; 0: none is recorded. */
  readonly line: number;
  /** Milliseconds. */
  readonly before: number;
  readonly duration: number;
  /** A state inside it, in its middle. */
  readonly inner: { readonly name: string; readonly line: number; readonly duration: number } | undefined;
}

const name = fc.constantFrom("PMPI_Send", "PMPI_Recv", "computing", "solve (grid.py:3)");
const line = fc.nat({ max: 4 }).map((at) => 20 * at);
const state: fc.Arbitrary<State> = fc
  .record({
    name,
    line,
    before: fc.nat({ max: 9 }),
    duration: fc.integer({ min: 2, max: 64 }),
    inner: fc.option(fc.record({ name, line, duration: fc.integer({ min: 1, max: 9 }) }), { nil: undefined }),
  })
  .map((one) => ({ ...one, inner: one.inner && one.inner.duration <= one.duration ? one.inner : undefined }));
const ranks = fc.array(fc.array(state, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
/** As SimGrid, pajeng, StarPU and old versions name the fields. */
const spelling = fc.constantFrom(
  ["Fname", "Lnumber"],
  ["File", "Line"],
  ["FileName", "LineNumber"],
  ["Filename", "Linenumber"],
);

function traceOf(states: readonly (readonly State[])[], [file, number]: readonly string[]): string {
  const fields = [...definitions.PajePushState.fields, file, `${number}:int`];
  const rows: [number, string][] = [];
  const place = (at: number) => (at === 0 ? '"" 0' : `"src/cg.c" ${at}`);
  for (const [rank, own] of states.entries()) {
    let now = 0;
    for (const { name: outer, line: at, before, duration, inner } of own) {
      const begin = now + before;
      rows.push([begin, `12 ${begin / 1000} S r${rank} "${outer}" ${place(at)}`]);
      if (inner !== undefined) {
        rows.push([begin, `12 ${begin / 1000} S r${rank} "${inner.name}" ${place(inner.line)}`]);
        rows.push([begin + inner.duration, `13 ${(begin + inner.duration) / 1000} S r${rank}`]);
      }
      rows.push([begin + duration, `13 ${(begin + duration) / 1000} S r${rank}`]);
      now = begin + duration;
    }
  }
  // One clock for all ranks; lines of a rank stay in their order.
  const sorted = rows.sort(([a], [b]) => a - b).map(([, text]) => text);
  const containers = states.map((_, rank) => `6 0 r${rank} P 0 "rank-${rank}"`);
  return [
    `${headOf({ PajePushState: { id: 12, fields } })}0 P 0 MPI`,
    "2 S P MPI_STATE",
    ...containers,
    ...sorted,
    "",
  ].join("\n");
}

/** Milliseconds by a key, in which states were innermost. */
function naiveSums(states: readonly (readonly State[])[], keyOf: (name: string, line: number) => string) {
  const sums = new Map<string, { own: number; count: number; longest: number }>();
  const add = (key: string, own: number, duration: number) => {
    const { own: before, count, longest } = sums.get(key) ?? { own: 0, count: 0, longest: 0 };
    sums.set(key, { own: before + own, count: count + 1, longest: Math.max(longest, duration) });
  };
  for (const { name: outer, line: at, duration, inner } of states.flat()) {
    add(keyOf(outer, at), duration - (inner?.duration ?? 0), duration);
    if (inner !== undefined) add(keyOf(inner.name, inner.line), inner.duration, inner.duration);
  }
  return sums;
}

interface Printed {
  readonly total: number;
  readonly states: { name: string; seconds: number; share: number; count: number; longest: number }[];
  readonly lines: { function: string; file?: string; line?: number; exclusive: number }[];
}

let written = 0;

async function hot(trace: string, ...args: string[]) {
  const file = path.join(folder, `${written++}.trace`);
  fs.writeFileSync(file, trace);
  const request = hotArguments([file, "--top", "1000", ...args], source);
  const engine = localEngine(grammars);
  return request.text(await request.run(engine));
}

describe("states of a trace without a metric", () => {
  it("are those of a naive sum, each on its line", async () => {
    await fc.assert(
      fc.asyncProperty(ranks, spelling, async (states, fields) => {
        if (states.flat().length === 0) return;
        const printed = JSON.parse(await hot(traceOf(states, fields), "--lines", "--json")) as Printed;
        const byName = naiveSums(states, (one) => one);
        expect(printed.states.map((one) => one.name).sort()).toEqual([...byName.keys()].sort());
        for (const { name: one, seconds, count, longest } of printed.states) {
          const sum = byName.get(one);
          expect(count).toBe(sum?.count);
          expect(seconds).toBeCloseTo((sum?.own ?? 0) / 1000, 9);
          expect(longest).toBeCloseTo((sum?.longest ?? 0) / 1000, 9);
        }
        const key = (one: string, at: number | undefined) => `${one} ${at || (/(\d+)\)$/.exec(one)?.[1] ?? "")}`;
        const byLine = [...naiveSums(states, key)].filter(([, { own }]) => own > 0);
        const found = printed.lines.map((row): [string, number] => [key(row.function, row.line), row.exclusive]);
        expect(new Set(found.map(([one]) => one))).toEqual(new Set(byLine.map(([one]) => one)));
        for (const [one, { own }] of byLine) expect(new Map(found).get(one)).toBeCloseTo(own / 1000, 9);
        for (const row of printed.lines) {
          if (row.line === undefined) expect(row.file).toBeUndefined();
          else expect(row.file).toBe(row.line === 3 ? "program/grid.py" : "program/src/cg.c");
        }
        const end = Math.max(...states.map((own) => own.reduce((sum, one) => sum + one.before + one.duration, 0)));
        const lanes = states.filter((own) => own.length > 0).length;
        const start = Math.min(...states.flatMap((own) => own.slice(0, 1).map(({ before }) => before)));
        expect(printed.total).toBeCloseTo((lanes * (end - start)) / 1000, 9);
      }),
      { numRuns: casesOf(400), seed },
    );
  });

  const one: State = { name: "PMPI_Send", line: 42, before: 0, duration: 40, inner: undefined };

  it("lead from an event to its line", async () => {
    const file = path.join(folder, "event.trace");
    fs.writeFileSync(file, traceOf([[one]], ["Fname", "Lnumber"]));
    const engine = localEngine(grammars);
    await engine.configure({ folders: [source], sourceMap: {} });
    const [info] = await engine.open({ paths: [file] });
    const { link } = await engine.timelineEvent({ dataSet: info.id, lane: 0, event: 0 });
    expect(link?.places).toEqual([{ file: path.join(source, "src/cg.c"), line: 42 }]);
    const places = await engine.timelinePlaces({ dataSet: info.id, events: [{ lane: 0, event: 0 }] });
    expect(places).toEqual(["cg.c:42"]);
  });

  it("lead nowhere in another program, whatever it calls", async () => {
    const file = path.join(folder, "foreign.trace");
    fs.writeFileSync(file, traceOf([[one]], ["Fname", "Lnumber"]));
    const foreign = path.join(folder, "foreign");
    fs.mkdirSync(foreign);
    fs.writeFileSync(path.join(foreign, "tool.c"), "int main() {\n  MPI_Send();\n}\n");
    const engine = localEngine(grammars);
    await engine.configure({ folders: [foreign], sourceMap: {} });
    const [info] = await engine.open({ paths: [file] });
    const { link } = await engine.timelineEvent({ dataSet: info.id, lane: 0, event: 0 });
    expect(link).toMatchObject({ places: [], missingFile: "src/cg.c" });
  });

  it("are a table", async () => {
    const text = await hot(
      traceOf([[one], [{ ...one, name: "computing", line: 20, duration: 60 }]], ["Fname", "Lnumber"]),
      "--lines",
    );
    expect(text.split("\n").map((row) => row.split(/ {2,}/))).toEqual([
      ["time of 2 lanes: 120 ms"],
      [""],
      ["state", "exclusive", "events", "longest", "place"],
      ["computing", "60.0 ms", "50.0 %", "1", "60.0 ms", "program/src/cg.c:20"],
      ["PMPI_Send", "40.0 ms", "33.3 %", "1", "40.0 ms", "program/src/cg.c:42"],
      [""],
      ["line of", "exclusive", "place"],
      ["computing", "60.0 ms", "50.0 %", "program/src/cg.c:20"],
      ["PMPI_Send", "40.0 ms", "33.3 %", "program/src/cg.c:42"],
      [""],
    ]);
  });

  it("are refused if a recording has no lanes", async () => {
    const file = path.join(folder, "topology.svg");
    fs.writeFileSync(file, drawing);
    const request = hotArguments([file, "--json"], source);
    await expect(request.run(localEngine(grammars))).rejects.toThrow(/topology\.svg has no metric that adds up$/);
  });

  it("have no values of ranks to combine", async () => {
    await expect(hot(traceOf([[one]], ["File", "Line"]), "--over", "max")).rejects.toThrow(ArgumentError);
  });
});
