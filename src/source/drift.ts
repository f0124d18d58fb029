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
/** All baselines together, in bytes; the ones that were not used for longest go first. */
const MOST_BYTES = 64 << 20;
const MAGIC = 0x48464231; // "HFB1"
const HEADER = 4; // magic, flags, number of lines, checksum

interface Baseline {
  readonly hashes: Int32Array;
  readonly newer: boolean;
}

/**
 * Baselines: each source file as it was when a recording was first opened here, as a hash a line. Kept in the extension's storage,
 * one small file for each recording and source file; a damaged one counts as none.
 */
export class Baselines {
  private readonly loaded = new Map<string, Baseline>();
  private readonly maps = new Map<string, { readonly text: string; readonly map: LineMap }>();

  /** @param storage folder for the baselines; undefined: nothing is kept, every text counts as unchanged */
  constructor(private readonly storage: string | undefined) {}

  /**
   * Remembers a file as it is now, unless it was remembered before.
   *
   * @param recording what tells the recording from others, across restarts
   * @param saved the text on disk, without unsaved edits
   * @param modifiedAt when the file was written, milliseconds since the epoch
   * @param recordedAt when the recording was made
   */
  remember(recording: string, file: string, saved: string, modifiedAt?: number, recordedAt?: number): void {
    const key = keyOf(recording, file);
    if (this.storage === undefined || this.baseline(key) !== undefined) return;
    const hashes = lineHashes(saved);
    if (hashes.length > MOST_LINES) return;
    const newer = modifiedAt !== undefined && recordedAt !== undefined && modifiedAt > recordedAt;
    this.loaded.set(key, { hashes, newer });
    this.write(key, { hashes, newer });
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

  private baseline(key: string): Baseline | undefined {
    if (this.storage === undefined) return undefined;
    const known = this.loaded.get(key) ?? readBaseline(this.fileOf(key, this.storage));
    if (known !== undefined) this.loaded.set(key, known);
    return known;
  }

  private write(key: string, baseline: Baseline): void {
    if (this.storage === undefined) return;
    try {
      const file = this.fileOf(key, this.storage);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      // Written beside and renamed, so that another window never reads half of it.
      const beside = `${file}.${process.pid}.tmp`;
      fs.writeFileSync(beside, encode(baseline));
      fs.renameSync(beside, file);
      this.prune(path.dirname(file));
    } catch {
      // A full or read-only storage costs the memory across restarts, nothing else.
    }
  }

  private prune(folder: string): void {
    const files = fs.readdirSync(folder).flatMap((name) => {
      const file = path.join(folder, name);
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      return stat?.isFile() ? [{ file, size: stat.size, used: stat.mtimeMs }] : [];
    });
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= MOST_BYTES) return;
    for (const { file, size } of files.sort((a, b) => a.used - b.used)) {
      if (bytes <= MOST_BYTES) return;
      fs.rmSync(file, { force: true });
      bytes -= size;
    }
  }

  private fileOf(key: string, storage: string): string {
    return path.join(storage, "baselines", key);
  }
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
    const bytes = fs.readFileSync(file);
    if (bytes.length < HEADER * 4 || bytes.length % 4 !== 0 || bytes.length > (HEADER + MOST_LINES) * 4)
      return undefined;
    const words = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const hashes = words.subarray(HEADER);
    const baseline = { hashes, newer: words[1] === 1 };
    if (words[0] !== MAGIC || words[1] >> 1 !== 0 || words[2] !== hashes.length || words[3] !== checksum(baseline))
      return undefined;
    return baseline;
  } catch {
    return undefined; // never remembered, or not readable: as good as none
  }
}

function checksum({ hashes, newer }: Baseline): number {
  let sum = 2 * hashes.length + (newer ? 1 : 0);
  for (const hash of hashes) sum = (Math.imul(sum, 31) + hash) | 0;
  return sum;
}
