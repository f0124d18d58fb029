import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { FileSource } from "../../src/formats/fileSource";
import { readMetaDb } from "../../src/formats/hpctoolkit/v4/scan/metaDb";
import { quietTask } from "../../src/model/task";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/hpctoolkit-v4");

async function openedAt(database: string) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [], sourceMap: {} });
  const [info] = await engine.open({ paths: [path.join(folder, database)] });
  return { engine, scope: { dataSet: info.id, metric: 0, over: "sum" as const } };
}

interface GoldenContext {
  readonly id: number;
  readonly parent: number;
  readonly lex: number | null;
  readonly fn: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly summary: Readonly<Record<string, number>>;
}

/** Inclusive seconds of each context that an independent reader found (statistic 3 of this database: execution). */
function golden(name: string): GoldenContext[] {
  const text = fs.readFileSync(path.join(folder, `golden/${name}.json`), "utf8");
  return (JSON.parse(text) as { contexts: GoldenContext[] }).contexts;
}

describe.runIf(shared !== undefined)("costs on the lines of HPCToolkit databases", () => {
  it("stand at the statements of the source that the database itself holds", async () => {
    const { engine, scope } = await openedAt("viewer-inline.meta.db");
    const source = "src/autofs/nccs-svm1_home1/laksono/svn/hpctoolkit-tests/unit-test/inline_for";
    const file = (name: string) => path.join(folder, "viewer-inline.meta.db", source, name);
    const { lines, functions } = await engine.documentCosts({ scope, document: { file: file("inline_f.c") } });
    expect(lines.map(({ line }) => line)).toEqual([14, 15]);
    // The two statements of the parallel loop hold all of its cost: what is inlined into it is not counted twice.
    const hot = await engine.hotFunctions({ scope, by: "exclusive", limit: 1 });
    expect(hot[0].name).toBe("f._omp_fn.0");
    const onLines = lines.reduce((sum, { exclusive }) => sum + exclusive, 0);
    expect(Math.abs(onLines - hot[0].exclusive) / onLines).toBeLessThan(1e-6);
    expect(functions.map(({ name, line }) => `${name} ${line}`)).toEqual(["f 9"]);
    const main = await engine.documentCosts({ scope, document: { file: file("main.c") } });
    expect(main.calls.map(({ line, callee }) => `${line} ${callee}`)).toEqual(["11 f"]);
    expect(main.calls[0].inclusive).toBe(functions[0].inclusive);
    const [place] = await engine.hotPlaces({ scope, limit: 1 });
    expect(place.link).toMatchObject({ places: [{ file: file("inline_f.c"), line: 14 }], rule: "recorded-line" });
    expect(place.link.reason).toContain("the copy inside the recording");
  });

  it("show what each call of ping-pong.c costs, as an independent reader has it", async () => {
    const { engine, scope } = await openedAt("pipit-ping-pong");
    const file = path.join(folder, "pipit-ping-pong/src/ping-pong.c");
    const { lines, calls, functions } = await engine.documentCosts({ scope, document: { file } });
    const contexts = golden("pipit-ping-pong");
    const byId = new Map(contexts.map((context) => [context.id, context]));
    const expected = new Map<string, number>();
    const ownOfLine = new Map<number, number>();
    for (const context of contexts) {
      const above = byId.get(context.parent);
      const inclusive = context.summary["3"] ?? 0;
      if (context.fn !== null && above?.file?.endsWith("/ping-pong.c")) {
        const key = `${above.line} ${context.fn.replace(/ \[.*\]$/, "")}`;
        expected.set(key, (expected.get(key) ?? 0) + inclusive);
        ownOfLine.set(above.line ?? 0, (ownOfLine.get(above.line ?? 0) ?? 0) - inclusive);
      }
      if (context.lex === 2 && context.file?.endsWith("/ping-pong.c"))
        ownOfLine.set(context.line ?? 0, (ownOfLine.get(context.line ?? 0) ?? 0) + inclusive);
    }
    expect(expected.size).toBeGreaterThanOrEqual(3);
    for (const [key, inclusive] of expected) {
      const found = calls.find(({ line, callee }) => `${line} ${callee}` === key);
      expect([key, found?.inclusive]).toEqual([key, expect.closeTo(inclusive, 12)]);
    }
    for (const { line, exclusive } of lines) expect(exclusive).toBeCloseTo(ownOfLine.get(line) ?? 0, 12);
    expect(functions.map(({ name, line }) => `${name} ${line}`)).toEqual(["main 6"]);
    // Lines in loops in functions of a file that is not here: why is said once.
    for (const { link } of await engine.hotPlaces({ scope, limit: 20 }))
      expect(link.reason.split("The line is not known").length).toBeLessThanOrEqual(2);
    noteConformance("HPCToolkit v4", { recordings: 0, values: expected.size, largestDifference: 0 });
  });

  it("belong to functions: clones, inlined code and kernels of a GPU among them", async () => {
    for (const database of fs.readdirSync(folder)) {
      if (!fs.existsSync(path.join(folder, database, "profile.db"))) continue;
      const { engine, scope } = await openedAt(database);
      const found = new Set(
        (await engine.hotFunctions({ scope, by: "inclusive", limit: 100_000 })).map(({ name }) => name),
      );
      const source = await FileSource.open(path.join(folder, database, "meta.db"));
      const meta = await readMetaDb(source, quietTask);
      await source.close();
      const base = (module: number) =>
        module < 0 ? "" : path.basename(meta.modules[module].path).replace(/^<(\w+)\..*>$/, "$1");
      for (const index of new Set(meta.contexts.function)) {
        if (index < 0) continue;
        const { name, module } = meta.functions[index];
        if (name !== undefined)
          expect([...found], database).toContain(name.startsWith("<") ? name : name.replace(` [${base(module)}]`, ""));
      }
      // Lines, loops and instructions are no functions.
      for (const name of found) expect(name, database).not.toMatch(/:\d+$|^loop at |\+0x[0-9a-f]+$/);
    }
  });
});
