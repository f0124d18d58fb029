import type { PieceWindow } from "../byteSource";
import type { JsonTokens } from "../jsonTokens";
import { scanned, scanNumber } from "../numberScan";
import { numberOf } from "./fields";

/** Rows a chunk: what was used is let go of chunk by chunk. */
const CHUNK_ROWS = 1 << 14;

interface Chunk {
  readonly cells: Float64Array;
  readonly filled: Uint8Array;
}

const OPEN = 91;
const CLOSE = 93;
const COMMA = 44;

/** The rows of a json-split file: numbers, and which cells are empty. Kept until the columns are known, then read once. */
export class JsonRows {
  /** Values a row. */
  width = 0;
  count = 0;
  private chunks: (Chunk | undefined)[] = [];
  /** Of the row that is being read. */
  private cells = new Float64Array(16);
  private filled = new Uint8Array(16);
  private used = 0;

  /** The value of a cell; undefined where it is empty. */
  cell(row: number, column: number): number | undefined {
    const chunk = this.chunks[Math.floor(row / CHUNK_ROWS)];
    const at = (row % CHUNK_ROWS) * this.width + column;
    return chunk?.filled[at] === 1 ? chunk.cells[at] : undefined;
  }

  /** Lets go of the rows before this one: they are not asked for again. */
  release(row: number): void {
    if (row % CHUNK_ROWS === 0 && row > 0) this.chunks[row / CHUNK_ROWS - 1] = undefined;
  }

  async read(tokens: JsonTokens, window: PieceWindow): Promise<void> {
    await tokens.expect("[", "an array of rows");
    for (;;) {
      this.readSimpleRows(window);
      // What the quick way does not take: the array's end, a row that the window cuts, words and text among the cells.
      const token = await tokens.next();
      if (token === ",") continue;
      if (token === "]") return;
      if (token !== "[") throw tokens.unexpected(token, "a row");
      await this.readRow(tokens);
    }
  }

  private async readRow(tokens: JsonTokens): Promise<void> {
    for (;;) {
      // Waiting costs more than a token: only where the window is empty.
      const token = tokens.scan() ?? (await tokens.next());
      if (token === ",") continue;
      if (token === "]") break;
      if (token === "number") this.push(tokens.number);
      else if (token === "null" || token === "boolean") this.push(undefined);
      else if (token === "string" || token === "bare") this.push(numberOf(tokens.text));
      else throw tokens.unexpected(token, "a value");
    }
    if (this.count > 0 && this.used !== this.width)
      throw tokens.unexpected("]", `${this.width} values a row, as in the first one`);
    this.endRow();
  }

  /** Rows of plain numbers and nulls that are in the window as a whole, byte by byte. */
  private readSimpleRows(window: PieceWindow): void {
    const { bytes, end } = window;
    for (;;) {
      let at = skipBlanks(bytes, window.start, end);
      if (at < end && bytes[at] === COMMA) at = skipBlanks(bytes, at + 1, end);
      if (at >= end || bytes[at] !== OPEN) return;
      at = this.simpleRow(bytes, at + 1, end);
      if (at < 0) {
        this.used = 0;
        return;
      }
      this.endRow();
      window.start = at;
    }
  }

  /** @returns where the row ends; -1 where it is not simple, not whole, or of another width */
  private simpleRow(bytes: Uint8Array, start: number, end: number): number {
    let at = skipBlanks(bytes, start, end);
    while (at < end) {
      const byte = bytes[at];
      if (byte === CLOSE) return this.count === 0 || this.used === this.width ? at + 1 : -1;
      if (byte === COMMA) at++;
      else if (byte === 110) {
        if (end - at < 5 || bytes[at + 1] !== 117 || bytes[at + 2] !== 108 || bytes[at + 3] !== 108) return -1;
        const follow = bytes[at + 4];
        if (follow !== COMMA && follow !== CLOSE && follow !== 32) return -1;
        this.push(undefined);
        at += 4;
      } else {
        at = scanNumber(bytes, at, end);
        if (at < 0) return -1;
        this.push(scanned.value);
      }
      at = skipBlanks(bytes, at, end);
    }
    return -1;
  }

  private endRow(): void {
    if (this.count === 0) this.width = this.used;
    const row = this.count++ % CHUNK_ROWS;
    if (row === 0) {
      const cells = CHUNK_ROWS * this.width;
      this.chunks.push({ cells: new Float64Array(cells), filled: new Uint8Array(cells) });
    }
    const chunk = this.chunks[this.chunks.length - 1];
    for (let at = 0, to = row * this.width; chunk && at < this.width; at++, to++) {
      chunk.cells[to] = this.cells[at];
      chunk.filled[to] = this.filled[at];
    }
    this.used = 0;
  }

  private push(value: number | undefined): void {
    if (this.used === this.cells.length) {
      const cells = new Float64Array(this.used * 2);
      const filled = new Uint8Array(this.used * 2);
      cells.set(this.cells);
      filled.set(this.filled);
      this.cells = cells;
      this.filled = filled;
    }
    this.filled[this.used] = value === undefined ? 0 : 1;
    this.cells[this.used++] = value ?? 0;
  }
}

function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] === 32 || (bytes[at] >= 9 && bytes[at] <= 13))) at++;
  return at;
}
