/** Colours of values, as a trace declares them: `"0 0.39 0.78"`, each part from 0 to 1. StarPU also writes parts up to 255. */
import { NONE } from "../../../model/ids";

/** Maximum characters of a number: more than any tool writes. */
const MOST_LENGTH = 100;
const LARGEST = 255;

/** @returns 0xRRGGBB. NONE if the text is not three numbers */
export function colorNumber(text: string): number {
  if (text.length > MOST_LENGTH) return NONE;
  const parts = text.trim().split(/\s+/);
  const numbers = parts.map(Number);
  if (parts.length !== 3 || parts.includes("") || !numbers.every((part) => part >= 0 && part <= LARGEST)) return NONE;
  const scale = numbers.some((part) => part > 1) ? 1 : LARGEST;
  return numbers.reduce((color, part) => color * 256 + Math.round(part * scale), 0);
}
