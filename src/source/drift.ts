import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { lineHashes, matchLines } from "./lineDiff";

/** Where the lines of a recording are in a text that was edited since (semantics 4, Edits). Lines are 1-based. */
export interface LineMap {
  /** The line now; undefined when it is gone. */
  toCurrent(recorded: number): number | undefined;
  /** The line then; undefined when it is new. */
  toRecorded(current: number): number | undefined;
  /** The file was already newer than the recording when the recording was first opened here: lines may be off from the start. */
  readonly newerThanRecording: boolean;
  /** Nothing moved and nothing is gone. */
  readonly unchanged: boolean;
}

/** Longer files keep no baseline: their lines are taken as they are. */
const MOST_LINES = 400_000;
/** All baselines together, in bytes; beyond it the oldest go, a tenth at a time. */
const MOST_BYTES = 64 << 20;
/** Lines of baselines that are kept in memory: 16 MB. */
const MOST_LOADED_LINES = 4_000_000;
const MAGIC = 0x48464231; // "HFB1"
const HEADER = 4; // magic, flags, number of lines, checksum

interface Baseline {
  readonly hashes: Int32Array;
  readonly newer: boolean;
}

/** A file as it is on disk, without unsaved edits. */
export interface SavedText {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt?: number;
}

/**
 * Baselines: each source file as it was when a recording was first opened here, as a hash per line. Kept in the extension's storage,
 * one small file for each recording and source file; a damaged one counts as none.
 */
export class Baselines {
  /** In the order of last use. */
  private readonly loaded = new Map<string, Baseline>();
  private loadedLines = 0;
  private readonly maps = new Map<string, { readonly text: string; readonly map: LineMap }>();
  private readonly remembered = new Map<string, Promise<void>>();
  private last = Promise.resolve();
  /** Bytes of all baselines, once they were counted. */
  private bytes: number | undefined;

  /**
   * @param storage folder for the baselines; undefined: nothing is kept, every text counts as unchanged
   * @param mostBytes of all baselines together
   */
  constructor(
    private readonly storage: string | undefined,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /**
   * Remembers a file as it is now, unless it was remembered before. One file is remembered at a time, and nothing waits for the disk.
   *
   * @param recording what identifies the recording, across restarts
   * @param read reads the file; called only where it has no baseline
   * @param recordedAt when the recording was made, milliseconds since the epoch
   */
  remember(
    recording: string,
    file: string,
    read: () => Promise<SavedText | undefined>,
    recordedAt?: number,
  ): Promise<void> {
    const { storage } = this;
    if (storage === undefined) return Promise.resolve();
    const key = keyOf(recording, file);
    const known = this.remembered.get(key);
    if (known) return known;
    this.last = this.last.then(() => this.take(key, fileOf(key, storage), read, recordedAt));
    this.remembered.set(key, this.last);
    return this.last;
  }

  /** Where the recorded lines are in this text. A file that was never remembered counts as unchanged. */
  mapLines(recording: string, file: string, text: string): LineMap {
    const key = keyOf(recording, file);
    const known = this.maps.get(key);
    if (known?.text === text) return known.map;
    const baseline = this.baseline(key);
    const map = baseline === undefined ? sameLines : lineMap(baseline, lineHashes(text));
    this.maps.set(key, { text, map });
    if (this.maps.size > 64) this.maps.delete(this.maps.keys().next().value ?? "");
    return map;
  }

  /** Whether a file is known to have been another text for one recording than one was for another. Each is a recording and its file. */
  differ(one: readonly [recording: string, file: string], other: readonly [recording: string, file: string]): boolean {
    const [first, second] = [
      this.baseline(keyOf(one[0], one[1]))?.hashes,
      this.baseline(keyOf(other[0], other[1]))?.hashes,
    ];
    if (!first || !second) return false;
    return first.length !== second.length || first.some((hash, line) => hash !== second[line]);
  }

  private async take(
    key: string,
    stored: string,
    read: () => Promise<SavedText | undefined>,
    recordedAt: number | undefined,
  ): Promise<void> {
    if (this.loaded.has(key)) return;
    const bytes = await fs.promises.readFile(stored).catch(() => undefined);
    if (bytes && decode(bytes)) return;
    const saved = await read().catch(() => undefined);
    const hashes = saved && lineHashes(saved.text);
    if (!hashes || hashes.length > MOST_LINES) return;
    const { modifiedAt } = saved;
    const newer = modifiedAt !== undefined && recordedAt !== undefined && modifiedAt > recordedAt;
    this.load(key, { hashes, newer });
    // A full or read-only storage costs the memory across restarts, nothing else.
    await this.write(stored, encode({ hashes, newer })).catch(() => undefined);
  }

  private baseline(key: string): Baseline | undefined {
    if (this.storage === undefined) return undefined;
    const known = this.loaded.get(key) ?? readBaseline(fileOf(key, this.storage));
    if (known) this.load(key, known);
    return known;
  }

  private load(key: string, baseline: Baseline): void {
    this.unload(key);
    this.loaded.set(key, baseline);
    this.loadedLines += baseline.hashes.length;
    for (const oldest of this.loaded.keys()) {
      if (this.loadedLines <= MOST_LOADED_LINES || oldest === key) return;
      this.unload(oldest);
    }
  }

  private unload(key: string): void {
    this.loadedLines -= this.loaded.get(key)?.hashes.length ?? 0;
    this.loaded.delete(key);
  }

  private async write(file: string, bytes: Uint8Array): Promise<void> {
    const folder = path.dirname(file);
    await fs.promises.mkdir(folder, { recursive: true });
    // Written beside and renamed, so that another window never reads half of it.
    const beside = `${file}.${process.pid}.tmp`;
    await fs.promises.writeFile(beside, bytes);
    await fs.promises.rename(beside, file);
    // Another window's are counted when the folder is listed next.
    this.bytes = this.bytes === undefined ? bytesOf(await listed(folder)) : this.bytes + bytes.length;
    if (this.bytes > this.mostBytes) this.bytes = await prune(folder, 0.9 * this.mostBytes);
  }
}

interface StoredFile {
  readonly file: string;
  readonly size: number;
  readonly writtenAt: number;
}

async function listed(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await fs.promises.readdir(folder)) {
    const file = path.join(folder, name);
    const stat = await fs.promises.stat(file).catch(() => undefined);
    if (stat?.isFile()) files.push({ file, size: stat.size, writtenAt: stat.mtimeMs });
  }
  return files;
}

function bytesOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Removes the oldest files until so many bytes are left. @returns the bytes that are left */
async function prune(folder: string, most: number): Promise<number> {
  const files = await listed(folder);
  let bytes = bytesOf(files);
  for (const { file, size } of files.sort((a, b) => a.writtenAt - b.writtenAt)) {
    if (bytes <= most) break;
    await fs.promises.rm(file, { force: true });
    bytes -= size;
  }
  return bytes;
}

function fileOf(key: string, storage: string): string {
  return path.join(storage, "baselines", key);
}

const sameLines: LineMap = {
  toCurrent: (line) => line,
  toRecorded: (line) => line,
  newerThanRecording: false,
  unchanged: true,
};

function lineMap({ hashes, newer }: Baseline, current: Int32Array): LineMap {
  const toCurrent = matchLines(hashes, current);
  const toRecorded = new Int32Array(current.length).fill(-1);
  toCurrent.forEach((line, recorded) => {
    if (line >= 0) toRecorded[line] = recorded;
  });
  const lookUp = (lines: Int32Array, line: number) => {
    const other = lines[line - 1] ?? -1;
    return other < 0 ? undefined : other + 1;
  };
  return {
    toCurrent: (line) => lookUp(toCurrent, line),
    toRecorded: (line) => lookUp(toRecorded, line),
    newerThanRecording: newer,
    unchanged: hashes.length === current.length && toCurrent.every((line, recorded) => line === recorded),
  };
}

function keyOf(recording: string, file: string): string {
  return createHash("sha1")
    .update(JSON.stringify([recording, file]))
    .digest("hex");
}

function encode({ hashes, newer }: Baseline): Uint8Array {
  const words = new Int32Array(HEADER + hashes.length);
  words.set([MAGIC, newer ? 1 : 0, hashes.length, checksum({ hashes, newer })]);
  words.set(hashes, HEADER);
  return new Uint8Array(words.buffer);
}

function readBaseline(file: string): Baseline | undefined {
  try {
    return decode(fs.readFileSync(file));
  } catch {
    return undefined; // never remembered, or not readable: as good as none
  }
}

function decode(bytes: Buffer): Baseline | undefined {
  if (bytes.length < HEADER * 4 || bytes.length % 4 !== 0 || bytes.length > (HEADER + MOST_LINES) * 4) return undefined;
  const words = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const hashes = words.subarray(HEADER);
  const baseline = { hashes, newer: words[1] === 1 };
  const isWhole = words[0] === MAGIC && words[1] >> 1 === 0 && words[2] === hashes.length;
  return isWhole && words[3] === checksum(baseline) ? baseline : undefined;
}

function checksum({ hashes, newer }: Baseline): number {
  let sum = 2 * hashes.length + (newer ? 1 : 0);
  for (const hash of hashes) sum = (Math.imul(sum, 31) + hash) | 0;
  return sum;
}
