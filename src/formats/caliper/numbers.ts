const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/**
 * Reads a decimal number (`0.302794`, `8.8711e-05`, `-12`) straight from bytes. The digits make an exact integer and
 * powers of ten up to 22 are exact, so one division or multiplication gives the nearest double, as `Number` would.
 *
 * @returns undefined where that does not hold (more digits, larger exponents, `nan`, no number): ask for the text then
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
  const value = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
  return negative ? -value : value;
}
