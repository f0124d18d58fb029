import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileFormula, evaluate } from "../../../../../../src/formats/hpctoolkit/v4/metrics/formula";
import { readMetricTree } from "../../../../../../src/formats/hpctoolkit/v4/metrics/metricTree";
import { openRecordings } from "../../../../../../src/formats/registry";
import { quietTask } from "../../../../../../src/model/task";
import { cellsOf, metricNamed, pathsOf } from "../../../plainDataSet";
import { main } from "../programs";
import { database } from "../writer";

const a = { metric: "a", scope: "execution" };
const b = { metric: "b", scope: "execution" };

/** Value of a formula where a is 6 and b is 4. */
function valueOf(node: unknown): number | undefined {
  const formula = compileFormula(node, { left: 1000 });
  return formula && evaluate(formula, ({ metric }) => (metric === "a" ? 6 : 4));
}

describe("formulas of a metric taxonomy", () => {
  it.each<[unknown, number | undefined]>([
    [a, 6],
    [7.5, 7.5],
    ["2 * 3 + 4", 10],
    ["2 + 3 * 4 ^ 2 / 8", 8],
    ["2 ^ 3 ^ 2", 512],
    ["10 - 3 - 2", 5],
    ["-2 * -3", 6],
    [".5e1", 5],
    [["2 *", ["3", "+", 4]], 14],
    [["4 *", [a, "-", b]], 8],
    [[a, "/", b, "-", 1], 0.5],
    [{ "/": [a, b] }, 1.5],
    [{ "-": [10, a, b] }, 0],
    [{ "-": [a] }, -6],
    [{ "+": [{ "*": [100, a] }, b] }, 604],
    [{ min: [100, { max: [0, { "/": [a, b] }] }] }, 1.5],
    [{ sum: [a, b, [1, "+", 1]] }, 12],
    [{ prod: [a, b] }, 24],
    [{ pow: [a, 2] }, 36],
    [{ sqrt: [b] }, 2],
    [{ log: [8, 2] }, 3],
    [{ log: [1] }, 0],
    [{ floor: [1.5] }, 1],
    [{ "strict floor": [2] }, 1],
    [{ ceil: [1.5] }, 2],
    [{ "strict ceil": [2] }, 3],
    [{ "/": [a, 0] }, Number.POSITIVE_INFINITY],
    ["2 +", undefined],
    ["2 3", undefined],
    ["* 2", undefined],
    ["rm -rf", undefined],
    [[], undefined],
    [null, undefined],
    [{ exec: ["x"] }, undefined],
    [{ __proto__: null, constructor: [1] }, undefined],
    [{ sum: [] }, undefined],
    [{ sum: [1], prod: [2] }, undefined],
  ])("%j", (node, expected) => {
    const found = valueOf(node);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected, 12);
  });

  it("may not be deeper or longer than any that a person writes", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(valueOf(deep)).toBeUndefined();
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(valueOf(cyclic)).toBeUndefined();
    let wide: unknown = a;
    for (let level = 0; level < 40; level++) wide = { sum: [wide, wide] };
    expect(valueOf(wide)).toBeUndefined();
  });
});

const taxonomy = `
version: 0
inputs:
  - &a
    metric: a
    scope: execution
    formula: $$
    combine: sum
  - &b
    <<: *a
    metric: b
  - &a-own
    <<: *a
    scope: function
roots:
  - name: Everything
    variants: { Sum: { render: hidden, formula: sum } }
    children:
      - { name: plain, variants: { Sum: { render: number, formula: { inclusive: *a, exclusive: { custom: *a-own } } } } }
      - name: ratio
        variants:
          Sum: { render: number, formula: { inclusive: { standard: { /: [*a, *b] } }, exclusive: [100 *, *a-own, /, *b] } }
          Mean: { render: number, formula: { inclusive: *a } }
  - name: a
    variants: { Sum: { render: number, formula: { inclusive: [*a, +, 0] } } }
  - name: of another machine
    variants: { Sum: { render: number, formula: { inclusive: { +: [*a, { metric: c, scope: execution }] } } } }
`;

describe("a metric taxonomy", () => {
  it("gives the metrics that are more than one value of the database", () => {
    expect(readMetricTree(taxonomy)?.map((metric) => metric.path.join("/"))).toEqual([
      "Everything",
      "Everything/ratio",
      "a",
      "of another machine",
    ]);
  });

  it("is refused when it is something else, and cannot take all memory or time", () => {
    for (const text of ["", "- a", "roots: 5", "{", "\t", "a: &a [*a]", "[".repeat(100_000)])
      expect(readMetricTree(text)).toBeUndefined();
    const levels = Array.from(
      { length: 30 },
      (_, at) => `x${at + 1}: &x${at + 1} { sum: [${`*x${at}, `.repeat(9)}1] }`,
    );
    const bomb = `x0: &x0 1\n${levels.join("\n")}\nroots: [{ name: bomb, variants: { Sum: { formula: { inclusive: *x30 } } } }]`;
    expect(readMetricTree(bomb)).toEqual([]);
    const children = Array.from(
      { length: 30 },
      (_, at) => `y${at + 1}: &y${at + 1} { name: n, children: [${`*y${at}, `.repeat(9)}] }`,
    );
    expect(readMetricTree(`y0: &y0 { name: n }\n${children.join("\n")}\nroots: [*y30]`)).toEqual([]);
    expect(readMetricTree("roots: &r [{ name: x, children: *r }]")).toEqual([]);
  });

  it("is read or refused at once where merges, equal keys or aliases are many", () => {
    const metric = (merged: string) =>
      `{ name: n, variants: { Sum: { formula: { inclusive: { sum: [{ <<: ${merged}, metric: a }, 1] } } } } }`;
    const ofOne = `m: &m { scope: execution, formula: $$, combine: sum }\nroots: [${metric("*m")}]`;
    expect(readMetricTree(ofOne)?.map(({ path: of }) => of)).toEqual([["n"]]);
    expect(readMetricTree(ofOne)).toEqual(
      readMetricTree(ofOne.replace("<<: *m", () => "scope: execution, formula: $$, combine: sum")),
    );
    const chain = (length: number) =>
      Array.from({ length }, (_, at) => `m${at + 1}: &m${at + 1} { <<: *m${at}, k${at}: 1 }`).join("\n");
    const chained = (length: number) =>
      `m0: &m0 { scope: execution }\n${chain(length)}\nroots: [${metric(`*m${length}`)}]`;
    expect(readMetricTree(chained(60))).toHaveLength(1);
    expect(readMetricTree(chained(4000))).toBeUndefined();
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join(", ");
    const many = Array.from({ length: 3000 }, () => "{ <<: [*m, *m] }").join(", ");
    expect(readMetricTree(`m: &m { ${keys} }\nroots: [${many}]`)).toBeUndefined();
    expect(readMetricTree(`m: { ${keys} }\nroots: []`)).toEqual([]);
    expect(readMetricTree(`m: &m 1\nx: [${"*m,".repeat(100_000)}]\nroots: []`)).toBeUndefined();
    expect(readMetricTree("m: &m { <<: *m, a: 1 }\nroots: [{ <<: *m }]")).toEqual([]);
  });
});

describe("a database with a taxonomy", () => {
  const made: string[] = [];
  afterAll(() => made.forEach((folder) => fs.rmSync(folder, { recursive: true })));

  function folderWith(yaml: string): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-v4-"));
    made.push(folder);
    const children = [2, 3, 4].map((id) => ({ id, function: { ...main, name: `f${id}` } }));
    const values = new Map([
      [
        2,
        [
          [1, 3],
          [3, 6],
          [7, 4],
        ] as const,
      ],
      [3, [[3, 5]] as const],
      [4, [[7, 8]] as const],
    ]);
    const files = database({
      metrics: ["a", "b"],
      entries: [{ id: 1, name: "main thread", children }],
      profiles: [
        { ids: [], summary: true, values },
        { ids: [[2, 0]], values },
      ],
    });
    for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), bytes);
    fs.mkdirSync(path.join(folder, "metrics"));
    fs.writeFileSync(path.join(folder, "metrics/default.yaml"), yaml);
    return folder;
  }

  it("has its formulas as metrics that do not add up", async () => {
    const [dataSet] = await openRecordings([folderWith(taxonomy)], {}, quietTask);
    const found = dataSet.metrics
      .filter(({ note }) => note?.startsWith("computed"))
      .map(({ name, additive }) => [name, additive]);
    const names = ["Everything", "Everything (exclusive)", "ratio", "ratio (exclusive)", "a (computed)"];
    expect(found).toEqual(names.map((name) => [name, false]));
    const paths = pathsOf(dataSet);
    const ofMetric = (name: string) =>
      [...cellsOf(dataSet, metricNamed(dataSet, name))].map(([context, at, value]) => [
        paths[context][1],
        dataSet.locations[at].rank,
        value,
      ]);
    // Where b is 0 there is no ratio; where a is 0 it is 0, which is not stored.
    expect(ofMetric("ratio")).toEqual([["f2", -1, 1.5]]);
    expect(ofMetric("ratio (exclusive)")).toEqual([["f2", -1, 75]]);
    expect(dataSet.warnings).toEqual([]);
  });

  it("opens without one that is damaged, and says so", async () => {
    const [dataSet] = await openRecordings([folderWith("roots: {")], {}, quietTask);
    expect(dataSet.metrics.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "metrics/default.yaml was left out: it is no list of metrics",
    ]);
  });
});
