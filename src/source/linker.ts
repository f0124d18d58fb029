import type { DataSet } from "../model/dataSet";
import { type FrameKind, NO_REGION, type RegionOrigin, isPlaceholderName } from "../model/frames";
import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import type { LinkRule, Place, SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import { callLink } from "./callLinks";
import { type Extent, holds } from "./facts";
import { functionSites } from "./functionLinks";
import { Neighbours } from "./neighbours";
import { Pace } from "./pace";
import { PathMap } from "./pathMap";
import { Reach } from "./reach";
import { regionSites } from "./regionLinks";
import { parseSignature } from "./signature";
import { type Site, SiteFinder, definitionSite } from "./sites";
import type { SymbolIndex } from "./symbolIndex";
import { tellingWord } from "./words";

/** Where a function is defined, as far as its name tells: what grouping by file and class needs. */
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

/** A linked context: what a user is shown, and the places that its children are looked for in. */
interface Linked {
  readonly link: SourceLink;
  readonly sites: readonly Site[];
}

const nothingNear: ReadonlySet<string> = new Set();

/** Links the contexts and functions of one data set to source (semantics 5). Answers are kept until the source changes. */
export class Linker {
  private readonly paths: PathMap;
  private readonly finder: SiteFinder;
  private readonly neighbours: Neighbours;
  private readonly reach: Reach;
  private readonly linked = new Map<number, Linked>();
  private version: number;
  private prefetched = false;

  constructor(
    private readonly dataSet: Pick<DataSet, "frames" | "tree">,
    private readonly index: SymbolIndex,
  ) {
    const { frames } = dataSet;
    const recorded = new Set<string>();
    for (let frame = 0; frame < frames.size; frame++)
      if (frames.file[frame] !== NONE) recorded.add(frames.strings.get(frames.file[frame]));
    this.paths = new PathMap(index.sources, recorded);
    this.finder = new SiteFinder(index);
    this.neighbours = new Neighbours(index);
    this.reach = new Reach(index, this.finder, this.neighbours);
    this.version = index.sources.version;
  }

  /** Where a context leads, and why. Never throws but to cancel. */
  async link(context: number, task: Task): Promise<SourceLink> {
    return (await this.resolve(context, new Pace(task))).link;
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
    if (frames.kindOf(tree.frame[above]) === "line") return this.linked.get(above)?.link;
    if (link.rule !== "definition" && link.rule !== "function-mark") return undefined;
    const parent = this.placedAncestor(context);
    if (parent === undefined) return undefined;
    const { name } = parseSignature(frames.nameOf(tree.frame[context]));
    const calls = await callLink(
      this.finder,
      this.reach,
      name,
      parent,
      this.dataSet.tree.parent[context] === NONE,
      pace,
    );
    // A summary leads to the calling function, not to a call.
    return calls.summary === undefined ? calls : undefined;
  }

  /** Definitions of these functions of the data set (ids of `functions`), in their order. */
  async definitions(functions: FunctionTable, ids: readonly number[], task: Task): Promise<FunctionDefinition[]> {
    this.forgetStale();
    this.prefetch();
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

  /** Where a recorded file is on this disk. */
  mapFile(recorded: string): string | undefined {
    return this.paths.resolve(recorded).file;
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
    this.forgetStale();
    this.prefetch();
    const path: number[] = [];
    for (let at = context; at !== NONE && !this.linked.has(at); at = this.dataSet.tree.parent[at]) path.push(at);
    for (let next = path.pop(); next !== undefined; next = path.pop()) {
      await pace.breathe();
      this.linked.set(next, await this.linkOne(next, pace));
    }
    return this.linked.get(context) ?? unknown("There is no such context.");
  }

  private async linkOne(context: number, pace: Pace): Promise<Linked> {
    const { frames, tree } = this.dataSet;
    const frame = frames.get(tree.frame[context] as Parameters<typeof frames.get>[0]);
    const { name, kind, origin = "none" } = frame;
    const parent = this.placedAncestor(context);
    if (origin === "outside" || name === NO_REGION) return unknown("Time outside any region has no place.");
    let missing: string | undefined;
    let pathReason = "";
    if (frame.file !== undefined && frame.line !== undefined && !isPlaceholderName(frame.file)) {
      const mapped = this.paths.resolve(frame.file);
      if (mapped.file !== undefined)
        return this.recordedLine(
          name,
          kind,
          { file: mapped.file, line: frame.line },
          frame.module,
          mapped.how,
          parent,
          pace,
        );
      missing = frame.file;
      pathReason = `${frame.file}: ${mapped.how}. `;
    }
    const linked = await this.byName(context, name, kind, origin, frame.module, parent, pace);
    if (missing === undefined) return linked;
    return { ...linked, link: { ...linked.link, reason: pathReason + linked.link.reason, missingFile: missing } };
  }

  private async byName(
    context: number,
    name: string,
    kind: FrameKind,
    origin: RegionOrigin,
    module: string | undefined,
    parent: { name: string; sites: readonly Site[] } | undefined,
    pace: Pace,
  ): Promise<Linked> {
    if (kind === "line" || kind === "instruction" || kind === "loop" || kind === "message") {
      const above = this.dataSet.tree.parent[context];
      const owner = above === NONE ? undefined : this.linked.get(above);
      if (owner === undefined) return unknown("The data has no place for it.");
      return {
        ...owner,
        link: { ...owner.link, reason: `The line is not known; this is the function. ${owner.link.reason}` },
      };
    }
    if (isPlaceholderName(name)) return unknown("The data has no name for it.");
    if (isCall(name, origin))
      return {
        link: await callLink(this.finder, this.reach, name, parent, this.dataSet.tree.parent[context] === NONE, pace),
        sites: [],
      };
    if (kind === "region") return this.region(context, name, parent, pace);
    const byFunction = await this.function(name, module, parent, pace);
    if (byFunction.sites.length > 0 || kind !== "kernel") return byFunction;
    return this.region(context, name, parent, pace);
  }

  private async region(
    context: number,
    name: string,
    parent: { name: string; sites: readonly Site[] } | undefined,
    pace: Pace,
  ): Promise<Linked> {
    const around = {
      parent: parent?.sites ?? [],
      children: this.childNames(context),
      near: () => this.near(parent?.sites ?? []),
    };
    const found = await regionSites(this.finder, this.reach, name, around, pace);
    const { sites, considered, because } = found;
    if (sites.length === 0)
      return { ...unknown(`${name}: ${found.reason ?? "no place was found"}.`, considered), sites };
    const begin = sites[0].kind === "begin";
    const marked = sites.every(({ evidence }) => evidence > 1);
    const rule: LinkRule = begin ? "region-begin" : marked ? "function-mark" : "definition";
    const what = begin
      ? "begins the region here"
      : marked
        ? "is marked as a region in this function"
        : "is a function of this name";
    const why = because.length > 0 ? `: ${because.join(", and ")}` : "";
    const reason =
      sites.length === 1
        ? `${name} ${what}${why}.`
        : `${name} ${what} or at ${sites.length - 1} other ${sites.length === 2 ? "place" : "places"}; the data does not tell which${why}.`;
    return { link: { places: placesOf(sites), rule, reason, considered }, sites };
  }

  private async function(
    name: string,
    module: string | undefined,
    parent: { sites: readonly Site[] } | undefined,
    pace: Pace,
  ): Promise<Linked> {
    const near = () => this.near(parent?.sites ?? []);
    const { sites, others, onlyNear, reason } = await functionSites(this.finder, name, module, near, pace);
    const considered = others.map(({ site, reason: why }) => ({ place: site.place, reason: why }));
    if (sites.length === 0) return unknown(`${name}: ${reason ?? "not found"}.`, considered);
    const scope = onlyNear ? " among the files near its caller" : "";
    const text =
      sites.length === 1
        ? `${name} is defined here, and nowhere else that fits${scope}.`
        : `${name} has ${sites.length} definitions that fit equally well${scope}.`;
    return { link: { places: placesOf(sites), rule: "definition", reason: text, considered }, sites };
  }

  /**
   * The recorded line, unless it is that of a function and lies in another one: a sample at a region's begin may lie in inlined code
   * of another file, and then the name decides.
   */
  private async recordedLine(
    name: string,
    kind: FrameKind,
    place: Place,
    module: string | undefined,
    how: string,
    parent: { sites: readonly Site[] } | undefined,
    pace: Pace,
  ): Promise<Linked> {
    const facts = this.index.facts(place.file);
    const around = facts === undefined ? undefined : definitionAt(facts.definitions, facts.lineStarts, place.line);
    const site = facts === undefined || around === undefined ? undefined : definitionSite(facts, around, 1);
    const link: SourceLink = {
      places: [place],
      rule: "recorded-line",
      reason: `The recording names this line; ${how}.`,
      considered: [],
    };
    const sites = site === undefined ? [] : [site];
    if (kind !== "function" && kind !== "region" && kind !== "kernel") return { link, sites };
    const own = parseSignature(name).name;
    if (around === undefined || around.name === own || isPlaceholderName(name)) return { link, sites };
    const byName =
      kind === "region"
        ? await regionSites(
            this.finder,
            this.reach,
            name,
            { parent: parent?.sites ?? [], children: [], near: () => this.near(parent?.sites ?? []) },
            pace,
          )
        : await functionSites(this.finder, name, module, () => this.near(parent?.sites ?? []), pace);
    if (byName.sites.length === 0) return { link, sites };
    // A region that begins in this function is no contradiction.
    if (byName.sites.some((found) => found.definition === around)) return { link, sites: byName.sites };
    return {
      link: {
        places: placesOf(byName.sites),
        rule: byName.sites[0].kind === "begin" ? "region-begin" : "definition",
        reason: `${name} is here by its name; the recorded line lies in ${around.name}, which was probably inlined.`,
        considered: [{ place, reason: `the recorded line, in ${around.name}` }],
      },
      sites: byName.sites,
    };
  }

  /** The nearest caller that has a place: what the context is looked for in. */
  private placedAncestor(context: number): { name: string; sites: readonly Site[] } | undefined {
    const { tree, frames } = this.dataSet;
    for (let at = tree.parent[context]; at !== NONE; at = tree.parent[at]) {
      const sites = this.linked.get(at)?.sites ?? [];
      if (sites.length > 0) return { name: frames.nameOf(tree.frame[at]), sites };
    }
    return undefined;
  }

  private childNames(context: number): string[] {
    const { tree, frames } = this.dataSet;
    const names: string[] = [];
    for (let child = context + 1; child < tree.end[context] && names.length < 200; child = tree.end[child])
      names.push(frames.nameOf(tree.frame[child]));
    return names;
  }

  /** Files that the parent's places reach; without a parent none. */
  private near(sites: readonly Site[]): ReadonlySet<string> {
    if (sites.length === 0) return nothingNear;
    const near = new Set<string>();
    for (const { place } of sites) for (const file of this.neighbours.of(place.file)) near.add(file);
    return near;
  }

  private prefetch(): void {
    if (this.prefetched) return;
    this.prefetched = true;
    const { frames } = this.dataSet;
    const words = new Set<string>();
    for (let frame = 0; frame < frames.size; frame++) {
      const kind = frames.kindOf(frame);
      if (kind === "line" || kind === "instruction") continue;
      const name = frames.nameOf(frame);
      const word = tellingWord(kind === "region" ? name : parseSignature(name).name);
      if (word !== undefined) words.add(word);
    }
    this.index.words.prefetch(words);
  }

  private forgetStale(): void {
    const { version } = this.index.sources;
    if (version === this.version) return;
    this.version = version;
    this.linked.clear();
    this.finder.forget();
    this.prefetched = false;
  }
}

function definitionAt<T extends Extent>(
  definitions: readonly T[],
  lineStarts: readonly number[],
  line: number,
): T | undefined {
  const from = lineStarts[line - 1];
  const next = lineStarts[line] ?? Number.MAX_SAFE_INTEGER;
  if (from === undefined) return undefined;
  let innermost: T | undefined;
  for (const definition of definitions) {
    const touches = holds(definition, from) || (definition.from >= from && definition.from < next);
    if (touches && (innermost === undefined || definition.from >= innermost.from)) innermost = definition;
  }
  return innermost;
}

/** Contexts of one function that are asked for its definition. */
const ASKED_CONTEXTS = 4;

function firstContexts(functions: FunctionTable, ids: readonly number[]): Map<number, number[]> {
  const contexts = new Map<number, number[]>(ids.map((id) => [id, []]));
  functions.ofContext.forEach((id, context) => {
    const known = contexts.get(id);
    // A context of a line or loop belongs to its function too, but stands elsewhere.
    if (known !== undefined && known.length < ASKED_CONTEXTS && functions.outermost[context] === 1) known.push(context);
  });
  return contexts;
}

const noDefinition: FunctionDefinition = { file: undefined, line: 0, class: undefined, places: [] };

/** Calls into libraries, which are looked for as calls and not as definitions. */
function isCall(name: string, origin: RegionOrigin): boolean {
  return origin === "mpi" || origin === "runtime" || /^P?MPI_[A-Z]/.test(name);
}

function placesOf(sites: readonly Site[]): Place[] {
  const places = new Map(sites.map(({ place }) => [`${place.file}:${place.line}`, place]));
  return [...places.values()];
}

function unknown(reason: string, considered: SourceLink["considered"] = []): Linked {
  return { link: { places: [], rule: "unknown", reason, considered }, sites: [] };
}
