import { describe, expect, it } from "vitest";
import type { Scope } from "../../../../src/engine/api";
import { Callees, heaviestContexts } from "../../../../src/engine/application/heaviest";
import { NONE } from "../../../../src/model/ids";
import { seeds } from "../../randomCases";
import { randomRecording } from "../randomRecording";

describe("the contexts that are drawn", () => {
  it("are the heaviest with all that they are called by; what is folded has the rest of count and cost", () => {
    for (const seed of seeds(300)) {
      const { open } = randomRecording(seed, [0, 1, 2]);
      const { tree } = open.dataSet;
      for (const over of ["sum", "mean"] as const) {
        const scope: Scope = { dataSet: open.id, metric: 0, over };
        const { inclusive, exclusive, total } = open.numbers(scope);
        const most = 1 + (seed % 7);
        const closed = new Set([seed % tree.size]);
        const callees = new Callees(tree, inclusive);
        const drawn = heaviestContexts(inclusive, callees, { most, closed, opened: new Set(), revealed: [] });
        expect(drawn.size).toBeLessThanOrEqual(most);
        const below = (context: number, caller: number): boolean =>
          tree.parent[context] === caller || (tree.parent[context] !== NONE && below(tree.parent[context], caller));
        const all = [...tree.parent.keys()];
        let [folded, cost] = [0, 0];
        for (const context of [NONE, ...drawn]) {
          if (context !== NONE && tree.parent[context] !== NONE) expect(drawn.has(tree.parent[context])).toBe(true);
          const hidden = all.filter((one) => tree.parent[one] === context && !drawn.has(one));
          folded += hidden.reduce((sum, one) => sum + 1 + all.filter((inner) => below(inner, one)).length, 0);
          const hiddenCost = hidden.reduce((sum, one) => sum + inclusive[one], 0);
          cost += hiddenCost + (context === NONE ? 0 : exclusive[context]);
        }
        expect(folded + drawn.size).toBe(tree.size);
        expect(cost).toBeCloseTo(total, 9);
        // Nothing that is heavier than what is drawn is left out, but for what was closed or costs nothing.
        const isClosed = (context: number) => [...closed].some((one) => below(context, one));
        const lightest = Math.min(...[...drawn].map((context) => inclusive[context]));
        for (const context of all)
          if (!drawn.has(context) && !isClosed(context) && drawn.size > 0)
            expect(inclusive[context]).toBeLessThanOrEqual(lightest);
      }
    }
  });

  it("have what is revealed, whatever it costs, and the callees of what was opened", () => {
    for (const seed of seeds(100)) {
      const { open } = randomRecording(seed, [0, 1]);
      const { tree } = open.dataSet;
      const { inclusive } = open.numbers({ dataSet: open.id, metric: 0, over: "sum" });
      const callees = new Callees(tree, inclusive);
      const wanted = (seed * 7) % tree.size;
      const revealed: number[] = [];
      for (let at = wanted; at !== NONE; at = tree.parent[at]) revealed.push(at);
      const closed = new Set([revealed[revealed.length - 1]]);
      const some = heaviestContexts(inclusive, callees, { most: 1, closed, opened: new Set(), revealed });
      for (const context of revealed) expect(some.has(context)).toBe(true);
      const root = callees.of(NONE)[0];
      const opened = heaviestContexts(inclusive, callees, {
        most: 1,
        closed: new Set(),
        opened: new Set([root]),
        revealed: [],
      });
      for (const context of callees.of(root).slice(0, 30)) expect(opened.has(context)).toBe(true);
    }
  });
});
