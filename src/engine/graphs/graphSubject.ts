/** What a super graph is made of: one data set, or the union of two that are compared. */
import { mostSampledFiles } from "../../analysis/sampledFiles";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Metric } from "../../model/metrics";
import type { Task } from "../../model/task";
import type { FunctionAttributes } from "../../supergraph/grouping";
import type { Measurement } from "../../supergraph/measure";
import { type GraphBasis, graphBasis } from "../../supergraph/superGraph";
import type { GraphQuery, Scope } from "../scope";
import type { SourceLink } from "../../model/sourceLinks";
import type { Links } from "../lines/links";
import { demangled } from "../../source/signature";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** What views say of calling contexts that were not measured (semantics 1, Call-graph formats). */
export const ESTIMATED = "estimated from a call graph: inclusive costs may differ a little from the measured ones";

/** Files and classes of functions, by their number. */
export interface FunctionPlaces {
  readonly files: ReadonlyMap<number, string>;
  readonly classes: ReadonlyMap<number, string>;
  /** Every file that was recorded, so that short names are unique in all of it. */
  readonly recorded: readonly string[];
}

export interface GraphSubject {
  /** What the structure is decided on; the same object for the same metrics. @throws RequestError without a positive total */
  basis(query: GraphQuery): GraphBasis;
  /** What these functions are grouped by: the data's own word, else the index's, else (samples) the most sampled file. */
  places(basis: GraphBasis, functions: readonly number[], task: Task): Promise<FunctionPlaces>;
  /** Load module of a function, as recorded. */
  moduleOf(id: number): string | undefined;
  /** What is shown of functions whose names are shown shorter, by their whole names. */
  shownNames(): ReadonlyMap<string, string>;
  /** The numbers of a scope over the contexts of the basis. */
  measurement(scope: Scope): Measurement;
  /** Where contexts of the basis lead, in their order. */
  linksOf(contexts: readonly number[], task: Task): Promise<SourceLink[]>;
  /** @throws RequestError where there is no such metric */
  metric(scope: Scope): Metric;
  /** The recording that a scope is of. */
  recordingOf(scope: Scope): OpenDataSet;
  /** What must be said of every graph of this. */
  notes(scope: Scope): string[];
  /** The context of the basis that a context of a data set is. */
  contextOf(dataSet: number, context: number): number;
  /** The function of the basis that each function of a data set is; NONE where it has no context. */
  functionsIn(dataSet: number): Int32Array;
  /** The contexts of a data set that contexts of the basis are, ascending. */
  ownContexts(dataSet: number, contexts: Iterable<number>): number[];
}

export class SingleSubject implements GraphSubject {
  private readonly bases = new Map<number, GraphBasis>();

  constructor(
    readonly open: OpenDataSet,
    private readonly links: Links,
  ) {}

  basis({ scope: { metric } }: Pick<GraphQuery, "scope">): GraphBasis {
    return entryOf(this.bases, metric, () => this.madeBasis(metric));
  }

  protected madeBasis(metric: number): GraphBasis {
    this.open.checkAdditive(metric);
    const { tree, frames } = this.open.dataSet;
    return graphBasis(tree, frames, this.open.functions, this.open.rankValues({ metric }).sums());
  }

  async places({ exclusive }: GraphBasis, functions: readonly number[], task: Task): Promise<FunctionPlaces> {
    const files = new Map<number, string>();
    const classes = new Map<number, string>();
    const { frames } = this.open.dataSet;
    const definitions = await this.links.definitions(this.open, functions, task);
    const sampled = mostSampledFiles(this.open.dataSet, this.open.functions, exclusive);
    for (const id of functions) {
      const frame = this.open.functions.frame[id];
      const recorded = frames.file[frame];
      const definition = definitions.get(id);
      // A file without a line may be that of inlined code that the function begins with; the definition is where links lead.
      const isSure = recorded !== NONE && (frames.line[frame] !== 0 || definition?.file === undefined);
      const sample = sampled[id];
      const file = isSure
        ? this.links.fileOf(this.open, frames.strings.get(recorded))
        : (definition?.file ?? (sample === undefined ? undefined : this.links.fileOf(this.open, sample)));
      if (file !== undefined) files.set(id, file);
      if (definition?.className !== undefined) classes.set(id, definition.className);
    }
    return { files, classes, recorded: this.recordedFiles() };
  }

  moduleOf(id: number): string | undefined {
    const { frames } = this.open.dataSet;
    return frames.strings.get(frames.moduleIndex(this.open.functions.frame[id])) || undefined;
  }

  shownNames(): ReadonlyMap<string, string> {
    return this.open.shownNames;
  }

  private recordedFiles(): string[] {
    const { frames } = this.open.dataSet;
    const distinct = new Set(frames.file.subarray(0, frames.size));
    distinct.delete(NONE);
    return [...distinct].map((file) => this.links.fileOf(this.open, frames.strings.get(file)));
  }

  measurement(scope: Scope): Measurement {
    if (scope.over === "max" || scope.over === "min") {
      const values = this.open.rankValues(scope);
      if (values.members.keys.length > 0) return { extreme: scope.over, cells: values.cells() };
    }
    return { exclusive: this.open.numbers(scope).exclusive };
  }

  linksOf(contexts: readonly number[], task: Task): Promise<SourceLink[]> {
    return this.links.linksOf(this.open, contexts, task);
  }

  metric({ metric }: Scope): Metric {
    return this.open.metric(metric);
  }

  recordingOf(): OpenDataSet {
    return this.open;
  }

  notes({ metric }: Scope): string[] {
    const { note } = this.open.metric(metric);
    return [...(this.open.measured ? [ESTIMATED] : []), ...(note === undefined ? [] : [note]), ...this.links.notes()];
  }

  contextOf(_dataSet: number, context: number): number {
    return context;
  }

  functionsIn(): Int32Array {
    return Int32Array.from({ length: this.open.functions.size }, (_, id) => id);
  }

  ownContexts(_dataSet: number, contexts: Iterable<number>): number[] {
    return [...contexts];
  }
}

/** What functions are grouped by, of those that a graph asks for. */
export function attributesOf(
  subject: GraphSubject,
  { files, classes, recorded }: FunctionPlaces,
  withFiles: boolean,
): FunctionAttributes {
  return {
    file: (id) => files.get(id),
    className: (id) => classes.get(id),
    module: (id) => subject.moduleOf(id),
    files: recorded,
    readable: demangled,
    notLookedUp: !withFiles,
  };
}
