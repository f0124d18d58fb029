import type { DataSet } from "../model/dataSet";
import { type Frame, isFunctionKind, NO_REGION, RECORDING_ITSELF } from "../model/frames";
import type { FunctionTable } from "../model/functions";
import { type FrameId, NONE } from "../model/ids";
import { entryOf } from "../model/maps";
import type { Place, SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import { isCall } from "./callLinks";
import { type FolderMatch, isCertain } from "./folderMatch";
import { type Caller, type Found, FrameLinks, placesOf, unknown } from "./frameLinks";
import { Pace } from "./pace";
import { PathMap } from "./pathMap";
import { parseSignature } from "./signature";
import type { Site } from "./sites";
import type { SymbolIndex } from "./symbolIndex";

/** Where a function is defined, as far as its name says: what grouping by file and class needs. */
export interface FunctionDefinition {
  /** Absolute path; undefined where candidates are in several files or in none. */
  readonly file: string | undefined;
  /** 0 where several lines are equally likely. */
  readonly line: number;
  /** Class with its namespaces, `mini::HaloExchange`; undefined for functions of no class. */
  readonly class: string | undefined;
  /** All equally likely definitions. */
  readonly places: readonly Place[];
}

interface Linked extends Found {
  /** The context itself where it has places, else its nearest caller that has. */
  readonly caller: Caller | undefined;
}

/** Children that are asked for their names, to distinguish regions of one name. */
const MOST_CHILDREN = 200;
const STEPS_BETWEEN_BREATHS = 16_384;
/** Contexts of one function that are asked for its definition. */
const ASKED_CONTEXTS = 4;

/** Links the contexts and functions of one data set to source (semantics 5). Answers are kept until the source changes. */
export class Linker {
  private readonly paths: PathMap;
  private readonly frameLinks: FrameLinks;
  /** For each context its place in {@link answers}, {@link NONE} where it was not asked for yet. */
  private readonly answerOf: Int32Array;
  /** A million contexts have some thousand different answers, so an object per answer, none per context. */
  private readonly answers: Linked[] = [];
  private readonly answerWith = new Map<Found, Map<Caller | undefined, number>>();
  private readonly callers = new Map<string, Caller>();
  /** By the frame of a function; see {@link linesOf}. */
  private lines: Map<number, Place[]> | undefined;
  private version: number;
  /** Undefined until it is decided for the present source. */
  private match: FolderMatch | undefined;
  private matching: Promise<void> | undefined;

  constructor(
    private readonly dataSet: Pick<DataSet, "frames" | "tree" | "sourceCopies">,
    private readonly index: SymbolIndex,
  ) {
    const { frames } = dataSet;
    const recorded = new Set<string>();
    for (let frame = 0; frame < frames.size; frame++)
      if (frames.file[frame] !== NONE) recorded.add(frames.strings.get(frames.file[frame]));
    this.paths = new PathMap(index.sources, recorded, dataSet.sourceCopies);
    this.frameLinks = new FrameLinks(index, this.paths);
    this.version = index.sources.version;
    this.answerOf = new Int32Array(dataSet.tree.size).fill(NONE);
  }

  /** {@link link} where it was found before and holds still: most links of a graph, given without a promise. */
  known(context: number): SourceLink | undefined {
    this.forgetStale();
    const answer = this.answerOf[context];
    return answer === NONE ? undefined : this.answers[answer].link;
  }

  /** Where a context leads, and why. @throws CancelledError */
  async link(context: number, task: Task): Promise<SourceLink> {
    return (await this.resolve(context, new Pace(task))).link;
  }

  /** Link of a frame without a context, such as a state of a trace: by its recorded place, else by its name. @throws CancelledError */
  async linkFrame(frame: Frame, task: Task): Promise<SourceLink> {
    const pace = new Pace(task);
    const match = await this.folderMatch(pace);
    return (await this.frameLinks.link(frame, alone, match, pace)).link;
  }

  /**
   * The lines that call what a context stands for: the recorded call line where its parent is one, else the calls inside
   * its caller. Undefined for roots, and for contexts whose own place is a call or a region's begin.
   */
  async callSites(context: number, task: Task): Promise<SourceLink | undefined> {
    const { frames, tree } = this.dataSet;
    const above = tree.parent[context];
    if (above === NONE) return undefined;
    const pace = new Pace(task);
    const { link } = await this.resolve(context, pace);
    const parent = await this.resolve(above, pace);
    if (frames.kindOf(tree.frame[above]) === "line") return parent.link;
    if (link.rule !== "definition" && link.rule !== "function-mark") return undefined;
    if (parent.caller === undefined) return undefined;
    const { name } = parseSignature(frames.nameOf(tree.frame[context]));
    const calls = await this.frameLinks.calls(name, parent.caller, false, pace);
    // A summary leads to the calling function, not to a call.
    return calls.summary === undefined ? calls : undefined;
  }

  /** Definitions of these functions of the data set (ids of `functions`), in their order. @throws CancelledError */
  async definitions(functions: FunctionTable, ids: readonly number[], task: Task): Promise<FunctionDefinition[]> {
    const contexts = firstContexts(functions, ids);
    const pace = new Pace(task);
    const found: FunctionDefinition[] = [];
    for (const [at, id] of ids.entries()) {
      await pace.breathe();
      task.progress(at / ids.length, "finding the functions in the source");
      found.push(await this.definitionOf(functions.frame[id], contexts.get(id) ?? [], pace));
    }
    return found;
  }

  /** Where a function of the data set is defined. */
  async definition(functions: FunctionTable, id: number, task: Task): Promise<FunctionDefinition> {
    return (await this.definitions(functions, [id], task))[0];
  }

  /**
   * Whether the recording is of the folders (semantics 16): decided once until the source changes, for all who ask.
   *
   * @throws CancelledError
   */
  async matchFolders(task: Task): Promise<FolderMatch> {
    return this.folderMatch(new Pace(task));
  }

  /** Place of a recorded file on this disk. Leaves out files of another program, after {@link matchFolders} was called. */
  mapFile(recorded: string): string | undefined {
    const mapped = this.paths.resolve(recorded);
    const isForeign = this.match?.isOfFolders === false && !isCertain(mapped) && mapped.rule !== "copy";
    return isForeign ? undefined : mapped.file;
  }

  private async folderMatch(pace: Pace): Promise<FolderMatch> {
    for (;;) {
      this.forgetStale();
      if (this.match !== undefined) return this.match;
      // Another question that is cancelled ends its own work only: this one then decides itself.
      if (this.matching === undefined) await (this.matching = this.decideMatch(pace));
      else await this.matching.catch(() => undefined);
    }
  }

  private async decideMatch(pace: Pace): Promise<void> {
    const { version } = this;
    try {
      const match = await this.frameLinks.matchFolders(this.dataSet, pace);
      // The source may have changed meanwhile.
      if (this.index.sources.version === version) this.match = match;
    } finally {
      this.matching = undefined;
    }
  }

  private async definitionOf(frame: number, contexts: readonly number[], pace: Pace): Promise<FunctionDefinition> {
    const { frames } = this.dataSet;
    if (isCall(frames.nameOf(frame), frames.originOf(frame))) return noDefinition;
    // Contexts of one function differ in their callers, and so may its places: some are asked, their answers are put together.
    const sites = new Map<string, Site>();
    for (const context of contexts)
      for (const site of (await this.resolve(context, pace)).sites)
        sites.set(`${site.place.file}:${site.place.line}`, site);
    const all = [...sites.values()];
    const files = new Set(all.map(({ place }) => place.file));
    const classes = new Set(all.map(({ definition }) => this.index.classOf(definition)));
    return {
      file: files.size === 1 ? all[0].place.file : undefined,
      line: all.length === 1 ? all[0].place.line : 0,
      class: classes.size === 1 ? [...classes][0] : undefined,
      places: placesOf(all),
    };
  }

  /** Links a context after its callers, outermost first: each narrows what the next may mean. */
  private async resolve(context: number, pace: Pace): Promise<Linked> {
    const match = await this.folderMatch(pace);
    const { version } = this;
    const { tree } = this.dataSet;
    const path: number[] = [];
    for (let at = context; at !== NONE && this.answerOf[at] === NONE; at = tree.parent[at]) path.push(at);
    for (let next = path.pop(); next !== undefined; next = path.pop()) {
      await pace.breathe();
      const above = tree.parent[next];
      const parent = above === NONE ? undefined : this.answers[this.answerOf[above]];
      const found = await this.linkOne(next, parent, match, pace);
      // The source changed meanwhile: what was found on the way may lead elsewhere now.
      if (this.index.sources.version !== version) return this.resolve(context, pace);
      const caller = found.sites.length > 0 ? this.callerAt(next, found.sites) : parent?.caller;
      this.answerOf[next] = this.shared(found, caller);
    }
    return this.answers[this.answerOf[context]];
  }

  /** Where this answer is kept. */
  private shared(found: Found, caller: Caller | undefined): number {
    const places = entryOf(this.answerWith, found, () => new Map<Caller | undefined, number>());
    return entryOf(places, caller, () => this.answers.push({ ...found, caller }) - 1);
  }

  private async linkOne(context: number, parent: Linked | undefined, match: FolderMatch, pace: Pace): Promise<Found> {
    const { frames, tree } = this.dataSet;
    const frame = frames.get(tree.frame[context] as FrameId);
    if (frame.name === RECORDING_ITSELF && frame.origin === "outside") return ofRecording;
    if (frame.origin === "outside" || frame.name === NO_REGION) return outsideRegions;
    const around = {
      caller: parent?.caller,
      parent,
      children: () => this.childNames(context),
      lines: async () => (this.lines ??= await this.allLines(pace)).get(tree.frame[context]) ?? noLines,
    };
    return this.frameLinks.link(frame, around, match, pace);
  }

  private callerAt(context: number, sites: readonly Site[]): Caller {
    const { tree, frames } = this.dataSet;
    const key = sites.map(({ place, extent }) => `${place.file}:${extent.from}`).join("|");
    const frame = tree.frame[context];
    const name = frames.nameOf(frame);
    const isRegion = frames.kindOf(frame) === "region";
    const id = `${key}\n${isRegion}\n${name}`;
    const caller = this.callers.get(id) ?? { name, sites, isRegion, key };
    this.callers.set(id, caller);
    return caller;
  }

  private childNames(context: number): string[] {
    const { tree, frames } = this.dataSet;
    const names = new Set<string>();
    for (let child = context + 1; child < tree.end[context] && names.size < MOST_CHILDREN; child = tree.end[child])
      names.add(frames.nameOf(tree.frame[child]));
    return [...names];
  }

  /** Lines that stand in each function, whatever its callers, of files that are here. */
  private async allLines(pace: Pace): Promise<Map<number, Place[]>> {
    const { tree, frames } = this.dataSet;
    const functionOf = new Int32Array(tree.size);
    const seen = new Set<number>();
    const lines = new Map<number, Place[]>();
    for (let context = 0; context < tree.size; context++) {
      if (context % STEPS_BETWEEN_BREATHS === 0) await pace.breathe();
      const frame = tree.frame[context];
      const above = tree.parent[context];
      const isFunction = isFunctionKind(frames.kindOf(frame));
      const own = isFunction ? frame : above === NONE ? NONE : functionOf[above];
      functionOf[context] = own;
      const file = frames.file[frame];
      const pair = own * frames.size + frame;
      if (isFunction || own === NONE || file === NONE || frames.line[frame] === 0 || seen.has(pair)) continue;
      seen.add(pair);
      const here = this.mapFile(frames.strings.get(file));
      if (here === undefined) continue;
      entryOf(lines, own, () => []).push({ file: here, line: frames.line[frame] });
    }
    return lines;
  }

  private forgetStale(): void {
    const { version } = this.index.sources;
    if (version === this.version) return;
    this.version = version;
    this.match = undefined;
    this.answerOf.fill(NONE);
    this.answers.length = 0;
    this.answerWith.clear();
    this.callers.clear();
    this.lines = undefined;
    this.frameLinks.forget();
  }
}

function firstContexts(functions: FunctionTable, ids: readonly number[]): Map<number, number[]> {
  const contexts = new Map<number, number[]>(ids.map((id) => [id, []]));
  functions.ofContext.forEach((id, context) => {
    const known = contexts.get(id);
    // A context of a line or loop belongs to its function too, but stands elsewhere.
    if (known !== undefined && known.length < ASKED_CONTEXTS && functions.outermost[context] === 1) known.push(context);
  });
  return contexts;
}

const outsideRegions = unknown("Time outside any region has no place.");
const ofRecording = unknown("Time of recording itself has no place.");
const noLines: readonly Place[] = [];
const alone = { caller: undefined, parent: undefined, children: () => [], lines: async () => noLines };
const noDefinition: FunctionDefinition = { file: undefined, line: 0, class: undefined, places: [] };
