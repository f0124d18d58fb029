/** Digits that a double holds exactly, and powers of ten that it holds exactly. */
export const EXACT_DIGITS = 15;
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** A decimal number as C writes it. Each digit can be taken in one way only: a long one takes time as it is long. */
export const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Result of {@link scanNumber}: a value beside the position, without one object per number. */
export const scanned = { value: 0 };

/**
 * Reads the decimal number that starts at `at` straight from bytes. The digits make an exact integer and powers of ten up to 22
 * are exact, so one division gives the nearest double, as `Number` would.
 *
 * @returns where the number ends, its value in `scanned.value`; -1 where it is not of this simple kind, or reaches `end`
 */
export function scanNumber(bytes: Uint8Array, at: number, end: number): number {
  const negative = bytes[at] === 45;
  let next = negative ? at + 1 : at;
  const first = next;
  let mantissa = 0;
  let digit = 0;
  for (; next < end; next++) {
    digit = bytes[next] - 48;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  let digits = next - first;
  if (digits === 0) return -1;
  let value = mantissa;
  if (bytes[next] === 46 && next < end) {
    const point = ++next;
    for (; next < end; next++) {
      digit = bytes[next] - 48;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
    }
    digits += next - point;
    if (digits > EXACT_DIGITS) return -1;
    value = mantissa / POWERS_OF_TEN[next - point];
  } else if (digits > EXACT_DIGITS) return -1;
  if (next === end) return -1;
  const follow = bytes[next];
  // An exponent, or a word that only begins as a number does (an address in hex): not simple.
  if ((follow | 32) >= 97 && (follow | 32) <= 122) return -1;
  if (follow === 46 || follow === 43 || follow === 45 || follow === 95) return -1;
  scanned.value = negative ? -value : value;
  return next;
}

/**
 * Reads a decimal number (`0.302794`, `8.8711e-05`, `-12`) straight from bytes. The digits make an exact integer and
 * powers of ten up to 22 are exact, so one division or multiplication gives the nearest double, as `Number` would.
 *
 * @returns undefined where that does not hold (more digits, larger exponents, `nan`, no number): the text has to be parsed then
 */
export function decimalOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const negative = bytes[at] === 45;
  if (negative) at++;
  let digits = 0;
  let mantissa = 0;
  let power = 0;
  let fraction = false;
  for (; at < end; at++) {
    const digit = bytes[at] - 48;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digits++;
      if (fraction) power--;
    } else if (bytes[at] === 46 && !fraction) fraction = true;
    else break;
  }
  if (digits === 0 || digits > EXACT_DIGITS) return undefined;
  if (at < end) {
    if ((bytes[at] | 32) !== 101) return undefined;
    const sign = bytes[++at];
    if (sign === 45 || sign === 43) at++;
    if (at === end || end - at > 3) return undefined;
    let exponent = 0;
    for (; at < end; at++) {
      const digit = bytes[at] - 48;
      if (!(digit >= 0 && digit <= 9)) return undefined;
      exponent = exponent * 10 + digit;
    }
    power += sign === 45 ? -exponent : exponent;
  }
  if (power < -22 || power > 22) return undefined;
  const value = power < 0 ? mantissa / POWERS_OF_TEN[-power] : mantissa * POWERS_OF_TEN[power];
  return negative ? -value : value;
}

/** Units of {@link decimalDifference} per second, and a number of them below which each is a double of its own. */
const GRID = 1e9;
const MAX_GRID = 2 ** 52;

/**
 * Difference of two times that were written as decimals of up to nine places: the double nearest to the exact difference. The difference of
 * the two doubles may be off in its last bits. Times of more places have that one, and those above some million seconds.
 */
export function decimalDifference(seconds: number, zero: number): number {
  if (zero === 0) return seconds;
  const units = Math.round(seconds * GRID);
  const zeroUnits = Math.round(zero * GRID);
  const isExact = isOnGrid(seconds, units) && isOnGrid(zero, zeroUnits);
  return isExact ? (units - zeroUnits) / GRID : seconds - zero;
}

function isOnGrid(seconds: number, units: number): boolean {
  return units > -MAX_GRID && units < MAX_GRID && units / GRID === seconds;
}
