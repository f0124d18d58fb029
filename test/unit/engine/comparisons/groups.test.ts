import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ComparisonQuery, GraphQuery, Scope } from "../../../../src/engine/api";
import { compareRuns } from "../../../../src/engine/comparisons/comparison";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { EngineState } from "../../../../src/engine/engineState";
import { addTo } from "../../../../src/model/maps";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";
import { recordingOf } from "../recordings";

/** A function of a program: which file and module it is of, in every build. */
interface Part {
  readonly name: string;
  readonly file: string;
  readonly module: string;
}

const parts: readonly Part[] = [
  { name: "main", file: "main.c", module: "prog" },
  { name: "sort", file: "sort.c", module: "prog" },
  { name: "merge", file: "sort.c", module: "prog" },
  { name: "inlined", file: "sort.c", module: "prog" },
  { name: "memcpy", file: "string.c", module: "libc.so.6" },
  { name: "memset", file: "string.c", module: "libc.so.6" },
  { name: "log", file: "log.c", module: "libm.so.6" },
];

type Seconds = Readonly<Record<string, number>>;

/** What a build of its own folder cost, in a program of its own name; `main` has everything below it. */
function buildOf(level: string, seconds: Seconds) {
  return recordingOf(
    Object.entries(seconds).map(([name, own]) => {
      const { file, module } = parts.find((part) => part.name === name) ?? parts[0];
      const frame = {
        name,
        kind: "function" as const,
        file: `/build/${level}/src/${file}`,
        module: module === "prog" ? `/bin/prog.${level}` : `/${level}/lib/${module}`,
      };
      return [[frame], 0, own];
    }),
  );
}

function stateOf(builds: readonly (readonly [string, Seconds])[]): EngineState {
  const open = builds.map(([level, seconds], at) => new OpenDataSet(at + 1, buildOf(level, seconds), 0));
  const state = new EngineState(grammars);
  state.get = (dataSet) => ({ open: open[dataSet - 1] }) as ReturnType<EngineState["get"]>;
  return state;
}

const scope = (dataSet: number): Scope => ({ dataSet, metric: 0, over: "sum" });

/** What groups are called, whatever build they are named by. */
const plain = (name: string) => name.replace(/^.*\//, "").replace(/\.O[13]$/, "");

async function groups(
  state: EngineState,
  [baseline, candidate]: readonly number[],
  groupBy: ComparisonQuery["groupBy"],
) {
  const query = { baseline: [scope(baseline)], candidate: [scope(candidate)], value: "exclusive" } as const;
  const { rows } = await compareRuns(state, { ...query, groupBy, limit: 100, linked: 0 }, quietTask);
  return rows.map((row) => [plain(row.name), row.baseline, row.candidate]).sort();
}

/** Values of each group on both sides, by adding up functions. */
function naive(sides: readonly Seconds[], groupOf: (part: Part) => string) {
  const sums = sides.map((seconds) => {
    const found = new Map<string, number>();
    for (const part of parts) if (part.name in seconds) addTo(found, groupOf(part), seconds[part.name]);
    return found;
  });
  const names = [...new Set(sums.flatMap((found) => [...found.keys()]))];
  return names.map((name) => [name, ...sums.map((found) => found.get(name) ?? null)]).sort();
}

const others = parts.slice(1).map(({ name }) => name);
const seconds = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.dictionary(fc.constantFrom(...others), fc.integer({ min: 1, max: 9 })))
  .map(([main, rest]): Seconds => ({ main, ...rest }));

describe("groups of two builds that lie in folders of their own", () => {
  it("are the sums of their functions, whatever build has them, and the order of both only changes sides", async () => {
    await fc.assert(
      fc.asyncProperty(seconds, seconds, async (before, after) => {
        const expected = {
          file: naive([before, after], ({ file }) => file),
          module: naive([before, after], ({ module }) => module),
        };
        const there = stateOf([
          ["O1", before],
          ["O3", after],
        ]);
        const back = stateOf([
          ["O3", after],
          ["O1", before],
        ]);
        for (const groupBy of ["file", "module"] as const) {
          expect(await groups(there, [1, 2], groupBy)).toEqual(expected[groupBy]);
          expect(await groups(back, [2, 1], groupBy)).toEqual(expected[groupBy]);
          const swapped = expected[groupBy].map(([name, left, right]) => [name, right, left]);
          expect(await groups(there, [2, 1], groupBy)).toEqual(swapped);
          // The super graph's bars are the same groups.
          const query: GraphQuery = { scope: scope(1), compared: scope(2), filter: 0, groupBy, barsOnly: true };
          const { bars } = await there.graphsOf(query, quietTask).superGraph(query, quietTask);
          expect(bars.map(({ group }) => plain(group)).sort()).toEqual(expected[groupBy].map(([name]) => name));
        }
        // One folder has all of the program, also a file that only one build has.
        const folders = await groups(there, [1, 2], "folder");
        expect(folders).toEqual(naive([before, after], () => "src"));
      }),
      { numRuns: casesOf(200) },
    );
  });
});
