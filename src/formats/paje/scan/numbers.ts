import { DECIMAL, decimalOf } from "../../numberScan";

/** A number as tools write it; NaN for anything else. @param hexadecimal declared as `hex`: `ff` as well as `0xff` */
export function numberOf(bytes: Uint8Array, start: number, end: number, hexadecimal: boolean): number {
  if (!hexadecimal) {
    const decimal = decimalOf(bytes, start, end);
    if (decimal !== undefined) return decimal;
  }
  // Nothing longer is a number that a tool writes; a line may be.
  if (end - start > 400) return Number.NaN;
  const text = Buffer.from(bytes.subarray(start, end)).toString("latin1");
  const digits = /^([+-]?)(0[xX])?([0-9a-fA-F]+)$/.exec(text);
  if (digits && (hexadecimal || digits[2] !== undefined))
    return (digits[1] === "-" ? -1 : 1) * Number.parseInt(digits[3], 16);
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
