import { describe, expect, it } from "vitest";
import { contextNode, callerNode, nodeTexts } from "../../../../src/views/contextNodes";
import { costsOf, costTooltip } from "../../../../src/views/costTexts";
import { callerRows, contextRows, hotFunctions } from "../../../../src/engine/trees/trees";
import type { FlameQuery } from "../../../../src/engine/api";
import { flameNotes } from "../../../../src/engine/flames/flameNotes";
import type { LaidFlames } from "../../../../src/engine/flames/keptFlames";
import { openRecording } from "../recordings";
import { randomRecording } from "../randomRecording";
import { seeds } from "../../randomCases";

const seconds = { unit: "s", total: 3.5 };
const unranked = "276 ms, of no rank";

describe("what has no rank, over two ranks", () => {
  const { open } = openRecording([
    [["main"], 0, 2],
    [["main"], 1, 5],
    [["main", "quick"], 0, 0],
    [["(no region)"], -1, 0.276],
  ]);
  const scope = { dataSet: 1, metric: 0, over: "mean" } as const;

  it("is said in rows of hot functions, before those that have nothing at all", () => {
    const rows = hotFunctions(open, scope, "exclusive", 10);
    expect(rows.map(({ name }) => name)).toEqual(["main", "(no region)", "quick"]);
    expect(rows.map((row) => costsOf(row, "exclusive", seconds))).toEqual([
      { first: "100 %", further: "3.50 s · inclusive 3.50 s" },
      { first: unranked, further: `inclusive ${unranked}` },
      { first: "0 %", further: "0 s · inclusive 0 s" },
    ]);
    expect(costTooltip(rows[1], "", seconds)).toContain("exclusive 276 ms, of no rank");
  });

  it("is said in rows of contexts and of callers", () => {
    const context = contextRows(open, scope, undefined, 10).rows[1];
    expect(nodeTexts(contextNode(context, undefined), seconds)).toMatchObject({
      label: `${unranked}\u2002(no region)`,
      description: `exclusive ${unranked}`,
    });
    const caller = callerRows(open, scope, [], 10).rows[1];
    expect(nodeTexts(callerNode(caller, undefined), seconds)).toMatchObject({
      label: `${unranked}\u2002(no region)`,
      description: `inclusive ${unranked}`,
    });
    // Beside another recording, too, and never as ±0.
    const compared = { baseline: 0, candidate: 0, baselineNoRank: 0.5, candidateNoRank: 0.25 };
    for (const node of [contextNode(context, undefined, compared), callerNode(caller, undefined, compared)])
      expect(nodeTexts(node, seconds).description).toBe("500 ms, of no rank → 250 ms, of no rank");
  });

  it("is said beside a flame graph, which has no width for it", () => {
    const query = { scope, of: { kind: "all" }, order: "by-name" } as unknown as FlameQuery;
    const laid = { layout: { negative: 0 }, empty: 0, shape: {} } as unknown as LaidFlames;
    const note = "276 ms of no rank is not part of this: only the sum has it.";
    expect(flameNotes(open, query, laid, 1)).toEqual([note]);
    expect(flameNotes(open, { ...query, scope: { ...scope, over: "sum" } }, laid, 1)).toEqual([]);
  });

  it("is part of a sum, and is left out by a restriction, which says so itself", () => {
    const summed = hotFunctions(open, { ...scope, over: "sum" }, "exclusive", 10)[1];
    expect([summed.exclusive, summed.noRank]).toEqual([0.276, undefined]);
    const chosen = { by: "rank", members: ["0"] } as const;
    expect(hotFunctions(open, { ...scope, chosen }, "exclusive", 10).some(({ noRank }) => noRank)).toBe(false);
  });
});

it("where one rank alone is known, what has none is that rank's", () => {
  const { open } = openRecording([
    [["main"], 3, 2],
    [["outside"], -1, 1],
  ]);
  for (const over of ["sum", "mean", "max", "min"] as const) {
    const rows = hotFunctions(open, { dataSet: 1, metric: 0, over }, "inclusive", 10);
    expect(rows.map(({ name, exclusive, noRank }) => [name, exclusive, noRank])).toEqual([
      ["main", 2, undefined],
      ["outside", 1, undefined],
    ]);
  }
});

it("on random recordings a number over ranks is 0 only where nothing was measured, or where it says what has no rank", () => {
  for (const seed of seeds(200)) {
    const { costs, open, contextOf } = randomRecording(seed, [-1, 0, 1, 2]);
    const sum = (wanted: (path: readonly string[], rank: number) => boolean) =>
      costs.reduce((all, [path, rank, value]) => (wanted(path as string[], rank) ? all + value : all), 0);
    for (const over of ["mean", "max", "min", { rank: 1 }] as const) {
      const scope = { dataSet: 1, metric: 0, over };
      const walk = [...contextRows(open, scope, undefined, 1000).rows];
      const rows = new Map<number, (typeof walk)[number]>();
      for (let row = walk.pop(); row; row = walk.pop()) {
        rows.set(row.context, row);
        walk.push(...contextRows(open, scope, row.context, 1000).rows);
      }
      for (const path of new Set(costs.map(([one]) => one as string[]))) {
        const row = rows.get(contextOf(path));
        const isOwn = (other: readonly string[]) => other.join("/") === path.join("/");
        const isBelow = (other: readonly string[]) => `${other.join("/")}/`.startsWith(`${path.join("/")}/`);
        for (const [of, counts] of [["exclusive", isOwn] as const, ["inclusive", isBelow] as const]) {
          const ofRanks = sum((other, rank) => rank >= 0 && counts(other));
          const ofNone = sum((other, rank) => rank < 0 && counts(other));
          expect(row?.noRank?.[of] ?? 0, `${seed} ${path.join("/")} ${of}`).toBe(ofRanks === 0 ? ofNone : 0);
        }
      }
    }
  }
});
