import type { DataSet } from "../model/dataSet";
import { foreignReason } from "../model/foreignReason";
import type { Frame } from "../model/frames";
import { isFunctionKind, isPlaceholderName } from "../model/frames";
import { entryOf } from "../model/maps";
import { fileName } from "../model/placeText";
import type { LinkRule, Place, SourceLink } from "../model/sourceLinks";
import { callLink, isCall } from "./callLinks";
import { type Extent, holds } from "./facts";
import { type FolderMatch, isCertain, isFileName, matchFolders } from "./folderMatch";
import { functionSites } from "./functionLinks";
import { Neighbours } from "./neighbours";
import type { Pace } from "./pace";
import { isSystemFile, type PathMap } from "./pathMap";
import { Reach } from "./reach";
import { type RegionSites, regionSites } from "./regionLinks";
import { parseSignature } from "./signature";
import { type Site, SiteFinder, definitionSite } from "./sites";
import type { SymbolIndex } from "./symbolIndex";
import { TypeNames } from "./typeNames";

/** What is found for a frame: what a user is shown, and the places that it stands for. */
export interface Found {
  readonly link: SourceLink;
  readonly sites: readonly Site[];
}

/** A caller that has places: what it calls is looked for in them. */
export interface Caller {
  readonly name: string;
  readonly sites: readonly Site[];
  /** A region, not a function of a call path: what inner regions take over is not its own. */
  readonly isRegion: boolean;
  /** Tells equal places from others. */
  readonly key: string;
}

/** Where in the tree a frame stands. */
export interface Around {
  /** The nearest caller that has places. */
  readonly caller: Caller | undefined;
  /** What was found for the parent, placed or not. */
  readonly parent: Found | undefined;
  /** Names of the children, which distinguish regions of one name. */
  readonly children: () => readonly string[];
  /** Recorded lines of the function itself, in all its contexts: the same list each time. */
  readonly lines: () => Promise<readonly Place[]>;
}

const noPlace = unknown("The data has no place for it.");
const LINE_NOT_KNOWN = "The line is not known; this is the function.";
const noName = unknown("The data has no name for it.");
const nothingNear: ReadonlySet<string> = new Set();

/** Links single frames, given what is around them (semantics 5): recorded line, then name, else not known. */
export class FrameLinks {
  private readonly finder: SiteFinder;
  private readonly neighbours: Neighbours;
  private readonly reach: Reach;
  private readonly types: TypeNames;
  /** By name and surroundings: thousands of contexts share an answer. */
  private readonly answers = new Map<string, Found>();
  /** Regions, by name and caller, whose places the children's names distinguish. */
  private readonly splitByChildren = new Set<string>();
  /** By the lines of a function: its definitions that hold some of them. */
  private readonly narrowedByRecorded = new Map<readonly Place[], Map<Found, Found>>();
  /** Answers that follow from another one, by what was added to it. */
  private readonly derived = new Map<Found, Map<string, Found>>();

  constructor(
    private readonly index: SymbolIndex,
    private readonly paths: PathMap,
  ) {
    this.neighbours = new Neighbours(index);
    this.finder = new SiteFinder(index, this.neighbours);
    this.reach = new Reach(index, this.finder, this.neighbours);
    this.types = new TypeNames(index, this.neighbours);
  }

  /** The source changed: everything is to be found anew. */
  forget(): void {
    this.answers.clear();
    this.splitByChildren.clear();
    this.narrowedByRecorded.clear();
    this.derived.clear();
    this.finder.forget();
    this.types.forget();
  }

  /** Whether the recording is of the folders, as they are now. @throws CancelledError */
  matchFolders(recording: Pick<DataSet, "frames" | "tree">, pace: Pace): Promise<FolderMatch> {
    return matchFolders(recording, this.paths, this.finder, this.types, pace);
  }

  async link(frame: Frame, around: Around, match: FolderMatch, pace: Pace): Promise<Found> {
    const { file, line } = frame;
    if (!match.isOfFolders) return this.foreign(frame, match);
    if (file === undefined || isPlaceholderName(file)) {
      const found = await this.byName(frame, around, pace, undefined);
      return this.narrowed(frame, found, around);
    }
    const mapped = this.paths.resolve(file);
    if (mapped.file === undefined) {
      const found = await this.byName(frame, around, pace, undefined);
      // A line in a line of the same missing file: said once is enough.
      if (found.link.missingFile === file) return found;
      const isFunction = frame.kind === "function" || frame.kind === "inlined";
      // Of a function that begins with inlined code, callgrind names the file of that code.
      const narrowed = isFunction ? await this.byLines(found, around) : found;
      if (narrowed !== found)
        return this.derive(narrowed, `away\n${file}`, ({ link, sites }) => {
          const reason = `${file}: ${mapped.how}. ${link.reason}`;
          return { sites, link: { ...link, reason } };
        });
      const isOfCall = isCall(frame.name, frame.origin ?? "none");
      // Without a caller, any call of that name in the folders would match, but the recorded file is not here.
      if (isOfCall && around.caller === undefined && isFileName(file))
        return this.answer(`call away\n${file}`, async () => missing(`${file}: ${mapped.how}.`, file));
      const isNamed = isFunctionKind(frame.kind) && !isOfCall;
      if (!match.hasHalfOfFiles && isNamed && isFileName(file))
        return this.answer(`too few\n${file}`, async () => missing(`${file}: ${mapped.how}. ${tooFew(match)}`, file));
      return this.derive(found, `missing\n${isFunction}\n${file}`, (byName) => {
        const { link, sites } = isFunction ? inFilesNamed(byName, frame.name, file) : byName;
        const reason = `${file}: ${mapped.how}. ${link.reason}`;
        return { sites, link: { ...link, reason, missingFile: file } };
      });
    }
    this.index.readAlso([mapped.file]);
    if (line === undefined) {
      const found = await this.byName(frame, around, pace, mapped.file);
      return this.narrowed(frame, found, around);
    }
    return this.recordedLine(frame, { file: mapped.file, line }, mapped.how, around, pace);
  }

  /** Place of a frame of another program: only in a file that is surely the recorded one, or in a copy inside the recording. */
  private foreign({ file, line }: Frame, match: FolderMatch): Promise<Found> {
    const mapped = file === undefined || isPlaceholderName(file) ? undefined : this.paths.resolve(file);
    if (mapped?.file !== undefined && line !== undefined && (isCertain(mapped) || mapped.rule === "copy")) {
      const place = { file: mapped.file, line };
      return this.answer(`foreign\n${line}\n${file}`, async () => this.lineInside(place, `; ${mapped.how}`));
    }
    const isAway = file !== undefined && mapped !== undefined && mapped.file === undefined && !isSystemFile(file);
    const missingFile = isAway ? file : match.missingFile;
    const reason = isAway ? foreignReason(file) : match.reason;
    return this.answer(`foreign\n${missingFile ?? ""}`, async () => missing(reason, missingFile));
  }

  /** The calls of a function or region inside its caller. */
  async calls(name: string, caller: Caller | undefined, isRoot: boolean, pace: Pace): Promise<SourceLink> {
    return (await this.callsOf(name, caller, isRoot, pace)).link;
  }

  private callsOf(name: string, caller: Caller | undefined, isRoot: boolean, pace: Pace): Promise<Found> {
    const key = `call\n${name}\n${isRoot}\n${caller?.isRegion}\n${caller?.key ?? ""}`;
    return this.answer(key, async () => ({
      link: await callLink(this.finder, this.reach, name, caller, isRoot, pace),
      sites: [],
    }));
  }

  private async byName(frame: Frame, around: Around, pace: Pace, inFile: string | undefined): Promise<Found> {
    const { name, kind, origin = "none", module } = frame;
    if (kind === "line" || kind === "instruction" || kind === "loop" || kind === "message") {
      const owner = around.parent;
      if (owner === undefined) return noPlace;
      if (owner.link.reason.includes(LINE_NOT_KNOWN)) return owner;
      return this.derive(owner, "no line", ({ link, sites }) => {
        const reason = `${LINE_NOT_KNOWN} ${link.reason}`;
        return { sites, link: { ...link, reason } };
      });
    }
    if (isPlaceholderName(name)) return noName;
    const { caller } = around;
    if (isCall(name, origin)) return this.callsOf(name, caller, around.parent === undefined, pace);
    if (kind === "region") return this.region(name, around, pace);
    const found = await this.function(name, module, inFile, caller, pace);
    return found.sites.length === 0 && kind === "kernel" ? this.region(name, around, pace) : found;
  }

  private async region(name: string, around: Around, pace: Pace): Promise<Found> {
    const { caller } = around;
    const alone = `region\n${name}\n${caller?.key ?? ""}`;
    const among = () => `${alone}\n${around.children().join("\n")}`;
    const known = this.answers.get(this.splitByChildren.has(alone) ? among() : alone);
    if (known !== undefined) return known;
    let asked: readonly string[] | undefined;
    const surroundings = {
      parent: caller?.sites ?? [],
      get children() {
        return (asked ??= around.children());
      },
      near: () => this.near(caller),
    };
    const result = regionFound(name, await regionSites(this.finder, this.reach, name, surroundings, pace));
    if (asked !== undefined) this.splitByChildren.add(alone);
    this.answers.set(asked === undefined ? alone : among(), result);
    return result;
  }

  private async function(
    name: string,
    module: string | undefined,
    inFile: string | undefined,
    caller: Caller | undefined,
    pace: Pace,
  ): Promise<Found> {
    const key = `function\n${name}\n${module ?? ""}\n${inFile ?? ""}`;
    // An answer from the files near one caller does not hold for other callers.
    const nearKey = `${key}\n${caller?.key ?? ""}`;
    const known = this.answers.get(key) ?? this.answers.get(nearKey);
    if (known !== undefined) return known;
    const found = await functionSites(this.finder, name, module, () => this.near(caller), this.types, pace);
    const own = found.sites.filter(({ place }) => place.file === inFile);
    const sites = own.length > 0 ? own : found.sites;
    const considered = found.others.map(({ site, reason }) => ({ place: site.place, reason }));
    let result: Found;
    if (sites.length === 0) result = unknown(`${name}: ${found.reason ?? "not found"}.`, considered);
    else {
      const scope = found.onlyNear ? " among the files near its caller" : "";
      const why = found.because === undefined ? "" : `: ${found.because}`;
      const reason =
        sites.length === 1
          ? `${name} is defined here, and nowhere else that fits${scope}${why}.`
          : `${name} has ${sites.length} definitions that fit equally well${scope}${why}.`;
      result = { link: { places: placesOf(sites), rule: "definition", reason, considered }, sites };
    }
    this.answers.set(found.onlyNear ? nearKey : key, result);
    return result;
  }

  /**
   * The recorded line, unless it is that of a function and lies in another one: a sample at a region's begin may lie in inlined code
   * of another file, and then the name decides.
   */
  private async recordedLine(frame: Frame, place: Place, how: string, around: Around, pace: Pace): Promise<Found> {
    const { name, kind } = frame;
    const isFunction = kind === "function" || kind === "region" || kind === "kernel";
    const begins =
      kind === "function" || kind === "inlined" ? " as where the function begins, not as a line that costs" : "";
    const key = `line\n${place.line}\n${place.file}\n${how}${begins}`;
    const recorded = await this.answer(key, async () => this.lineInside(place, `${begins}; ${how}`));
    if (!isFunction) return recorded;
    const inside = recorded.sites.at(0)?.definition;
    const isOwn = inside?.name === parseSignature(name).name;
    if (isOwn && kind === "region") return this.atDefinition(name, recorded);
    if (inside === undefined || isOwn) return recorded;
    const named = await this.narrowed(frame, await this.byName(frame, around, pace, place.file), around);
    if (named.sites.length === 0) return recorded;
    // The preprocessor gave the function around the line the recorded name.
    if (kind !== "region" && named.sites.some((site) => isDefinition(site, place.file, inside.at))) return recorded;
    // A region that begins in this function is no contradiction.
    const agrees = named.sites.some(
      (site) => site.place.file === place.file && site.kind === "begin" && site.definition?.at === inside.at,
    );
    if (agrees) return this.derive(named, `begins\n${key}`, ({ sites }) => ({ link: recorded.link, sites }));
    return this.derive(named, `inlined\n${key}`, ({ link, sites }) => ({
      sites,
      link: {
        ...link,
        reason: `${link.reason} The recorded line lies in ${inside.name}, which was probably inlined.`,
        considered: [...link.considered, { place, reason: `the recorded line, in ${inside.name}` }],
      },
    }));
  }

  /** A mark that makes a region of its whole function says where it stands itself: the region begins where the function does. */
  private atDefinition(name: string, recorded: Found): Promise<Found> | Found {
    const [{ place: definition, definition: inside }] = recorded.sites;
    const facts = this.index.facts(definition.file);
    const marks = facts && this.index.marksOf(facts);
    const id = facts?.definitions.findIndex((one) => one === inside) ?? -1;
    if (!marks?.marked.has(id) && !marks?.perhaps.has(id)) return recorded;
    const [{ line }] = recorded.link.places;
    return this.derive(recorded, `marked\n${name}`, ({ sites }) => ({
      sites,
      link: {
        places: [definition],
        rule: "function-mark",
        reason: `${name} is a function that is marked as a region; the recording names the mark's line, ${line}.`,
        considered: [],
      },
    }));
  }

  /** A recorded line, and the definition that it lies in. */
  private lineInside(place: Place, how: string): Found {
    const facts = this.index.facts(place.file);
    const inside = facts && definitionAt(facts.definitions, facts.lineStarts, place.line);
    const sites = facts && inside ? [definitionSite(facts, inside, 1)] : [];
    const reason = `The recording names this line${how}.`;
    return { link: { places: [place], rule: "recorded-line", reason, considered: [] }, sites };
  }

  /** Chooses those of several definitions of a function that hold its recorded lines. */
  private async narrowed({ kind }: Frame, found: Found, around: Around): Promise<Found> {
    const isFunction = kind === "function" || kind === "inlined";
    return isFunction && found.sites.length > 1 ? this.byLines(found, around) : found;
  }

  /** Of the definitions found, those that hold recorded lines of the function; as it was where none does. */
  private async byLines(found: Found, { lines }: Around): Promise<Found> {
    if (found.link.rule !== "definition") return found;
    const recorded = await lines();
    const known = entryOf(this.narrowedByRecorded, recorded, () => new Map<Found, Found>());
    return entryOf(known, found, () => this.narrowedByLines(found, recorded));
  }

  private narrowedByLines(found: Found, recorded: readonly Place[]): Found {
    const { link, sites } = found;
    const held = sites.map((site) => recorded.filter((place) => this.isIn(site, place)));
    const own = sites.filter((_, at) => held[at].length > 0 && !held.some((other) => holdsMore(other, held[at])));
    if (own.length === 0) return found;
    const others = sites
      .filter((site) => !own.includes(site))
      .map((site) => ({
        place: site.place,
        reason:
          held[sites.indexOf(site)].length === 0
            ? "none of the recorded lines of the function lies in it"
            : "fewer of the recorded lines of the function lie in it",
      }));
    const reason = `${link.reason} Recorded lines of it lie ${own.length === 1 ? "here" : "in these"}.`;
    return {
      sites: own,
      link: { ...link, places: placesOf(own), reason, considered: [...link.considered, ...others] },
    };
  }

  private isIn({ place, definition }: Site, recorded: Place): boolean {
    if (definition === undefined || place.file !== recorded.file) return false;
    const facts = this.index.facts(place.file);
    return facts !== undefined && definitionAt([definition], facts.lineStarts, recorded.line) !== undefined;
  }

  private async answer(key: string, find: () => Promise<Found>): Promise<Found> {
    let found = this.answers.get(key);
    if (found === undefined) {
      found = await find();
      this.answers.set(key, found);
    }
    return found;
  }

  private derive(from: Found, added: string, make: (from: Found) => Found): Found {
    const all = entryOf(this.derived, from, () => new Map<string, Found>());
    return entryOf(all, added, () => make(from));
  }

  /** Files that the caller's places reach; without a caller none. */
  private near(caller: Caller | undefined): ReadonlySet<string> {
    if (caller === undefined) return nothingNear;
    const near = new Set<string>();
    for (const { place } of caller.sites) for (const file of this.neighbours.of(place.file)) near.add(file);
    return near;
  }
}

/**
 * What was found for a function whose recorded file is not here: only a file of the same name can be it. A definition of this
 * name anywhere else (every program has a `main`) is another function's.
 */
function inFilesNamed({ link, sites }: Found, name: string, recorded: string): Found {
  // `[libm.so]`: the tool knows the load module only.
  if (/^\[.*\]$/.test(recorded)) return { link, sites };
  const wanted = fileName(recorded);
  const own = sites.filter(({ place }) => fileName(place.file) === wanted);
  if (own.length === sites.length) return { link, sites };
  const others = sites
    .filter((site) => !own.includes(site))
    .map(({ place }) => ({ place, reason: `a function of this name, but the recording names ${wanted}` }));
  const considered = [...link.considered, ...others];
  if (own.length === 0) return unknown(`${name} is defined in other files only.`, considered);
  return { sites: own, link: { ...link, places: placesOf(own), considered } };
}

function isDefinition({ kind, place, definition }: Site, file: string, at: number): boolean {
  return kind === "definition" && place.file === file && definition?.at === at;
}

/** Recorded paths may be those of another system. */
export function placesOf(sites: readonly Site[]): Place[] {
  const places = new Map(sites.map(({ place }) => [`${place.file}:${place.line}`, place]));
  return [...places.values()];
}

function missing(reason: string, missingFile: string | undefined): Found {
  const { link, sites } = unknown(reason);
  return missingFile === undefined ? { link, sites } : { sites, link: { ...link, missingFile } };
}

function tooFew({ files: { recorded, found } }: FolderMatch): string {
  return `Only ${found} of the ${recorded} recorded files ${found === 1 ? "is" : "are"} here, so a name alone is not enough.`;
}

export function unknown(reason: string, considered: SourceLink["considered"] = []): Found {
  return { link: { places: [], rule: "unknown", reason, considered }, sites: [] };
}

function regionFound(name: string, { sites, considered, because, reason }: RegionSites): Found {
  if (sites.length === 0) return unknown(`${name}: ${reason ?? "no place was found"}.`, considered);
  const begin = sites[0].kind === "begin";
  const marked = sites.every(({ evidence }) => evidence > 1);
  const rule: LinkRule = begin ? "region-begin" : marked ? "function-mark" : "definition";
  const text = regionText(name, sites, begin, marked, because);
  return { link: { places: placesOf(sites), rule, reason: text, considered }, sites };
}

function regionText(
  name: string,
  sites: readonly Site[],
  begin: boolean,
  marked: boolean,
  because: readonly string[],
): string {
  const why = because.length > 0 ? `: ${because.join(", and ")}` : "";
  const what = begin ? "begins" : marked ? "is a function that is marked as a region" : "is a function of this name";
  if (sites.length === 1) return `${name} ${what} here${why}.`;
  return `${name} ${what} at ${sites.length} places, and the data does not say which${why}.`;
}

/** Whether `one` holds all of `other`, and more: definitions of two branches of `#if` may share the end of their body. */
function holdsMore(one: readonly Place[], other: readonly Place[]): boolean {
  const all = new Set(one);
  return one.length > other.length && other.every((place) => all.has(place));
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
