import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { type Attempt, leastStep, stepsAbove } from "../../../src/supergraph/raising";
import { type GraphRequest, graphStructure } from "../../../src/supergraph/superGraph";
import { randomTree, seeded } from "./random";
import { attributesOf, basisOf } from "./treeOf";

const LIMIT = 500;

/** Steps with so many bars each, and what is known of bars before merging: the truth (twice as many), or chance. */
function searched(bars: readonly number[], random?: () => number) {
  const steps = bars.map((_, at) => at + 1);
  const tried: number[] = [];
  const attempt = (percent: number): Attempt<number> => {
    tried.push(percent);
    const count = percent === 0 ? Math.max(...bars, LIMIT) + 1 : bars[percent - 1];
    const truth = Float64Array.from(
      { length: 2 * count },
      (_, bar) => bars.findLastIndex((own) => bar < 2 * own) + 1, // the last step that leaves it
    );
    const lasting = random ? Float64Array.from({ length: 1 + Math.floor(random() * 900) }, () => random() * 80) : truth;
    const isMerged = count > LIMIT || random === undefined || random() < 0.5;
    return {
      result: count > LIMIT ? undefined : percent,
      bars: isMerged ? count : undefined,
      unmerged: lasting.length,
      lasting: () => lasting,
    };
  };
  const asked = attempt(0);
  tried.length = 0;
  return { found: leastStep(steps, asked, LIMIT, attempt), tried };
}

/** Numbers that never grow. */
function falling(random: () => number, length: number): number[] {
  const bars: number[] = [];
  let own = 300 + Math.floor(random() * 3_000);
  for (let at = 0; at < length; at++) {
    bars.push(own);
    own = Math.floor(own * (random() < 0.3 ? 1 : 0.8 + random() * 0.2));
  }
  return bars;
}

describe("raising a filter", () => {
  it.each(["what is known of bars is true", "what is known of bars is chance"])(
    "finds the first step that fits, where %s",
    (kind) => {
      for (let seed = 1; seed <= 500; seed++) {
        const random = seeded(seed);
        const bars = falling(random, 1 + Math.floor(random() * 73));
        const { found, tried } = searched(bars, kind.includes("chance") ? random : undefined);
        const first = bars.findIndex((own) => own <= LIMIT);
        expect(found, `seed ${seed}`).toBe(first < 0 ? undefined : first + 1);
        expect(new Set(tried).size).toBe(tried.length);
        // Four guesses, then halving with a guess after each.
        expect(tried.length).toBeLessThanOrEqual(4 + 2 * Math.ceil(Math.log2(74)));
      }
    },
  );

  it("finds it in fewer attempts than halving where what is known is true", () => {
    let attempts = 0;
    for (let seed = 1; seed <= 200; seed++) attempts += searched(falling(seeded(seed), 73), undefined).tried.length;
    expect(attempts / 200).toBeLessThan(5);
  });

  it("finds a step that fits where the one before does not, where filters make bars", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = seeded(seed);
      const bars = falling(random, 73).map((own) => own + Math.floor(random() * 200));
      const { found } = searched(bars, random);
      if (found === undefined) expect(bars[72]).toBeGreaterThan(LIMIT);
      else {
        expect(bars[found - 1]).toBeLessThanOrEqual(LIMIT);
        if (found > 1) expect(bars[found - 2]).toBeGreaterThan(LIMIT);
      }
    }
  });

  it("of random trees gives the filter that trying all of them does", () => {
    let raised = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { rows, fileOf } = randomTree(seed);
      const basis = basisOf(rows);
      const attributes = attributesOf(basis, { file: (name) => fileOf.get(name) });
      const groupBy = seed % 2 ? "function" : "file";
      const structureOf = (request: Partial<GraphRequest>) =>
        graphStructure(basis, attributes, { filter: 0, groupBy, ...request }, quietTask);
      const all = structureOf({ mostBars: Infinity }).bars.size;
      const mostBars = Math.max(1, Math.floor(all / 2));
      if (all <= mostBars) continue;
      const steps = stepsAbove(0);
      const bars = steps.map((filter) => structureOf({ filter, mostBars: Infinity }).bars.size);
      const first = bars.findIndex((own) => own <= mostBars);
      if (first < 0) {
        expect(() => structureOf({ mostBars })).toThrow(/Group by something coarser/);
        continue;
      }
      raised++;
      const at = steps.indexOf(structureOf({ mostBars }).filter);
      expect(bars[at], `seed ${seed}`).toBeLessThanOrEqual(mostBars);
      if (at > 0) expect(bars[at - 1], `seed ${seed}`).toBeGreaterThan(mostBars);
      if (bars.every((own, step) => step === 0 || own <= bars[step - 1])) expect(at, `seed ${seed}`).toBe(first);
    }
    expect(raised).toBeGreaterThan(20);
  });
});
