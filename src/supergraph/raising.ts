/** The least filter that leaves few enough bars (semantics 2.5), or hardly more than that. */

/** Round percentages above the one asked for, about 10 % apart. */
export function stepsAbove(asked: number): number[] {
  const digits = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91];
  // From parts of whole numbers, so that 0.3 is not 0.30000000000000004.
  const decades = [1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1];
  const steps = decades.flatMap((part) => digits.map((digit) => digit / part));
  return [...steps, 100].filter((percent) => percent > asked);
}

/** What filtering at one step leaves. */
export interface Attempt<T> {
  /** undefined: more bars than the limit. */
  readonly result: T | undefined;
  /** How many bars there are; undefined: few enough even before merging, so that they were not merged. A guess where they are too many. */
  readonly bars: number | undefined;
  /** How many there are before merging. */
  readonly unmerged: number;
  /** For each of these about the largest percentage that leaves it; in any order. Asked for where they are too many. */
  lasting(): Float64Array;
}

/** Where no step is known that leaves few enough, the first guess goes a little beyond the limit, to find one. */
const BEYOND = 0.9;
/** With this share of what a lower step has before merging, which has too many bars, there is not much more to be shown. */
const NEARLY_ALL = 0.75;

/**
 * Finds the least step that leaves few enough bars, the next lower one leaving too many. That one is not tried where it is
 * expected to be so, and where there is not much between it and a step that is known to be so: one attempt in eight, and
 * another result in one search of twenty, mostly the step behind the least. Where a stricter filter leaves no more bars than a
 * weaker one, as is usual, the step is the least of all; a filter can also make bars, as two contexts of one group have become
 * neighbours, and then it is one of several such steps. Which one follows from the request alone.
 *
 * Attempts are dear, so the next step to try is not the middle of those that are left, but the one where bars are expected to
 * be as many as the limit: of those that were too many before merging it is known which a filter leaves, more or less. From
 * the fifth attempt on every second one is the middle, so that bad guesses cost little more than twice what halving does.
 *
 * @param steps percentages, ascending
 * @param asked what was asked for, at a percentage below all steps, and had too many bars
 * @returns undefined where the last step leaves too many
 */
export function fittingStep<T>(
  steps: readonly number[],
  asked: Attempt<T>,
  limit: number,
  attempt: (percent: number) => Attempt<T>,
): T | undefined {
  let [low, high] = [-1, steps.length];
  let tooMany = known(asked);
  let few: Attempt<T> | undefined;
  for (let count = 1; high - low > 1; count++) {
    const likely = expected(steps, high, tooMany, few, limit);
    if (likely >= high && hasNearlyAll(few, tooMany)) break;
    const guess = count > 4 && count % 2 === 1 ? (low + high) >> 1 : likely;
    const at = Math.min(Math.max(guess, low + 1), high - 1);
    const tried = attempt(steps[at]);
    if (tried.result === undefined) [low, tooMany] = [at, known(tried)];
    else [high, few] = [at, tried];
  }
  return few?.result;
}

/** Where nothing was merged, the number of bars is not known, and the expected one is a poor guess. */
function hasNearlyAll(few: Attempt<unknown> | undefined, { lasting }: TooMany): boolean {
  return few?.bars !== undefined && few.unmerged >= NEARLY_ALL * lasting.length;
}

/** Too many bars: about how many, and what they were before merging, ascending by the percentage that leaves them. */
interface TooMany {
  readonly bars: number;
  readonly lasting: Float64Array;
}

function known({ bars, unmerged, lasting }: Attempt<unknown>): TooMany {
  return { bars: bars ?? unmerged, lasting: lasting().slice().sort() };
}

/**
 * The first step that is expected to leave no more bars than the limit: on the line between what is known below and above,
 * or where they fall as those before merging do, whichever is the lower step. Of two guesses the one farther from what is
 * known to be few leaves less to search.
 */
function expected(
  steps: readonly number[],
  high: number,
  { lasting, bars }: TooMany,
  few: Attempt<unknown> | undefined,
  limit: number,
): number {
  const left = few ? countFrom(lasting, steps[high]) : 0;
  const fewBars = few ? (few.bars ?? (few.unmerged * bars) / lasting.length) : 0;
  const aim = few ? limit : limit * BEYOND;
  const onLine = left + ((lasting.length - left) * (aim - fewBars)) / Math.max(1, bars - fewBars);
  const inProportion = few?.bars === undefined ? 0 : (left * limit) / Math.max(1, few.bars);
  const wanted = Math.max(onLine, inProportion);
  const at = steps.findIndex((step) => countFrom(lasting, step) <= wanted);
  return at < 0 ? steps.length : at;
}

/** How many of some ascending values are this or more. */
function countFrom(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return values.length - low;
}
