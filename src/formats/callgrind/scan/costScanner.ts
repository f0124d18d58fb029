import type { Warning } from "../../../model/dataSet";
import type { FormatError } from "../../../model/errors";
import { damagedFile } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { CostLine } from "./costLine";
import type { CostTable } from "../decode/costTable";
import { emptyHeader, headerLine, noteHeader, type PartHeader } from "./header";
import { Names, UNKNOWN_NAME } from "./names";
import { PartTotals } from "./totals";

const NEWLINE = 10;
/** More than any processor counts at once. Each is a column of its own, however few costs it has. */
const MOST_EVENTS = 128;
/** Parts whose totals are warned of one by one. */
const MOST_WARNINGS = 20;

/** Which location the costs of a part belong to. */
export type LocationOf = (header: PartHeader) => number;

export interface CostFile {
  readonly parts: readonly PartHeader[];
  readonly records: number;
  readonly warnings: readonly Warning[];
  readonly modifiedAt?: number;
}

/** What the next cost line is: of the function itself, of a call, or the source of a jump. */
const OWN = 0;
const CALL = 1;
const JUMP = 2;

/** Reads the lines of one file into a table. */
export class CostFileScanner {
  private readonly files: Names;
  private readonly functions: Names;
  private readonly modules: Names;
  private readonly costs: CostLine;
  private readonly totals = new PartTotals();
  private readonly parts: PartHeader[] = [];
  private readonly warnings: Warning[] = [];
  private header = emptyHeader();
  private inHeader = true;
  private eventOf = new Int32Array(0);
  private location = 0;
  private records = 0;
  private lineNumber = 0;
  private file: number = NONE;
  private module: number = NONE;
  private function: number = NONE;
  private place: number = NONE;
  private calledFile: number = NONE;
  private calledModule: number = NONE;
  private callee: number = NONE;
  private count = 0;
  private next = OWN;
  private unknownLines = 0;
  private alike = 0;

  constructor(
    private readonly name: string,
    private readonly table: CostTable,
    private readonly locationOf: LocationOf,
  ) {
    this.files = new Names(table.strings);
    this.functions = new Names(table.strings, true);
    this.modules = new Names(table.strings);
    this.costs = new CostLine(name);
  }

  /** Reads whole lines. */
  scan(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      this.lineNumber++;
      const byte = bytes[at];
      // A digit, or `*`, `+`, `-`.
      if ((byte >= 48 && byte <= 57) || byte === 42 || byte === 43 || byte === 45) {
        if (this.inHeader) this.beginBody();
        at = this.costs.read(bytes, at, this.lineNumber);
        this.cost();
      } else {
        const stop = bytes.indexOf(NEWLINE, at);
        this.textLine(bytes, at, stop);
        at = stop + 1;
      }
    }
  }

  finish(): Omit<CostFile, "modifiedAt"> {
    if (this.parts.length === 0 && this.header.events.length === 0)
      throw this.problem("no line that names the events", "a header with `events:`");
    if (this.next === CALL) this.warn("the file ends in the middle of a call: its end is missing", true);
    if (this.inHeader && this.parts.length > 0 && !this.totals.ended)
      this.warn("the file ends in the header of a further part: its costs are missing", true);
    if (this.records === 0) this.warn("the recording holds no costs: nothing was measured");
    this.closePart();
    if (this.alike > 0) this.warn(`what was said of totals holds for ${this.alike} further parts`);
    this.warnOfNames();
    if (this.unknownLines > 0)
      this.warn(`${this.unknownLines} lines are of a kind that is not known: they were left out`);
    return { parts: this.parts, records: this.records, warnings: this.warnings };
  }

  problem(found: string, expected: string): FormatError {
    return damagedFile(this.name, { line: this.lineNumber }, found, expected);
  }

  private cost(): void {
    const { costs, table } = this;
    if (this.next === JUMP) {
      this.next = OWN;
      return;
    }
    if (this.function === NONE) throw this.problem("a cost before any function", "`fn=` above it");
    if (this.place === NONE) this.place = table.place(this.function, this.file, this.location);
    this.records++;
    if (this.next === OWN) {
      table.addLine(this.place, costs.line, costs.costs, this.eventOf, costs.count);
      this.totals.add(costs.costs, costs.count);
      return;
    }
    const row = { place: this.place, line: costs.line, callee: this.callee };
    table.addCall(row, this.count, costs.costs, this.eventOf, costs.count);
    this.next = OWN;
    // What is said of a called function holds for one call.
    this.calledFile = this.calledModule = this.callee = NONE;
  }

  private textLine(bytes: Uint8Array, at: number, stop: number): void {
    const first = bytes[at];
    if (first === 35 || at === stop || (first === 13 && stop === at + 1)) return; // a comment, an empty line
    const second = bytes[at + 1];
    const third = bytes[at + 2];
    // `fn=`, `fl=`, `fi=`, `fe=`, `ob=`
    if (third === 61 && first === 102) {
      if (second === 110) return this.beginFunction(this.functions.read(bytes, at + 3, stop, this.lineNumber));
      if (second === 108 || second === 105 || second === 101) {
        this.file = this.files.read(bytes, at + 3, stop, this.lineNumber);
        this.place = NONE;
        return;
      }
    }
    if (third === 61 && first === 111 && second === 98) {
      this.module = this.modules.read(bytes, at + 3, stop, this.lineNumber);
      return;
    }
    if (bytes[at + 3] === 61 && first === 99) {
      if (second === 102 && third === 110) return this.call(this.functions.read(bytes, at + 4, stop, this.lineNumber));
      if (second === 102 && (third === 105 || third === 108)) {
        this.calledFile = this.files.read(bytes, at + 4, stop, this.lineNumber);
        return;
      }
      if (second === 111 && third === 98) {
        this.calledModule = this.modules.read(bytes, at + 4, stop, this.lineNumber);
        return;
      }
    }
    if (bytes[at + 5] === 61 && startsWith(bytes, at, "calls")) return this.beginCall(bytes, at + 6, stop);
    this.otherLine(bytes, at, stop);
  }

  private beginFunction(name: number): void {
    this.expectNoCall();
    this.function = this.table.functions.of(name, this.file, this.module);
    this.place = NONE;
    this.calledFile = this.calledModule = this.callee = NONE;
  }

  private call(name: number): void {
    this.expectNoCall();
    const file = this.calledFile === NONE ? this.file : this.calledFile;
    const module = this.calledModule === NONE ? this.module : this.calledModule;
    this.callee = this.table.functions.of(name, file, module);
  }

  private beginCall(bytes: Uint8Array, from: number, stop: number): void {
    if (this.callee === NONE) throw this.problem("a call of no function", "`cfn=` above `calls=`");
    this.expectNoCall();
    let at = from;
    let count = 0;
    for (; bytes[at] >= 48 && bytes[at] <= 57; at++) count = count * 10 + bytes[at] - 48;
    if (at === from || at > stop || bytes[at] > 32 || !Number.isFinite(count))
      throw this.problem("`calls=` without a number of calls", "`calls=` with the number and place of the calls");
    this.count = count;
    this.next = CALL;
  }

  /** The costs of the next function would be taken for those of the call. */
  private expectNoCall(): void {
    if (this.next === CALL) throw this.problem("a call without costs", "the costs of the call below `calls=`");
  }

  private otherLine(bytes: Uint8Array, at: number, stop: number): void {
    const here = Buffer.from(bytes.buffer, bytes.byteOffset + at, stop - at);
    if (startsWith(bytes, at, "jump=") || startsWith(bytes, at, "jcnd=")) {
      this.next = JUMP;
    } else if (startsWith(bytes, at, "jfi=")) {
      this.files.read(bytes, at + 4, stop, this.lineNumber);
    } else if (startsWith(bytes, at, "jfn=")) {
      this.functions.read(bytes, at + 4, stop, this.lineNumber);
    } else {
      const line = headerLine(here.toString("utf8").trim());
      if (line) this.headerLine(line.key, line.value);
      else this.unknownLine(here.toString("utf8").trim());
    }
  }

  private headerLine(key: string, value: string): void {
    if (key === "totals" || key === "summary") return this.totals.say(key, value);
    if (!this.inHeader) {
      this.closePart();
      const { creator, command, process, events, positions } = this.header;
      this.header = { ...emptyHeader(), creator, command, process, events, positions };
      this.inHeader = true;
    }
    noteHeader(this.header, key, value);
  }

  /** The first cost of a part: from here on its header is known. */
  private beginBody(): void {
    const { header, table } = this;
    if (header.events.length === 0) throw this.problem("a cost before the events are named", "a header with `events:`");
    this.inHeader = false;
    if (header.events.length > MOST_EVENTS)
      throw this.problem(`${header.events.length} events`, `at most ${MOST_EVENTS}`);
    const eventOf = header.events.map((name) => table.event(name));
    if (new Set(eventOf).size < eventOf.length || eventOf.includes(undefined))
      throw this.problem(`the events ${header.events.join(" ")}`, `those of the first part: ${table.events.join(" ")}`);
    this.eventOf = Int32Array.from(eventOf as number[]);
    // Xdebug writes sizes that shrink as negative numbers; everywhere else a sign means a difference.
    this.costs.begin(header.positions, eventOf.length, /^xdebug/i.test(header.creator));
    this.location = this.locationOf(header);
    this.totals.begin(eventOf.length);
    this.parts.push(header);
  }

  private closePart(): void {
    for (const warning of this.totals.close(this.header, this.name, this.lineNumber)) {
      const again = this.warnings.some(({ message }) => message === warning.message);
      if (again || this.warnings.length >= MOST_WARNINGS) this.alike++;
      else this.warnings.push(warning);
    }
    this.file = this.module = this.function = this.place = NONE;
    this.next = OWN;
  }

  private warnOfNames(): void {
    const unnamed = [this.files, this.functions, this.modules].flatMap((names) => [...names.unnamed]);
    if (unnamed.length === 0) return;
    const [id, line] = unnamed.reduce((first, one) => (one[1] < first[1] ? one : first));
    const what =
      unnamed.length === 1 ? `the abbreviation (${id}) is` : `${unnamed.length} abbreviations, such as (${id}), are`;
    const message = `${what} named by no line before: an unknown name (${UNKNOWN_NAME}) stands there, and the beginning of the file may be missing`;
    this.warnings.push({ message, file: this.name, at: { line } });
  }

  private unknownLine(text: string): void {
    if (text === "") return;
    if (!/^[a-z]{1,10}=/.test(text))
      throw this.problem(`"${text.slice(0, 200)}"`, "a header line, a name (`fn=`), a call or a cost");
    this.unknownLines++;
  }

  private warn(message: string, isCut = false): void {
    const cut = isCut ? { isCut: true as const } : {};
    this.warnings.push({ message, file: this.name, at: { line: this.lineNumber }, ...cut });
  }
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}
