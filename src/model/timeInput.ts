/** Reads windows of time as people write them: `3.04 - 3.59 s`, `800 µs - 1.2 ms`, `61.7 – 70.0 ms`. */

/** The window that was meant, in seconds, or what is wrong with the text. */
export type TimeInput =
  | { readonly from: number; readonly to: number; readonly problem?: undefined }
  | { readonly problem: string; readonly from?: undefined };

const SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 };
const STRETCH =
  /^\s{0,9}([-−]?[\d.]{1,30})\s{0,9}([a-zµμ]{0,3})\s{0,9}(?:-|–|to)\s{0,9}([-−]?[\d.]{1,30})\s{0,9}([a-zµμ]{0,3})\s{0,9}$/;

/** What is asked for, by example. */
export const HOW_TO_WRITE_TIME = "From and to, such as 3.04 - 3.59 s, or 800 µs - 1.2 ms.";

/** @param run from the first to the last record, in seconds */
export function readTimes(text: string, run: { readonly from: number; readonly to: number }): TimeInput {
  const [, first, firstUnit, last, lastUnit] = STRETCH.exec(text) ?? [];
  // A unit at the end is that of both.
  const [fromUnit, toUnit] = [SECONDS[firstUnit || lastUnit || "s"], SECONDS[lastUnit || "s"]];
  const [from, to] = [secondsOf(first) * fromUnit, secondsOf(last) * toUnit];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { problem: HOW_TO_WRITE_TIME };
  if (to <= from) return { problem: "The window ends before it begins." };
  if (to <= run.from || from >= run.to) return { problem: "Nothing was recorded in this window." };
  return { from, to };
}

function secondsOf(number: string | undefined): number {
  return number === undefined ? Number.NaN : Number(number.replace("−", "-"));
}
