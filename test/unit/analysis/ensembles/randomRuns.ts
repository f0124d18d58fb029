import fc from "fast-check";

/** Values as runs have them: of very different sizes, many of them equal. */
export const measured = fc
  .oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: -5, max: 5 }),
    fc.double({ min: 0, max: 1e-6, noNaN: true }),
  )
  // The mean of two numbers near the smallest one is rounded, and four times them is not: no tool measures so little.
  .map((value) => (Math.abs(value) < 2 ** -1000 ? 0 : value));

/** The same values in another order. */
export function shuffled<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}

/** Values, and the same in another order. */
export const inTwoOrders = fc
  .array(measured, { minLength: 1, maxLength: 60 })
  .chain((values) => fc.tuple(fc.constant(values), shuffled(values)));

/** `count` numbers, as alike as those of a normal distribution; the same for the same seed. For tests alone, and unlike the code's own. */
export function normalNumbers(count: number, seed: number): number[] {
  let state = BigInt(seed) * 2n + 1n;
  const uniform = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return (Number(state >> 11n) + 0.5) / 2 ** 53;
  };
  return Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}
