import { NONE } from "./ids";
import { entryOf } from "./maps";

/** Where a value was measured. Parts may be missing ({@link NONE}); numbers are the tool's own. */
export interface Location {
  readonly run: number;
  readonly node: number;
  readonly rank: number;
  readonly thread: number;
  /** GPU, where its streams are numbered by device. */
  readonly device: number;
  /** Context of the GPU, only where streams of several have one number ({@link withNeededContexts}). */
  readonly gpuContext?: number;
  /** GPU stream; its values are never added to CPU time. */
  readonly stream: number;
}

export function location(parts: Partial<Location>): Location {
  return { run: 0, node: NONE, rank: NONE, thread: NONE, device: NONE, stream: NONE, ...parts };
}

/** Locations with their GPU contexts only where these are needed to tell streams apart: usually there is one context per process. */
export function withNeededContexts(locations: readonly Location[]): Location[] {
  const plain = locations.map((place): Location => {
    const { run, node, rank, thread, device, stream } = place;
    return { run, node, rank, thread, device, stream };
  });
  const keys = plain.map((place) => JSON.stringify(place));
  const contexts = new Map<string, Set<number>>();
  locations.forEach(({ gpuContext }, at) => {
    if (gpuContext !== undefined) entryOf(contexts, keys[at], () => new Set<number>()).add(gpuContext);
  });
  return plain.map((place, at) => ((contexts.get(keys[at])?.size ?? 0) > 1 ? locations[at] : place));
}

/** Canonical order: by run, node, rank, thread, device, GPU context, stream, missing first. */
export function compareLocations(a: Location, b: Location): number {
  return (
    a.run - b.run ||
    a.node - b.node ||
    a.rank - b.rank ||
    a.thread - b.thread ||
    a.device - b.device ||
    (a.gpuContext ?? NONE) - (b.gpuContext ?? NONE) ||
    a.stream - b.stream
  );
}

/** The distinct ranks of a list of locations, ascending; a location without rank adds none. */
export function ranksOf(locations: readonly Location[]): number[] {
  return [...new Set(locations.map((place) => place.rank).filter((rank) => rank !== NONE))].sort((a, b) => a - b);
}

/** Ranges as people write them: `0-3, 8, 12-15`. `ranks` ascending. */
export function rankRanges(ranks: readonly number[], dash = "–"): string {
  const parts: string[] = [];
  for (let from = 0; from < ranks.length;) {
    let to = from;
    while (to + 1 < ranks.length && ranks[to + 1] === ranks[to] + 1) to++;
    parts.push(to === from ? `${ranks[from]}` : `${ranks[from]}${dash}${ranks[to]}`);
    from = to + 1;
  }
  return parts.join(", ");
}

/** More ranks than any machine has: a longer list is a slip of the keyboard. */
const MOST_RANKS = 1_000_000;

/** Reads `0,4-7`, `0, 4–7`; undefined when it is not such a list. */
export function parseRanks(text: string): number[] | undefined {
  const ranks = new Set<number>();
  for (const part of text.split(",")) {
    const range = /^\s*(\d{1,9})(?:[-–](\d{1,9}))?\s*$/.exec(part);
    if (!range) return undefined;
    const from = Number(range[1]);
    const to = range[2] === undefined ? from : Number(range[2]);
    if (to < from || to - from + ranks.size > MOST_RANKS) return undefined;
    for (let rank = from; rank <= to; rank++) ranks.add(rank);
  }
  return [...ranks].sort((a, b) => a - b);
}
