/**
 * Round numbers between two others: 1, 2 or 5 times a power of ten apart. Pure.
 *
 * @param most how many at most, about
 */
export function ticks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => span / size <= most) ?? 10 * power;
  // Counted in steps: adding up steps would add up their rounding.
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: Math.max(0, Math.min(count, 10 * most)) }, (_, at) => round((first + at) * step));
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
