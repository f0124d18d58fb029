/** What values can be split by and restricted to: ranks, and in the same way threads, GPU streams, GPUs, hosts and runs. */
import { NONE } from "./ids";
import { type Location, rankRanges } from "./locations";

export const locationUnits = ["rank", "thread", "stream", "device", "host", "run"] as const;
export type LocationUnit = (typeof locationUnits)[number];

/** The members that a restriction keeps, by their keys ({@link Members.keys}). */
export interface Chosen {
  readonly by: LocationUnit;
  readonly members: readonly string[];
}

/** The members of a recording of one kind, in canonical order. */
export interface Members {
  readonly by: LocationUnit;
  /** How each is written: `4` for a rank, `4.1` for its thread 1. Distinct. */
  readonly keys: readonly string[];
  /** Member of each location; {@link NONE}: of none. */
  readonly of: Int32Array;
}

/**
 * The members of one kind. CPU threads and GPU streams are never in one list; a location without the wanted part is of none.
 *
 * @param locations in canonical order
 * @param isIn leaves locations out
 */
export function membersOf(
  locations: readonly Location[],
  by: LocationUnit,
  isIn: (location: Location) => boolean = () => true,
): Members {
  const keyOf = memberKeys(locations, by);
  const index = new Map<string, number>();
  const found = locations.map((location) => (isIn(location) ? keyOf(location) : undefined));
  for (const key of found) if (key !== undefined) index.set(key, NONE);
  const keys = [...index.keys()].sort(compareKeys);
  keys.forEach((key, at) => index.set(key, at));
  return { by, keys, of: Int32Array.from(found, (key) => (key === undefined ? NONE : (index.get(key) ?? NONE))) };
}

/**
 * The members that numbers are combined over. A restriction to hosts or runs is one to the ranks there; one to threads,
 * streams or GPUs has these instead of ranks.
 */
export function chosenMembers(locations: readonly Location[], chosen: Chosen | undefined): Members {
  if (chosen === undefined) return membersOf(locations, "rank");
  const wanted = new Set(chosen.members);
  const keyOf = memberKeys(locations, chosen.by);
  const isChosen = (location: Location) => wanted.has(keyOf(location) ?? "");
  const overRanks = chosen.by === "host" || chosen.by === "run";
  const ofRanks = overRanks ? membersOf(locations, "rank", isChosen) : undefined;
  return ofRanks !== undefined && ofRanks.keys.length > 0 ? ofRanks : membersOf(locations, chosen.by, isChosen);
}

/** How members of one kind are written; undefined for locations that have none. */
function memberKeys(locations: readonly Location[], by: LocationUnit): (location: Location) => string | undefined {
  const hasRanks = locations.some(({ rank }) => rank !== NONE);
  const hasDevices = locations.some(({ device }) => device !== NONE);
  const hasContexts = locations.some(({ gpuContext }) => gpuContext !== undefined);
  const joined = (...parts: (number | undefined)[]) =>
    parts
      .filter((part) => part !== undefined)
      .map((part) => (part === NONE ? "-" : `${part}`))
      .join(".");
  switch (by) {
    case "rank":
      return ({ rank }) => (rank === NONE ? undefined : `${rank}`);
    case "thread":
      return ({ rank, thread, stream }) =>
        thread === NONE || stream !== NONE ? undefined : joined(hasRanks ? rank : undefined, thread);
    case "stream":
      return ({ rank, device, gpuContext = NONE, stream }) =>
        stream === NONE
          ? undefined
          : joined(
              // With contexts all four parts stand, so that their number says what each is.
              hasRanks || hasContexts ? rank : undefined,
              hasDevices || hasContexts ? device : undefined,
              hasContexts ? gpuContext : undefined,
              stream,
            );
    case "device":
      return ({ rank, device }) => (device === NONE ? undefined : joined(hasRanks ? rank : undefined, device));
    case "host":
      return ({ node }) => (node === NONE ? undefined : `${node}`);
    case "run":
      return ({ run }) => `${run}`;
  }
}

/** Part by part as numbers; a missing part comes first. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [a.split("."), b.split(".")];
  for (let at = 0; at < left.length; at++) {
    const difference = (left[at] === "-" ? -1 : Number(left[at])) - (right[at] === "-" ? -1 : Number(right[at]));
    if (difference !== 0) return difference;
  }
  return 0;
}

const unitNames: Readonly<Record<LocationUnit, readonly [one: string, several: string]>> = {
  rank: ["rank", "ranks"],
  thread: ["thread", "threads"],
  stream: ["GPU stream", "GPU streams"],
  device: ["GPU", "GPUs"],
  host: ["host", "hosts"],
  run: ["run", "runs"],
};

/** `rank`, `GPU streams`. */
export function unitName(by: LocationUnit, count: number): string {
  return unitNames[by][count === 1 ? 0 : 1];
}

/** Keys, runs of numbers as ranges: `0–3, 8`, `0.1, 0.2`. In canonical order. @param dash a hyphen in what is typed or run */
export function memberRanges(keys: readonly string[], dash?: "-"): string {
  return keys.every((key) => /^\d+$/.test(key)) ? rankRanges(keys.map(Number), dash) : keys.join(", ");
}

/** Characters of a list beyond which the number of its members stands for it: the text stands on chips and beside every number. */
const MOST_LIST = 40;

/**
 * The removable chip of a restriction: `ranks 0, 4–7`, `thread 0.1`; `2894 ranks` where a list would be long, and `6 runs`, since runs
 * are numbered for the engine alone.
 */
export function chosenText(chosen: Chosen): string {
  const { by, members } = chosen;
  const listed = chosenList(chosen);
  return by === "run" || listed.length > MOST_LIST ? `${members.length} ${unitName(by, members.length)}` : listed;
}

/** All of them: `ranks 0, 4–7`. */
export function chosenList({ by, members }: Chosen): string {
  return `${unitName(by, members.length)} ${memberRanges(members)}`;
}

/** A restriction to ranks. */
export function chosenRanks(ranks: readonly number[]): Chosen {
  return { by: "rank", members: ranks.map(String) };
}
