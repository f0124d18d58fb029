/** Super graphs of one data set: which structure a query means, its numbers, and the links of its entries (semantics 2). */
import { mostSampledFiles } from "../analysis/sampledFiles";
import { NONE } from "../model/ids";
import type { Task } from "../model/task";
import { filterContexts } from "../supergraph/filter";
import { type FunctionAttributes, keptFunctions } from "../supergraph/grouping";
import type { Measurement } from "../supergraph/measure";
import {
  barOfContext,
  contextsOfBar,
  entriesOfBar,
  type GraphBasis,
  graphBasis,
  type GraphRequest,
  type GraphStructure,
  graphStructure,
  type MeasuredEntry,
  measuredGraph,
} from "../supergraph/superGraph";
import type { GraphEntry, GraphQuery, GroupBy, Scope, SourceLink, SuperGraph } from "./api";
import type { Links } from "./links";
import type { OpenDataSet } from "./openDataSet";

/** Structures that are kept: going back to the filter or grouping before is usual. */
const KEPT_STRUCTURES = 4;
/** Entries of a bar that are linked before the graph is drawn; the others say so and are linked when asked for. */
const LINKED_ENTRIES = 20;

/** What views say of calling contexts that were not measured (semantics 1, Call-graph formats). */
const ESTIMATED = "estimated from a call graph";

const notLinkedYet: SourceLink = {
  places: [],
  rule: "unknown",
  reason: "Not looked up: this bar has many entry functions. Open it to find its line.",
  considered: [],
};

export class Graphs {
  private readonly bases = new Map<number, GraphBasis>();
  private structures: { readonly key: string; readonly structure: GraphStructure }[] = [];

  constructor(
    private readonly open: OpenDataSet,
    private readonly links: Links,
  ) {}

  /** @throws RequestError where the metric's total is not positive or a pattern is wrong */
  async superGraph(query: GraphQuery, task: Task): Promise<SuperGraph> {
    const structure = await this.structure(query, task);
    const { scope } = query;
    const graph = measuredGraph(structure, this.measurement(scope), task);
    const metric = this.open.metric(scope.metric);
    const bars: SuperGraph["bars"][number][] = [];
    for (const bar of graph.bars) {
      const entries: GraphEntry[] = [];
      for (const entry of bar.entries) {
        const linked = query.linkEveryEntry === true || entries.length < LINKED_ENTRIES;
        entries.push(this.entryOf(entry, linked ? await this.linkOf(entry, task) : notLinkedYet));
      }
      bars.push({ ...bar, entries });
    }
    const notes = [...graph.notes];
    if (this.open.measured) notes.push(ESTIMATED);
    if (metric.note !== undefined) notes.push(metric.note);
    return { ...graph, bars, notes, metric: metric.name, unit: metric.unit, over: scope.over };
  }

  /** The bar that a context lies in, or is hidden in; undefined where it is hidden and no ancestor is kept. */
  async barOf(query: GraphQuery, context: number, task: Task): Promise<string | undefined> {
    return barOfContext(await this.structure(query, task), context);
  }

  /** The contexts that make a bar; none where there is no such bar. */
  async contextsOf(query: GraphQuery, bar: string, task: Task): Promise<number[]> {
    return contextsOfBar(await this.structure(query, task), bar);
  }

  /** The contexts that make a bar, and those of them that are its entries. */
  async membersOfBar(
    query: GraphQuery,
    bar: string,
    task: Task,
  ): Promise<{ contexts: Int32Array; entries: Int32Array }> {
    const structure = await this.structure(query, task);
    return { contexts: Int32Array.from(contextsOfBar(structure, bar)), entries: entriesOfBar(structure, bar) };
  }

  /** Links may differ: groups by file are to be built anew. */
  forgetStructures(): void {
    this.structures = [];
  }

  private async structure(query: GraphQuery, task: Task): Promise<GraphStructure> {
    const { scope, filter, groupBy, map, operations, mostBars } = query;
    const request: GraphRequest = { filter, groupBy, map, operations, mostBars };
    const key = JSON.stringify([scope.metric, filter, groupBy, map, operations, mostBars]);
    const known = this.structures.find((kept) => kept.key === key);
    if (known) return known.structure;
    const basis = this.basis(scope);
    const attributes = await this.attributes(basis, request, task);
    const structure = graphStructure(basis, attributes, request, task);
    this.structures = [{ key, structure }, ...this.structures].slice(0, KEPT_STRUCTURES);
    return structure;
  }

  private basis({ metric }: Scope): GraphBasis {
    const known = this.bases.get(metric);
    if (known) return known;
    this.open.checkAdditive(metric);
    const { tree, frames } = this.open.dataSet;
    const sums = this.open.rankValues({ metric }).sums();
    const basis = graphBasis(tree, frames, this.open.functions, sums);
    this.bases.set(metric, basis);
    return basis;
  }

  /** What the kept functions are grouped by: the data's own word, else the index's, else (samples) the most sampled file. */
  private async attributes(basis: GraphBasis, request: GraphRequest, task: Task): Promise<FunctionAttributes> {
    const { frames } = this.open.dataSet;
    const { frame } = this.open.functions;
    const files = new Map<number, string>();
    const classes = new Map<number, string>();
    const recordedFile = (file: number) => this.links.fileOf(this.open, frames.strings.get(file));
    if (needsSource(request)) {
      const kept = keptFunctions(filterContexts(basis, request.filter));
      const definitions = await this.links.definitions(this.open, kept, task);
      const sampled = mostSampledFiles(this.open.dataSet, this.open.functions, basis.exclusive);
      for (const id of kept) {
        const recorded = frames.file[frame[id]];
        const definition = definitions.get(id);
        const sample = sampled[id];
        const file =
          recorded !== NONE
            ? recordedFile(recorded)
            : (definition?.file ?? (sample === undefined ? undefined : this.links.fileOf(this.open, sample)));
        if (file !== undefined) files.set(id, file);
        if (definition?.className !== undefined) classes.set(id, definition.className);
      }
    }
    return {
      file: (id) => files.get(id),
      className: (id) => classes.get(id),
      module: (id) => frames.strings.get(frames.module[frame[id]]) || undefined,
      files: needsSource(request) ? this.recordedFiles() : [],
    };
  }

  private recordedFiles(): string[] {
    const { frames } = this.open.dataSet;
    const distinct = new Set(frames.file.subarray(0, frames.size));
    distinct.delete(NONE);
    return [...distinct].map((file) => this.links.fileOf(this.open, frames.strings.get(file)));
  }

  private measurement(scope: Scope): Measurement {
    if (scope.over === "max" || scope.over === "min") {
      const { keys, of } = this.open.rankValues(scope).members;
      if (keys.length > 0)
        return {
          extreme: scope.over,
          values: this.open.dataSet.values[scope.metric],
          rankOf: of,
          ranks: keys.length,
        };
    }
    return { exclusive: this.open.numbers(scope).exclusive };
  }

  private async linkOf(entry: MeasuredEntry, task: Task): Promise<SourceLink> {
    return this.links.link(this.open, entry.context, task);
  }

  private entryOf(entry: MeasuredEntry, link: SourceLink): GraphEntry {
    return { name: entry.name, inclusive: entry.inclusive, exclusive: entry.exclusive, link };
  }
}

/** Whether any step of a graph asks for files or classes, which the data may not have. */
function needsSource({ groupBy, operations = [] }: GraphRequest): boolean {
  const isOfSource = (by: GroupBy | "auto") => by === "auto" || by === "file" || by === "folder" || by === "class";
  return (
    isOfSource(groupBy) ||
    operations.some((step) => step.kind === "expand" || (step.kind === "group-by" && isOfSource(step.groupBy)))
  );
}
