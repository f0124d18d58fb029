import { NONE } from "../../../../model/ids";
import { IntColumn, FloatColumn, widened } from "../../../../model/columns";
import type { ProfileBuilder } from "../../../profileBuilder";
import { Frames } from "../assemble/frames";
import type { Header } from "./header";
import { Nodes } from "./nodes";

type Attributes = Readonly<Record<string, string>>;

const ZERO = 48;

/** Values of one metric as the XML has them, each with its node. */
export class NodeValues {
  readonly nodes = new IntColumn();
  private readonly values = new FloatColumn();

  add(node: number, value: number): void {
    this.nodes.push(node);
    this.values.push(value);
  }

  each(visit: (node: number, value: number) => void): void {
    for (let at = 0; at < this.nodes.length; at++) visit(this.nodes.values[at], this.values.values[at]);
  }

  /** Writes all values into a column over nodes. */
  spread(over: Float64Array): void {
    over.fill(0);
    for (let at = 0; at < this.nodes.length; at++) over[this.nodes.values[at]] = this.values.values[at];
  }
}

/** The tree below `SecCallPathProfileData`, as it arrives. No recursion: only the way to the current element is kept. */
export class Tree {
  readonly nodes = new Nodes();
  /** Of the whole program, by metric number. */
  readonly totals = new Map<string, number>();
  /** By metric number; only those that are wanted. */
  readonly values = new Map<number, NodeValues>();
  /** Node of each number that traces use. */
  readonly traced = new Map<number, number>();
  private readonly frames: Frames;
  private readonly wanted = new Map<string, NodeValues | undefined>();
  private depth = 0;
  /** By depth of the element: its node, and the file that lines in it belong to. */
  private nodeAt = new Int32Array(64);
  private fileAt = new Int32Array(64);

  /** @param wanted metrics whose values in the XML are needed */
  constructor(
    private readonly header: Header,
    private readonly builder: ProfileBuilder,
    wanted: ReadonlySet<number>,
  ) {
    this.frames = new Frames(header, builder.frames);
    for (const { id } of header.metrics) {
      const values = wanted.has(id) ? new NodeValues() : undefined;
      this.wanted.set(`${id}`, values);
      if (values) this.values.set(id, values);
    }
    this.fileAt[0] = NONE;
  }

  get sourceCopies(): ReadonlyMap<string, string> {
    return this.frames.copies;
  }

  /** Whether a frame stands for no activity of a thread. */
  isIdle(frame: number): boolean {
    return this.frames.idle.has(frame);
  }

  open(name: string, attributes: Attributes): void {
    if (name === "M") {
      this.value(attributes);
      return;
    }
    const above = this.nodeAt[this.depth];
    let file = this.fileAt[this.depth];
    let frame: number = NONE;
    if (name === "PF" || name === "Pr") {
      file = this.frames.file(attributes.f);
      frame = this.frames.procedure(attributes, name === "Pr", file);
    } else if (name === "L") {
      file = attributes.f === undefined ? file : this.frames.file(attributes.f);
      frame = this.frames.loop(attributes, file);
    } else if (name === "S" || name === "C") frame = this.frames.line(attributes, file);
    this.push(frame === NONE ? above : this.node(above, frame, attributes), file);
  }

  close(name: string): void {
    if (name !== "M") this.depth--;
  }

  private node(above: number, frame: number, { i, it }: Attributes): number {
    const context = this.builder.tree.child(this.nodes.context.values[above], frame);
    const node = this.nodes.add(above, context, i === undefined ? NONE : this.index(i, "i"));
    if (it !== undefined) this.traced.set(this.index(it, "it"), node);
    return node;
  }

  private value({ n, v }: Attributes): void {
    const values = this.wanted.get(n);
    if (this.depth === 0) this.totals.set(n, numberOf(v) ?? Number.NaN);
    if (values === undefined) {
      if (this.wanted.has(n)) return;
      throw this.header.problem(`a value of metric ${n}`, "a metric that the MetricTable has");
    }
    const value = numberOf(v);
    if (value === undefined) throw this.header.problem(`value "${v}"`, "a number");
    values.add(this.nodeAt[this.depth], value);
  }

  private index(text: string, what: string): number {
    let value = text === "" ? Number.NaN : 0;
    for (let at = 0; at < text.length && value < 2 ** 31; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      value = digit >= 0 && digit <= 9 ? 10 * value + digit : Number.NaN;
    }
    if (value < 2 ** 31) return value;
    throw this.header.problem(`${what} "${text}"`, "a number below 2^31");
  }

  private push(node: number, file: number): void {
    this.depth++;
    if (this.depth === this.nodeAt.length) {
      this.nodeAt = widened(this.nodeAt);
      this.fileAt = widened(this.fileAt);
    }
    this.nodeAt[this.depth] = node;
    this.fileAt[this.depth] = file;
  }
}

function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(value)) return value;
  if (text !== undefined && /^[-+]?nan/i.test(text)) return Number.NaN;
  if (text !== undefined && /^[-+]?inf/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return undefined;
}
