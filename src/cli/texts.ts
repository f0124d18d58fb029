/** How contexts, locations and numbers are written. */
import type { DataSet } from "../model/dataSet";
import type { Frame } from "../model/frames";
import { NONE } from "../model/ids";
import type { Location } from "../model/locations";

/** A number for JSON: what JSON has no number for is a string (semantics 1, Order). */
export function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : numberText(value);
}

/** With full double precision; `nan`, `inf` and `-inf` as Caliper writes them. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "inf" : "-inf";
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

/** What a context is called in a path: lines and loops have no name of their own in most recordings. Empty where nothing is known. */
export function frameName({ name, kind, file, line }: Frame): string {
  if (name !== "") return name;
  const place = [file, line].filter((part) => part !== undefined).join(":");
  return kind === "loop" && place !== "" ? `loop at ${place}` : place;
}

/** One name of a path that is joined with `;`, which no name then holds: readers split there, whatever stands before. */
export function escapedName(name: string): string {
  return name.replace(/[\\;\r\n]/g, (character) => escapes.get(character) ?? character);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  [";", "\\x3b"],
  ["\r", "\\r"],
  ["\n", "\\n"],
]);

/** The parts that a location has; the run only where there are several. */
export function locationParts(place: Location, runs: number): Partial<Location> {
  const parts = Object.entries(place).filter(([part, value]) => (part === "run" ? runs > 1 : value !== NONE));
  return Object.fromEntries(parts) as Partial<Location>;
}

export function runsOf({ locations }: DataSet): number {
  return Math.max(1, new Set(locations.map(({ run }) => run)).size);
}
