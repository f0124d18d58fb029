import fs from "node:fs";
import { CancelledError } from "../../model/errors";
import type { Frame } from "../../model/frames";
import type { SourceLink } from "../../model/sourceLinks";
import { quietTask, type Task } from "../../model/task";
import type { GrammarFiles } from "../../source/grammar";
import { Linker } from "../../source/linker";
import { Pace } from "../../source/pace";
import { SymbolIndex } from "../../source/symbolIndex";
import type { SymbolsOfFile } from "../../source/symbols";
import { isSource } from "../../source/wordIndex";
import { indexNotes } from "./indexNotes";
import type { DocumentText, Drift, SourceSettings } from "./lineApi";
import { type DocumentLines, filesWithLines, LineMaps, realPath } from "./lineMaps";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { FINDING_LINES, type Placed, placeContexts, type Placement, REPORTED_EVERY } from "./placement";
import { SharedWork } from "./sharedWork";

/** What stands in one document, in lines of its text as it is now. */
export interface PlacedInDocument {
  readonly here: readonly Placed[];
  readonly calls: readonly Placed[];
  readonly drift: Drift;
}

/** What grouping by file or class needs to know of a function. */
export interface Definition {
  readonly file: string | undefined;
  readonly className: string | undefined;
}

interface IndexedLinker {
  readonly index: SymbolIndex;
  readonly linker: Linker;
  /** Whether the recording was of the folders when its files were remembered; undefined until they were. */
  remembered: boolean | undefined;
}

interface KnownPlacement {
  readonly linker: Linker;
  readonly version: number;
  readonly placement: Promise<Placement>;
}

/** Links of all open data sets over one index of the source. Links are found in files as they are on disk; see LineMaps. */
export class Links {
  /** Called when links may lead elsewhere than before. */
  onChange: () => void = () => undefined;
  private settings: SourceSettings = { folders: [], sourceMap: {} };
  private index: SharedWork<SymbolIndex> | undefined;
  /** The index, once it is there. */
  private opened: SymbolIndex | undefined;
  /** By data set, and gone with it. */
  private linkers = new WeakMap<OpenDataSet, IndexedLinker>();
  private placements = new WeakMap<OpenDataSet, KnownPlacement>();
  private indexedAt = 0;
  private readonly diskTimes = new Map<string, number>();
  private readonly lines = new LineMaps();
  /** Files that recordings name lines of. */
  private readonly recordedFiles = new Set<string>();
  /** Wakes who waits for files that symbols are wanted of. */
  private wake: () => void = () => undefined;
  private served = false;

  constructor(private readonly grammars: GrammarFiles) {}

  /** Folders or path map; the folders are listed anew at the next question. */
  configure(settings: SourceSettings): void {
    this.settings = settings;
    this.lines.keepIn(settings.storage);
    this.index?.stop();
    this.index = undefined;
    this.opened = undefined;
    this.linkers = new WeakMap();
    this.placements = new WeakMap();
    this.diskTimes.clear();
    this.recordedFiles.clear();
    this.onChange();
  }

  /**
   * Texts that differ from the disk, and files that were saved (without text); a file that is no longer among them was probably saved.
   *
   * @returns whether links may lead elsewhere than before
   */
  async setOpenTexts(texts: readonly DocumentText[]): Promise<boolean> {
    const closed = this.lines.setOpenTexts(texts);
    const saved = [...closed, ...texts.filter(({ text }) => text === undefined).map(({ file }) => realPath(file))];
    // A file without names that count may have recorded lines all the same.
    const moved = saved.some((file) => this.recordedFiles.has(file) && !isSource(file));
    return (await this.refresh(saved)) || moved;
  }

  /** Files that language servers should say the symbols of, as soon as there are any. */
  async wantedSymbols(): Promise<string[]> {
    this.served = true;
    for (;;) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      // Folders are not listed for this alone: the first question about links lists them.
      const symbols = (await this.readIndex())?.symbols;
      symbols?.serve(() => this.wake());
      const files = symbols?.take() ?? [];
      if (files.length > 0) return files;
      await woken;
    }
  }

  /** What language servers said. */
  async setSymbols(files: readonly SymbolsOfFile[]): Promise<void> {
    if ((await this.readIndex())?.setSymbols(files)) this.onChange();
  }

  /** A data set was opened: its source is looked at now, so that later edits can be distinguished from what was recorded. */
  async noteOpened(open: OpenDataSet): Promise<void> {
    const check = () => {
      if (open.closed) throw new CancelledError();
    };
    await this.matched(this.linkerIn(await this.startedIndex().result, open), open, shared(quietTask, check));
  }

  /** Sentences that must be said where links are shown. */
  notes(): string[] {
    return this.opened === undefined ? [] : indexNotes(this.opened, this.limitMegabytes);
  }

  /** Where a context leads, in lines of the text as it is now. */
  async link(open: OpenDataSet, context: number, task: Task): Promise<SourceLink> {
    const [link] = await this.linksOf(open, [context], task);
    return link;
  }

  /** Where contexts lead, in their order: {@link link} for many at once. */
  async linksOf(open: OpenDataSet, contexts: readonly number[], task: Task): Promise<SourceLink[]> {
    const { linker } = await this.linkerOf(open, task);
    const links: SourceLink[] = [];
    const pace = new Pace(task);
    for (const [at, context] of contexts.entries()) {
      if (pace.isOver) await pace.breathe();
      if (at % REPORTED_EVERY === 0) task.progress(at / contexts.length, FINDING_LINES);
      links.push(linker.known(context) ?? (await linker.link(context, task)));
    }
    return this.lines.current(open.dataSet, links, task);
  }

  /** Link of a frame without a calling context: a state of a trace. */
  async linkFrame(open: OpenDataSet, frame: Frame, task: Task): Promise<SourceLink> {
    const { linker } = await this.linkerOf(open, task);
    const [link] = await this.lines.current(open.dataSet, [await linker.linkFrame(frame, task)], task);
    return link;
  }

  /** The file that a recorded path means, else the path itself. Known once a link was asked for. */
  fileOf(open: OpenDataSet, recorded: string): string {
    return this.linkers.get(open)?.linker.mapFile(recorded) ?? recorded;
  }

  /** Tells of recorded paths whether they mean a file that is here. */
  async filesHere(open: OpenDataSet, task: Task): Promise<(recorded: string) => boolean> {
    const { linker } = await this.linkerOf(open, task);
    return (recorded) => linker.mapFile(recorded) !== undefined;
  }

  /**
   * Reason why a recording does not belong to the folders, as a clause (semantics 16). Undefined if it does, has nothing that could be found in them,
   * or if there are none.
   */
  async foreignClause(open: OpenDataSet, task: Task): Promise<string | undefined> {
    if (this.settings.folders.length === 0) return undefined;
    const { linker } = await this.linkerOf(open, task);
    const { isOfFolders, clause } = await linker.matchFolders(task);
    return isOfFolders || clause === "" ? undefined : clause;
  }

  /** Definitions of functions, where they are known. */
  async definitions(open: OpenDataSet, ids: readonly number[], task: Task): Promise<Map<number, Definition>> {
    const { linker } = await this.linkerOf(open, task);
    const found = await linker.definitions(open.functions, ids, task);
    return new Map(found.map((one, at) => [ids[at], { file: one.file, className: one.class }]));
  }

  /** What stands in a document. Waits for the links of the whole data set, which are shared by all who ask. */
  async placedIn(open: OpenDataSet, document: DocumentText, task: Task): Promise<PlacedInDocument> {
    const file = realPath(document.file);
    await this.refreshIfWritten(file, task);
    const placement = await this.placement(open, task);
    task.check();
    const inFile = placement.get(document.file) ?? placement.get(file);
    if (inFile) await this.lines.remember(open.dataSet, file);
    const lines = this.lines.linesOf(open.dataSet, document);
    const moved = (placed: readonly Placed[]) =>
      placed.flatMap((one): Placed[] => {
        const line = lines.lineOf(one.link, one.line);
        return line === undefined ? [] : [{ ...one, line }];
      });
    const { lost, shifted } = driftOf(inFile?.here ?? [], lines);
    return {
      here: moved(inFile?.here ?? []),
      calls: moved(inFile?.calls ?? []),
      drift: { newerThanRecording: lines.newerThanRecording, lostLines: lost.size, movedLines: shifted.size },
    };
  }

  /** Whether a file was another text when one was recorded than one was for another, as far as is known. Both were asked for by {@link placedIn}. */
  recordedFromOtherText(one: OpenDataSet, file: string, other: OpenDataSet, otherFile: string): boolean {
    return this.lines.differ(one.dataSet, file, other.dataSet, otherFile);
  }

  private async linkerOf(open: OpenDataSet, task: Task): Promise<IndexedLinker> {
    const indexed = this.linkerIn(await this.indexOf(task), open);
    if (indexed.remembered === undefined) task.progress(undefined, "looking for the program in the source folders");
    await this.matched(indexed, open, task);
    return indexed;
  }

  private linkerIn(index: SymbolIndex, open: OpenDataSet): IndexedLinker {
    const known = this.linkers.get(open);
    if (known?.index === index) return known;
    const indexed = { index, linker: new Linker(open.dataSet, index), remembered: undefined };
    this.linkers.set(open, indexed);
    return indexed;
  }

  /** Files are remembered once it is known whether the recording is of the folders: another program's are not. */
  private async matched(indexed: IndexedLinker, open: OpenDataSet, task: Task): Promise<void> {
    const { linker } = indexed;
    const { isOfFolders } = await linker.matchFolders(task);
    if (indexed.remembered === isOfFolders) return;
    indexed.remembered = isOfFolders;
    const mapped = Array.from(filesWithLines(open.dataSet), (recorded) => linker.mapFile(recorded));
    for (const file of mapped) if (file !== undefined) this.recordedFiles.add(file);
    this.rememberLater(open, linker, mapped);
  }

  /** In the background: files of questions that come meanwhile are remembered first. */
  private rememberLater(open: OpenDataSet, linker: Linker, files: Iterable<string | undefined>): void {
    const check = () => {
      if (open.closed || this.linkers.get(open)?.linker !== linker) throw new CancelledError();
    };
    this.lines.rememberAll(open.dataSet, files, { check }).catch(() => undefined);
  }

  /** One index for all questions: cancelling one of them stops it for none of the others. @throws CancelledError */
  private async indexOf(task: Task): Promise<SymbolIndex> {
    for (;;) {
      const index = this.startedIndex();
      try {
        return await index.wait(task);
      } catch (error) {
        task.check();
        // The settings changed meanwhile: links have to be found anew.
        if (!(error instanceof CancelledError) || this.index === index) throw error;
      }
    }
  }

  /** Absolute paths of the folders of source. */
  get folders(): readonly string[] {
    return this.settings.folders;
  }

  /** Source that is read at most. */
  private get limitMegabytes(): number {
    return this.settings.sourceLimitMegabytes ?? 500;
  }

  private startedIndex(): SharedWork<SymbolIndex> {
    if (this.index) return this.index;
    const { folders, sourceMap, sourceMapTrusted } = this.settings;
    const world = { folders, sourceMap, sourceMapTrusted, mostBytes: this.limitMegabytes * 1e6 };
    this.indexedAt = Date.now();
    const started = new SharedWork((task) => SymbolIndex.open(world, this.grammars, task));
    this.index = started;
    started.result.then(
      (index) => {
        if (this.index !== started) return;
        this.opened = index;
        if (this.served) this.wake();
      },
      // What could not be read now (too many files are open), or was cancelled, may be read at the next question.
      () => this.index === started && (this.index = undefined),
    );
    return started;
  }

  /** The index where there is one, or one is being made. */
  private async readIndex(): Promise<SymbolIndex | undefined> {
    return this.index?.result.catch(() => undefined);
  }

  private async placement(open: OpenDataSet, task: Task): Promise<Placement> {
    for (;;) {
      const { index, linker } = await this.linkerOf(open, task);
      const { version } = index.sources;
      const known = this.placements.get(open);
      // The linker too: another index starts at the same version.
      const current = known?.linker === linker && known.version === version;
      const asked = current ? known : this.place(open, index, linker, task);
      try {
        return await asked.placement;
      } catch (error) {
        if (this.placements.get(open) === asked) this.placements.delete(open);
        if (!(error instanceof CancelledError) || open.closed) throw error;
        // The source or the settings changed meanwhile: what was asked for is to be found anew.
        task.check();
      }
    }
  }

  private place(open: OpenDataSet, index: SymbolIndex, linker: Linker, task: Task): KnownPlacement {
    const { version } = index.sources;
    const check = () => {
      if (open.closed || this.index !== indexed || index.sources.version !== version) throw new CancelledError();
    };
    const indexed = this.index;
    const placement = placeContexts(open, linker, shared(task, check)).then((placed) => {
      // Files without recorded lines too: the editor shows which ones are newer than the recording.
      this.rememberLater(open, linker, placed.keys());
      return placed;
    });
    const known = { linker, version, placement };
    this.placements.set(open, known);
    return known;
  }

  private async refreshIfWritten(file: string, task: Task): Promise<void> {
    await this.indexOf(task);
    const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const seen = this.diskTimes.get(file) ?? this.indexedAt;
    if (written <= seen) return;
    this.diskTimes.set(file, written);
    await this.refresh([file]);
  }

  /** @returns whether links may lead elsewhere: a file was not only written, but changed */
  private async refresh(files: readonly string[]): Promise<boolean> {
    if (files.length === 0) return false;
    // Without an index, the next one reads the files as they are now.
    const changed = (await this.readIndex())?.refresh(files) ?? false;
    if (changed) this.onChange();
    return changed;
  }
}

/** Work that several questions share: the first one gets its progress, and cancelling one leaves the others' answers alone. */
function shared(task: Task, check: () => void): Task {
  return {
    check,
    progress(fraction, message) {
      check();
      try {
        task.progress(fraction, message);
      } catch (error) {
        if (!(error instanceof CancelledError)) throw error;
      }
    },
  };
}

/** Lines with something on them that are gone, and those that stand elsewhere than they were found or recorded. */
function driftOf(placed: readonly Placed[], lines: DocumentLines): { lost: Set<number>; shifted: Set<number> } {
  const lost = new Set<number>();
  const shifted = new Set<number>();
  for (const { link, line } of placed) {
    const now = lines.lineOf(link, line);
    if (now === undefined) lost.add(line);
    else if (now !== line) shifted.add(line);
  }
  return { lost, shifted };
}
