import { afterAll, describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { type GraphRequest, graphStructure, measuredGraph } from "../../../src/supergraph/superGraph";
import { casesOf, seeds } from "../randomCases";
import { randomTree } from "./random";
import { attributesOf, basisOf, type Row, rowsOf } from "./treeOf";
import { exclusiveOf, keptRows, twinBars } from "./twin";

type FileOf = (name: string) => string | undefined;

function graphOf(rows: readonly Row[], fileOf: FileOf, request: GraphRequest) {
  const basis = basisOf(rows);
  const structure = graphStructure(basis, attributesOf(basis, { file: fileOf }), request, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

/** The rule to the letter, of functions whose files are known (semantics 2.2). */
function isCoarse(rows: readonly Row[], percent: number, fileOf: FileOf): boolean {
  const kept = keptRows(rows, percent);
  const files = new Map(kept.map((row) => [row, fileOf(rows[row].name) ?? ""]));
  const own = exclusiveOf(rows);
  const total = own.reduce((sum, value) => sum + value, 0);
  const hasMost = [...new Set(files.values())].some(
    (file) => kept.filter((row) => files.get(row) === file).reduce((sum, row) => sum + own[row], 0) > 0.7 * total,
  );
  return hasMost || twinBars(rows, files).bars.length < 4;
}

describe("grouping that adapts", () => {
  const seen = { coarse: 0, fine: 0 };

  it(`is by function where files would say little, as the naive twin decides, on ${casesOf(4000)} random trees`, () => {
    for (const seed of seeds(4000)) {
      const { rows, fileOf } = randomTree(seed);
      const filter = [0, 0, 0.1, 2, 10][seed % 5];
      const graph = graphOf(rows, (name) => fileOf.get(name), { filter, groupBy: "adaptive" });
      const coarse = isCoarse(rows, filter, (name) => fileOf.get(name));
      expect([graph.groupBy, graph.insteadOf?.groupBy], `seed ${seed}`).toEqual(
        coarse ? ["function", "file"] : ["file", undefined],
      );
      seen[coarse ? "coarse" : "fine"]++;
    }
  });

  afterAll(() => {
    expect(Math.min(seen.coarse, seen.fine)).toBeGreaterThan(casesOf(4000) / 20);
  });

  const four = rowsOf(`
    main 10
      a 70
        b 10
          c 10`);
  const ownFile: FileOf = (name) => `${name}.c`;

  it("says what has most of the total, or how few bars there would be, and what it is instead of", () => {
    const adapted = (rows: readonly Row[], fileOf: FileOf) =>
      graphOf(rows, fileOf, { filter: 0, groupBy: "adaptive" }).insteadOf;
    expect(adapted(four, ownFile)).toBeUndefined();
    expect(adapted([...four, { name: "a", parent: 2, exclusive: 1 }], ownFile)).toEqual({
      groupBy: "file",
      why: "Grouped by function: a.c has 70.3 % of the total.",
    });
    expect(adapted(four, (name) => (name === "c" ? "b.c" : `${name}.c`))?.why).toBe(
      "Grouped by function: there would be 3 bars.",
    );
  });

  it("does not count MPI, what is not known, and what is outside of regions", () => {
    const file = (of: string) => (name: string) => (name === of ? undefined : `${name}.c`);
    const heavy = (name: string) => four.map((row) => (row.name === "a" ? { ...row, name } : row));
    const asked: GraphRequest = { filter: 0, groupBy: "adaptive" };
    expect(graphOf([...heavy("MPI_Wait"), { name: "d", exclusive: 1 }], file("MPI_Wait"), asked).groupBy).toBe("file");
    const known = (name: string) => heavy(name).map((row) => ({ ...row, exclusive: row.exclusive === 70 ? 30 : 10 }));
    expect(graphOf(known("x"), file("x"), asked).groupBy).toBe("file");
    const outside = rowsOf(`
      main 10
        a 10
          b 10
            c 10`);
    for (const name of ["(no region)", "(recording itself)"]) {
      const without: Row = { name, exclusive: 960, frame: { kind: "region", origin: "outside" } };
      expect(graphOf([...outside, without], file(name), asked).groupBy).toBe("file");
    }
  });

  it("keeps to what was chosen, and to what the command line asks for", () => {
    for (const groupBy of ["file", "auto"] as const) {
      const { insteadOf, ...graph } = graphOf(four, () => "a.c", { filter: 0, groupBy });
      expect([graph.groupBy, graph.bars.length, insteadOf]).toEqual(["file", 1, undefined]);
    }
  });

  it("is decided before the first operation, and ends where one groups anew", () => {
    const hidden: GraphRequest["operations"] = [{ kind: "hide", target: { group: "a" } }];
    expect(graphOf(four, () => "a.c", { filter: 0, groupBy: "adaptive", operations: hidden }).insteadOf).toBeDefined();
    // Four groups before one is hidden, three after it.
    const some: GraphRequest["operations"] = [{ kind: "hide", target: { group: "a.c" } }];
    expect(graphOf(four, ownFile, { filter: 0, groupBy: "adaptive", operations: some }).groupBy).toBe("file");
    const anew: GraphRequest["operations"] = [{ kind: "group-by", groupBy: "file" }];
    const { groupBy, insteadOf } = graphOf(four, () => "a.c", { filter: 0, groupBy: "adaptive", operations: anew });
    expect([groupBy, insteadOf]).toEqual(["file", undefined]);
  });
});
