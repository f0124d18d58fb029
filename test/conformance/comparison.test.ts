import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareArguments } from "../../src/cli/compareCommand";
import { localEngine } from "../../src/engine/localEngine";
import { addTo } from "../../src/model/maps";
import { grammars } from "../unit/engine/miniheat";
import { annotatedFunctions, compile, missingTools, record } from "./callgrindRuns";
import { noteConformance } from "./conformanceTable";

const source = `#include <cstdio>
#include <cstdlib>
static int values[4000];
__attribute__((noinline)) static int byValue(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int mixed(int x) { return (x * 1103515245 + 12345) >> 3; }
__attribute__((noinline)) static void fill(int seed) { for (int i = 0; i < 4000; i++) values[i] = seed = mixed(seed) & 0xffff; }
__attribute__((noinline)) static long total(int times) { long s = 0; for (int t = 0; t < times; t++) for (int v : values) s += v ^ t; return s; }
int main(int argc, char**) {
  for (int i = 0; i < 20; i++) { fill(i); qsort(values, 4000, sizeof(int), byValue); }
  std::printf("%ld\\n", total(100 * argc));
}
`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-builds-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Levels of recursion, which callgrind names apart (`f'2`), are one function. */
function functionsIn(file: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, cost] of annotatedFunctions(file, false)) addTo(found, name.replace(/'\d+$/, ""), cost);
  return found;
}

describe("one program in two builds, in folders of their own", () => {
  it("differs by what callgrind_annotate says of each, function by function", async ({ skip }) => {
    if (missingTools() !== undefined) return skip();
    const files = ["O1", "O3"].map((level) => {
      const built = path.join(folder, level);
      fs.mkdirSync(built);
      const text = path.join(built, "main.cpp");
      fs.writeFileSync(text, source);
      const program = path.join(built, `program.${level}`);
      compile(program, [text, `-${level}`]);
      return record(path.join(built, "out"), "callgrind", [], [program])[0];
    });
    const request = compareArguments([...files, "--json", "--top", "1000000", "--source", folder], folder);
    const json = JSON.parse(request.text(await request.run(localEngine(grammars)))) as {
      differences: { function: string; file?: string; line?: number; difference: number }[];
    };
    const [before, after] = files.map(functionsIn);
    const found = new Map<string, number>();
    for (const row of json.differences) found.set(row.function, (found.get(row.function) ?? 0) + row.difference);
    const names = new Set([...before.keys(), ...after.keys()]);
    for (const name of names) expect(found.get(name), name).toBe((after.get(name) ?? 0) - (before.get(name) ?? 0));
    const sizes = [...names].map((name) => Math.abs((after.get(name) ?? 0) - (before.get(name) ?? 0)));
    expect(Math.abs(json.differences[0].difference)).toBe(Math.max(...sizes));
    expect(json.differences[0]).toMatchObject({ file: expect.stringMatching(/main\.cpp$/), line: expect.any(Number) });
    noteConformance("callgrind", { recordings: 2, values: names.size, largestDifference: 0 });
  });
});
