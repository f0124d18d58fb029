/** How contexts and numbers are written for other programs. */
import type { Frame } from "./frames";

/** With full double precision; `nan`, `inf` and `-inf` as Caliper writes them. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "inf" : "-inf";
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
