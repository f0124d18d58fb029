import { largestIn } from "../model/longLists";
import type { SourceLink } from "../model/sourceLinks";
import type { Call } from "./facts";
import type { Pace } from "./pace";
import type { Hit, Reach, Stretch } from "./reach";
import { takes } from "./reach";
import type { Site, SiteFinder } from "./sites";
import { byPlace } from "./sites";

type Considered = SourceLink["considered"][number];

/** What is known around a region: its parent's places, its children's names, files near to it. */
export interface Surroundings {
  readonly parent: readonly Site[];
  readonly children: readonly string[];
  readonly near: () => ReadonlySet<string>;
}

export interface RegionSites {
  readonly sites: readonly Site[];
  readonly considered: readonly Considered[];
  /** What distinguished the places: clauses of one sentence. */
  readonly because: readonly string[];
  readonly reason?: string;
}

/**
 * Places of a region (semantics 5): annotations with its name and functions with a function mark come first, then what only
 * reads like one, then functions that merely have the name and are called from the parent. Several are distinguished by the parent's extent,
 * the children, the call depth, the caller's file, the arguments and the object's class, in this order.
 */
export async function regionSites(
  finder: SiteFinder,
  reach: Reach,
  name: string,
  around: Surroundings,
  pace: Pace,
): Promise<RegionSites> {
  const found = await finder.regionSites(name, around.near, pace);
  const strongest = Math.max(0, largestIn(found.sites.map(({ evidence }) => evidence)));
  let sites: Site[] = found.sites.filter(({ evidence }) => evidence === strongest);
  const considered: Considered[] = [];
  const because: string[] = [];
  const keep = (kept: readonly Site[], why: string, reason: string): void => {
    if (kept.length === 0 || kept.length === sites.length) return;
    for (const site of sites) if (!kept.includes(site)) considered.push({ place: site.place, reason });
    sites = [...kept];
    because.push(why);
  };
  for (const site of found.sites)
    if (!sites.includes(site)) considered.push({ place: site.place, reason: "no known annotation stands there" });

  if (sites.length === 0) return unmarkedSites(finder, reach, name, around, pace, found.onlyNear);
  if (sites.length > 1 && around.parent.length > 0) {
    const inside = sites.filter(
      (site) => site.kind === "begin" && around.parent.some((parent) => encloses(parent, site)),
    );
    keep(inside, "it stands inside the parent region", "outside the parent region");
  }
  if (sites.length > 1 && around.children.length > 0) {
    const counted = sites.map((site) => ({ site, held: childrenHeld(reach, site, around.children) }));
    const most = largestIn(counted.map(({ held }) => held));
    keep(
      counted.flatMap(({ site, held }) => (held === most ? [site] : [])),
      "it holds the inner regions",
      "does not hold the inner regions",
    );
  }
  if (sites.length > 1 && around.parent.length > 0) {
    const { hits, depth } = await reach.nearest(around.parent, (stretch) => hitsOf(reach, stretch, sites), pace);
    const reached = unique(hits.map(({ what }) => what));
    keep(
      reached,
      depth === 0
        ? "the parent calls it"
        : `the parent calls it by way of ${depth === 1 ? "one function" : `${depth} functions`}`,
      "farther from the parent",
    );
    const files = new Set(around.parent.map(({ place }) => place.file));
    keep(
      sites.filter(({ place }) => files.has(place.file)),
      "it is in the caller's file",
      "in another file than the caller",
    );
    const calls = hits.flatMap((hit) => (hit.call === undefined ? [] : [{ ...hit, call: hit.call }]));
    keep(
      sites.filter((site) => calls.some(({ call, what }) => what === site && takes(site, call))),
      "the number of arguments agrees",
      "another number of arguments",
    );
    keep(
      sites.filter((site) =>
        calls.some(({ call, what, from }) => what === site && receiverAgrees(reach, site, call, from)),
      ),
      "the object's class agrees",
      "a member of another class",
    );
  }
  return { sites: sites.sort(byPlace), considered, because };
}

/** Functions of the region's name without any mark: believed only where the parent calls them or nothing contradicts. */
async function unmarkedSites(
  finder: SiteFinder,
  reach: Reach,
  name: string,
  around: Surroundings,
  pace: Pace,
  onlyNear: boolean,
): Promise<RegionSites> {
  const { sites, missing } = await finder.definitionSites(name, around.near, pace);
  const considered = (rejected: readonly Site[], reason: string) => rejected.map(({ place }) => ({ place, reason }));
  if (sites.length === 0) {
    const reason =
      onlyNear && missing === undefined
        ? "the name is in too many files, and none of those near begins such a region"
        : "no annotation in the folders begins it and no function has its name";
    const served = missing === undefined ? "" : `; ${missing}`;
    return { sites: [], considered: [], because: [], reason: `${reason}${served}` };
  }
  if (around.parent.length === 0 && sites.length === 1)
    return { sites, considered: [], because: ["no annotation was seen there, only the name agrees"] };
  const { hits } = await reach.nearest(around.parent, (stretch) => hitsOf(reach, stretch, sites), pace);
  const reached = unique(
    hits.filter(({ call, what }) => call === undefined || takes(what, call)).map(({ what }) => what),
  );
  if (reached.length > 0)
    return {
      sites: reached.sort(byPlace),
      considered: considered(
        sites.filter((site) => !reached.includes(site)),
        "the parent does not call it",
      ),
      because: ["no annotation was seen there, but it has the name and the parent calls it"],
    };
  const reason = "no annotation in the folders begins it, and functions of its name are not called from its parent";
  return { sites: [], considered: considered(sites, "only the name agrees"), because: [], reason };
}

/** Sites that a stretch leads to: regions that begin in it, functions that it calls. */
function hitsOf(reach: Reach, stretch: Stretch, sites: readonly Site[]): Hit<Site>[] {
  const hits: Hit<Site>[] = [];
  for (const site of sites) {
    if (site.kind === "begin") {
      const inside = site.place.file === stretch.facts.file && within(stretch.extent, site);
      if (inside) hits.push({ what: site, call: undefined, from: stretch });
      continue;
    }
    for (const call of stretch.calls) {
      const object = site.name === "operator()" ? reach.objectType(call.callee, call, stretch.facts) : undefined;
      if (call.callee !== site.name && object === undefined) continue;
      if (reach.mayCall(call, stretch.facts, site, object)) hits.push({ what: site, call, from: stretch });
    }
  }
  return hits;
}

function receiverAgrees(reach: Reach, site: Site, call: Call, from: Stretch): boolean {
  const type = reach.receiverType(call, from.facts) ?? reach.objectType(call.callee, call, from.facts);
  const scopes = site.definition?.scopes ?? [];
  return type === undefined || scopes[scopes.length - 1] === type;
}

function childrenHeld(reach: Reach, site: Site, children: readonly string[]): number {
  const stretch = reach.stretchOf(site);
  if (stretch === undefined) return 0;
  const { facts, extent } = stretch;
  const calls = facts.calls.filter((call) => call.at >= extent.from && call.at < extent.to);
  return children.filter((child) => calls.some((call) => call.callee === child || call.literals.includes(child)))
    .length;
}

/** A parent region encloses a begin in the same text. */
function encloses(parent: Site, site: Site): boolean {
  return parent.place.file === site.place.file && within(parent.extent, site) && parent !== site;
}

function within(extent: { from: number; to: number }, site: Site): boolean {
  return site.extent.from > extent.from && site.extent.from < extent.to;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
