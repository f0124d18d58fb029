import { location, type Location } from "../../../../model/locations";
import type { Identifier } from "../scan/profileDb";

/** Which part of a location an identifier is, and how a lane's name says it. */
const parts: ReadonlyMap<string, { readonly part?: Exclude<keyof Location, "run">; readonly word: string }> = new Map([
  ["NODE", { part: "node" as const, word: "node" }],
  ["RANK", { part: "rank" as const, word: "rank" }],
  ["THREAD", { part: "thread" as const, word: "thread" }],
  ["GPUDEVICE", { part: "device" as const, word: "GPU" }],
  ["GPUCONTEXT", { part: "gpuContext" as const, word: "GPU context" }],
  ["GPUSTREAM", { part: "stream" as const, word: "stream" }],
]);

/** @param names of kinds of identifiers, as meta.db gives them; kinds that say nothing of where are left out */
export function locationOf(ids: readonly Identifier[], names: readonly string[]): Location {
  const found: Partial<Record<keyof Location, number>> = {};
  for (const { kind, logicalId } of ids) {
    const part = parts.get(names[kind])?.part;
    if (part !== undefined) found[part] = logicalId;
  }
  return location(found);
}

/** One step on the way to a thread or stream: what contains the next. */
export interface Step {
  readonly type: string;
  readonly name: string;
}

/** `node 0`, `rank 1`, `thread 0`: from the machine down. */
export function stepsOf(ids: readonly Identifier[], names: readonly string[]): Step[] {
  return ids.flatMap(({ kind, logicalId }) => {
    const word = parts.get(names[kind])?.word;
    return word === undefined ? [] : [{ type: word === "rank" ? "process" : word, name: `${word} ${logicalId}` }];
  });
}
