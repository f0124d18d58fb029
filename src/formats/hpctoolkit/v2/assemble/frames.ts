import { addressOfBits, addressText, type FrameTable, isPlaceholderName } from "../../../../model/frames";
import { NONE } from "../../../../model/ids";
import type { Header } from "../scan/header";

type Attributes = Readonly<Record<string, string>>;

/** What tools write where they know no file: nothing that could be opened. */
const NO_FILE = /^(?:<unknown file>.*|\[.*\]|)$/s;
const NO_MODULE = /^(?:<unknown load module>|)$/;
/** Copied into the database, below it the path that it had. */
const COPIED = /^(?:\.\/)?src\//;
/** Between the parts of a key: no XML file can hold it. */
const BETWEEN = "\0";

/** Frames of the elements of the tree. An element whose attributes were seen before costs one look-up. */
export class Frames {
  /** Recorded paths of files that the database holds a copy of, with the path of the copy inside it. */
  readonly copies = new Map<string, string>();
  /** Frames in which a thread does nothing. */
  readonly idle = new Set<number>();
  private readonly files: string[] = [];
  private readonly fileIds = new Map<string, number>();
  private readonly known = new Map<string, number>();

  constructor(
    private readonly header: Header,
    private readonly table: FrameTable,
  ) {}

  /** The number of a file, by its number in the FileTable or its name; NONE where it is not known. */
  file(reference: string | undefined): number {
    if (reference === undefined) return NONE;
    const known = this.fileIds.get(reference);
    if (known !== undefined) return known;
    const recorded = named(this.header, this.header.files.get(reference), reference, "file");
    let id: number = NONE;
    if (!NO_FILE.test(recorded)) {
      const path = this.originalPath(recorded);
      id = this.files.push(path) - 1;
    }
    this.fileIds.set(reference, id);
    return id;
  }

  procedure(attributes: Attributes, inlined: boolean, file: number): number {
    const { n = "", lm, l = "", s } = attributes;
    const key = `${inlined ? "i" : "p"}${n}${BETWEEN}${lm}${BETWEEN}${file}${BETWEEN}${l}${BETWEEN}${s}`;
    return this.known.get(key) ?? this.remember(key, this.newProcedure(attributes, inlined, file));
  }

  loop({ l = "", s, v }: Attributes, file: number): number {
    const key = `l${file}${BETWEEN}${l}${BETWEEN}${s}${BETWEEN}${v}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const line = lineOf(l);
    const address = addressOf(v) ?? idOf(s);
    const path = this.path(file);
    const place = path === undefined ? addressText(address ?? 0) : `${path}:${line}`;
    return this.remember(key, this.table.intern({ name: `loop at ${place}`, kind: "loop", file: path, line, address }));
  }

  /**
   * The line of a call or statement: a place in its procedure, so that a call and a statement on one line are one context. Where
   * no line is known the instruction's address or static number keeps places apart.
   */
  line({ l = "", s, v }: Attributes, file: number): number {
    const line = lineOf(l);
    const key = line > 0 ? `s${file}${BETWEEN}${line}` : `a${file}${BETWEEN}${v}${BETWEEN}${s}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const path = this.path(file);
    const address = addressOf(v);
    const frame =
      line > 0
        ? this.table.intern({
            name: path === undefined ? `line ${line}` : `${path}:${line}`,
            kind: "line",
            file: path,
            line,
          })
        : this.table.intern({
            name: address === undefined ? "(no line)" : addressText(address),
            kind: "instruction",
            file: path,
            address: address ?? idOf(s),
          });
    return this.remember(key, frame);
  }

  private newProcedure({ n = "", lm, l = "", s }: Attributes, inlined: boolean, file: number): number {
    const { header } = this;
    const procedure = header.procedures.get(n);
    const module = lm === undefined ? "" : named(header, header.modules.get(lm), lm, "load module");
    const name = withoutModule(named(header, procedure?.name, n, "procedure"), module);
    const frame = this.table.intern({
      name,
      kind: inlined ? "inlined" : "function",
      file: this.path(file),
      line: lineOf(l),
      module: NO_MODULE.test(module) ? undefined : module,
      // A name needs no number, and would fall apart with one; nameless ones are told apart by it.
      address: isPlaceholderName(name) ? idOf(s) : undefined,
    });
    if (procedure?.idle) this.idle.add(frame);
    return frame;
  }

  private path(file: number): string | undefined {
    return file === NONE ? undefined : this.files[file];
  }

  private originalPath(recorded: string): string {
    if (!COPIED.test(recorded)) return recorded;
    const inside = recorded.replace(COPIED, "");
    // An absolute path stands below src without its first slash; a lone name was never absolute.
    const original = inside.includes("/") ? `/${inside}` : inside;
    this.copies.set(original, `src/${inside}`);
    return original;
  }

  private remember(key: string, frame: number): number {
    this.known.set(key, frame);
    return frame;
  }
}

/** Elements refer to a table's entry by its number; the name itself may stand there too. */
function named(header: Header, found: string | undefined, reference: string, what: string): string {
  if (found !== undefined) return found;
  if (!/^\d+$/.test(reference)) return reference;
  throw header.problem(`${what} ${reference}`, `a ${what} that its table has`);
}

/** Where there are no lines the tool writes `name [library]`: the frame says the load module itself. */
function withoutModule(name: string, module: string): string {
  const ending = ` [${module.slice(module.lastIndexOf("/") + 1)}]`;
  return !name.startsWith("<") && name.length > ending.length && name.endsWith(ending)
    ? name.slice(0, -ending.length)
    : name;
}

/** First line of a range `12` or `12-15`; 0 where it is not known. */
function lineOf(text: string): number {
  const line = Number.parseInt(text, 10);
  return line > 0 && line < 2 ** 31 ? line : 0;
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The first address of `0x4006a5` or of a set of ranges `{[0x40-0x44)}`. */
function addressOf(text: string | undefined): number | undefined {
  const hex = text === undefined ? null : /0x[0-9a-f]{1,16}(?![0-9a-f])/i.exec(text);
  return hex === null ? undefined : addressOfBits(BigInt(hex[0]));
}
