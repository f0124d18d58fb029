/** Many equal elements as few: "48 cores", with the mean of what they were used and its least and most. Pure. */
import { NONE } from "../../model/ids";
import { largestIn, smallestIn } from "../../model/longLists";
import { groupBy } from "../../model/maps";
import type { HardwareElement, HardwareLink } from "./hardwareApi";
import { meanOf } from "./use";

/**
 * Neighbours of one type in one element become one, with all that is inside them; from the innermost level outwards, until there are
 * no more than `most`, or nothing is left to be joined.
 */
export function joinNeighbours(
  elements: readonly HardwareElement[],
  links: readonly HardwareLink[],
  most: number,
): { readonly elements: readonly HardwareElement[]; readonly links: readonly HardwareLink[] } {
  const depths = depthsOf(elements);
  const groupOf = elements.map((_, at) => at);
  let standsFor = groupOf.slice();
  for (let depth = Math.max(0, largestIn(depths)); depth >= 0 && countOf(standsFor) > most; depth--) {
    const level = [...elements.keys()].filter((at) => depths[at] === depth && standsFor[at] === at);
    for (const group of groupBy(level, (at) => `${elements[at].parent} ${elements[at].type}`).values())
      for (const at of group) groupOf[at] = group[0];
    standsFor = standIns(elements, groupOf);
  }
  return countOf(standsFor) === elements.length ? { elements, links } : rebuilt(elements, links, standsFor, groupOf);
}

function depthsOf(elements: readonly HardwareElement[]): number[] {
  const depths: number[] = [];
  for (const { parent } of elements) depths.push(parent === NONE ? 0 : depths[parent] + 1);
  return depths;
}

function countOf(standsFor: readonly number[]): number {
  return standsFor.reduce((count, one, at) => count + Number(one === at), 0);
}

/** By element: what it is drawn as. What is inside several that are one is not drawn itself. */
function standIns(elements: readonly HardwareElement[], groupOf: readonly number[]): number[] {
  const sizes = sizesOf(groupOf);
  const standsFor: number[] = [];
  elements.forEach(({ parent }, at) => {
    const outer = parent === NONE ? NONE : standsFor[parent];
    standsFor.push(outer !== NONE && (outer !== parent || sizes[outer] > 1) ? outer : groupOf[at]);
  });
  return standsFor;
}

function sizesOf(groupOf: readonly number[]): number[] {
  const sizes = groupOf.map(() => 0);
  for (const group of groupOf) sizes[group]++;
  return sizes;
}

function rebuilt(
  elements: readonly HardwareElement[],
  links: readonly HardwareLink[],
  standsFor: readonly number[],
  groupOf: readonly number[],
) {
  const members = groupBy(elements.keys(), (at) => groupOf[at]);
  const kept = [...elements.keys()].filter((at) => standsFor[at] === at);
  const numberOf = new Map(kept.map((at, number) => [at, number]));
  const parentOf = ({ parent }: HardwareElement) =>
    parent === NONE ? NONE : (numberOf.get(standsFor[parent]) ?? NONE);
  const joined = kept.map((at) => ({
    ...together((members.get(at) ?? [at]).map((one) => elements[one])),
    parent: parentOf(elements[at]),
  }));
  const moved = links.map((link) => ({
    ...link,
    from: numberOf.get(standsFor[link.from]) ?? NONE,
    to: numberOf.get(standsFor[link.to]) ?? NONE,
  }));
  const groups = groupBy(
    moved.filter(({ from, to }) => from !== to),
    ({ of, from, to }) => `${of} ${from} ${to}`,
  );
  return { elements: joined, links: [...groups.values()].map(linksTogether) };
}

function together(group: readonly HardwareElement[]): HardwareElement {
  const [first] = group;
  if (group.length === 1) return first;
  const known = group.filter(({ share }) => !Number.isNaN(share));
  const shares = known.map(({ share }) => share);
  const isAlike = (of: (one: HardwareElement) => unknown) => group.every((one) => Object.is(of(one), of(first)));
  return {
    ...first,
    name: `${group.length} ${severalOf(first)}`,
    together: group.length,
    size: isAlike(({ size }) => size) ? first.size : "",
    known: known.length,
    share: known.length === 0 ? NaN : meanOf(shares),
    least: known.length === 0 ? NaN : smallestIn(shares),
    most: known.length === 0 ? NaN : largestIn(shares),
    by: known.at(0)?.by,
    lanes: [...new Set(group.flatMap(({ lanes }) => lanes))].sort((a, b) => a - b),
    bytes: sumOf(group.map(({ bytes }) => bytes)),
    capacity: isAlike(({ capacity }) => capacity) ? first.capacity : NaN,
  };
}

/** `cores`, `hosts`, `× L1d`. */
function severalOf({ kind, type }: HardwareElement): string {
  if (kind === "cache" || kind === "zone" || kind === "memory") return `× ${type}`;
  if (kind === "hardware thread" || kind === "GPU") return `${kind}s`;
  return `${type.toLowerCase()}s`;
}

function linksTogether(group: readonly HardwareLink[]): HardwareLink {
  const [first] = group;
  if (group.length === 1) return first;
  const shares = group.map(({ share }) => share).filter((share) => !Number.isNaN(share));
  const capacities = group.map(({ capacity }) => capacity).filter((capacity) => !Number.isNaN(capacity));
  return {
    ...first,
    name: "",
    together: group.reduce((sum, one) => sum + one.together, 0),
    share: shares.length === 0 ? NaN : meanOf(shares),
    bytes: sumOf(group.map(({ bytes }) => bytes)),
    bytesBack: sumOf(group.map(({ bytesBack }) => bytesBack)),
    count: group.reduce((sum, { count }) => sum + count, 0),
    capacity: capacities.length === 0 ? NaN : largestIn(capacities),
  };
}

/** Of what is known; NaN where nothing is. */
function sumOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? NaN : known.reduce((sum, value) => sum + value, 0);
}
