import { describe, expect, it } from "vitest";
import { memorySource } from "../../../../../src/formats/byteSource";
import { assemble } from "../../../../../src/formats/caliper/assemble/assemble";
import { isJsonSplit, readJsonSplit } from "../../../../../src/formats/caliper/scan/jsonSplit";
import type { DataSet, Hierarchy } from "../../../../../src/model/dataSet";
import { quietTask } from "../../../../../src/model/task";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { readerLaws } from "../../readerLaws";

async function read(text: string, hierarchy: Hierarchy = "combined"): Promise<DataSet> {
  const recording = await readJsonSplit(memorySource(text, "test.json"), hierarchy, quietTask);
  return assemble("test", [recording], quietTask);
}

function valuesOf(dataSet: DataSet, name: string): Record<string, number> {
  const paths = pathsOf(dataSet);
  const entries = [...cellsOf(dataSet, metricNamed(dataSet, name))].map(([context, place, value]) => [
    `${paths[context].join("/")} @${dataSet.locations[place].rank}`,
    value,
  ]);
  return Object.fromEntries(entries) as Record<string, number>;
}

interface Node {
  label: string;
  column?: string;
  parent?: number;
}

/** A file as Caliper writes it; rows are text, since nan and inf are not JSON. */
function split(columns: Record<string, object>, rows: readonly string[], nodes: readonly Node[], globals = {}): string {
  const names = Object.keys(columns);
  const metadata = names.map((name) => ({ is_value: true, ...columns[name] }));
  const rest = Object.entries(globals).map(([key, value]) => `,\n  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{
  "data": [\n    ${rows.map((row) => `[ ${row} ]`).join(",\n    ")}
  ],
  "columns": ${JSON.stringify(names)},
  "column_metadata": ${JSON.stringify(metadata)},
  "nodes": ${JSON.stringify(nodes)}${rest.join("")}
}
`;
}

const path = { path: { is_value: false } };
const time = { time: { "attribute.alias": "time", "attribute.unit": "sec" } };
const tree: Node[] = [
  { label: "main", column: "path" },
  { label: "solve", column: "path", parent: 0 },
  { label: "MPI_Send", column: "path", parent: 1 },
];
const profile = split(
  { "Node order": { "attribute.alias": "Node order" }, "mpi.rank": {}, ...time, ...path },
  ["0, 0, 0.5, null", "1, 0, 1.25, 0", "2, 1, 0.125, 1", "3, 1, 2.000000, 2"],
  tree,
  { "mpi.world.size": "2", "cali.channel": "a/b", odd: 'say "hi"\n' },
);
const sampled = split(
  {
    count: {},
    "source.function#cali.sampler.pc": { is_value: false },
    "sourceloc#cali.sampler.pc": { is_value: false },
    ...path,
  },
  ["3, 1, 3, 1", "2, 4, null, 0"],
  // The function `solve` is the path's node, and what stands above a function may be of any column.
  [
    ...tree,
    { label: "src/solve.cpp:7", column: "sourceloc#cali.sampler.pc", parent: 1 },
    { label: "poll", column: "path", parent: 2 },
  ],
);

readerLaws({ sniff: isJsonSplit, read: readJsonSplit }, { profile, sampled });

describe("json-split", () => {
  it("gives values by path and rank, metadata, and no helper columns", async () => {
    const dataSet = await read(profile);
    expect(valuesOf(dataSet, "time")).toEqual({
      " @0": 0.5,
      "main @0": 1.25,
      "main/solve @1": 0.125,
      "main/solve/MPI_Send @1": 2,
    });
    expect(dataSet.metrics).toHaveLength(1);
    expect([...dataSet.globals]).toEqual([
      ["mpi.world.size", ["2"]],
      ["cali.channel", ["a/b"]],
      ["odd", ['say "hi"\n']],
    ]);
  });

  it("follows parents and labels only, since all columns share one table of nodes", async () => {
    const dataSet = await read(sampled);
    expect(valuesOf(dataSet, "count")).toEqual({ "main/solve/src/solve.cpp:7 @-1": 3, "main/poll @-1": 2 });
  });

  it("takes bare nan, inf and hex, and leaves junk columns out", async () => {
    const text = split(
      { ...time, "cali.attribute.prop": {}, addr: { is_value: true }, ...path },
      ["nan, 1, 7ffc12ab, 0", "-inf, 2, 0, 1", "1.5, 3, null, 2"],
      tree,
    );
    const dataSet = await read(text);
    expect(valuesOf(dataSet, "time")).toEqual({
      "main @-1": Number.NaN,
      "main/solve @-1": -Infinity,
      "main/solve/MPI_Send @-1": 1.5,
    });
    expect(dataSet.metrics.map(({ name }) => name)).not.toContain("cali.attribute.prop");
    expect(dataSet.warnings).toMatchObject([{ message: expect.stringContaining("2 values that are nan or inf") }]);
  });

  it("reads ranks that are labels of nodes", async () => {
    const text = split(
      { ...time, "mpi.rank": { is_value: false }, ...path },
      ["1, 3, 0", "2, 4, 0"],
      [...tree, { label: "5" }, { label: "6" }],
    );
    expect(valuesOf(await read(text), "time")).toEqual({ "main @5": 1, "main @6": 2 });
  });

  it("does not offer the inclusive twin `time (inc)`, and computes from it where it is alone", async () => {
    const inclusive = { "time (inc)": { "attribute.unit": "sec" } };
    const both = await read(split({ ...time, ...inclusive, ...path }, ["1, 3, 0", "2, 2, 1"], tree));
    expect(both.metrics.map(({ name }) => name)).toEqual(["time"]);
    const alone = await read(split({ ...inclusive, ...path }, ["3, 0", "2, 1"], tree));
    expect(valuesOf(alone, "time (inc)")).toEqual({ "main @-1": 1, "main/solve @-1": 2 });
  });

  it("reads keys in any order, and a tree 100,000 deep", async () => {
    const nodes = Array.from({ length: 100_000 }, (_, at) =>
      at === 0 ? { label: "r" } : { label: "r", parent: at - 1 },
    );
    const parts = JSON.parse(split({ ...time, ...path }, ["1, 99999"], nodes)) as Record<string, unknown>;
    const dataSet = await read(JSON.stringify(Object.fromEntries(Object.entries(parts).reverse())));
    expect(dataSet.tree.size).toBe(100_000);
    expect([...cellsOf(dataSet, 0)]).toEqual([[99_999, 0, 1]]);
  });

  it("takes names that objects have for names", async () => {
    const nodes = ["__proto__", "constructor", "toString"].map((label) => ({ label }));
    const text = split({ ...time, ...path }, ["1, 0", "2, 1", "3, 2"], nodes).replace(
      "\n}\n",
      ',\n"__proto__": "x"}\n',
    );
    const dataSet = await read(text);
    expect(pathsOf(dataSet)).toEqual([["__proto__"], ["constructor"], ["toString"]]);
    expect(dataSet.globals.get("__proto__")).toEqual(["x"]);
  });
});

describe("damaged json-split files", () => {
  it("takes memory as its rows have values, not as its first row is wide", async () => {
    const wide = `{"data":[[${"1,".repeat(299_999)}1]],"columns":["a","b"],"column_metadata":[],"nodes":[]}`;
    const before = process.memoryUsage().arrayBuffers;
    await expect(read(wide)).rejects.toThrow(/found 2 columns but rows of 300000 values/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  });

  it("name the byte where the text stops making sense", async () => {
    const at = profile.indexOf("1.25");
    await expect(read(`${profile.slice(0, at)}[${profile.slice(at)}`)).rejects.toThrow(
      `test.json, byte ${at + 1}: found "["; expected a value`,
    );
    await expect(read(profile.slice(0, at))).rejects.toThrow(`byte ${at}: found the end of the file`);
  });

  it.each([profile, "]", "\0\0"])("with something behind their end say so", async (rest) => {
    expect((await read(`${profile}\n `)).warnings).toEqual([]);
    expect((await read(profile + rest)).warnings).toMatchObject([
      { message: "something follows the end of the object: it was not read", at: { byte: profile.trimEnd().length } },
    ]);
  });

  it("name parents that do not stand before, rows of other lengths, and nodes that are not there", async () => {
    await expect(
      read(
        split(
          { ...time, ...path },
          ["1, 0"],
          [
            { label: "a", parent: 1 },
            { label: "b", parent: 0 },
          ],
        ),
      ),
    ).rejects.toThrow(/a parent that stands before node 0, not 1/);
    await expect(read(split({ ...time, ...path }, ["1, 0", "1"], tree))).rejects.toThrow(/2 values per row/);
    await expect(read(split({ ...time, ...path }, ["1"], tree))).rejects.toThrow(
      /found 2 columns but rows of 1 values/,
    );
    await expect(read(split({ ...time, ...path }, ["1, 17"], tree))).rejects.toThrow(/found a row with node 17/);
  });

  it("are not taken for other JSON", () => {
    const sniff = (text: string) => isJsonSplit(Buffer.from(text));
    expect(['{"a":{"data":1}}', '[{"data":1}]', '{"x":"data"}', "{}", "", "data", '{"data"'].map(sniff)).toEqual(
      Array(7).fill(false),
    );
    expect(sniff('{"mpi.world.size":"2","nodes":[')).toBe(true);
    const nodes = ['{"name":"a","id":2}', '{"id":1,"callFrame":{"label":"a"}}', '"label"', "[0]", "1"];
    expect(nodes.map((node) => sniff(`{"schema":"1.0","nodes":[${node}],"data":{},"columns":3}`))).toEqual(
      Array(5).fill(false),
    );
    expect(
      ['"data":[[', '"data":[]', '"columns":["a"', '"nodes":[{"parent":0', '"column_metadata":[{'].map((part) =>
        sniff(`{${part}`),
      ),
    ).toEqual(Array(5).fill(true));
  });
});
