import { regionExtent } from "./regions";
import { appendAll } from "../model/longLists";
import type { Place } from "../model/sourceLinks";
import type { Definition, Extent, FileFacts } from "./facts";
import { fortranNames } from "./fortranNames";
import { isCaseless } from "./languages";
import type { Neighbours } from "./neighbours";
import type { Pace } from "./pace";
import type { SymbolIndex } from "./symbolIndex";
import { tellingWord, wordsIn } from "./words";

/** A place that a name of the recording may stand for. */
export interface Site {
  readonly kind: "definition" | "begin";
  readonly name: string;
  readonly place: Place;
  /** What runs inside: the definition's body, or from a region's begin to its end. */
  readonly extent: Extent;
  /** The definition itself, or the one that the region's begin stands in. */
  readonly definition: Definition | undefined;
  /** How sure it is that the name is this region: 3 an annotation says so, 2 something that reads like one, 1 only the name agrees. */
  readonly evidence: 1 | 2 | 3;
}

/** Files that one name is looked for in at most; of more, only those near to what is linked already. */
const MOST_FILES = 80;

export interface FoundSites {
  readonly sites: readonly Site[];
  /** The name is in so many files that only those near to the caller were read. */
  readonly onlyNear: boolean;
  /** Reason why files that hold the name gave no answer, as a clause. */
  readonly missing?: string;
}

/** Finds the places that a region's or a function's name may stand for, parsing only files that hold it. */
export class SiteFinder {
  private readonly regions = new Map<string, FoundSites>();
  private readonly named = new Map<string, FoundSites>();
  private readonly checkedWrappers = new Set<string>();
  private marked: ReadonlySet<number> | undefined;
  private stringifying: ReadonlySet<number> | undefined;

  constructor(
    readonly index: SymbolIndex,
    private readonly neighbours: Neighbours,
  ) {}

  forget(): void {
    this.regions.clear();
    this.named.clear();
    this.marked = undefined;
    this.stringifying = undefined;
  }

  /** Places that may begin a region of this name: literals given to annotations, functions with a function mark. */
  async regionSites(name: string, near: () => ReadonlySet<string>, pace: Pace): Promise<FoundSites> {
    const known = this.regions.get(name);
    if (known !== undefined) return known;
    const { words, macros } = this.index;
    const word = tellingWord(name);
    if (word === undefined) return { sites: [], onlyNear: false };
    this.readNear(near);
    const ids = new Set<number>();
    const aliases = macros.literalMacros(name, word);
    for (const id of words.filesWithQuoted(wordsIn(name)[0])) ids.add(id);
    for (const alias of aliases) for (const id of words.filesWith(alias)) ids.add(id);
    const holding = words.filesWith(word);
    const marked = (this.marked ??= macros.filesWithMarks());
    const stringifying = (this.stringifying ??= macros.filesStringifying());
    for (const id of holding) if (marked.has(id) || stringifying.has(id)) ids.add(id);
    const { files, onlyNear } = this.choose(ids, near);
    const sites: Site[] = [];
    const objects: Site[] = [];
    for (const file of files) {
      await pace.breathe();
      const facts = this.index.facts(file);
      if (facts === undefined) continue;
      await this.findWrappers(facts, name, pace);
      appendAll(sites, this.beginSites(facts, name, aliases));
      appendAll(sites, this.markedSites(facts, name));
      appendAll(objects, objectSites(facts, name));
    }
    // `perf::Loop l("cycle")`: what the class does is in no folder, but nothing else can be it where the literal stands once.
    const isOnly = sites.length === 0 && objects.length === 1 && !onlyNear;
    if (isOnly && (await this.definitionSites(name, near, pace)).sites.length === 0) appendAll(sites, objects);
    const found = { sites: sites.sort(byPlace), onlyNear: onlyNear || this.isPartial };
    if (!found.onlyNear) this.regions.set(name, found);
    return found;
  }

  /** Definitions of functions with this unqualified name. */
  async definitionSites(name: string, near: () => ReadonlySet<string>, pace: Pace): Promise<FoundSites> {
    const known = this.named.get(name);
    if (known !== undefined) return known;
    const word = tellingWord(name);
    if (word === undefined) return { sites: [], onlyNear: false };
    this.readNear(near);
    const { files, onlyNear } = this.choose(this.index.words.filesWith(word), near);
    const sites: Site[] = [];
    for (const file of files) {
      await pace.breathe();
      const facts = this.index.facts(file);
      if (facts === undefined) continue;
      for (const definition of facts.definitions)
        if (definition.name === name) sites.push(definitionSite(facts, definition, 1));
    }
    const missing = sites.length === 0 ? (this.index.symbols.missing(files) ?? this.notSearched) : undefined;
    const found = { sites: sites.sort(byPlace), onlyNear: onlyNear || this.isPartial, missing };
    if (!found.onlyNear) this.named.set(name, found);
    return found;
  }

  /**
   * Definitions of functions that a `#define` renames to this name (`#define solve lib_solve`): compilers, and so recordings, know
   * the new name alone. A definition counts if its file sees the `#define`.
   *
   * @returns with the name that the text has
   */
  async renamedSites(
    recorded: string,
    near: () => ReadonlySet<string>,
    pace: Pace,
  ): Promise<(FoundSites & { readonly name: string }) | undefined> {
    for (const { name, file } of this.index.macros.renamedTo(recorded)) {
      const header = this.index.sources.files[file];
      const found = await this.definitionSites(name, near, pace);
      const sites = found.sites.filter(({ place }) => this.neighbours.of(place.file).has(header));
      if (sites.length > 0) return { sites, onlyNear: found.onlyNear, name };
    }
    return undefined;
  }

  /** Definitions of a procedure that a Fortran compiler named: in files of that language only. */
  async fortranSites(recorded: string, near: () => ReadonlySet<string>, pace: Pace): Promise<FoundSites> {
    let missing: string | undefined;
    for (const { name, module } of fortranNames(recorded)) {
      const found = name === "main" ? await this.fortranPrograms(pace) : await this.definitionSites(name, near, pace);
      const sites = found.sites.filter(
        ({ place, definition }) =>
          isCaseless(place.file) &&
          (module === undefined || (definition?.scopes[definition.scopes.length - 1] ?? "") === module),
      );
      if (sites.length > 0) return { sites, onlyNear: found.onlyNear };
      missing ??= found.missing;
    }
    return { sites: [], onlyNear: false, missing };
  }

  /** `program heat`: what it is called, no symbol says. */
  private async fortranPrograms(pace: Pace): Promise<FoundSites> {
    const ids = this.index.words.filesWith("program").filter((id) => isCaseless(this.index.sources.files[id]));
    const files = ids.slice(0, MOST_FILES).map((id) => this.index.sources.files[id]);
    const sites: Site[] = [];
    for (const file of files) {
      await pace.breathe();
      const facts = this.index.facts(file);
      const text = this.index.sources.read(file)?.text ?? "";
      for (const definition of facts?.definitions ?? []) {
        const head = text.slice(facts?.lineStarts[definition.line - 1] ?? 0, definition.at);
        if (facts !== undefined && /^\s*program\s+$/i.test(head)) sites.push(definitionSite(facts, definition, 1));
      }
    }
    return { sites, onlyNear: false, missing: this.index.symbols.missing(files) };
  }

  /** Not all files of the folders were read: what is found is found near the caller, and may be found elsewhere for another one. */
  private get isPartial(): boolean {
    return this.index.words.unread.size > 0;
  }

  private get notSearched(): string | undefined {
    return this.isPartial
      ? `${this.index.words.unread.size} source files beyond heatflow.limits.source were not searched`
      : undefined;
  }

  private readNear(near: () => ReadonlySet<string>): void {
    if (!this.isPartial) return;
    this.index.readAlso(near());
    this.marked = this.stringifying = undefined;
  }

  private choose(ids: Iterable<number>, near: () => ReadonlySet<string>): { files: string[]; onlyNear: boolean } {
    const files = Array.from(ids, (id) => this.index.sources.files[id]);
    if (files.length <= MOST_FILES) return { files, onlyNear: false };
    const close = near();
    return { files: files.filter((file) => close.has(file)), onlyNear: true };
  }

  private beginSites(facts: FileFacts, name: string, aliases: readonly string[]): Site[] {
    return this.index
      .beginsOf(facts)
      .filter((begin) => (begin.constant ? aliases.includes(begin.name) : begin.name === name))
      .map(({ call, extent, known }) => ({
        kind: "begin",
        name,
        place: { file: facts.file, line: call.line },
        extent,
        definition: facts.definitions[call.within],
        evidence: known ? 3 : 2,
      }));
  }

  private markedSites(facts: FileFacts, name: string): Site[] {
    const { marked, perhaps } = this.index.marksOf(facts);
    const sites: Site[] = [];
    facts.definitions.forEach((definition, id) => {
      if (definition.name !== name) return;
      if (marked.has(id)) sites.push(definitionSite(facts, definition, 3));
      else if (perhaps.has(id)) sites.push(definitionSite(facts, definition, 2));
    });
    return sites;
  }

  /** A callee that is given the literal may be the project's own function or class around an annotation: its definition decides. */
  private async findWrappers(facts: FileFacts, name: string, pace: Pace): Promise<void> {
    for (const call of facts.calls) {
      if (!call.literals.includes(name) || this.checkedWrappers.has(call.callee)) continue;
      this.checkedWrappers.add(call.callee);
      const role = this.index.macros.roleOf(call.callee);
      if (role.begins || role.ends) continue;
      const { sites } = await this.definitionSites(call.callee, () => new Set([facts.file]), pace);
      if (sites.some((site) => this.passesNameOn(site))) this.index.addWrapper(call.callee);
    }
  }

  /** Whether a function hands one of its parameters to an annotation that begins a region. */
  private passesNameOn(site: Site): boolean {
    const facts = this.index.facts(site.place.file);
    const parameters = site.definition?.parameterNames ?? [];
    return (facts?.calls ?? []).some(
      (call) =>
        call.at >= site.extent.from &&
        call.at < site.extent.to &&
        this.index.macros.roleOf(call.callee).begins &&
        (call.names.some((given) => parameters.includes(given)) ||
          call.computed.some((given) => parameters.includes(given))),
    );
  }
}

/** Objects that are made with this literal: what it does, if it begins a region, is up to their class. */
function objectSites(facts: FileFacts, name: string): Site[] {
  return facts.calls
    .filter(({ kind, literals }) => kind === "construction" && literals.includes(name))
    .map((call) => ({
      kind: "begin",
      name,
      place: { file: facts.file, line: call.line },
      evidence: 1,
      extent: regionExtent(facts, call, name),
      definition: facts.definitions[call.within],
    }));
}

export function definitionSite(facts: FileFacts, definition: Definition, evidence: Site["evidence"]): Site {
  const place = { file: facts.file, line: definition.line };
  return { kind: "definition", name: definition.name, place, extent: definition, definition, evidence };
}

export function byPlace(a: Site, b: Site): number {
  return a.place.file < b.place.file ? -1 : a.place.file > b.place.file ? 1 : a.place.line - b.place.line;
}
