/** Reads lists of members as people write them: `0, 4-7` of ranks, `0.1, 2.0-3, *.1` of threads. */
import { type LocationUnit, unitName } from "./members";

/** The members that were meant, or what is wrong with the text. */
export type MemberInput =
  | { readonly members: readonly string[]; readonly problem?: undefined }
  | { readonly problem: string; readonly members?: undefined };

/** One part of a key: numbers from one to another, any, or what a member lacks. */
type Part = { readonly from: number; readonly to: number } | "any" | "missing";

/** More than any machine has: a longer range is a slip of the keyboard. */
const MOST = 1_000_000;

/**
 * @param known keys of the members that there are, in canonical order
 * @returns members in the order of `known`
 */
export function readMembers(text: string, by: LocationUnit, known: readonly string[]): MemberInput {
  const depth = known[0]?.split(".").length ?? 1;
  const wanted = new Set<string>();
  const exists = new Set(known);
  for (const item of text.split(",").map((one) => one.trim())) {
    const parts = item.split(".").map(partOf);
    if (item === "" || parts.length !== depth || parts.some((part) => part === undefined))
      return { problem: howToWrite(by, depth) };
    const found = keysOf(parts as Part[], known, exists);
    if (typeof found === "string") return { problem: `There is no ${unitName(by, 1)} ${found}.` };
    if (found.length === 0) return { problem: `There is no ${unitName(by, 1)} ${item}.` };
    for (const key of found) wanted.add(key);
  }
  return { members: known.filter((key) => wanted.has(key)) };
}

/** What is asked for, by example. */
export function howToWrite(by: LocationUnit, depth: number): string {
  const several = unitName(by, 2);
  if (depth === 1) return `Numbers and ranges of ${several}, such as 0, 4-7.`;
  const parts =
    by === "stream"
      ? ["rank", "device", "context", "stream"].filter((part) => depth > 3 || part !== "context").slice(-depth)
      : ["rank", unitName(by, 1)];
  const rest = "0.".repeat(depth - 2);
  return `Write ${parts.join(".")}, with ranges and * for any: 0.${rest}1, 2.${rest}0-3, *.${rest}1.`;
}

function partOf(text: string): Part | undefined {
  if (text === "*") return "any";
  if (text === "-") return "missing";
  const range = /^(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?$/.exec(text);
  if (!range) return undefined;
  const from = Number(range[1]);
  const to = range[2] === undefined ? from : Number(range[2]);
  return to < from ? undefined : { from, to };
}

/** The keys that parts stand for, or the first that there is not. What has a `*` stands for whatever there is. */
function keysOf(parts: readonly Part[], known: readonly string[], exists: ReadonlySet<string>): string[] | string {
  const all = parts.reduce((many, part) => many * (typeof part === "string" ? 1 : part.to - part.from + 1), 1);
  if (parts.includes("any") || all > MOST) {
    const found = known.filter((key) => key.split(".").every((own, at) => matches(parts[at], own)));
    return parts.includes("any") || found.length === all ? found : [];
  }
  let keys = [""];
  for (const part of parts) {
    const numbers =
      typeof part === "string"
        ? ["-"]
        : Array.from({ length: part.to - part.from + 1 }, (_, at) => `${part.from + at}`);
    keys = keys.flatMap((before) => numbers.map((number) => (before === "" ? number : `${before}.${number}`)));
  }
  return keys.find((key) => !exists.has(key)) ?? keys;
}

function matches(part: Part, own: string): boolean {
  if (part === "any") return true;
  if (part === "missing") return own === "-";
  return own !== "-" && Number(own) >= part.from && Number(own) <= part.to;
}
