import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareArguments } from "../../../../src/cli/compareCommand";
import { changedPlaces } from "../../../../src/editor/changedPlaces";
import type { DataSetInfo, Engine, Scope, Target } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { quietTask } from "../../../../src/model/task";
import { hottestPlace } from "../../../../src/session/hottestPlace";
import type { Session } from "../../../../src/session/session";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-changed-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const functions = ["f", "g", "h"];
const files = ["a.c", "b.h"];
/** What a function costs on a line of a file. */
type Cost = readonly [name: string, file: string, line: number, cost: number];
const run = fc.array(
  fc.tuple(
    fc.constantFrom(...functions),
    fc.constantFrom(...files),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 50 }),
  ),
  { minLength: 1, maxLength: 12 },
);

let written = 0;
/** A callgrind profile of a build in a folder of its own, where the functions are defined in `a.c`. */
function build(costs: readonly Cost[]): string {
  const own = path.join(folder, `${written++}`);
  fs.mkdirSync(own);
  for (const file of files) fs.writeFileSync(path.join(own, file), "int x;\n".repeat(5));
  const blocks = costs.map(([name, file, line, cost]) => {
    const inlined = file === "a.c" ? "" : `fi=${path.join(own, file)}\n`;
    return `fl=${path.join(own, "a.c")}\nfn=${name}\n${inlined}${line} ${cost}\n`;
  });
  const total = costs.reduce((sum, [, , , cost]) => sum + cost, 0);
  const file = path.join(own, "callgrind.out.1");
  fs.writeFileSync(file, `positions: line\nevents: Ir\n${blocks.join("")}totals: ${total}\n`);
  return file;
}

const sumOf = (costs: readonly Cost[], counts: (cost: Cost) => boolean) =>
  costs.filter(counts).reduce((sum, [, , , cost]) => sum + cost, 0);

/** The lines of a function that changed most, by looking at every cost: all that are equal to the last count. */
function naive(before: readonly Cost[], after: readonly Cost[], name: string): string[] {
  const places = files.flatMap((file) => [1, 2, 3, 4, 5].map((line) => ({ file, line })));
  const found = places.flatMap(({ file, line }) => {
    const isHere = (cost: Cost) => cost[1] === file && cost[2] === line;
    const isOwn = (cost: Cost) => isHere(cost) && cost[0] === name;
    if (![...before, ...after].some(isOwn)) return [];
    const part = sumOf(after, isOwn) - sumOf(before, isOwn);
    const whole = sumOf(after, isHere) - sumOf(before, isHere);
    const change = part * whole > 0 ? Math.min(Math.abs(part), Math.abs(whole)) : 0;
    return [{ place: `${file}:${line}`, change, part: Math.abs(part) }];
  });
  const most = Math.max(...found.map(({ change }) => change));
  const left = found.filter(({ change }) => change === most);
  const part = Math.max(...left.map((one) => one.part));
  return left.filter((one) => one.part === part).map(({ place }) => place);
}

const shortOf = (file: string | undefined, line: number | undefined) => `${path.basename(file ?? "")}:${line}`;

/** What the window knows of two recordings that are compared, the candidate being shown. */
function sessionOf(engine: Engine, infos: readonly DataSetInfo[]) {
  const scope = (id = infos[1].id): Scope => ({ dataSet: id, metric: 0, over: "sum" });
  const comparison = { baseline: infos[0].id, candidate: infos[1].id };
  return { engine, comparison, dataSets: infos, current: infos[1], scope, renamed: [] } as unknown as Session;
}

describe("the line of a function that changed most", () => {
  it("is the one that every cost says, on the command line, by command, from lists and from bars", async () => {
    await fc.assert(
      fc.asyncProperty(run, run, async (before, after) => {
        const builds = [build(before), build(after)];
        const request = compareArguments([...builds, "--json", "--source", folder, "--changed", "0"], folder);
        const text = request.text(await request.run(localEngine(grammars)));
        const { differences } = JSON.parse(text) as {
          differences: { function: string; file: string; line: number; difference: number }[];
        };
        const expected = new Map(differences.map((row) => [row.function, naive(before, after, row.function)]));
        for (const row of differences) expect(expected.get(row.function)).toContain(shortOf(row.file, row.line));

        const engine = localEngine(grammars);
        await engine.configure({ folders: [folder], sourceMap: {} });
        const infos: DataSetInfo[] = [];
        for (const file of builds) infos.push(...(await engine.open({ paths: [file] })));
        const session = sessionOf(engine, infos);
        const [baseline, candidate] = infos.map(({ id }) => session.scope(id) as Scope);
        const [first] = await changedPlaces(engine, { baseline, candidate }, 10, quietTask);
        const changed = differences.filter(({ difference }) => difference !== 0);
        expect(first?.name).toBe(changed.at(0)?.function);
        const leadsTo = async (scope: Scope, target: Target) => {
          const place = await hottestPlace(session, scope, target);
          const [line] = place?.link.places ?? [];
          return shortOf(line?.file, line?.line);
        };
        if (first) {
          const [{ file, line }] = first.link.places;
          expect(expected.get(first.name)).toContain(shortOf(file, line));
          const query = { scope: candidate, compared: baseline, filter: 0, groupBy: "file" } as const;
          const { bars } = await engine.superGraph(query);
          expect(bars).toHaveLength(1); // all functions are of one file
          const bar = await leadsTo(candidate, { kind: "bar", query, bar: bars[0].id });
          expect(expected.get(first.name)).toContain(bar);
        }
        for (const info of infos) {
          const scope = session.scope(info.id) as Scope;
          for (const row of await engine.hotFunctions({ scope, by: "exclusive", limit: 10 }))
            expect(expected.get(row.name)).toContain(
              await leadsTo(scope, { kind: "function", function: row.function }),
            );
        }
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("is the other side's hottest where one side's lines were not recorded", async () => {
    const [plain, lines] = [
      build([["f", "a.c", 0, 90]]),
      build([
        ["f", "a.c", 2, 10],
        ["f", "a.c", 4, 30],
      ]),
    ];
    for (const builds of [
      [plain, lines],
      [lines, plain],
    ]) {
      const request = compareArguments([...builds, "--json", "--source", folder], folder);
      const text = request.text(await request.run(localEngine(grammars)));
      expect(JSON.parse(text)).toMatchObject({ differences: [{ function: "f", line: 4 }] });
    }
  });
});
