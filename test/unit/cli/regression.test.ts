/** Recordings of a program with a regression that was put into it: `regression/record.ts` tells which, and how they were made. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";
import { miniheat } from "../../recordings";
import { PATCHED_FILE, PATCHED_FUNCTION, patched, patchedLine } from "./regression/patch";

const folder = path.resolve("test/unit/cli/regression");
const source = fs.readFileSync(path.join(miniheat, PATCHED_FILE), "utf8");
/** Who calls the function, and who calls these; by what names of both tools contain. */
const CALLERS = /ConjugateGradient|Simulation::advance|\bmain\b|^0x|_start/;
const SIGNIFICANT = 0.05;

interface Difference {
  readonly function: string;
  readonly file?: string;
  readonly line?: number;
  readonly difference: number;
  readonly p: number | null;
  readonly slowerIn: number;
  readonly of: number;
}

async function differences(tool: string, sides: string): Promise<Difference[]> {
  const args = [path.join(folder, tool), "--as", "separate", "--source", path.join(miniheat, "src"), "--json"];
  const request = ensembleArguments([...args, "--diff", sides], process.cwd());
  const answer = JSON.parse(request.text(await request.run(localEngine(grammars)))) as { differences: Difference[] };
  return answer.differences;
}

/** The rows that are called significant between runs whose names begin so. */
async function significantIn(tool: string, baseline: string, candidate: string) {
  const engine = localEngine(grammars);
  const [{ id, defaultMetric }] = await engine.open({
    paths: [path.join(folder, tool)],
    ensemble: {},
    answer: "separate",
  });
  const scope = { dataSet: id, metric: defaultMetric, over: "mean" } as const;
  const { runs } = await engine.ensembleRuns(scope);
  const runsOf = (side: string) => runs.flatMap(({ name }, run) => (name.startsWith(side) ? [run] : []));
  const asked = { scope, linked: 0, baseline: runsOf(baseline), candidate: runsOf(candidate) };
  expect([asked.baseline.length, asked.candidate.length]).toEqual([5, 5]);
  const namesOf = async (value: "exclusive" | "inclusive") =>
    significant((await engine.ensembleDifferences({ ...asked, value })).rows).map(({ name }) => name);
  return { exclusive: await namesOf("exclusive"), inclusive: await namesOf("inclusive") };
}

function significant<Row extends { readonly p: number | null }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ p }) => p !== null && p <= SIGNIFICANT);
}

describe.each(["callgrind", "tracker"])("a function that does all of its work twice, recorded with %s", (tool) => {
  it("is first in the difference, on its line, and alone called significant", async () => {
    const found = await differences(tool, "A*,P*");
    const [first] = found;
    expect(first.function).toMatch(PATCHED_FUNCTION);
    expect(path.basename(first.file ?? "")).toBe(path.basename(PATCHED_FILE));
    expect(first.line).toBe(patchedLine(source));
    expect(patchedLine(patched(source))).toBe(patchedLine(source));
    expect(first.difference).toBeGreaterThan(0);
    expect([first.slowerIn, first.of]).toEqual([5, 5]);
    // Both sides are apart in two of the 252 ways to divide ten runs into fives.
    expect(first.p).toBeCloseTo(2 / 252, 12);
    expect(significant(found)).toEqual([first]);
    // Code that is known by its address alone lies elsewhere in another build: nothing is said of it.
    const moved = found.filter((row) => /^0x/.test(row.function) && row.difference !== 0);
    expect(moved.length > 0).toBe(tool === "callgrind");
    expect(moved.map(({ p }) => p)).toEqual(moved.map(() => null));
  });

  it("makes nobody but its callers slower in inclusive values", async () => {
    const { inclusive } = await significantIn(tool, "A", "P");
    expect(inclusive.some((name) => name.includes(PATCHED_FUNCTION))).toBe(true);
    expect(inclusive.some((name) => name.includes("ConjugateGradient"))).toBe(true);
    expect(inclusive.filter((name) => !name.includes(PATCHED_FUNCTION) && !CALLERS.test(name))).toEqual([]);
  });

  it("is not there between five runs of a build and five others of it", async () => {
    expect(await significantIn(tool, "A", "B")).toEqual({ exclusive: [], inclusive: [] });
  });
});
