/** Which line is next: down or up a file, then the file of the next lower cost (semantics 6). Pure. */
import type { HotPlace } from "../engine/api";
import { addTo } from "../model/maps";
import { compareText } from "../model/strings";
import type { LineDecoration } from "./heat";

/** Lines with heat, ascending; lines with text only are no hot lines. */
export function hotLinesOf(decorations: readonly LineDecoration[]): number[] {
  return decorations.filter(({ level }) => level !== undefined).map(({ line }) => line);
}

/** @returns undefined behind the last (before the first) hot line */
export function nextLine(lines: readonly number[], from: number, step: 1 | -1): number | undefined {
  return step === 1 ? lines.find((line) => line > from) : [...lines].reverse().find((line) => line < from);
}

/** Files by the cost of their places, most first, ties by path. What has several places counts for none of them. */
export function filesByCost(places: readonly Pick<HotPlace, "link" | "exclusive">[]): string[] {
  const costs = new Map<string, number>();
  for (const { link, exclusive } of places) {
    if (link.places.length !== 1) continue;
    const [{ file }] = link.places;
    addTo(costs, file, exclusive);
  }
  return [...costs].sort(([a, costA], [b, costB]) => costB - costA || compareText(a, b)).map(([file]) => file);
}

/** The file behind (before) this one in the order of cost, round and round; of no known file: the first (last). */
export function nextFile(files: readonly string[], from: string | undefined, step: 1 | -1): string | undefined {
  if (files.length === 0) return undefined;
  const at = from === undefined ? -1 : files.indexOf(from);
  if (at < 0) return step === 1 ? files[0] : files[files.length - 1];
  return files[(at + step + files.length) % files.length];
}

/** The first place that leads somewhere. */
export function firstLinked<Linked extends Pick<HotPlace, "link">>(places: readonly Linked[]): Linked | undefined {
  return places.find(({ link }) => link.places.length > 0);
}
