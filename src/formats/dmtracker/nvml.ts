import type { Warning } from "../../model/dataSet";
import type { FormatError } from "../../model/errors";
import { damagedFile } from "../../model/errors";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { headText } from "../cursor";
import { wholeLines } from "../lines";
import { DECIMAL } from "../numberScan";
import type { TraceBuilder } from "../trace/traceBuilder";

const NEWLINE = 10;
const COMMA = 44;
/** A row has some dozens of numbers. */
const MOST_LINE_BYTES = 64 << 10;
const MOST_COLUMNS = 256;
const HEADER = /^\s*timestamp\s*,/;
const KNOWN = /temperature_gpu|power_draw|utilization_(?:gpu|memory)|memory_used|clocks_current/;

/** Whether these are the first bytes of a table of what NVML said of a GPU, row by row. */
export function isNvml(head: Uint8Array): boolean {
  const text = headText(head, 4096);
  return HEADER.test(text) && KNOWN.test(text.split("\n", 1)[0]);
}

/** What a column measures. */
interface Column {
  readonly name: string;
  readonly unit: string;
  /** Recorded values times this are in the unit. */
  readonly factor: number;
}

const ENDINGS: readonly (readonly [RegExp, Omit<Column, "name">])[] = [
  [/_w$/, { unit: "W", factor: 1 }],
  [/_mhz$/, { unit: "Hz", factor: 1e6 }],
  // Written by NVML's own count of bytes over 1e6, whatever the column is called.
  [/_mib$/, { unit: "B", factor: 1e6 }],
];

function columnOf(header: string): Column {
  for (const [ending, unit] of ENDINGS) if (ending.test(header)) return { name: header.replace(ending, ""), ...unit };
  if (header.startsWith("temperature")) return { name: header, unit: "°C", factor: 1 };
  if (header.startsWith("utilization")) return { name: header, unit: "%", factor: 1 };
  return { name: header, unit: "1", factor: 1 };
}

/** A whole number of nanoseconds as seconds and the rest: the number itself is beyond what a double holds. */
interface Moment {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Where and when the counters of a table belong. */
export interface NvmlPlace {
  /** The resource, once the first row gives how much memory the device has. */
  resource(memoryBytes: number | undefined): number;
  /** Second 0; by default the first row. */
  readonly zeroNanoseconds?: bigint;
}

export interface NvmlTable {
  readonly rows: number;
  readonly zeroNanoseconds: bigint | undefined;
  readonly warnings: readonly Warning[];
}

/** Reads a table: each column but the first becomes a counter. @throws FormatError, CancelledError */
export async function readNvml(
  source: ByteSource,
  sink: TraceBuilder,
  place: NvmlPlace,
  task: Task,
): Promise<NvmlTable> {
  const table = new TableReader(source.name, sink, place);
  const window = new PieceWindow(source, task);
  const tooLong = () => table.problem("a line without end", "a row of numbers");
  try {
    for await (const end of wholeLines(window, MOST_LINE_BYTES, tooLong)) {
      for (let at = window.start; at < end;) {
        const newline = window.bytes.indexOf(NEWLINE, at);
        table.line(window.bytes, at, newline);
        at = newline + 1;
      }
      await sink.settle(task);
    }
    if (window.end > window.start) table.cut();
  } finally {
    await window.settle();
  }
  return table.result();
}

class TableReader {
  rows = 0;
  private lines = 0;
  private columns: readonly Column[] | undefined;
  private counters: readonly number[] | undefined;
  private zero: Moment | undefined;
  private readonly values: Float64Array = new Float64Array(MOST_COLUMNS);
  /** By column: cells that are no numbers, such as `N/A` of what a device cannot tell. */
  private readonly missing = new Float64Array(MOST_COLUMNS);
  private firstMissing = 0;
  private readonly warnings: Warning[] = [];
  private bad = 0;
  private firstBad = 0;

  constructor(
    private readonly file: string,
    private readonly sink: TraceBuilder,
    private readonly place: NvmlPlace,
  ) {
    if (place.zeroNanoseconds !== undefined)
      this.zero = {
        seconds: Number(place.zeroNanoseconds / 1_000_000_000n),
        nanoseconds: Number(place.zeroNanoseconds % 1_000_000_000n),
      };
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    this.lines++;
    const to = end > start && bytes[end - 1] === 13 ? end - 1 : end;
    if (to === start) return;
    if (this.columns === undefined) this.header(textOf(bytes, start, to));
    else if (!this.row(bytes, start, to) && this.bad++ === 0) this.firstBad = this.lines;
  }

  /** What stands behind the last line end: a row that may have lost its last digits. */
  cut(): void {
    if (this.columns === undefined) throw this.problem("the end of the file inside the header", "its columns and rows");
    this.warnings.push({
      message: "the last row has no line end: it was left out, the file may have been cut short",
      file: this.file,
      at: { line: this.lines + 1 },
      isCut: true,
    });
  }

  result(): NvmlTable {
    const { warnings, rows, zero } = this;
    if (this.columns === undefined) throw this.problem("an empty table", "columns and rows");
    if (this.bad > 0)
      warnings.push({
        message: `${this.bad} rows have no time, or not ${this.columns.length + 1} columns: they were left out`,
        file: this.file,
        at: { line: this.firstBad },
      });
    const lacking = this.columns.flatMap(({ name }, column) =>
      this.missing[column] > 0 ? [`${name} in ${this.missing[column]} of ${rows} rows`] : [],
    );
    if (lacking.length > 0)
      warnings.push({
        message: `cells without a number were left out, the rest of their rows was read: ${lacking.join(", ")}`,
        file: this.file,
        at: { line: this.firstMissing },
      });
    const zeroNanoseconds = zero && BigInt(zero.seconds) * 1_000_000_000n + BigInt(zero.nanoseconds);
    return { rows, zeroNanoseconds, warnings };
  }

  problem(found: string, expected: string): FormatError {
    return damagedFile(this.file, { line: this.lines + 1 }, found, expected);
  }

  private header(text: string): void {
    const [first, ...names] = text.split(",").map((name) => name.trim());
    if (first !== "timestamp" || names.length === 0 || names.length >= MOST_COLUMNS)
      throw this.problem(`the header "${text.slice(0, 100)}"`, "timestamp, then the columns");
    this.columns = names.map(columnOf);
  }

  /** @returns false where it is no row */
  private row(bytes: Uint8Array, start: number, end: number): boolean {
    const { columns = [], values } = this;
    let at = start;
    let count = -1;
    let moment: Moment | undefined;
    while (at <= end) {
      const comma = bytes.subarray(0, end).indexOf(COMMA, at);
      const to = comma < 0 ? end : comma;
      if (count === -1) moment = momentOf(textOf(bytes, at, to).trim());
      else if (count < columns.length) values[count] = numberOf(textOf(bytes, at, to).trim());
      count++;
      at = to + 1;
    }
    if (moment === undefined || count !== columns.length) return false;
    this.add(moment, columns);
    return true;
  }

  private add(moment: Moment, columns: readonly Column[]): void {
    this.zero ??= moment;
    this.counters ??= this.declare(columns);
    const seconds = ((moment.seconds - this.zero.seconds) * 1e9 + (moment.nanoseconds - this.zero.nanoseconds)) / 1e9;
    columns.forEach(({ factor }, column) => {
      const value = this.values[column];
      if (!Number.isNaN(value)) return this.sink.point(this.counters?.[column] ?? 0, seconds, value * factor);
      this.missing[column]++;
      if (this.firstMissing === 0) this.firstMissing = this.lines;
    });
    this.rows++;
  }

  private declare(columns: readonly Column[]): number[] {
    const memory = columns.reduce(
      (sum, { name, factor }, column) =>
        /^memory_(?:used|free)$/.test(name) ? sum + this.values[column] * factor : sum,
      0,
    );
    // A first row that lacks one of them gives NaN: not known.
    const resource = this.place.resource(memory > 0 ? memory : undefined);
    return columns.map(({ name, unit }) => this.sink.counter(name, unit, resource));
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}

function momentOf(text: string): Moment | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  return { seconds: Number(text.slice(0, -9)), nanoseconds: Number(text.slice(-9)) };
}

/** A number; in hex where the driver writes a set of bits; NaN for anything else. */
function numberOf(text: string): number {
  return DECIMAL.test(text) || /^0x[0-9a-fA-F]+$/.test(text) ? Number(text) : Number.NaN;
}
