import { describe, expect, it } from "vitest";
import { RandomNumbers } from "../../../../src/analysis/ensembles/randomNumbers";

describe("random numbers", () => {
  it("are the same for the same seed, and others for another", () => {
    const drawn = (seed: number) => {
      const random = new RandomNumbers(seed);
      return Array.from({ length: 20 }, () => random.below(1000));
    };
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it("bring four items into each of their 24 orders as often, by chi squared", () => {
    const random = new RandomNumbers(3);
    const seen = new Map<string, number>();
    for (let trial = 0; trial < 24_000; trial++) {
      const items = Int32Array.of(0, 1, 2, 3);
      random.shuffle(items, 0, 4);
      seen.set(items.join(), (seen.get(items.join()) ?? 0) + 1);
    }
    expect(seen.size).toBe(24);
    const chiSquared = [...seen.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // The 0.1 % point of 23 degrees of freedom.
    expect(chiSquared).toBeLessThan(49.73);
  });

  it("leave alone what is outside the places that are shuffled", () => {
    const items = Float64Array.from({ length: 20 }, (_, at) => at);
    new RandomNumbers(5).shuffle(items, 5, 10, 15);
    expect([...items.subarray(0, 5), ...items.subarray(15)]).toEqual([0, 1, 2, 3, 4, 15, 16, 17, 18, 19]);
    expect([...items.subarray(5, 15)]).not.toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect([...items].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });
});
