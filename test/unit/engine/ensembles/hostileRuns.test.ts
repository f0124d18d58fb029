import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../../src/cli/ensembleCommand";
import { localEngine } from "../../../../src/engine/localEngine";
import { CaliWriter, rank, regions, time, worldSize, type WrittenAttribute } from "../../formats/caliper/caliWriter";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-hostile-runs-"));
beforeEach(() => {
  fs.rmSync(folder, { recursive: true });
  fs.mkdirSync(folder);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** A file with one second per rank and region. */
function write(name: string, ranks: readonly number[], globals: Readonly<Record<string, string>> = {}, size?: number) {
  const out = new CaliWriter();
  for (const own of ranks) out.snapshot([regions("main")], [[rank, own], [time, 1 + own]]); // prettier-ignore
  const given = Object.entries(globals).map(
    ([key, value]) => [{ name: key, type: "string", properties: 1612 } satisfies WrittenAttribute, value] as const,
  );
  out.globals([[worldSize, String(size ?? ranks.length)], ...given]);
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, out.text());
}

async function answered(...args: string[]) {
  const request = ensembleArguments([...args, "--source", folder], folder);
  const answer = await request.run(localEngine(grammars));
  return { answer, text: request.text(answer), names: answer.runs.runs.map(({ name }) => name) };
}

describe("runs of an ensemble", () => {
  it("may lack a parameter that objects have a method for", async () => {
    for (const [at, value] of ["x", "x", "y", "y"].entries())
      write(`run${at}.cali`, [0], { constructor: value, toString: value });
    write("run4.cali", [0]);
    const { text } = await answered(folder);
    expect(text).toMatch(/\nrun +constructor +toString +total/);
    expect(text).toMatch(/\nrun4 +1\.00 s/);
  });

  it("may have a parameter of a manifest that objects have themselves", async () => {
    write("a.cali", [0]);
    write("b.cali", [0]);
    const manifest = path.join(folder, "m.heatflow-runs.json");
    const runs =
      '[{"files":"a.cali","parameters":{"constructor":1,"prototype":"x","__proto__":true}},{"files":"b.cali"}]';
    fs.writeFileSync(manifest, `{"runs":${runs}}`);
    const { text } = await answered(manifest, "--json");
    const all = JSON.parse(text) as { runs: { metadata: object }[]; parameters: { name: string }[] };
    const own = { constructor: "1", prototype: "x", ["__proto__"]: "true" };
    expect(Object.entries(all.runs[0].metadata)).toEqual(expect.arrayContaining(Object.entries(own)));
    expect(Object.entries(all.runs[1].metadata).flat()).not.toContain("x");
    expect(all.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(own)));
    for (const [parameters, message] of [
      ["5", "5 at runs.0.parameters"],
      ['{"constructor":{}}', "runs.0.parameters.constructor"],
      ['{"a":null}', "null at runs.0.parameters.a"],
    ]) {
      fs.writeFileSync(manifest, `{"runs":[{"files":"a.cali","parameters":${parameters}}]}`);
      await expect(answered(manifest)).rejects.toThrow(message);
    }
  });

  it("that have measured nothing have no total, and are not counted among those that lack a function", async () => {
    const columns = '"columns":["path","time"],"column_metadata":[{"is_value":false},{"is_value":true}]';
    const nodes = '"nodes":[{"label":"main","column":"path"}]';
    for (const [name, data] of [
      ["a", "[[0,4]]"],
      ["b", "[[0,5]]"],
      ["ended", "[]"],
    ])
      fs.writeFileSync(path.join(folder, `${name}.json`), `{"data":${data},${columns},${nodes}}`);
    const { answer, text } = await answered(folder);
    expect(answer.runs.runs.map(({ total }) => total)).toEqual([4, 5, NaN]);
    expect(answer.graph.notes.join("\n")).toContain("1 of 3 runs lack time and are left out: ended");
    expect(Array.from(answer.projection.runs)).toEqual([0, 1]);
    expect(text).toMatch(/\nmain +0 .* all\n/);
  });

  it("are looked for in all folders below, which is said where there are none", async () => {
    fs.mkdirSync(path.join(folder, "a", "b"), { recursive: true });
    await expect(answered(folder)).rejects.toThrow(`${folder}: found no recording in it`);
    await expect(answered(folder)).rejects.toThrow(
      "Folders inside it were searched, too, but for hidden ones and links.",
    );
  });

  it("are those of a manifest that an editor has begun with a byte order mark", async () => {
    write("a.cali", [0]);
    const manifest = path.join(folder, "m.heatflow-runs.json");
    fs.writeFileSync(manifest, '\uFEFF{"runs":[{"files":"a.cali","name":"one"}]}');
    expect((await answered(manifest)).names).toEqual(["one"]);
  });

  it("have what all parts of a manifest say of them: of one parameter the last, and the one name", async () => {
    for (const name of ["a", "b", "c"]) write(`${name}.cali`, [0]);
    const manifest = path.join(folder, "m.heatflow-runs.json");
    const general = { files: "*.cali", parameters: { compiler: "gcc", size: 1 } };
    const special = { files: ["a.cali", "a.cali"], name: "base", parameters: { size: 2, fast: true } };
    const metadata = async (runs: readonly object[]) => {
      fs.writeFileSync(manifest, JSON.stringify({ runs }));
      const { answer } = await answered(manifest);
      return answer.runs.runs.map(({ name, metadata: { compiler, size, fast } }) =>
        [name, compiler, size, fast].join(),
      );
    };
    expect(await metadata([general, special])).toEqual(["b,gcc,1,", "base,gcc,2,true", "c,gcc,1,"]);
    expect(await metadata([special, general])).toEqual(["b,gcc,1,", "base,gcc,1,true", "c,gcc,1,"]);
    await expect(metadata([special, general, { files: "a.cali", name: "other" }])).rejects.toThrow(
      'two names, "base" and "other"',
    );
  });

  it("that lack a parameter are not those where it is an empty text", async () => {
    for (const [at, value] of ["", "", "x", undefined].entries())
      write(`run${at}.cali`, [0], value === undefined ? {} : { tuning: value });
    const engine = localEngine(grammars);
    const [{ id, defaultMetric: metric }] = await engine.open({ paths: [folder], ensemble: {} });
    const { runs } = await engine.ensembleRuns({ dataSet: id, metric, over: "mean" });
    expect(runs.map(({ metadata }) => metadata.tuning)).toEqual(["", "", "x", undefined]);
    const query = { filter: 0, groupBy: "function", bins: 4, parameter: "tuning" } as const;
    const lowOf = async (some: number[]) => {
      const scope = { dataSet: id, metric, over: "mean", runs: some } as const;
      const { low, parameterValues } = await engine.ensembleBars({ ...query, scope });
      return Array.from(low).flatMap((value) => (value < 0 ? [] : [parameterValues[value]]));
    };
    expect(await lowOf([0, 1])).toEqual([""]);
    expect(await lowOf([3])).toEqual([]);
  });

  it("that lack a rank have no number of it", async () => {
    write("a.cali", [0]);
    write("b.cali", [0, 1, 2]);
    const { answer, text } = await answered(folder, "--over", "rank=2");
    expect([...answer.graph.runs]).toEqual([1]);
    expect([...answer.graph.totals]).toEqual([3]);
    expect(answer.runs.runs.map(({ total }) => total)).toEqual([NaN, 3]);
    expect(answer.warnings).toContain("1 of 2 runs lack rank 2 and are left out: a");
    expect(text).toMatch(/^2 runs of [^:]+: time, rank 2; grouped by/);
    await expect(answered(folder, "--over", "rank=7")).rejects.toThrow("no run has rank 7");
  });

  it("that are many are not all named in one line where they lack something", async () => {
    for (let at = 0; at < 30; at++) write(`run${at}.cali`, [0]);
    write("z.cali", [0, 1]);
    const { answer } = await answered(folder, "--over", "rank=1");
    expect(answer.warnings.find((text) => text.includes("lack rank 1"))).toMatch(/: run0, .* and 10 more$/);
  });

  it("have names of their own, also in one folder and where a manifest gives one of them another's", async () => {
    // Two runs of two files each, as classic Caliper writes them.
    for (const own of [0, 1]) {
      write(`both/events-${own}.cali`, [own], { "cali.channel": "events" }, 2);
      write(`both/messages-${own}.cali`, [own], { "cali.channel": "messages" }, 2);
    }
    expect((await answered(path.join(folder, "both"))).names).toEqual(["events-*", "messages-*"]);
    write("a.cali", [0]);
    write("b.cali", [0]);
    const manifest = path.join(folder, "m.heatflow-runs.json");
    fs.writeFileSync(manifest, JSON.stringify({ runs: [{ files: "a.cali", name: "b" }, { files: "b.cali" }] }));
    const { answer, names } = await answered(manifest);
    expect(names).toEqual(["b", "b (2)"]);
    expect(answer.runs.runs[0].files).toEqual([path.join(folder, "a.cali")]);
  });

  it("that are on both sides of a difference say nothing of its significance", async () => {
    for (let at = 0; at < 9; at++) write(`run${at}.cali`, [0, at % 3]);
    for (let at = 0; at < 4; at++) write(`z${at}.cali`, [0, at]);
    const apart = await answered(folder, "--diff", "run?,z*");
    expect(apart.answer.differences?.rows.map(({ p }) => p)).toEqual([expect.any(Number)]);
    const both = await answered(folder, "--diff", "*,run*");
    expect(both.answer.differences?.rows.map(({ p }) => p)).toEqual([null]);
  });
});
