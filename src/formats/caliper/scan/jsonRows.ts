import { widened } from "../../../model/columns";
import type { PieceWindow } from "../../byteSource";
import type { JsonTokens } from "../../jsonTokens";
import { scanned, scanNumber } from "../../numberScan";
import { numberOf } from "./fields";

/** Cells of a chunk, however wide the rows are: memory is freed chunk by chunk. */
const CHUNK_CELLS = 1 << 18;

interface Chunk {
  readonly cells: Float64Array;
  readonly filled: Uint8Array;
}

/** Some rows: cell (row, column) is at `row * width + column`. */
export interface RowPiece extends Chunk {
  readonly width: number;
  readonly rows: number;
}

const NOTHING: Chunk = { cells: new Float64Array(0), filled: new Uint8Array(0) };

const OPEN = 91;
const CLOSE = 93;
const COMMA = 44;

/** The rows of a json-split file: numbers, and which cells are empty. Kept until the columns are known, then read once. */
export class JsonRows {
  /** Values per row. */
  width = 0;
  count = 0;
  /** Rows of a chunk, once the first row gives the width. */
  private chunkRows = 0;
  private readonly chunks: Chunk[] = [];
  /** Of the row that is being read. */
  private cells = new Float64Array(16);
  private filled = new Uint8Array(16);
  private used = 0;

  /** Hands out the rows once, in order, piece by piece, and frees each piece after its use. */
  forEachPiece(each: (piece: RowPiece) => void): void {
    const { width, chunkRows } = this;
    for (let index = 0, first = 0; first < this.count; index++, first += chunkRows) {
      const { cells, filled } = this.chunks[index];
      each({ cells, filled, width, rows: Math.min(chunkRows, this.count - first) });
      this.chunks[index] = NOTHING;
    }
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
      throw tokens.unexpected("]", `${this.width} values per row, as in the first one`);
    this.endRow();
  }

  /** Rows of plain numbers and nulls that are in the window as a whole, byte by byte, once the first row gives the width. */
  private readSimpleRows(window: PieceWindow): void {
    const { bytes, end } = window;
    const { width } = this;
    if (width === 0) return;
    for (;;) {
      let at = skipBlanks(bytes, window.start, end);
      if (at < end && bytes[at] === COMMA) at = skipBlanks(bytes, at + 1, end);
      if (at >= end || bytes[at] !== OPEN) return;
      const { cells, filled } = this.room();
      const first = (this.count % this.chunkRows) * width;
      at = simpleRow(bytes, at + 1, end, cells, filled, first, first + width);
      if (at < 0) return;
      this.count++;
      window.start = at;
    }
  }

  /** The chunk that the next row goes to. */
  private room(): Chunk {
    if (this.count % this.chunkRows === 0 && this.count / this.chunkRows === this.chunks.length) {
      const cells = this.chunkRows * this.width;
      this.chunks.push({ cells: new Float64Array(cells), filled: new Uint8Array(cells) });
    }
    return this.chunks[this.chunks.length - 1];
  }

  private endRow(): void {
    if (this.count === 0) {
      this.width = this.used;
      this.chunkRows = Math.max(1, Math.floor(CHUNK_CELLS / Math.max(1, this.width)));
    }
    const chunk = this.room();
    const first = (this.count++ % this.chunkRows) * this.width;
    chunk.cells.set(this.cells.subarray(0, this.used), first);
    chunk.filled.set(this.filled.subarray(0, this.used), first);
    this.used = 0;
  }

  private push(value: number | undefined): void {
    if (this.used === this.cells.length) {
      this.cells = widened(this.cells);
      this.filled = widened(this.filled);
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

/**
 * One row of plain numbers and nulls.
 *
 * @param to where its cells go, up to `last`
 * @returns where the row ends; -1 where it is not simple, not whole, or of another width
 */
function simpleRow(
  bytes: Uint8Array,
  start: number,
  end: number,
  cells: Float64Array,
  filled: Uint8Array,
  first: number,
  last: number,
): number {
  let at = skipBlanks(bytes, start, end);
  let to = first;
  while (at < end) {
    const byte = bytes[at];
    if (byte === CLOSE) return to === last ? at + 1 : -1;
    if (byte === COMMA) at++;
    else if (to === last) return -1;
    else if (byte === 110) {
      if (end - at < 5 || bytes[at + 1] !== 117 || bytes[at + 2] !== 108 || bytes[at + 3] !== 108) return -1;
      const follow = bytes[at + 4];
      if (follow !== COMMA && follow !== CLOSE && follow !== 32) return -1;
      filled[to++] = 0;
      at += 4;
    } else {
      at = scanNumber(bytes, at, end);
      if (at < 0) return -1;
      cells[to] = scanned.value;
      filled[to++] = 1;
    }
    at = skipBlanks(bytes, at, end);
  }
  return -1;
}
