import type { RegionOrigin } from "../model/frames";
import { isMpiSymbol, mpiFunction } from "../model/mpiNames";
import type { SourceLink } from "../model/sourceLinks";
import type { Pace } from "./pace";
import type { Hit, Reach, Stretch } from "./reach";
import type { Site, SiteFinder } from "./sites";
import type { Call, FileFacts } from "./facts";

/** More equally true calls than this become one entry that leads to their function. */
const MOST_OFFERED = 4;

/** Calls into libraries, which are looked for as calls and not as definitions. */
export function isCall(name: string, origin: RegionOrigin): boolean {
  return origin === "mpi" || origin === "runtime" || isMpiSymbol(name);
}

/** Files that are searched for a call when its parent has no place. */
const MOST_FILES = 80;

/**
 * A call region (MPI, GPU runtime): the call inside the parent's extent first, then in what the parent calls, by call depth. A root
 * has no caller to narrow it down: any call in the folders may be it.
 */
export async function callLink(
  finder: SiteFinder,
  reach: Reach,
  name: string,
  parent: { readonly name: string; readonly sites: readonly Site[]; readonly isRegion: boolean } | undefined,
  isRoot: boolean,
  pace: Pace,
): Promise<SourceLink> {
  const names = namesOf(finder, name);
  const hitsIn = (stretch: Stretch): Hit<Call>[] =>
    stretch.calls
      .filter((call) => names.has(call.callee) && call.kind !== "construction")
      .map((call) => ({ what: call, call, from: stretch }));
  if (parent !== undefined && parent.sites.length > 0) {
    const through = { entersMarked: !parent.isRegion, throughRegions: !parent.isRegion };
    const own = await reach.nearest(parent.sites, hitsIn, pace, through);
    if (own.hits.length > 0) return linkTo(name, own.hits, insideText(parent.name, own.depth));
    const all = await reach.nearest(parent.sites, hitsIn, pace, { entersMarked: true });
    if (all.hits.length > 0) return linkTo(name, all.hits, `${insideText(parent.name, all.depth)}, past other regions`);
    return unknown(`No call of ${name} was found in ${parent.name} or in what it calls.`);
  }
  if (!isRoot) return unknown(`The callers of ${name} have no place, so its call is not known.`);
  const hits = await callsAnywhere(finder, names, pace);
  if (hits === undefined)
    return unknown(`${name} is called in too many files, and the parent has no place to narrow them down.`);
  if (hits.length === 0) return unknown(`No call of ${name} was found in the folders.`);
  const isInMain = ({ what, from }: Anywhere) => from.facts.definitions[what.within]?.name === "main";
  const outside = hits.filter((hit) => !isInRegion(finder, hit, isInMain(hit)));
  // What no region is around is called by the program's beginning, rather than by what has regions of its own.
  const inMain = outside.filter(isInMain);
  if (inMain.length > 0 && inMain.length < hits.length)
    return linkTo(name, inMain, "in the body of main; the recording names no caller");
  if (outside.length > 0 && outside.length < hits.length)
    return linkTo(name, outside, "outside of regions; the recording names no caller");
  return linkTo(name, hits, "in the folders; the recording names no caller");
}

/** A call, wherever it is in the folders. */
interface Anywhere {
  readonly what: Call;
  readonly from: { readonly facts: FileFacts };
}

/** Whether a region begins before a call and ends behind it, so that it would be recorded inside. MPI begins and ends inside a `main` that is one. */
function isInRegion({ index }: SiteFinder, { what, from: { facts } }: Anywhere, isInMain: boolean): boolean {
  const begins = index.beginsOf(facts).filter(({ known }) => known);
  if (begins.some(({ call, extent }) => what.at > call.at && what.at < extent.to)) return true;
  const { marked } = index.marksOf(facts);
  for (let id = what.within; !isInMain && id >= 0; id = facts.definitions[id].within) if (marked.has(id)) return true;
  return false;
}

/** The name, its profiling twin, the folders' macros that stand for it, and how Fortran writes it: in small letters. */
function namesOf(finder: SiteFinder, name: string): Set<string> {
  const plain = name.replace(/^PMPI_/, "MPI_");
  const names = new Set([plain, name, `P${plain}`].flatMap((each) => [...finder.index.macros.aliasesOf(each)]));
  names.add(plain.toLowerCase());
  const called = mpiFunction(name);
  if (called !== undefined && !/^p?mpix_/i.test(name)) names.add(`mpi_${called}`);
  return names;
}

async function callsAnywhere(
  finder: SiteFinder,
  names: ReadonlySet<string>,
  pace: Pace,
): Promise<Anywhere[] | undefined> {
  const { words, sources } = finder.index;
  const files = new Set<number>();
  for (const name of names) for (const file of words.filesWith(name)) files.add(file);
  if (files.size > MOST_FILES) return undefined;
  const hits: Anywhere[] = [];
  for (const id of files) {
    await pace.breathe();
    const facts = finder.index.facts(sources.files[id]);
    for (const call of facts?.calls ?? [])
      if (facts !== undefined && call.within >= 0 && names.has(call.callee)) hits.push({ what: call, from: { facts } });
  }
  return hits;
}

function linkTo(
  name: string,
  hits: readonly { readonly what: Call; readonly from: { readonly facts: FileFacts } }[],
  where: string,
): SourceLink {
  const byLine = new Map<string, { file: string; line: number }>();
  for (const { what, from } of hits) {
    const place = { file: from.facts.file, line: what.line };
    byLine.set(`${place.file}:${place.line}`, place);
  }
  const places = [...byLine.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  if (places.length === 1)
    return { places, rule: "call", reason: `The only call of ${name} ${where}.`, considered: [] };
  if (places.length <= MOST_OFFERED)
    return {
      places,
      rule: "call",
      reason: `${places.length} calls of ${name} ${where} are equally true.`,
      considered: [],
    };
  return summaryOf(name, hits, places, where);
}

/** Many equally true calls: one entry that leads to the function that makes them. */
function summaryOf(
  name: string,
  hits: readonly { readonly what: Call; readonly from: { readonly facts: FileFacts } }[],
  calls: readonly { readonly file: string; readonly line: number }[],
  where: string,
): SourceLink {
  const functions = new Map<string, { name: string; file: string; line: number }>();
  for (const { what, from } of hits) {
    const definition = from.facts.definitions[what.within];
    if (definition === undefined) continue;
    const { file } = from.facts;
    functions.set(`${file}:${definition.line}`, { name: definition.name, file, line: definition.line });
  }
  const callers = [...functions.values()];
  const places = callers.map(({ file, line }) => ({ file, line }));
  const within = callers.length === 1 ? callers[0].name : `${callers.length} functions`;
  const few = places.length > 0 && places.length <= MOST_OFFERED;
  return {
    places: few ? places : [],
    rule: few ? "call" : "unknown",
    reason: `${calls.length} calls of ${name} ${where} are equally true: the ${few ? "function that makes them is shown" : "data does not say which"}.`,
    considered: calls.slice(0, 100).map((place) => ({ place, reason: "one of the calls" })),
    summary: `${calls.length} calls in ${within}`,
  };
}

function insideText(parent: string, depth: number): string {
  if (depth === 0) return `inside ${parent}`;
  return `below ${parent}, ${depth === 1 ? "one call" : `${depth} calls`} deep`;
}

function unknown(reason: string): SourceLink {
  return { places: [], rule: "unknown", reason, considered: [] };
}
