/**
 * The frame of a sample without a call chain. It is in the sample's own line, among further fields: the address of the data, its source
 * and its cost come before it (`perf mem`, `-F +addr`), branches, registers and instructions after it.
 */

/** Byte range of a frame in its line. */
export interface FieldFrame {
  readonly start: number;
  /** Undefined if only the beginning of a long line was examined. The frame then ends with the line. */
  readonly end: number | undefined;
  /** Whether a load module follows the name, which makes it certain that this is a frame. */
  readonly hasModule: boolean;
}

/** An address takes 16 columns after a blank. */
const ADDRESS_COLUMNS = 17;
/** The first address has one more blank, after the event's name. */
const FIRST_ADDRESS_COLUMNS = 18;
/** Costs take 16 columns, without a blank of their own. */
const FIELD_COLUMNS = 16;
const FIELD = / {1,60}[0-9a-f]{1,16}(?=\s|$)/g;
/** Kind of memory access, as `perf mem` decodes the number before it. */
const DATA_SOURCE = "|OP ";
/** Flags of a branch, with which each entry of a branch stack ends: predicted, in a transaction, aborted, cycles. */
const BRANCH = /\/[PMN?-]{1,2}\/[X?-]\/[A?-]\/\d{1,10}(?=[\s/]|$)/;
const FIELD_LINE = /^[ \t]{0,16}(?:insn: |ilen: |ABI:|IPC: |(?:\d{1,5}[KMGT]B?|N\/A)(?: \d{1,5}[KMGT]B?)?$)/;
const PHYSICAL_ADDRESS = /^ {1,15}[0-9a-f]{1,15}(?: \d{1,5}[KMGT]B?){0,2}$/;
/** Labels of registers, instructions and cycles, which are the last fields of a line. */
const MARKS = [" ABI:", " ilen: ", " insn: ", " IPC: "];
/** A physical address, and sizes of pages. */
const BEHIND_MODULE = /^ {0,16}[0-9a-f]{0,16}(?: {1,2}(?:\d{1,5}[KMGT]B?|N\/A)){0,2}$/;
const MAX_BEHIND_MODULE = 60;

/**
 * @param text of the line, one character per byte
 * @param from index after the event's name
 * @param isWhole whether the text goes to the end of the line
 * @returns undefined if there is no frame
 */
export function frameBehind(text: string, from: number, isWhole: boolean): FieldFrame | undefined {
  const fields = fieldsOf(text, from);
  // The last address that has a name: the first one may be that of data, with a name of its own.
  for (let at = fields.length - 1; at >= 0; at--) {
    const { start, end: behindAddress, columns } = fields[at];
    const next = fields.at(at + 1)?.start ?? text.length;
    const frame = withoutFieldsBehind(text.slice(start, next));
    const name = frame.slice(behindAddress - start).trim();
    if (name === "" || name.startsWith("|") || columns < ADDRESS_COLUMNS) continue;
    const isOpen = !isWhole && next === text.length && frame.length === next - start;
    return { start, end: isOpen ? undefined : start + frame.length, hasModule: /(?:^|\s)\(.*\)$/.test(name) };
  }
  const last = fields.at(-1);
  if (last === undefined || text.includes(DATA_SOURCE, from) || text.slice(last.end).trim() !== "") return undefined;
  // Behind other fields an address has one blank before it, and one more where it is the first.
  const needed = fields.length === 1 ? FIRST_ADDRESS_COLUMNS : ADDRESS_COLUMNS;
  return last.columns >= needed ? { start: last.start, end: last.end, hasModule: false } : undefined;
}

/** Whether a number in columns of its own follows the event's name: an address of data, if the call chain is in the lines below. */
export function beginsWithField(text: string, from: number): boolean {
  return fieldsOf(text, from).at(0)?.start === text.length - text.slice(from).trimStart().length;
}

interface Field {
  /** Index of its first digit. */
  readonly start: number;
  readonly end: number;
  readonly columns: number;
}

/** Numbers in columns of their own. */
function fieldsOf(text: string, from: number): Field[] {
  const fields: Field[] = [];
  FIELD.lastIndex = from;
  for (let match = FIELD.exec(text); match !== null; match = FIELD.exec(text)) {
    const columns = match[0].length;
    if (columns < FIELD_COLUMNS) continue;
    const end = match.index + columns;
    fields.push({ start: match.index + columns - match[0].trimStart().length, end, columns });
  }
  return fields;
}

/** Whether a line below a call chain has the fields that perf prints after it: branches, instructions, registers, a physical address. */
export function isFieldLine(line: string): boolean {
  return BRANCH.test(line) || FIELD_LINE.test(line) || (line.length === FIELD_COLUMNS && PHYSICAL_ADDRESS.test(line));
}

/** `kernel_loop+0x16 (/opt/app/solver)`: a frame without the fields after it. */
export function withoutFieldsBehind(frame: string): string {
  let text = frame;
  const branch = BRANCH.exec(text);
  if (branch) text = beforeBranches(text, branch.index);
  for (const mark of MARKS) {
    const at = text.indexOf(mark);
    if (at >= 0) text = text.slice(0, at);
  }
  const module = text.lastIndexOf(")") + 1;
  const behind = text.slice(module);
  if (module > 0 && behind.length <= MAX_BEHIND_MODULE && BEHIND_MODULE.test(behind)) text = text.slice(0, module);
  return text.trimEnd();
}

/** @param flags of the first branch */
function beforeBranches(text: string, flags: number): string {
  const offset = /\+0x[0-9a-f]{1,16} \(/.exec(text);
  const open = offset !== null && offset.index < flags ? offset.index + offset[0].length : firstModule(text);
  const close = open < 0 ? -1 : text.indexOf(") ", open);
  if (close >= 0 && close < flags) return text.slice(0, close + 1);
  // Without a printed load module, branches begin with an address or with the next word.
  const first = text
    .slice(0, flags)
    .search(/ (?:0x[0-9a-f]{1,16}|\S{1,1000}\+0x[0-9a-f]{1,16})(?:\([^()]{0,1000}\))?\//);
  return first < 0 ? text : text.slice(0, first);
}

function firstModule(text: string): number {
  const open = text.search(/ \([/[]/);
  return open < 0 ? -1 : open + 2;
}
