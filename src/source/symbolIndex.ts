import { entryOf } from "../model/maps";
import type { Task } from "../model/task";
import { cFacts } from "./cFacts";
import type { Definition, FileFacts } from "./facts";
import { type FunctionMarks, functionMarksOf } from "./functionMarks";
import { type GrammarFiles, Grammars } from "./grammar";
import { type Language, languageOf, servedLanguageOf } from "./languages";
import { Macros } from "./macros";
import { pythonFacts } from "./pythonFacts";
import { readable } from "./readable";
import { readTolerantly } from "./recovery";
import { type RegionBegin, regionBeginsOf } from "./regions";
import { type SourceText, type SourceWorld, Sources } from "./sources";
import { Symbols, type SymbolsOfFile } from "./symbols";
import { WordIndex } from "./wordIndex";

/** Facts that are kept at once, by a rough account of their size: about 60 MB. */
const MOST_WEIGHT = 200_000;

interface Entry {
  readonly facts: FileFacts;
  readonly weight: number;
  /** `sources.version` at which the text was last seen to be the same. */
  version: number;
}

/**
 * What the folders' source says, read lazily: one pass finds the words of all files, and only files that hold a wanted name are parsed.
 * Facts are kept by content hash until the text changes, within bounded memory.
 */
export class SymbolIndex {
  /** In the order of last use. */
  private readonly entries = new Map<string, Entry>();
  private weight = 0;
  private readonly ids: ReadonlyMap<string, number>;
  private readonly marks = new WeakMap<FileFacts, FunctionMarks>();
  private begins = new WeakMap<FileFacts, RegionBegin[]>();
  /** Namespaces of all files parsed so far: what stands before a function's name is else a class. */
  private readonly namespaceNames = new Set<string>();
  readonly macros: Macros;
  /** Of files without a grammar. */
  readonly symbols: Symbols;
  /** Files parsed so far. */
  parsed = 0;
  /** Files that the parser failed on, or that were too much work for it, and the hashes of these texts. */
  private readonly failed = new Map<string, string>();
  /** Names of functions and classes of the folders that begin the region that they are given the name of. */
  private readonly wrappers = new Set<string>();

  private constructor(
    readonly sources: Sources,
    readonly words: WordIndex,
    private readonly grammars: Grammars,
  ) {
    this.macros = new Macros(words);
    this.symbols = new Symbols(sources);
    this.ids = new Map(sources.files.map((file, id) => [file, id]));
  }

  /** Lists and scans the folders and loads the grammars. */
  static async open(world: SourceWorld, grammarFiles: GrammarFiles, task: Task): Promise<SymbolIndex> {
    const [sources, grammars] = await Promise.all([Sources.open(world, task), Grammars.load(grammarFiles)]);
    return new SymbolIndex(sources, await WordIndex.build(sources, task), grammars);
  }

  /** Texts that differ from the disk replace those handed in before; what was known of changed files is read anew. */
  setOpenTexts(texts: ReadonlyMap<string, string>): void {
    const changed = this.sources.setOpenTexts(texts);
    this.refresh(changed);
  }

  /** These files may have been written on disk. @returns whether the text of any of them is another one */
  refresh(files: readonly string[]): boolean {
    const changed = this.words.refresh(files.flatMap((file) => this.ids.get(file) ?? []));
    if (!changed) return false;
    this.sources.noteChanged();
    this.macros.forget();
    return true;
  }

  /** Takes in these files where they are beyond the limit of what is read: something near to them is looked for. */
  readAlso(files: Iterable<string>): void {
    if (this.words.unread.size === 0) return;
    if (this.words.readAlso(Array.from(files).flatMap((file) => this.ids.get(file) ?? []))) this.macros.forget();
  }

  /** A language server said what these files define, or that it cannot. @returns whether links may lead elsewhere */
  setSymbols(files: readonly SymbolsOfFile[]): boolean {
    const changed = this.symbols.set(files);
    if (changed) this.sources.noteChanged();
    return changed;
  }

  /** Files of which nothing is known since they could not be parsed. */
  get unparsed(): string[] {
    return [...this.failed.keys()];
  }

  /** Position of a file in `sources.files`. */
  idOf(file: string): number | undefined {
    return this.ids.get(file);
  }

  /** Facts of a file; undefined where it cannot be read or has no grammar. */
  facts(file: string): FileFacts | undefined {
    if (servedLanguageOf(file) !== undefined) return this.symbols.facts(file);
    const { version } = this.sources;
    const known = this.entries.get(file);
    if (known !== undefined && known.version === version) return this.use(file, known);
    const source = this.sources.read(file);
    const language = languageOf(file);
    if (source === undefined || language === undefined) return undefined;
    if (known !== undefined && known.facts.hash === source.hash) {
      known.version = version;
      return this.use(file, known);
    }
    if (this.failed.get(file) === source.hash) return undefined;
    this.parsed++;
    const facts = this.read(file, source, language);
    if (facts === undefined) {
      this.failed.set(file, source.hash);
      return undefined;
    }
    this.failed.delete(file);
    for (const name of facts.namespaces) this.namespaceNames.add(name);
    this.drop(file);
    const weight = facts.calls.length + 2 * facts.definitions.length + 8;
    this.weight += weight;
    this.entries.set(file, { facts, weight, version });
    for (const oldest of this.entries.keys()) {
      if (this.weight <= MOST_WEIGHT || oldest === file) break;
      this.drop(oldest);
    }
    return facts;
  }

  private read(file: string, source: SourceText, language: Language): FileFacts | undefined {
    if (language === "python")
      return this.grammars.withCaptures(language, source.text, (captures) =>
        pythonFacts(file, source.hash, source.text, captures),
      );
    return readTolerantly(readable(source.text), (text) =>
      this.grammars.withCaptures(language, text, (captures) =>
        cFacts(file, source.hash, language, source.text, captures),
      ),
    );
  }

  /** Function marks of a file. */
  marksOf(facts: FileFacts): FunctionMarks {
    return entryOf(this.marks, facts, () => functionMarksOf(facts, this.macros));
  }

  /** Places of a file that begin regions. */
  beginsOf(facts: FileFacts): readonly RegionBegin[] {
    return entryOf(this.begins, facts, () => regionBeginsOf(facts, this.macros, this.wrappers));
  }

  /** The class of a member function with its namespaces; undefined for functions of no class. */
  classOf(definition: Definition | undefined): string | undefined {
    if (definition === undefined) return undefined;
    const scopes = definition.lambda ? definition.scopes.slice(0, -1) : definition.scopes;
    const last = scopes[scopes.length - 1];
    if (last === undefined || (definition.enclosingClasses === 0 && this.namespaceNames.has(last))) return undefined;
    return scopes.join("::");
  }

  /** A function or class of the folders was found to begin regions. */
  addWrapper(callee: string): void {
    if (this.wrappers.has(callee)) return;
    this.wrappers.add(callee);
    this.begins = new WeakMap();
  }

  private use(file: string, entry: Entry): FileFacts {
    this.entries.delete(file);
    this.entries.set(file, entry);
    return entry.facts;
  }

  private drop(file: string): void {
    const entry = this.entries.get(file);
    if (entry === undefined) return;
    this.entries.delete(file);
    this.weight -= entry.weight;
  }
}
