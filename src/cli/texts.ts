/** How locations and numbers are written. */
import type { DataSet } from "../model/dataSet";
import { NONE } from "../model/ids";
import type { Location } from "../model/locations";
import { numberText } from "../model/writtenNames";

/** A number for JSON: what JSON has no number for is a string (semantics 1, Order). */
export function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : numberText(value);
}

/** A number without exponent, which readers of folded stacks do not take. */
export function plainDecimal(value: number): string {
  const [digits, exponent] = String(value).split("e");
  if (exponent === undefined) return digits;
  const [whole, fraction = ""] = digits.split(".");
  const places = Number(exponent);
  const all = whole + fraction;
  return places < 0 ? `0.${"0".repeat(-places - whole.length)}${all}` : all.padEnd(whole.length + places, "0");
}

/** The parts that a location has; the run only where there are several. */
export function locationParts(place: Location, runs: number): Partial<Location> {
  const parts = Object.entries(place).filter(([part, value]) => (part === "run" ? runs > 1 : value !== NONE));
  return Object.fromEntries(parts) as Partial<Location>;
}

export function runsOf({ locations }: DataSet): number {
  return Math.max(1, new Set(locations.map(({ run }) => run)).size);
}
