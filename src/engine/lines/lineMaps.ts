import fs from "node:fs";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { SourceLink } from "../../model/sourceLinks";
import type { Task } from "../../model/task";
import { Baselines, type LineMap, type SavedText } from "../../source/drift";
import { lineHashes, matchLines } from "../../source/lineDiff";
import { Pace } from "../../source/pace";
import { hashOf } from "../../source/sources";
import type { DocumentText } from "./lineApi";

/** Files above this size keep no baseline and are taken as they are. */
const MOST_BYTES = 8 << 20;

/** Where lines of one file are in its text as it is now. */
export interface DocumentLines {
  readonly newerThanRecording: boolean;
  /** The line now of a place of this link; undefined when it is gone. */
  lineOf(link: SourceLink, line: number): number | undefined;
}

/**
 * From the lines that links are found at to the lines of the text as it is now (semantics 4, Edits). Two kinds of lines:
 * recorded ones are those of the file as it was when the recording was first opened here; all others were found in the
 * file as it is on disk. An editor that has the file open with unsaved edits is one diff further.
 */
export class LineMaps {
  private baselines = new Baselines(undefined);
  private storage: string | undefined;
  private readonly keys = new WeakMap<DataSet, string>();
  private openTexts: ReadonlyMap<string, string> = new Map();
  private readonly edits = new Map<
    string,
    { readonly saved: string; readonly text: string; readonly lines: Int32Array }
  >();

  /** @param storage folder for baselines; undefined: none are kept */
  keepIn(storage: string | undefined): void {
    if (storage === this.storage) return;
    this.storage = storage;
    this.baselines = new Baselines(storage);
  }

  /** @returns the files that had unsaved text before and have none now: saved, or closed without saving */
  setOpenTexts(texts: readonly DocumentText[]): string[] {
    const before = this.openTexts;
    const now = new Map<string, string>();
    for (const { file, text } of texts) if (text !== undefined) now.set(realPath(file), text);
    this.openTexts = now;
    const closed = [...before.keys()].filter((file) => !now.has(file));
    for (const file of closed) this.edits.delete(file);
    return closed;
  }

  /** Remembers files as they are on disk, one after the other. @throws CancelledError */
  async rememberAll(dataSet: DataSet, files: Iterable<string | undefined>, task: Pick<Task, "check">): Promise<void> {
    if (this.storage === undefined) return;
    const pace = new Pace(task);
    for (const file of files) {
      await pace.breathe();
      if (file !== undefined) await this.remember(dataSet, file);
    }
  }

  /** Remembers a file as it is on disk, unless it was remembered before. */
  remember(dataSet: DataSet, file: string): Promise<void> {
    if (this.storage === undefined) return Promise.resolve();
    return this.baselines.remember(this.keyOf(dataSet), realPath(file), () => savedText(file), dataSet.recordedAt);
  }

  /**
   * Links with the lines of now; what is gone is left out, and said. Each file is looked at once for all of them, and each
   * link too: thousands of contexts share some hundred links, and go on doing so on their way to a panel.
   *
   * @throws CancelledError
   */
  async current(dataSet: DataSet, links: readonly SourceLink[], task: Task): Promise<SourceLink[]> {
    const documents = new Map<string, DocumentLines>();
    const linesOf = (file: string) => {
      const known = documents.get(file) ?? this.linesOf(dataSet, { file });
      documents.set(file, known);
      return known;
    };
    const pace = new Pace(task);
    const current = new Map<SourceLink, SourceLink>();
    for (const link of new Set(links)) {
      if (pace.isOver) await pace.breathe();
      if (link.rule === "recorded-line") for (const { file } of link.places) await this.remember(dataSet, file);
      current.set(link, currentLink(link, linesOf));
    }
    return links.map((link) => current.get(link) ?? link);
  }

  /** How the lines of one file have moved. */
  linesOf(dataSet: DataSet, document: DocumentText): DocumentLines {
    const file = realPath(document.file);
    const unsaved = document.text ?? this.openTexts.get(file);
    let saved: string | undefined;
    let recorded: LineMap | undefined;
    const savedLines = () => (saved ??= readText(file) ?? "");
    const recordedLines = () =>
      (recorded ??= this.baselines.mapLines(this.keyOf(dataSet), file, unsaved ?? savedLines()));
    return {
      get newerThanRecording() {
        return recordedLines().newerThanRecording;
      },
      lineOf: (link, line) => {
        if (link.rule === "recorded-line") return recordedLines().toCurrent(line);
        if (unsaved === undefined) return line;
        const now = this.editedLines(file, savedLines(), unsaved)[line - 1] ?? NONE;
        return now === NONE ? undefined : now + 1;
      },
    };
  }

  /** Whether a file was another text for one data set than one was for another, as far as is known. */
  differ(one: DataSet, file: string, other: DataSet, otherFile: string): boolean {
    return this.baselines.differ([this.keyOf(one), realPath(file)], [this.keyOf(other), realPath(otherFile)]);
  }

  /** What identifies a recording, across restarts. */
  private keyOf(dataSet: DataSet): string {
    // Short, however many files there are: it is a part of each source file's key.
    return entryOf(this.keys, dataSet, () => hashOf(JSON.stringify([dataSet.files, dataSet.recordedAt ?? 0])));
  }

  /** For each saved line its line in the editor's text, 0-based. */
  private editedLines(file: string, saved: string, text: string): Int32Array {
    const known = this.edits.get(file);
    if (known?.saved === saved && known.text === text) return known.lines;
    const lines = matchLines(lineHashes(saved), lineHashes(text));
    this.edits.set(file, { saved, text, lines });
    return lines;
  }
}

function currentLink(link: SourceLink, linesOf: (file: string) => DocumentLines): SourceLink {
  if (link.places.length === 0) return link;
  const places = link.places.flatMap(({ file, line }) => {
    const now = linesOf(file).lineOf(link, line);
    return now === undefined ? [] : [{ file, line: now }];
  });
  if (places.length > 0) return { ...link, places };
  const lost = link.places.map(({ file, line }) => `${file}:${line}`).join(", ");
  const reason = `The line is gone from the source: it was ${lost} when the recording was first opened here. ${link.reason}`;
  return { ...link, places: [], rule: "unknown", reason };
}

/** The path without links, as the file is known by; as it is where there is no such file (any more). */
export function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/** Files that a recording names lines of, as it names them. */
export function* filesWithLines({ frames }: DataSet): Iterable<string> {
  const seen = new Set<number>();
  for (let frame = 0; frame < frames.size; frame++) {
    const file = frames.file[frame];
    if (frames.line[frame] <= 0 || file === NONE || seen.has(file)) continue;
    seen.add(file);
    yield frames.strings.get(file);
  }
}

async function savedText(file: string): Promise<SavedText | undefined> {
  const { size, mtimeMs } = await fs.promises.stat(file);
  return size > MOST_BYTES ? undefined : { text: await fs.promises.readFile(file, "utf8"), modifiedAt: mtimeMs };
}

function readText(file: string): string | undefined {
  try {
    return fs.statSync(file).size > MOST_BYTES ? undefined : fs.readFileSync(file, "utf8");
  } catch {
    return undefined; // gone: nothing to compare with
  }
}
