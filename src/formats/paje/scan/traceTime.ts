import { POWERS_OF_TEN } from "../../numberScan";
import { numberOf } from "./numbers";

/** A finite number of some hundred digits is 0 beyond this exponent. */
const MAX_EXPONENT = 1000;
/** Integers below are exact in a double. */
const EXACT = 2 ** 53;
/** Times from here on are beyond all bounds, as in every trace. */
const MAX_SECONDS = 1e24;
const PARTS = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const HEXADECIMAL = /^([+-]?)(?:0[xX])?([0-9a-fA-F]+)$/;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/**
 * The clock of one trace. Its second 0 is the whole seconds of the first time that was read: clocks that count from 1970 have no room for
 * nanoseconds in a double, times from the start have. The whole seconds are taken off the decimal digits, so that a time is the double
 * nearest to the rest, whatever was taken off.
 */
export class TraceTime {
  /** Seconds of the recording's clock at this one's zero; NaN before the first time, and if a double cannot hold them. */
  wholeSeconds = Number.NaN;
  private exactWhole: bigint | undefined;

  /**
   * Reads a time of any form.
   *
   * @param hexadecimal declared as `hex`
   * @returns seconds from the zero, NaN for a text that is no number
   */
  read(bytes: Uint8Array, start: number, end: number, hexadecimal: boolean): number {
    if (this.wholeSeconds === 0) return numberOf(bytes, start, end, hexadecimal);
    const quick = hexadecimal ? Number.NaN : this.plain(bytes, start, end);
    return Number.isNaN(quick) ? this.unusual(bytes, start, end, hexadecimal) : quick;
  }

  /** A time as the file has it, for messages. */
  textOf(seconds: number): string {
    if (this.exactWhole === undefined || this.exactWhole === 0n || !(Math.abs(seconds) < EXACT / 1e9))
      return `${seconds + Number(this.exactWhole ?? 0n)}`;
    const nanoseconds = this.exactWhole * 1_000_000_000n + BigInt(Math.round(seconds * 1e9));
    const digits = `${nanoseconds < 0n ? -nanoseconds : nanoseconds}`.padStart(10, "0");
    const point = digits.length - 9;
    let end = digits.length;
    while (end > point && digits[end - 1] === "0") end--;
    const fraction = end === point ? "" : `.${digits.slice(point, end)}`;
    return `${nanoseconds < 0n ? "-" : ""}${digits.slice(0, point)}${fraction}`;
  }

  /** Digits with a point and a sign, if all of them fit a double once the whole seconds are off; NaN for others. */
  private plain(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === MINUS;
    let at = negative ? start + 1 : start;
    const first = at;
    let whole = 0;
    for (; at < end; at++) {
      const digit = bytes[at] - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      whole = whole * 10 + digit;
    }
    if (at === first || at - first > 15) return Number.NaN;
    let fraction = 0;
    let places = 0;
    if (at < end && bytes[at] === POINT) {
      const point = at++;
      for (; at < end; at++) {
        const digit = bytes[at] - ZERO;
        if (!(digit >= 0 && digit <= 9)) break;
        fraction = fraction * 10 + digit;
      }
      places = at - point - 1;
    }
    if (at !== end || places > 15) return Number.NaN;
    const scale = POWERS_OF_TEN[places];
    const scaled = ((negative ? -whole : whole) - this.wholeSeconds) * scale + (negative ? -fraction : fraction);
    return scaled > -EXACT && scaled < EXACT ? scaled / scale : Number.NaN;
  }

  private unusual(bytes: Uint8Array, start: number, end: number, hexadecimal: boolean): number {
    const rounded = numberOf(bytes, start, end, hexadecimal);
    if (!(Math.abs(rounded) < MAX_SECONDS)) return rounded;
    const exact = exactly(Buffer.from(bytes.subarray(start, end)).toString("latin1"), hexadecimal);
    const scale = 10n ** BigInt(exact.places);
    if (this.exactWhole === undefined) {
      const cut = exact.digits / scale;
      this.exactWhole = exact.digits < 0n && cut * scale !== exact.digits ? cut - 1n : cut;
      const whole = Number(this.exactWhole);
      if (Number.isSafeInteger(whole)) this.wholeSeconds = whole;
    }
    return Number(`${exact.digits - this.exactWhole * scale}e-${exact.places}`);
  }
}

/** A number of {@link numberOf} as an integer, and how many of its digits stand behind the point. */
function exactly(text: string, hexadecimal: boolean): { digits: bigint; places: number } {
  const [, hexSign, hex] = HEXADECIMAL.exec(text) ?? [];
  if (hex !== undefined && (hexadecimal || /x/i.test(text))) return { digits: signed(hexSign, `0x${hex}`), places: 0 };
  const parts = PARTS.exec(text);
  const exponent = Number(parts?.[4] ?? 0);
  if (parts === null || Math.abs(exponent) > MAX_EXPONENT) return { digits: 0n, places: 0 };
  const [, sign, whole, fraction = ""] = parts;
  const places = fraction.length - exponent;
  const digits = `${whole}${fraction}${"0".repeat(Math.max(0, -places))}`;
  return { digits: signed(sign, digits), places: Math.max(0, places) };
}

function signed(sign: string, digits: string): bigint {
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}
