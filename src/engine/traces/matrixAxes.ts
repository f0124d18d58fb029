/** Rows and columns of a matrix: what takes part in it, by level, and which neighbours share a row where there are too many. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { compareNames } from "../../model/strings";
import type { Movement } from "./movement";
import type { MatrixAxis, MatrixGroup, MatrixRange } from "./movementApi";

/** Rows beyond which neighbours share one. */
export const MOST_ROWS = 200;

/** What takes part in a matrix, at its finest level, neighbours of one group beside each other. */
export interface Participants {
  readonly names: readonly string[];
  /** By resource, or by device + 1: its number; NONE: takes no part. */
  readonly numberOf: Int32Array;
  /** Indices of the data set's locations, by number. */
  readonly locations: readonly (readonly number[])[];
  /** Finest first. */
  readonly levels: readonly Level[];
}

interface Level {
  readonly name: string;
  /** Group of each participant. */
  readonly groupOf: readonly string[];
}

/** The host, and devices in the order of their numbers. */
export function devicesOf({ locations }: Pick<DataSet, "locations">, { transfers, moves }: Movement): Participants {
  const devices = new Set<number>();
  for (let row = 0; row < transfers.count; row++) {
    if (!moves[transfers.direction[row]]) continue;
    devices.add(transfers.fromDevice[row]);
    devices.add(transfers.toDevice[row]);
  }
  const sorted = [...devices].sort((a, b) => a - b);
  const names = sorted.map((device) => (device === NONE ? "host" : `GPU ${device}`));
  const numberOf = new Int32Array((sorted.at(-1) ?? NONE) + 2).fill(NONE);
  sorted.forEach((device, number) => (numberOf[device + 1] = number));
  const all = [...locations.keys()];
  const own = sorted.map((device) => all.filter((at) => locations[at].device === device));
  return { names, numberOf, locations: own, levels: [{ name: "device", groupOf: names }] };
}

/** Whatever sent or received messages, and its like; levels are what lies around it. */
export function ranksOf({ topology, locations }: DataSet, { messages }: Movement): Participants {
  const resources = topology?.resources ?? [];
  const locationAt = (resource: number) =>
    resources[resource].location === NONE ? undefined : locations[resources[resource].location];
  const byRank = new Map<number, number[]>();
  locations.forEach(({ rank }, at) => entryOf(byRank, rank, () => []).push(at));
  // A rank's threads and streams are of it.
  const locationsAt = (at: number) => {
    if (at === NONE) return [];
    const { rank } = locations[at];
    return rank === NONE ? [at] : (byRank.get(rank) ?? []);
  };
  const types = new Set<string>();
  for (const column of [messages.from, messages.to])
    for (const resource of column) if (resource !== NONE) types.add(resources[resource].type);
  // By their numbers: those whose own file is not there have no location.
  const own = [...resources.keys()]
    .filter((resource) => types.has(resources[resource].type))
    .sort((a, b) => compareNames(resources[a].name, resources[b].name) || a - b);
  const known = own.flatMap((resource) => (locationAt(resource) ? [locationAt(resource)?.rank] : []));
  const isRank = known.length > 0 && !known.includes(NONE);
  const finest = isRank ? "rank" : [...types].sort().join(", ");
  const levels: { name: string; groups: Map<number, string> }[] = [];
  for (const resource of own)
    for (let at = resources[resource].parent; at !== NONE; at = resources[at].parent) {
      const { type, name } = resources[at];
      const level = levels.find((one) => one.name === type) ?? { name: type, groups: new Map<number, string>() };
      if (!levels.includes(level)) levels.push(level);
      level.groups.set(resource, name);
    }
  const nodes = new Map(own.map((resource) => [resource, locationAt(resource)?.node ?? NONE]));
  if (levels.length === 0)
    levels.push({ name: "host", groups: new Map([...nodes].map(([one, node]) => [one, `host ${node}`])) });
  // A level that groups nothing, or leaves somebody out, says nothing.
  const useful = levels.filter(({ groups }) => {
    const size = new Set(groups.values()).size;
    return groups.size === own.length && size > 1 && size < own.length;
  });
  const ordered = useful.reduceRight((order, { groups }) => together(order, (one) => groups.get(one) ?? ""), own);
  const numberOf = new Int32Array(resources.length).fill(NONE);
  ordered.forEach((resource, number) => (numberOf[resource] = number));
  const names = ordered.map((resource) => resources[resource].name);
  return {
    names,
    numberOf,
    locations: ordered.map((resource) => locationsAt(resources[resource].location)),
    levels: [
      { name: finest, groupOf: names.map((_, number) => `${number}`) },
      ...useful.map(({ name, groups }) => ({ name, groupOf: ordered.map((one) => groups.get(one) ?? "") })),
    ],
  };
}

/** Those of one group beside each other, groups in the order of their first ones. */
function together(resources: readonly number[], groupOf: (resource: number) => string): number[] {
  const groups = new Map<string, number[]>();
  for (const resource of resources) entryOf(groups, groupOf(resource), () => []).push(resource);
  return [...groups.values()].flat();
}

/**
 * Rows of a range.
 *
 * @param level of {@link Participants.levels}; else the finest one that has room, or the coarsest
 */
export function axisOf(
  { names, levels }: Participants,
  range: MatrixRange | undefined,
  level: string | undefined,
  mostRows = MOST_ROWS,
): MatrixAxis {
  const first = Math.max(0, range?.first ?? 0);
  const last = Math.min(names.length - 1, range?.last ?? names.length - 1);
  const byLevel = levels.map(({ name, groupOf }, at) => ({
    name,
    groups: groupsOf(groupOf, at === 0 ? names : groupOf, first, last),
  }));
  const own =
    byLevel.find(({ name }) => name === level) ??
    byLevel.find(({ groups }) => groups.length <= mostRows) ??
    byLevel[byLevel.length - 1];
  const size = Math.max(1, Math.ceil(own.groups.length / mostRows));
  if (size === 1) return { level: own.name, groups: own.groups, together: 1 };
  const groups = Array.from({ length: Math.ceil(own.groups.length / size) }, (_, at): MatrixGroup => {
    const block = own.groups.slice(at * size, (at + 1) * size);
    const [begin, end] = [block[0], block[block.length - 1]];
    const name = block.length === 1 ? begin.name : `${begin.name} – ${end.name}`;
    return { name, first: begin.first, last: end.last };
  });
  return { level: own.name, groups, together: size };
}

function groupsOf(groupOf: readonly string[], names: readonly string[], first: number, last: number): MatrixGroup[] {
  const groups: { name: string; first: number; last: number }[] = [];
  for (let at = first; at <= last; at++) {
    const before = groups.at(-1);
    if (before && groupOf[at] === groupOf[before.last]) before.last = at;
    else groups.push({ name: names[at], first: at, last: at });
  }
  return groups;
}
