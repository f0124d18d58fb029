import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Resources, ResourcesQuery } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { grammars } from "../unit/engine/miniheat";
import { recordings } from "../recordings";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/paje");

/** What pj_dump says of a trace: rows of its kinds, fields as it prints them. */
class Golden {
  private readonly rows: string[][];
  readonly parentOf = new Map<string, string>();
  readonly typeOf = new Map<string, string>();

  constructor(name: string) {
    const text = fs.readFileSync(path.join(folder, "pj_dump_golden", `${name}.csv`), "utf8");
    this.rows = text
      .trim()
      .split("\n")
      .map((row) => row.trimEnd().split(", "));
    for (const [, parent, type, , , , own] of this.of("Container")) {
      if (type === "0") continue;
      this.parentOf.set(own, parent);
      this.typeOf.set(own, type);
    }
  }

  of(kind: string): string[][] {
    return this.rows.filter(([own]) => own === kind);
  }

  /** A container, then what it is in, outwards. */
  pathOf(container: string): string[] {
    const names = [container];
    for (let at = this.parentOf.get(container); at !== undefined && at !== "0"; at = this.parentOf.get(at))
      names.push(at);
    return names;
  }

  /** Of each container and all it is in: the sum over its variables of overlap times value, and how far rounding may be off. */
  integrals(variable: string, from: number, to: number): Map<string, { sum: number; off: number }> {
    const sums = new Map<string, { sum: number; off: number }>();
    for (const [, container, type, start, end, , value] of this.of("Variable")) {
      const overlap = Math.min(Number(end), to) - Math.max(Number(start), from);
      if (type !== variable || !(overlap > 0)) continue;
      for (const name of [...this.pathOf(container), "all"]) {
        const known = sums.get(name) ?? { sum: 0, off: 0 };
        const level = Number(value);
        // Times have six digits behind the point, values single precision.
        const off = Math.abs(level) * (1e-6 + overlap * 2 ** -23) + overlap * 1e-6;
        sums.set(name, { sum: known.sum + overlap * level, off: known.off + off });
      }
    }
    return sums;
  }

  /** Pairs of what links connect where what is deeper is its ancestor at this depth, hosts and links of one apart. */
  edges(depth: number): Map<string, number> {
    const pairs = new Map<string, number>();
    const inside = new Map<string, Set<string>>();
    for (const [name, type] of this.typeOf)
      for (const outer of this.pathOf(name)) inside.set(outer, (inside.get(outer) ?? new Set()).add(type));
    const markOf = (container: string) => {
      const outwards = this.pathOf(container);
      const shown = outwards[Math.max(0, outwards.length - depth)];
      if (shown === container) return container;
      const type = this.typeOf.get(container) ?? "";
      const seen = type !== "ROUTER" ? type : (["HOST", "LINK"].find((one) => inside.get(shown)?.has(one)) ?? type);
      return `${shown} ${{ HOST: "square", LINK: "diamond", ROUTER: "circle" }[seen]}`;
    };
    for (const row of this.of("Link")) {
      const [one, other] = [row[7], row[8]].map(markOf).sort();
      if (one !== other) pairs.set(`${one} – ${other}`, (pairs.get(`${one} – ${other}`) ?? 0) + 1);
    }
    return pairs;
  }
}

describe.skipIf(!shared)("resources of Paje traces against what pj_dump says of them", () => {
  const engine: Engine = localEngine(grammars);
  const opened = new Map<string, number>();
  const ask = (name: string, query: Omit<ResourcesQuery, "scope">) =>
    engine.resourceAreas({ scope: { dataSet: opened.get(name) ?? -1 }, ...query });

  beforeAll(async () => {
    for (const name of ["ms", "g5k", "categories"]) {
      const [{ id }] = await engine.open({ paths: [path.join(folder, "traces", `${name}.trace`)] }, quietTask);
      opened.set(name, id);
    }
  });
  afterAll(() => Promise.all([...opened.values()].map((dataSet) => engine.close({ dataSet }))));

  const windows = [
    [0, 1e9],
    [0.4, 1.7320508],
    [2.71828, 3.14159],
  ] as const;

  it.each([
    ["ms", ["power", "power_used", "bandwidth", "bandwidth_used", "pcompute"], [0, 1]],
    ["categories", ["power", "bandwidth"], [0, 1, 2]],
    ["g5k", ["power", "bandwidth"], [0, 2, 4]],
  ] as const)("%s: integrals of variables, of every container and every group", async (name, variables, depths) => {
    const golden = new Golden(name);
    let [values, largest] = [0, 0];
    for (const [from, to] of name === "g5k" ? windows.slice(2) : windows)
      for (const variable of variables)
        for (const depth of depths) {
          const query = { fromSeconds: from, toSeconds: to, quantity: `variable ${variable}`, cut: { depth } };
          const shown = await ask(name, query);
          expect(shown.quantities[shown.quantity].id).toBe(`variable ${variable}`);
          const expected = golden.integrals(variable, from, to);
          let found = 0;
          shown.nodes.forEach((node, at) => {
            const own = expected.get(node.name) ?? { sum: 0, off: 0 };
            if (Math.abs(shown.values[at] - own.sum) > own.off) expect.fail(`${variable} of ${node.key}: ${own.sum}`);
            largest = Math.max(largest, own.sum === 0 ? 0 : Math.abs(shown.values[at] / own.sum - 1));
            found += Number(own.sum !== 0);
          });
          expect(found).toBeGreaterThan(0);
          values += found;
        }
    noteConformance("Paje, integrals of resources", { recordings: 1, values, largestDifference: largest });
  });

  it.each([
    ["ms", 1, 17],
    ["g5k", 4, 6314],
  ] as const)(
    "%s: its marks are the hosts, links and routers of the file, its edges the links",
    async (name, depth, links) => {
      const golden = new Golden(name);
      const { marks, nodes, edges } = await ask(name, { cut: { depth } });
      expect(golden.of("Link")).toHaveLength(links);
      expect(edges.reduce((sum, { together }) => sum + together, 0)).toBe(links);
      const leaves = [...golden.typeOf].filter(([, type]) => /^(HOST|LINK|ROUTER)$/.test(type));
      expect(
        marks
          .filter(({ node }) => /^(HOST|LINK|ROUTER)$/.test(nodes[node].type))
          .map(({ node }) => nodes[node].name)
          .sort(),
      ).toEqual(leaves.map(([own]) => own).sort());
      const shapes = { HOST: "square", LINK: "diamond", ROUTER: "circle" } as Record<string, string>;
      for (const { node, shape } of marks) if (shapes[nodes[node].type]) expect(shape).toBe(shapes[nodes[node].type]);
    },
  );

  it.each([1, 2, 3, 4])("g5k cut at depth %i: edges lead to what hosts and links are part of", async (depth) => {
    const { marks, nodes, edges } = await ask("g5k", { cut: { depth } });
    const nameOf = (mark: number) => {
      const { node, shape } = marks[mark];
      return nodes[node].leaves === 1 && /^(HOST|LINK|ROUTER)$/.test(nodes[node].type)
        ? nodes[node].name
        : `${nodes[node].name} ${shape}`;
    };
    const ours = edges.map(({ from, to, together }) => `${[nameOf(from), nameOf(to)].sort().join(" – ")}: ${together}`);
    expect(ours.sort()).toEqual([...new Golden("g5k").edges(depth)].map(([pair, count]) => `${pair}: ${count}`).sort());
  });

  it("ms: marks are as large as power and bandwidth, and filled by what was used of them", async () => {
    const golden = new Golden("ms");
    const [from, to] = [0.4, 1.7320508];
    const { marks, nodes, sizes, fills } = await ask("ms", { fromSeconds: from, toSeconds: to, cut: { depth: 0 } });
    expect([sizes.square, sizes.diamond, fills.square, fills.diamond]).toEqual([
      "power",
      "bandwidth",
      "power_used",
      "bandwidth_used",
    ]);
    expect(marks.map(({ shape, together }) => [shape, together])).toEqual([
      ["square", 5],
      ["diamond", 10],
    ]);
    expect(nodes).toHaveLength(1);
    const close = (value: number, variable: string) => {
      const { sum, off } = golden.integrals(variable, from, to).get("all") ?? { sum: NaN, off: 0 };
      expect(Math.abs(value * (to - from) - sum)).toBeLessThanOrEqual(off);
    };
    close(marks[0].size, "power");
    close(marks[0].used, "power_used");
    close(marks[1].size, "bandwidth");
    close(marks[1].used, "bandwidth_used");
  });

  it("values of windows that make up the run are those of the run, at every cut", async () => {
    for (const cut of [{ depth: 0 }, { depth: 1 }, {}]) {
      const of = async (fromSeconds: number, toSeconds: number): Promise<Resources> =>
        ask("ms", { cut, fromSeconds, toSeconds, quantity: "variable power_used" });
      const whole = await of(0, 1e9);
      const parts = [await of(0, 1.1), await of(1.1, 2.9), await of(2.9, 1e9)];
      whole.values.forEach((value, at) =>
        expect(parts.reduce((sum, { values }) => sum + values[at], 0) / (value || 1)).toBeCloseTo(
          value === 0 ? 0 : 1,
          12,
        ),
      );
    }
  });
});
