import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { type Attempt, fittingStep, stepsAbove } from "../../../src/supergraph/raising";
import { type GraphRequest, graphStructure } from "../../../src/supergraph/superGraph";
import { casesOf, seeds } from "../randomCases";
import { randomTree, seeded } from "./random";
import { attributesOf, basisOf } from "./treeOf";

const LIMIT = 500;
/** With so many of the bars before merging that a lower step has, the steps between need not be tried. */
const NEARLY_ALL = 0.75;

/**
 * Steps with so many bars each, and what is known of bars before merging: the truth, or chance.
 *
 * @param unmerged how many each step has before merging, the asked one first; twice as many unless said
 */
function searched(bars: readonly number[], random?: () => number, unmerged?: readonly number[]) {
  const steps = bars.map((_, at) => at + 1);
  const all = [Math.max(...bars, LIMIT) + 1, ...bars];
  const before = unmerged ?? all.map((count) => 2 * count);
  const tried = new Map<number, Attempt<number>>();
  const attempt = (percent: number): Attempt<number> => {
    const truth = Float64Array.from(
      { length: before[percent] },
      (_, bar) => before.findLastIndex((own) => bar < own), // the last step that leaves it
    );
    const lasting = random ? Float64Array.from({ length: 1 + Math.floor(random() * 900) }, () => random() * 80) : truth;
    const isMerged = all[percent] > LIMIT || random === undefined || random() < 0.5;
    expect(tried.has(percent)).toBe(false);
    const made = {
      result: all[percent] > LIMIT ? undefined : percent,
      bars: isMerged ? all[percent] : undefined,
      unmerged: lasting.length,
      lasting: () => lasting,
    };
    tried.set(percent, made);
    return made;
  };
  const found = fittingStep(steps, attempt(0), LIMIT, attempt);
  const own = tried.get(found ?? NaN);
  const low = tried.get(Math.max(...[...tried.keys()].filter((percent) => !(percent >= (found ?? Infinity)))));
  // The next lower step need not have been tried.
  const hasNearlyAll = own?.bars !== undefined && own.unmerged >= NEARLY_ALL * (low?.unmerged ?? Infinity);
  return { found, hasNearlyAll, attempts: tried.size - 1 };
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
    "finds the first step that fits, or one with nearly all that it shows, where %s",
    (kind) => {
      for (const seed of seeds(500)) {
        const random = seeded(seed);
        const bars = falling(random, 1 + Math.floor(random() * 73));
        const { found, hasNearlyAll, attempts } = searched(bars, kind.includes("chance") ? random : undefined);
        const first = bars.findIndex((own) => own <= LIMIT);
        if (found !== undefined && hasNearlyAll) expect(bars[found - 1], `seed ${seed}`).toBeLessThanOrEqual(LIMIT);
        else expect(found, `seed ${seed}`).toBe(first < 0 ? undefined : first + 1);
        // Four guesses, then halving with a guess after each.
        expect(attempts).toBeLessThanOrEqual(4 + 2 * Math.ceil(Math.log2(74)));
      }
    },
  );

  it("finds it in fewer attempts than halving where what is known is true", () => {
    let attempts = 0;
    for (const seed of seeds(1000)) attempts += searched(falling(seeded(seed), 73)).attempts;
    expect(attempts / casesOf(1000)).toBeLessThan(4);
  });

  it("finds a step that fits where the one before does not, where filters make bars", () => {
    for (const seed of seeds(500)) {
      const random = seeded(seed);
      const bars = falling(random, 73).map((own) => own + Math.floor(random() * 200));
      const { found, hasNearlyAll } = searched(bars, random);
      if (found === undefined) expect(bars[72]).toBeGreaterThan(LIMIT);
      else {
        expect(bars[found - 1]).toBeLessThanOrEqual(LIMIT);
        if (found > 1 && !hasNearlyAll) expect(bars[found - 2]).toBeGreaterThan(LIMIT);
      }
    }
  });

  it("does not stop at a step with as many bars as a lower one, of far less before merging", () => {
    const unmerged = Array.from({ length: 61 }, (_, step) => Math.round(9_000 * 0.95 ** step));
    const { found } = searched(
      Array.from({ length: 60 }, () => LIMIT - 10),
      undefined,
      unmerged,
    );
    expect(unmerged[found ?? 60]).toBeGreaterThanOrEqual(NEARLY_ALL * unmerged[0]);
  });

  it("of random trees gives the filter that trying all of them does", () => {
    let raised = 0;
    // Always these: a step with nearly all that a lower one shows may be taken before the first, as with seed 41284476.
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
      if (bars.every((own, step) => step === 0 || own <= bars[step - 1])) expect(at, `seed ${seed}`).toBe(first);
    }
    expect(raised).toBeGreaterThan(20);
  });
});
