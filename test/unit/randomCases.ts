/**
 * Random cases: all of them in the full run (`npm run test:full`), else a twentieth, which is another one each time. Where they begin
 * is chosen by vitest.config.mts, printed at the start of the run, and given again by HEATFLOW_SEED.
 */
export const seed = Number(process.env.HEATFLOW_SEED);
if (!Number.isSafeInteger(seed))
  throw new Error(`HEATFLOW_SEED is ${process.env.HEATFLOW_SEED}, which is no whole number.`);

/** Whether all cases are wanted. */
export const isFull = Boolean(process.env.HEATFLOW_FULL);

/** Damaged inputs for each format in the full run; HEATFLOW_MUTATIONS asks for another number of them, in any run. */
const MUTATIONS = Number(process.env.HEATFLOW_MUTATIONS ?? (isFull ? 100_000 : 0));
const FEWEST_MUTATIONS = 40;

/**
 * How many damaged inputs one test reads, and how long that may take.
 *
 * @param share the test's part of all that its format is to have
 */
export function mutations(share: number): { count: number; milliseconds: number } {
  const count = Math.max(FEWEST_MUTATIONS, Math.ceil(MUTATIONS * share));
  return { count, milliseconds: Math.max(60_000, 200 * count) };
}

/** How many cases this run has, of all; at least one. */
export function casesOf(all: number): number {
  return isFull ? all : Math.ceil(all / 20);
}

/**
 * A seed for each case of this run.
 *
 * @param all how many cases the full run has
 * @param part of several tests that share the cases between them, each with as many
 */
export function seeds(all: number, part = 0): number[] {
  return Array.from({ length: casesOf(all) }, (_, at) => seed + part * all + at);
}

/** Of the places 0 … `all` - 1: each of them in the full run, else a twentieth, as far apart, beginning where the seed says. */
export function places(all: number, most = casesOf(all)): number[] {
  const shift = isFull ? 0 : (seed % 1000) / 1000;
  return Array.from({ length: Math.min(all, most) }, (_, at) => Math.floor(((at + shift) * all) / Math.min(all, most)));
}
