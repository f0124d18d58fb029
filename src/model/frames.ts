import { widened } from "./columns";
import { type FrameId, NONE } from "./ids";
import { placeInName } from "./placeInName";
import type { StringTable } from "./strings";
import { cancellable, quietTask, type Task } from "./task";

/** What a frame stands for. Loops, lines, statements and instructions belong to the function that encloses them. */
export const frameKinds = [
  "function",
  "inlined",
  "loop",
  "line",
  "instruction",
  "region",
  "kernel",
  "message",
] as const;
export type FrameKind = (typeof frameKinds)[number];

/**
 * What annotated a region, where that decides how it is linked and grouped: `mpi` for Caliper's `mpi.function`,
 * `runtime` for GPU API calls, `loop` for loop annotations, `outside` for time outside any region.
 */
export const regionOrigins = ["none", "mark", "loop", "mpi", "runtime", "outside"] as const;
export type RegionOrigin = (typeof regionOrigins)[number];

/** One frame as readers describe it. `line` is 1-based, 0 = none. */
export interface Frame {
  name: string;
  kind: FrameKind;
  origin?: RegionOrigin;
  file?: string;
  line?: number;
  module?: string;
  /** Address within the load module ({@link addressOfBits}), or the tool's static id where it has one; makes nameless frames distinct. */
  address?: number;
}

/**
 * An address of 64 bits as a number. Those of kernels, from 2^63 on, are negative: so all that processors use (the upper bits all
 * equal) stay exact, as no number beyond 2^53 would. The last address of all is {@link NONE}.
 */
export function addressOfBits(bits: bigint): number {
  return Number(BigInt.asIntN(64, bits));
}

/** Address of a frame for all code without a name in its load module. Recorded addresses are places then, and do not identify the frame. */
export const ANY_ADDRESS = 0;

/** The address in hexadecimal: `0xffffffff81000000`. */
export function addressText(address: number): string {
  return `0x${(address < 0 ? BigInt.asUintN(64, BigInt(address)) : address).toString(16)}`;
}

/** Distinct frames as columns. Strings are indices into {@link StringTable}; {@link NONE} where there is none. */
export class FrameTable {
  private count = 0;
  /** Open addressing over the columns: a Map of a million texts would take ten times the memory of the frames. */
  private slots = new Int32Array(128).fill(NONE);
  private interned = 0;
  // One more than the string, so that frames without one are 0: of millions of lines that are named by their place
  // (see {@link addLine}) nothing is written here, and what is never written takes no memory.
  private names = new Int32Array(64);
  private modules = new Int32Array(64);
  kind = new Uint8Array(64);
  origin = new Uint8Array(64);
  file = new Int32Array(64);
  line = new Int32Array(64);
  /** Only as long as frames that have one need: most recordings have none. See {@link addressOf}. */
  private address = new Float64Array(0);

  constructor(readonly strings: StringTable) {}

  get size(): number {
    return this.count;
  }

  /** The id of this frame, which is added when no equal one is there. A place in its name counts if it has no other. */
  intern(frame: Frame): FrameId {
    const place = frame.file ? frame : (placeInName(frame.name) ?? frame);
    const name = this.strings.intern(frame.name);
    const kind = kindNumber(frame.kind);
    const origin = regionOrigins.indexOf(frame.origin ?? "none");
    const file = place.file ? this.strings.intern(place.file) : NONE;
    const line = place.line ?? 0;
    const module = frame.module ? this.strings.intern(frame.module) : NONE;
    return this.internColumns(name, kind, origin, file, line, module, frame.address ?? NONE);
  }

  private internColumns(
    name: number,
    kind: number,
    origin: number,
    file: number,
    line: number,
    module: number,
    address: number,
  ): FrameId {
    const hash = hashOf(name, kind, origin, file, line, module, address);
    let mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let id = this.slots[slot]; id !== NONE; id = this.slots[(slot = (slot + 1) & mask)]) {
      if (
        this.nameIndex(id) === name &&
        this.line[id] === line &&
        this.file[id] === file &&
        this.kind[id] === kind &&
        this.origin[id] === origin &&
        this.moduleIndex(id) === module &&
        this.addressOf(id) === address
      )
        return id as FrameId;
    }
    if (2 * this.interned >= this.slots.length) {
      this.widenSlots();
      mask = this.slots.length - 1;
      slot = hash & mask;
      while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    }
    const id = this.append(name, kind, file, line);
    this.origin[id] = origin;
    if (module !== NONE) this.modules[id] = module + 1;
    if (address !== NONE) this.setAddress(id, address);
    this.slots[slot] = id;
    this.interned++;
    return id;
  }

  /**
   * As {@link intern}, of all frames of another table: texts are looked up once, and no frame becomes an object.
   *
   * @returns the id here of each frame there
   */
  internAll(other: FrameTable): Int32Array {
    const textOf = new Int32Array(other.strings.size).fill(NONE);
    const text = (id: number) => {
      if (id === NONE) return NONE;
      if (textOf[id] === NONE) textOf[id] = this.strings.intern(other.strings.get(id));
      return textOf[id];
    };
    return Int32Array.from({ length: other.count }, (_, id) =>
      this.internColumns(
        other.names[id] === 0 ? this.strings.intern(other.nameOf(id)) : text(other.nameIndex(id)),
        other.kind[id],
        other.origin[id],
        text(other.file[id]),
        other.line[id],
        text(other.moduleIndex(id)),
        other.addressOf(id),
      ),
    );
  }

  /**
   * Adds the frame of a source line that is named by its place, `file:line`: the text is made when it is first read, since
   * a recording may have millions of lines. The caller adds each line once; {@link intern} does not find it.
   *
   * @param file index among the strings
   */
  addLine(file: number, line: number): FrameId {
    return this.append(NONE, LINE, file, line);
  }

  /**
   * Makes room for so many frames in all, `lines` of them by {@link addLine}, so that adding them copies nothing.
   *
   * @param room becomes the column of lines, where the caller has one that large; its content is overwritten frame by frame
   */
  reserve(frames: number, lines: number, room?: Int32Array<ArrayBuffer>): void {
    if (frames > this.names.length) this.widen(frames, room?.subarray(0, frames));
    while (this.slots.length < 2 * (frames - lines)) this.widenSlots();
  }

  private append(name: number, kind: number, file: number, line: number): FrameId {
    if (this.count === this.names.length) this.widen(this.count * 2);
    const id = this.count++ as FrameId;
    if (name !== NONE) this.names[id] = name + 1;
    this.kind[id] = kind;
    this.file[id] = file;
    this.line[id] = line;
    return id;
  }

  /** The frame as an object, for borders and messages; inner loops read the columns. */
  get(id: FrameId): Frame {
    const frame: Frame = { name: this.nameOf(id), kind: this.kindOf(id) };
    if (this.origin[id] !== 0) frame.origin = this.originOf(id);
    if (this.file[id] !== NONE) frame.file = this.strings.get(this.file[id]);
    if (this.line[id] !== 0) frame.line = this.line[id];
    if (this.modules[id] !== 0) frame.module = this.strings.get(this.moduleIndex(id));
    if (this.addressOf(id) !== NONE) frame.address = this.addressOf(id);
    return frame;
  }

  nameOf(id: number): string {
    if (this.names[id] === 0) return `${this.strings.get(this.file[id])}:${this.line[id]}`;
    return this.strings.get(this.nameIndex(id));
  }

  /** Equal for frames of equal names, without making their texts; from 0, below 2^26. */
  nameKey(id: number): number {
    return this.names[id] === 0 ? NAME_KEYS - 1 - id : this.nameIndex(id);
  }

  /** String of the load module; {@link NONE} where it is not known. */
  moduleIndex(id: number): number {
    return this.modules[id] - 1;
  }

  /** Whether the load module of any frame is known. */
  get hasModules(): boolean {
    return this.modules.subarray(0, this.count).some((module) => module !== 0);
  }

  /** Fills in a module that was found out later; frames that were equal before stay two. */
  setModule(id: number, module: string): void {
    this.modules[id] = this.strings.intern(module) + 1;
  }

  /** String of the name; {@link NONE} for lines that are named by their place. */
  private nameIndex(id: number): number {
    return this.names[id] - 1;
  }

  /** Address within the load module, or the tool's static id; {@link NONE} where there is none. */
  addressOf(id: number): number {
    return id < this.address.length ? this.address[id] : NONE;
  }

  kindOf(id: number): FrameKind {
    return frameKinds[this.kind[id]];
  }

  originOf(id: number): RegionOrigin {
    return regionOrigins[this.origin[id]];
  }

  /** Rank of each frame in the canonical order: by name (of lines named by their place, their file's), kind, origin, module, file, line, address, whatever the order of arrival. */
  canonicalRanks(task: Pick<Task, "check"> = quietTask): Int32Array {
    const { count, kind, origin, file, line } = this;
    const text = this.textRanks(task);
    const rankOf = (id: number) => (id === NONE ? NONE : text[id]);
    const nameRank = (id: number) => text[this.names[id] === 0 ? file[id] : this.nameIndex(id)];
    const compare = (a: number, b: number) =>
      nameRank(a) - nameRank(b) ||
      kind[a] - kind[b] ||
      origin[a] - origin[b] ||
      rankOf(this.moduleIndex(a)) - rankOf(this.moduleIndex(b)) ||
      rankOf(file[a]) - rankOf(file[b]) ||
      line[a] - line[b] ||
      this.addressOf(a) - this.addressOf(b);
    const looking = cancellable(compare, task);
    const ranks = new Int32Array(count).map((_, id) => id);
    let ascending = true;
    for (let id = 1; id < count && ascending; id++) ascending = looking(id - 1, id) <= 0;
    if (ascending) return ranks;
    const order = Uint32Array.from(ranks).sort(looking);
    order.forEach((id, rank) => (ranks[id] = rank));
    return ranks;
  }

  /** Rank of each string that frames use, by its text: comparing numbers is several times as fast. */
  private textRanks(task: Pick<Task, "check">): Int32Array {
    const used = new Uint8Array(this.strings.size);
    for (let id = 0; id < this.count; id++) {
      if (this.names[id] !== 0) used[this.nameIndex(id)] = 1;
      if (this.modules[id] !== 0) used[this.moduleIndex(id)] = 1;
      if (this.file[id] !== NONE) used[this.file[id]] = 1;
    }
    const texts = Array.from({ length: used.length }, (_, id) => (used[id] === 1 ? this.strings.get(id) : ""));
    const order = new Uint32Array(used.length).map((_, id) => id).filter((id) => used[id] === 1);
    order.sort(cancellable((a, b) => (texts[a] < texts[b] ? -1 : 1), task));
    const ranks = new Int32Array(used.length);
    order.forEach((id, rank) => (ranks[id] = rank));
    return ranks;
  }

  private setAddress(id: number, address: number): void {
    if (id >= this.address.length) this.address = widened(this.address, Math.max(64, this.names.length, id + 1), NONE);
    this.address[id] = address;
  }

  /** Bytes of all columns. */
  get bytes(): number {
    const { names, kind, origin, file, line, modules, address, slots } = this;
    return [names, kind, origin, file, line, modules, address, slots].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  private widen(length: number, line = new Int32Array(length)): void {
    this.names = widened(this.names, length);
    this.kind = widened(this.kind, length);
    this.origin = widened(this.origin, length);
    this.file = widened(this.file, length);
    line.set(this.line.subarray(0, this.count));
    this.line = line;
    this.modules = widened(this.modules, length);
  }

  private widenSlots(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      const { names, kind, origin, file, line } = this;
      if (names[id] === 0) continue;
      let slot =
        hashOf(names[id] - 1, kind[id], origin[id], file[id], line[id], this.moduleIndex(id), this.addressOf(id)) &
        mask;
      while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}

const kindNumbers: ReadonlyMap<FrameKind, number> = new Map(frameKinds.map((kind, number) => [kind, number]));

const LINE = kindNumber("line");
/** More strings and frames than fit into memory. */
const NAME_KEYS = 2 ** 26;

function kindNumber(kind: FrameKind): number {
  return kindNumbers.get(kind) ?? 0;
}

/** Spreads what distinguishes frames over 31 bits. */
function hashOf(
  name: number,
  kind: number,
  origin: number,
  file: number,
  line: number,
  module: number,
  address: number,
): number {
  let h = Math.imul(name + 1, 0x9e3779b1) ^ Math.imul(line + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) ^ Math.imul(file + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x297a2d39) ^ Math.imul(module + 1, 0x27d4eb2f);
  // Addresses are beyond 32 bits; both halves count.
  h ^= Math.imul(address | 0, 0x165667b1) ^ Math.imul(Math.floor(address / 2 ** 32) | 0, 0x1b873593);
  h = Math.imul(h ^ (h >>> 15) ^ (kind << 4) ^ origin, 0x2c1b3c6d);
  return (h ^ (h >>> 16)) >>> 1;
}

/** Kinds that have a function of their own; all others belong to the nearest enclosing one of these (semantics 1). */
export function isFunctionKind(kind: FrameKind): boolean {
  return kind === "function" || kind === "inlined" || kind === "region" || kind === "kernel";
}

/** Placeholders that tools write where they know no name: such frames are the same function only at the same address. */
export function isPlaceholderName(name: string): boolean {
  return name === "" || name === "UNKNOWN" || name === "[unknown]" || /^<unknown[^>]*>$/.test(name);
}

/** What tools write of code without a symbol: another build has it elsewhere, and calls it otherwise. */
export function isAddressName(name: string): boolean {
  return /^0x[0-9a-fA-F]{1,16}$/.test(name);
}

/** Name of the root that keeps time outside any region (semantics 1). */
export const NO_REGION = "(no region)";

/** Name of the time that recording took, below each function whose time contains it. It is of no region of the program. */
export const RECORDING_ITSELF = "(recording itself)";
