/** Step functions straight from their definition: every question is answered by looking at all steps. */
export interface NaiveStep {
  readonly seconds: number;
  /** NaN: no value from there on. */
  readonly value: number;
}

export interface NaivePoint {
  readonly seconds: number;
  readonly value: number;
}

/** A level: the last point of each moment holds until the next moment that has one. */
export function levelSteps(points: readonly NaivePoint[]): NaiveStep[] {
  const last = new Map(points.map(({ seconds, value }) => [seconds, value]));
  return [...last].map(([seconds, value]) => ({ seconds, value: Number.isFinite(value) ? value : Number.NaN }));
}

/** The rate between two points, which a fall restarts at 0. */
export function rateSteps(points: readonly NaivePoint[]): NaiveStep[] {
  const known = points.filter(({ value }) => Number.isFinite(value));
  const kept = known.filter(({ seconds }, at) => known.at(at - 1)?.seconds !== seconds || at === 0);
  return kept.map(({ seconds, value }, at) => {
    const next = kept.at(at + 1);
    if (!next) return { seconds, value: Number.NaN };
    const growth = next.value >= value ? next.value - value : next.value;
    return { seconds, value: growth / (next.seconds - seconds) };
  });
}

/** How much is under way, of what begins and ends. */
export function sumSteps(
  intervals: readonly { readonly start: number; readonly end: number; readonly amount: number }[],
  startSeconds: number,
): NaiveStep[] {
  const edges = [startSeconds, ...intervals.flatMap(({ start, end }) => [start, end])];
  const times = [...new Set(edges)].sort((a, b) => a - b);
  const steps = times.map((seconds) => ({
    seconds,
    value: intervals.reduce((sum, { start, end, amount }) => sum + (start <= seconds && end > seconds ? amount : 0), 0),
  }));
  return steps.filter(({ value }, at) => at === 0 || value !== steps[at - 1].value);
}

/** Stretches of a window, each with its value, and the values that begin with the run's last moment. */
function pieces(steps: readonly NaiveStep[], from: number, to: number, runEnd: number) {
  return steps.flatMap(({ seconds, value }, at) => {
    const end = Math.min(steps.at(at + 1)?.seconds ?? runEnd, to);
    const start = Math.max(seconds, from);
    const isAtEnd = seconds === runEnd && to >= runEnd && seconds >= from;
    return (end > start || isAtEnd) && !Number.isNaN(value) ? [{ value, length: Math.max(0, end - start) }] : [];
  });
}

export function naiveSums(steps: readonly NaiveStep[], from: number, to: number, runEnd: number) {
  const parts = pieces(steps, from, to, runEnd);
  const seconds = parts.reduce((sum, { length }) => sum + length, 0);
  const mean = parts.reduce((sum, { value, length }) => sum + value * length, 0) / seconds;
  const variance = parts.reduce((sum, { value, length }) => sum + (value - mean) ** 2 * length, 0) / seconds;
  const values = parts.map(({ value }) => value);
  return {
    seconds,
    mean,
    variance: mean === 0 ? 0 : variance / mean ** 2,
    least: values.length > 0 ? Math.min(...values) : Number.NaN,
    most: values.length > 0 ? Math.max(...values) : Number.NaN,
  };
}

/** What holds just before a moment. */
export function valueBefore(steps: readonly NaiveStep[], seconds: number): number {
  return steps.findLast((step) => step.seconds < seconds)?.value ?? Number.NaN;
}
