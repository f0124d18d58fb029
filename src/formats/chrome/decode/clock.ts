/** Up to so many µs a time is told to the picosecond, and up to so many to the nanosecond: doubles of that size are closer by far. */
const MOST_PICOSECONDS = 1e9;
const MOST_NANOSECONDS = 1e12;

/**
 * Seconds of a time in µs, on a grid. Files write decimals: that an event ends with the one around it is known from a start and a duration
 * each, and their sums differ in the last bit of a double. Off the grid such an event would outlast the one that it is called by.
 */
export function secondsOf(microseconds: number): number {
  const size = Math.abs(microseconds);
  if (size < MOST_PICOSECONDS) return Math.round(microseconds * 1e6) / 1e12;
  if (size < MOST_NANOSECONDS) return Math.round(microseconds * 1e3) / 1e9;
  return microseconds / 1e6;
}
