import { DwarfBytes } from "./dwarfBytes";
import { type ElfSection, contentOf, piecesOf, readSections } from "./elfSections";

/** Where code stands in the source. */
export interface SourceLine {
  /** As the compiler wrote it, below the folder that it was started in. */
  readonly file: string;
  readonly line: number;
}

/** Longer sections take longer to read than one wants to wait for. */
const MOST_SECTION_BYTES = 512 << 20;
/** Tables, one per compiled file, are read as a whole; and so are sections of texts. */
const MOST_TABLE_BYTES = 64 << 20;
const MOST_TEXT_BYTES = 64 << 20;
/** A table has at least the numbers of its header; millions of shorter ones are made of a few bytes that were compressed. */
const FEWEST_TABLE_BYTES = 14;
/** The longest way in which a table says its length. */
const LENGTH_BYTES = 12;
const LONG = 0xffffffff;
const VERSION = 5;

/**
 * Lines of a program or library at addresses, by its line tables of DWARF 5 (section 6.2). Tables of earlier versions don't say in which
 * folder the compiler was started, and what can't be read says nothing: such addresses have no line here.
 *
 * @param addresses as debug information has them
 */
export async function readLines(
  file: string,
  addresses: readonly bigint[],
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, SourceLine>> {
  const found = new Map<bigint, SourceLine>();
  const sections = await readSections(file);
  const tables = sections.get(".debug_line");
  if (tables === undefined || tables.bytes > MOST_SECTION_BYTES) return found;
  const wanted = new WantedAddresses(addresses);
  const texts = new Texts(sections);
  try {
    for await (const { bytes, wordBytes } of tablesOf(tables)) {
      if (signal.aborted || wanted.left === 0) break;
      const table = readHeader(bytes, wordBytes);
      if (table === undefined) continue;
      const rows: Row[] = [];
      runProgram(table, (row, end) => wanted.take(row.address, end, (address) => rows.push({ ...row, address })));
      if (rows.length === 0) continue;
      const paths = await pathsOf(table, new Set(rows.map((row) => row.file)), texts);
      for (const { address, file: number, line } of rows) {
        const path = paths.get(number);
        // Line 0: the compiler's own code, of no line.
        if (path !== undefined && line > 0) found.set(BigInt(address), { file: path, line });
      }
    }
  } catch {
    // What was read before the damage is as good as without it.
  }
  return found;
}

/** Addresses of which the lines are wanted, each until it is found: a damaged program would find them again and again. */
class WantedAddresses {
  private readonly sorted: Float64Array;
  /** By place in `sorted`: the next one, this one or a later one, that may still be wanted. */
  private readonly next: Int32Array;
  /** None is wanted from the one address up to the other: most rows are there. */
  private gap = { from: Infinity, end: -Infinity };
  left: number;

  constructor(addresses: readonly bigint[]) {
    this.sorted = Float64Array.from(addresses, Number)
      .filter((address) => Number.isSafeInteger(address))
      .sort();
    this.left = this.sorted.length;
    this.next = Int32Array.from({ length: this.sorted.length + 1 }, (_, at) => at);
  }

  /** Gives, and no longer wants, those from an address up to another. */
  take(from: number, end: number, give: (address: number) => void): void {
    if (from >= this.gap.from && end <= this.gap.end) return;
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle] < from) low = middle + 1;
      else high = middle;
    }
    let at = this.stillWanted(low);
    for (; at < this.sorted.length && this.sorted[at] < end; at = this.stillWanted(at)) {
      give(this.sorted[at]);
      this.next[at] = at + 1;
      this.left--;
    }
    this.gap = { from, end: at < this.sorted.length ? this.sorted[at] : Infinity };
  }

  private stillWanted(at: number): number {
    while (this.next[at] !== at) at = this.next[at] = this.next[this.next[at]];
    return at;
  }
}

/** Sections of texts, read when the first of their texts is asked for. */
class Texts {
  private readonly contents = new Map<string, Promise<Buffer | undefined>>();

  constructor(private readonly sections: ReadonlyMap<string, ElfSection>) {}

  /** @returns an empty text where there is none */
  async at(name: string, offset: number): Promise<string> {
    const section = this.sections.get(name);
    let content = this.contents.get(name);
    if (content === undefined) {
      content = section === undefined ? Promise.resolve(undefined) : contentOf(section, MOST_TEXT_BYTES);
      this.contents.set(name, content);
    }
    const bytes = await content;
    return bytes === undefined || offset >= bytes.length ? "" : new DwarfBytes(bytes, offset).text();
  }
}

/** Tables without their lengths, of which numbers that are offsets have 4 or 8 bytes. */
async function* tablesOf(section: ElfSection): AsyncGenerator<{ bytes: DwarfBytes; wordBytes: number }> {
  let pieces: Buffer[] = [];
  let [bytes, needed, read] = [0, LENGTH_BYTES, 0];
  for await (const piece of piecesOf(section)) {
    pieces.push(piece);
    bytes += piece.length;
    read += piece.length;
    if (needed > MOST_TABLE_BYTES || read > MOST_SECTION_BYTES) return;
    if (bytes < needed) continue;
    const all = Buffer.concat(pieces);
    let at = 0;
    for (needed = LENGTH_BYTES; at + needed <= all.length; needed = LENGTH_BYTES) {
      const length = new DwarfBytes(all, at);
      const short = length.number(4);
      const isLong = short === LONG;
      const head = isLong ? LENGTH_BYTES : 4;
      needed = head + (isLong ? length.number(8) : short);
      if (needed < head + FEWEST_TABLE_BYTES) return;
      if (at + needed > all.length) break;
      yield { bytes: new DwarfBytes(all, at + head, at + needed), wordBytes: isLong ? 8 : 4 };
      at += needed;
    }
    pieces = [all.subarray(at)];
    bytes = all.length - at;
  }
}

/** A table: what its program needs, the program, and lists of folders and files. */
interface LineTable {
  readonly stepBytes: number;
  readonly lineBase: number;
  readonly lineRange: number;
  /** How many numbers follow each standard instruction; the first special one is behind them. */
  readonly operands: readonly number[];
  readonly lists: DwarfBytes;
  readonly wordBytes: number;
  readonly program: DwarfBytes;
}

function readHeader(table: DwarfBytes, wordBytes: number): LineTable | undefined {
  if (table.number(2) !== VERSION) return undefined;
  // Sizes of an address, which is what its instruction has, and of a segment's number.
  table.skip(2);
  const lists = table.part(table.number(wordBytes));
  const stepBytes = lists.byte();
  // Several operations in an instruction are of processors that none of these is; whether a row begins a statement is not asked.
  lists.skip(2);
  const lineBase = lists.signedByte();
  const lineRange = lists.byte();
  const first = lists.byte();
  const operands = [0, ...Array.from({ length: Math.max(0, first - 1) }, () => lists.byte())];
  const isGood = table.isGood && lists.isGood && lineRange > 0 && first > 0;
  return isGood ? { stepBytes, lineBase, lineRange, operands, lists, wordBytes, program: table } : undefined;
}

/** A row of the matrix that a program makes, from its address to the next row's. */
interface Row {
  address: number;
  file: number;
  line: number;
}

const [EXTENDED, COPY, ADVANCE_ADDRESS, ADVANCE_LINE, SET_FILE] = [0, 1, 2, 3, 4];
const [ADD_CONSTANT, ADVANCE_FIXED] = [8, 9];
const [END_SEQUENCE, SET_ADDRESS] = [1, 2];

/** Runs a line number program (DWARF 5, section 6.2.5). @param take called with each row and the address where it ends */
function runProgram(table: LineTable, take: (row: Readonly<Row>, end: number) => void): void {
  const { program, operands, stepBytes, lineBase, lineRange } = table;
  const first = operands.length;
  const row: Row = { address: 0, file: 1, line: 1 };
  const before: Row = { ...row };
  let [isWithin, isKept] = [false, true];
  const add = () => {
    // A sequence at 0 is of code that the linker left out.
    if (!isWithin) isKept = row.address > 0;
    else if (isKept && row.address > before.address) take(before, row.address);
    before.address = row.address;
    before.file = row.file;
    before.line = row.line;
    isWithin = true;
  };
  while (!program.isAtEnd) {
    const code = program.byte();
    if (code >= first) {
      row.address += Math.floor((code - first) / lineRange) * stepBytes;
      row.line += lineBase + ((code - first) % lineRange);
      add();
    } else if (code === COPY) add();
    else if (code === ADVANCE_ADDRESS) row.address += program.unsigned() * stepBytes;
    else if (code === ADVANCE_LINE) row.line += program.signed();
    else if (code === SET_FILE) row.file = program.unsigned();
    else if (code === ADD_CONSTANT) row.address += Math.floor((255 - first) / lineRange) * stepBytes;
    else if (code === ADVANCE_FIXED) row.address += program.number(2);
    else if (code === EXTENDED) {
      const bytes = program.unsigned();
      const extended = program.part(bytes);
      const what = extended.byte();
      if (what === SET_ADDRESS) row.address = extended.number(Math.min(bytes - 1, 8));
      else if (what === END_SEQUENCE) {
        add();
        isWithin = false;
        Object.assign(row, { address: 0, file: 1, line: 1 });
      }
    } else for (let left = operands[code]; left > 0; left--) program.unsigned();
  }
}

/** A folder, or a file and the number of its folder; where its name is. */
interface Entry {
  readonly name: { readonly section: string; readonly offset: number } | string;
  readonly folder: number;
}

/** Paths of files by their numbers, of those that the table has. */
async function pathsOf({ lists, wordBytes }: LineTable, numbers: Iterable<number>, texts: Texts) {
  const folders = entriesIn(lists, wordBytes);
  const files = entriesIn(lists, wordBytes);
  const paths = new Map<number, string>();
  const nameOf = async (entry: Entry | undefined): Promise<string> => {
    const name = entry?.name ?? "";
    return typeof name === "string" ? name : texts.at(name.section, name.offset);
  };
  for (const number of lists.isGood ? numbers : []) {
    const file = files[number] as Entry | undefined;
    let path = await nameOf(file);
    // Folders are below the first one, where the compiler was started.
    for (const folder of [file?.folder ?? 0, 0]) {
      if (path === "" || path.startsWith("/")) continue;
      const above = await nameOf(folders[folder]);
      path = above === "" ? "" : `${above}/${path}`;
    }
    if (path !== "") paths.set(number, path);
  }
  return paths;
}

const [PATH, FOLDER] = [1, 2];
/** Numbers by their form, and their bytes. */
const NUMBER_BYTES: Readonly<Record<number, number>> = { 0x0b: 1, 0x05: 2, 0x06: 4, 0x07: 8 };
const [UNSIGNED, BLOCK, SIXTEEN_BYTES, IN_PLACE] = [0x0f, 0x09, 0x1e, 0x08];
const TEXT_SECTIONS: Readonly<Record<number, string>> = { 0x0e: ".debug_str", 0x1f: ".debug_line_str" };

/** A list: first what is said of each entry, and in which form, then each. */
function entriesIn(lists: DwarfBytes, wordBytes: number): Entry[] {
  const format = Array.from({ length: lists.byte() }, () => [lists.unsigned(), lists.unsigned()] as const);
  const entries: Entry[] = [];
  // Each takes bytes of the table, or ends it: there are no more than it has.
  for (let left = format.length === 0 ? 0 : lists.unsigned(); left > 0 && lists.isGood; left--) {
    let [name, folder]: [Entry["name"], number] = ["", 0];
    for (const [content, form] of format) {
      const value = valueOf(lists, form, wordBytes);
      if (content === PATH && typeof value !== "number") name = value;
      else if (content === FOLDER && typeof value === "number") folder = value;
    }
    entries.push({ name, folder });
  }
  return entries;
}

/** A value of an entry; what is neither number nor text, such as a checksum, is passed over. */
function valueOf(lists: DwarfBytes, form: number, wordBytes: number): Entry["name"] | number {
  if (form in NUMBER_BYTES) return lists.number(NUMBER_BYTES[form]);
  if (form in TEXT_SECTIONS) return { section: TEXT_SECTIONS[form], offset: lists.number(wordBytes) };
  if (form === UNSIGNED) return lists.unsigned();
  if (form === IN_PLACE) return lists.text();
  // Of an unknown form nobody knows where it ends.
  lists.skip(form === SIXTEEN_BYTES ? 16 : form === BLOCK ? lists.unsigned() : Infinity);
  return 0;
}
