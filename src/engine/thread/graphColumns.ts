/**
 * A super graph on its way between the threads: entries and flows as columns. As thousands of small objects, copying
 * them takes longer than the numbers did. What comes out is equal to what went in; graphs that are asked for in this process
 * do not pass here.
 */
import { entryOf } from "../../model/maps";
import { floatsOf, integersOf } from "../../model/rowColumns";
import type { GraphEntry, SuperGraph } from "../graphs/graphApi";
import type { SourceLink } from "../../model/sourceLinks";

interface PackedEdges {
  /** Indices of bars. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly inclusive: Float64Array;
}

export interface PackedGraph {
  readonly rest: Omit<SuperGraph, "bars" | "edges">;
  readonly bars: readonly (Omit<SuperGraph["bars"][number], "entries"> & { readonly entries: number })[];
  readonly edges: PackedEdges;
  /** Entries of one bar after the other. */
  readonly name: readonly string[];
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly link: Int32Array;
  /** Contexts that are not linked yet; -1: it is linked. */
  readonly unlinked: Int32Array;
  /** -1: none. */
  readonly function: Int32Array;
  /** NaN: not known. */
  readonly own: Float64Array;
  /** Every link once, as JSON: that is read and written in half the time of a copy. */
  readonly links: string;
}

export function packGraph({ bars, edges, ...rest }: SuperGraph): PackedGraph {
  const all = bars.flatMap(({ entries }) => entries);
  const links = new DistinctLinks();
  return {
    rest,
    bars: bars.map((bar) => ({ ...bar, entries: bar.entries.length })),
    edges: packEdges(bars, edges),
    name: all.map(({ name }) => name),
    inclusive: floatsOf(all, ({ inclusive }) => inclusive),
    exclusive: floatsOf(all, ({ exclusive }) => exclusive),
    link: integersOf(all, ({ link }) => links.indexOf(link)),
    unlinked: integersOf(all, ({ unlinked }) => unlinked ?? -1),
    function: integersOf(all, (entry) => entry.function ?? -1),
    own: floatsOf(all, ({ own }) => own ?? NaN),
    links: JSON.stringify(links.links),
  };
}

/** Links, each once. Thousands of entries share some hundred links, so a text of all that one says is made for new ones only. */
class DistinctLinks {
  readonly links: SourceLink[] = [];
  private readonly known = new Map<SourceLink, number>();
  private readonly byText = new Map<string, number>();

  indexOf(link: SourceLink): number {
    const known = this.known.get(link);
    if (known !== undefined) return known;
    const index = this.indexOfNew(link);
    this.known.set(link, index);
    return index;
  }

  private indexOfNew(link: SourceLink): number {
    // Those of rarer kinds are the same only as one object.
    if (!isPlain(link)) return this.links.push(link) - 1;
    return entryOf(this.byText, textOf(link), () => this.links.push(link) - 1);
  }
}

function isPlain({ places, considered, missingFile, summary }: SourceLink): boolean {
  return places.length <= 1 && considered.length === 0 && missingFile === undefined && summary === undefined;
}

/** The same for plain links that say the same. The length of a file's name says where it ends. */
function textOf({ places, rule, reason }: SourceLink): string {
  const place = places.at(0);
  return place ? `${place.line} ${rule} ${place.file.length} ${place.file}${reason}` : `${rule} ${reason}`;
}

export function unpackGraph({ rest, bars, edges, name, inclusive, exclusive, ...packed }: PackedGraph): SuperGraph {
  const links = JSON.parse(packed.links) as SourceLink[];
  // Thousands are made, all of one shape and without a spread: that takes a third of the time.
  const entryAt = (at: number): GraphEntry => ({
    name: name[at],
    inclusive: inclusive[at],
    exclusive: exclusive[at],
    link: links[packed.link[at]],
    unlinked: packed.unlinked[at] < 0 ? undefined : packed.unlinked[at],
    function: packed.function[at] < 0 ? undefined : packed.function[at],
    own: Number.isNaN(packed.own[at]) ? undefined : packed.own[at],
  });
  let next = 0;
  const withEntries = bars.map(({ entries: count, ...bar }) => {
    const entries: GraphEntry[] = [];
    for (const end = next + count; next < end; next++) entries.push(entryAt(next));
    return { ...bar, entries };
  });
  return { ...rest, bars: withEntries, edges: unpackEdges(bars, edges) };
}

function packEdges(bars: readonly { readonly id: string }[], edges: SuperGraph["edges"]): PackedEdges {
  const indexOf = new Map(bars.map(({ id }, at) => [id, at]));
  return {
    source: integersOf(edges, ({ source }) => indexOf.get(source) ?? 0),
    target: integersOf(edges, ({ target }) => indexOf.get(target) ?? 0),
    inclusive: floatsOf(edges, ({ inclusive }) => inclusive),
  };
}

function unpackEdges(
  bars: readonly { readonly id: string }[],
  { source, target, inclusive }: PackedEdges,
): SuperGraph["edges"][number][] {
  const edges: SuperGraph["edges"][number][] = [];
  for (let at = 0; at < source.length; at++)
    edges.push({ source: bars[source[at]].id, target: bars[target[at]].id, inclusive: inclusive[at] });
  return edges;
}
