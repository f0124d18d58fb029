import { widened, type GrowingColumn } from "../../../../model/columns";
import { NONE } from "../../../../model/ids";
import type { Task } from "../../../../model/task";
import type { Cursor } from "../../../cursor";
import type { MetaStrings } from "./metaStrings";

/** An array in the file whose elements others point to. */
export interface PointedTable {
  readonly at: number;
  readonly count: number;
  readonly stride: number;
  /** The element that the pointer at the cursor means; NONE for a null pointer. */
  indexOf(pointer: Cursor): number;
}

/** Where threads begin; `type`: 0 unknown, 1 main thread, 2 application thread. */
export interface EntryPoint {
  readonly type: number;
  readonly name: string;
}

/** The contexts of meta.db as columns, parents before their children: the entry points first. */
export interface MetaContexts {
  readonly size: number;
  readonly entries: readonly EntryPoint[];
  /** Row of the parent, NONE for entry points, which are rows 0 to `entries.length - 1`. */
  readonly parent: Int32Array;
  /** What profiles, cct.db and traces call it. */
  readonly id: Uint32Array;
  readonly flags: Uint8Array;
  /** 0 lexical, 1 call, 2 inlined call; 255 for entry points. */
  readonly relation: Uint8Array;
  /** 0 function, 1 loop, 2 line, 3 instruction; 255 for entry points. */
  readonly lexicalType: Uint8Array;
  readonly propagation: Uint16Array;
  /** Index into the functions, NONE where the context has none. */
  readonly function: Int32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  readonly module: Int32Array;
  readonly offset: BigUint64Array;
}

const ENTRY_BYTES = 32;
const CONTEXT_BYTES = 32;
const WORD = 8;

const HAS_FUNCTION = 1;
const HAS_PLACE = 2;
const HAS_POINT = 4;

/** A list of siblings that is still to be read. */
interface Children {
  readonly parent: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The tree, from the entry points down: no recursion, whatever its depth. Each list of children must be its own bytes, so
 * what points back to its ancestors or to another's children is an error, not a loop.
 *
 * @param at the section
 */
export function readContexts(
  at: Cursor,
  strings: MetaStrings,
  tables: { functionTable: PointedTable; fileTable: PointedTable; moduleTable: PointedTable },
  task: Task,
): MetaContexts {
  const entriesAt = at.size("entry points");
  const entryCount = at.u16("number of entry points");
  const entryBytes = at.u8("size of an entry point");
  if (entryCount > 0 && entryBytes < ENTRY_BYTES)
    throw at.problem(at.position, `entry points of ${entryBytes} bytes`, `at least ${ENTRY_BYTES} bytes each`);
  const cursor = at.to(entryCount > 0 ? entriesAt : 0, "entry points");
  cursor.array(entryCount, entryBytes, "entry points");
  const columns = new ContextColumns();
  const entries: EntryPoint[] = [];
  const waiting: Children[] = [];
  const begins: number[] = [];
  const ends: number[] = [];
  // What lists of children may take together: no byte belongs to two of them.
  let room = at.bytes.length;
  const open = (parent: number, size: number, from: number) => {
    if (size === 0) return;
    cursor
      .to(from, `children of context ${columns.id[parent]}`)
      .array(size, 1, `children of context ${columns.id[parent]}`);
    room -= size;
    if (room < 0) throw cursor.problem(from, "lists of children that overlap", "children of its own in each context");
    waiting.push({ parent, from, to: from + size });
    begins.push(from);
    ends.push(from + size);
  };
  for (let index = 0; index < entryCount; index++) {
    cursor.at = entriesAt + index * entryBytes;
    const [size, from] = [cursor.size("size of children"), cursor.size("children")];
    const row = columns.add(NONE, cursor.u32("context id"));
    const type = cursor.u16("kind of entry point");
    cursor.skip(2, "padding");
    entries.push({ type, name: strings.at(cursor.size("name of an entry point"), "the name of an entry point") });
    open(row, size, from);
  }
  const { functionTable, fileTable, moduleTable } = tables;
  for (let list = waiting.pop(); list !== undefined; list = waiting.pop()) {
    cursor.at = list.from;
    while (cursor.position < list.to) {
      if (columns.size % 4096 === 0) task.check();
      const start = cursor.position;
      if (start + CONTEXT_BYTES > list.to)
        throw cursor.problem(start, "half a context", `contexts that fill the list up to byte ${list.to}`);
      const [size, from] = [cursor.size("size of children"), cursor.size("children")];
      const row = columns.add(list.parent, cursor.u32("context id"));
      const flags = (columns.flags[row] = cursor.u8("flags"));
      columns.relation[row] = cursor.u8("relation");
      columns.lexicalType[row] = cursor.u8("lexical type");
      const end = start + CONTEXT_BYTES + WORD * cursor.u8("number of words");
      columns.propagation[row] = cursor.u16("propagation");
      if (end > list.to)
        throw cursor.problem(start, "a context that is longer than its list", `its end by byte ${list.to}`);
      cursor.at = start + CONTEXT_BYTES;
      // A half word may be left over from a line; what comes next in the file takes a whole word.
      if ((flags & HAS_FUNCTION) !== 0) columns.function[row] = functionTable.indexOf(cursor);
      if ((flags & HAS_PLACE) !== 0) {
        columns.file[row] = fileTable.indexOf(cursor);
        columns.line[row] = cursor.u32("line");
        cursor.skip(4, "padding");
      }
      if ((flags & HAS_POINT) !== 0) {
        columns.module[row] = moduleTable.indexOf(cursor);
        columns.offset[row] = cursor.u64("offset");
      }
      if (cursor.position > end)
        throw cursor.problem(start, "a context with fewer words than its flags tell", "all its words");
      cursor.at = end;
      open(row, size, from);
    }
  }
  checkSeparate(begins, ends, cursor);
  return { ...columns.cut(), entries };
}

/** Lists are separate when each ends before the next one begins, with begins and ends sorted by themselves. */
function checkSeparate(begins: readonly number[], ends: readonly number[], cursor: Cursor): void {
  const from = Float64Array.from(begins).sort();
  const to = Float64Array.from(ends).sort();
  for (let index = 1; index < from.length; index++)
    if (from[index] < to[index - 1])
      throw cursor.problem(from[index], "lists of children that overlap", "children of its own in each context");
}

/** Columns that grow. */
class ContextColumns {
  size = 0;
  parent = new Int32Array(256);
  id = new Uint32Array(256);
  flags = new Uint8Array(256);
  relation = new Uint8Array(256);
  lexicalType = new Uint8Array(256);
  propagation = new Uint16Array(256);
  function = new Int32Array(256);
  file = new Int32Array(256);
  line = new Uint32Array(256);
  module = new Int32Array(256);
  offset = new BigUint64Array(256);

  add(parent: number, id: number): number {
    if (this.size === this.parent.length) this.replaceAll((column) => widened(column));
    const row = this.size++;
    this.parent[row] = parent;
    this.id[row] = id;
    this.relation[row] = this.lexicalType[row] = 255;
    this.function[row] = this.file[row] = this.module[row] = NONE;
    return row;
  }

  cut(): Omit<MetaContexts, "entries"> {
    this.replaceAll((column) => column.slice(0, this.size) as typeof column);
    const { size, parent, id, flags, relation, lexicalType, propagation, file, line, module, offset } = this;
    return {
      size,
      parent,
      id,
      flags,
      relation,
      lexicalType,
      propagation,
      function: this.function,
      file,
      line,
      module,
      offset,
    };
  }

  private replaceAll(by: <Kind extends GrowingColumn>(column: Kind) => Kind): void {
    for (const column of ["parent", "function", "file", "module"] as const) this[column] = by(this[column]);
    for (const column of ["flags", "relation", "lexicalType"] as const) this[column] = by(this[column]);
    for (const column of ["id", "line"] as const) this[column] = by(this[column]);
    this.propagation = by(this.propagation);
    this.offset = by(this.offset);
  }
}
