/** The filter's slider: nothing, then from 0.01 % to 100 % in steps that look even on a logarithmic scale. Pure. */

/** Last step of the slider. */
export const FILTER_STEPS = 80;
const LEAST = 0.01;
const MOST = 100;

/** Percent at a step, rounded to two significant digits, so that it reads like a number somebody would type. */
export function percentAt(step: number): number {
  if (step <= 0) return 0;
  const exact = LEAST * (MOST / LEAST) ** ((step - 1) / (FILTER_STEPS - 1));
  return Number(exact.toPrecision(2));
}

/** The step nearest to a percentage. */
export function stepOf(percent: number): number {
  if (!(percent > 0)) return 0;
  const share = Math.log(percent / LEAST) / Math.log(MOST / LEAST);
  return Math.max(1, Math.min(FILTER_STEPS, Math.round(share * (FILTER_STEPS - 1)) + 1));
}

/** What a user typed: `0.5`, `0,5`, `0.5 %`; undefined where it is no percentage. */
export function readPercent(text: string): number | undefined {
  const match = /^(\d{0,3}(?:[.,]\d{0,9})?)(?:\s*%)?$/.exec(text.trim());
  const percent = match && /\d/.test(match[1]) ? Number(match[1].replace(",", ".")) : NaN;
  return percent >= 0 && percent <= 100 ? percent : undefined;
}

/** "0.1 %". */
export function percentText(percent: number): string {
  return `${Number(percent.toPrecision(4))} %`;
}
