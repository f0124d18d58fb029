import type { Warning } from "../../../../model/dataSet";
import { NONE } from "../../../../model/ids";
import { isFunctionKind } from "../../../../model/frames";
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import { eventColumns, type ReadContext } from "../../../format";
import type { ProfileBuilder } from "../../../profileBuilder";
import { TraceBuilder } from "../../../trace/traceBuilder";
import { startsWith } from "../../../cursor";
import { countedWarnings } from "../../../warnings";
import type { Header } from "../scan/header";
import { FIRST_STREAM, threadLocation } from "./metricPlan";
import type { Tree } from "../scan/tree";
import { bytesAt, headerCursor, LEAST_HEADER_BYTES, type ThreadBlock, TRACE_MAGIC } from "../scan/valueFiles";

/** Samples of all threads, in provisional numbers. */
export interface TraceParts {
  readonly builder: TraceBuilder;
  readonly zeroNanoseconds: bigint;
  readonly samples: number;
  /** Of those of threads; undefined: there are none. */
  readonly threadSeconds: number | undefined;
  readonly warnings: readonly Warning[];
}

const RECORD_BYTES = 12;
const FLAGS_BYTES = 8;
/** The first version of traces, of 2011, has no flags behind its header. */
const WITHOUT_FLAGS = "01.00";
/** Each record has a metric number more where this bit is set. */
const DATA_CENTRIC = 1n;
const READ_RECORDS = 1 << 16;
const NO_CONTEXT = "(context not in the database)";

/**
 * Reads what every thread was doing when. A sample says what a thread does from then on until the next one; the last one has no length
 * (semantics 9).
 */
export async function readTraces(
  blocks: readonly ThreadBlock[],
  header: Header,
  tree: Tree,
  builder: ProfileBuilder,
  context: ReadContext,
  task: Task,
): Promise<TraceParts | undefined> {
  if (blocks.length === 0) return undefined;
  const perSecond = header.trace?.perSecond ?? 1e6;
  const sink = new TraceBuilder(eventColumns(context));
  let open: ByteSource | undefined;
  try {
    const firsts: bigint[] = [];
    for (const block of blocks) {
      open = await opened(open, block.file, context);
      const first = await firstTime(open, block);
      if (first !== undefined) firsts.push(first);
    }
    const zero = firsts.reduce(
      (least, time) => (time < least ? time : least),
      header.trace?.minimum ?? firsts[0] ?? 0n,
    );
    const lanes = new Lanes(sink, tree, builder, zero, perSecond);
    for (const [index, block] of blocks.entries()) {
      open = await opened(open, block.file, context);
      await lanes.read(open, block, (fraction) => task.progress((index + fraction) / blocks.length), task);
    }
    // 1e9 / units per second is whole for every clock that the tool has had.
    const zeroNanoseconds = (zero * 1_000_000_000n) / BigInt(Math.round(perSecond));
    return {
      builder: sink,
      zeroNanoseconds,
      samples: lanes.samples,
      threadSeconds: lanes.threadSeconds,
      warnings: lanes.warnings(),
    };
  } catch (problem) {
    await sink.discard();
    throw problem;
  } finally {
    await open?.close();
  }
}

async function opened(open: ByteSource | undefined, file: string, context: ReadContext): Promise<ByteSource> {
  if (open?.name === file) return open;
  await open?.close();
  return context.open(file);
}

async function firstTime(source: ByteSource, block: ThreadBlock): Promise<bigint | undefined> {
  const { from } = await layoutOf(source, block);
  const bytes = await bytesAt(source, from, Math.min(8, Math.max(0, block.end - from)));
  return bytes.length < 8 ? undefined : new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
}

/** Where the samples of a thread begin in the file, and how long each is. @throws FormatError for another header */
async function layoutOf(source: ByteSource, block: ThreadBlock): Promise<{ from: number; recordBytes: number }> {
  const bytes = await bytesAt(source, block.offset, LEAST_HEADER_BYTES + FLAGS_BYTES);
  const head = headerCursor(block, bytes, TRACE_MAGIC);
  head.skip(1, "the header");
  const from = block.offset + LEAST_HEADER_BYTES;
  if (startsWith(bytes, WITHOUT_FLAGS, TRACE_MAGIC.length)) return { from, recordBytes: RECORD_BYTES };
  const flags = head.u64("flags");
  return { from: from + FLAGS_BYTES, recordBytes: (flags & DATA_CENTRIC) === 0n ? RECORD_BYTES : RECORD_BYTES + 4 };
}

class Lanes {
  samples = 0;
  threadSeconds: number | undefined;
  private unknown = 0;
  private backwards = 0;
  private readonly cut: string[] = [];
  private readonly processes = new Map<number, number>();
  private readonly categories: { readonly compute: number; readonly gpu: number; readonly idle: number };
  /** By number that traces use: what {@link find} found. */
  private readonly known = new Map<number, { frame: number; context: number; idle: boolean }>();

  constructor(
    private readonly sink: TraceBuilder,
    private readonly tree: Tree,
    private readonly builder: ProfileBuilder,
    private readonly zero: bigint,
    private readonly perSecond: number,
  ) {
    this.categories = {
      compute: sink.category("CPU", "compute"),
      gpu: sink.category("GPU", "gpuCompute"),
      idle: sink.category("no activity", "idle"),
    };
  }

  async read(
    source: ByteSource,
    block: ThreadBlock,
    progress: (fraction: number) => void,
    task: Pick<Task, "check">,
  ): Promise<void> {
    const { from, recordBytes } = await layoutOf(source, block);
    const lane = this.lane(block);
    const busy = block.thread >= FIRST_STREAM ? this.categories.gpu : this.categories.compute;
    const count = Math.floor((block.end - from) / recordBytes);
    if (from + count * recordBytes < block.end) this.cut.push(block.file);
    const bytes = new Uint8Array(Math.min(count, READ_RECORDS) * recordBytes);
    const view = new DataView(bytes.buffer);
    let before: { seconds: number; cpid: number } | undefined;
    const put = (end: number) => {
      if (before === undefined) return;
      const { frame, context, idle } = this.find(before.cpid);
      this.sink.event(
        lane,
        before.seconds,
        Math.max(before.seconds, end),
        frame,
        context,
        idle ? this.categories.idle : busy,
      );
      this.samples++;
      if (busy !== this.categories.gpu && context !== NONE)
        this.threadSeconds = (this.threadSeconds ?? 0) + Math.max(0, end - before.seconds);
    };
    for (let first = 0; first < count; first += READ_RECORDS) {
      progress(first / count);
      const records = Math.min(READ_RECORDS, count - first);
      await source.read(bytes.subarray(0, records * recordBytes), from + first * recordBytes);
      for (let at = 0; at < records * recordBytes; at += recordBytes) {
        const seconds = this.secondsOf(view.getUint32(at), view.getUint32(at + 4));
        if (before !== undefined && seconds < before.seconds) this.backwards++;
        put(seconds);
        before = { seconds, cpid: view.getUint32(at + 8) };
      }
      await this.sink.settle(task);
    }
    put(before?.seconds ?? 0);
  }

  warnings(): Warning[] {
    const message = "a trace ends in the middle of a sample: the file may not be complete";
    return [
      ...[...new Set(this.cut)].map((file) => ({ message, file, isCut: true as const })),
      ...countedWarnings(undefined, [
        [this.unknown, "samples of the traces are of contexts that the database does not have"],
        [this.backwards, "samples of the traces are earlier than the sample before them"],
      ]),
    ];
  }

  /** The difference is exact: two halves of 32 bits, each far below 2^53. */
  private secondsOf(high: number, low: number): number {
    const zeroHigh = Number(this.zero >> 32n);
    const zeroLow = Number(this.zero & 0xffffffffn);
    return ((high - zeroHigh) * 2 ** 32 + (low - zeroLow)) / this.perSecond;
  }

  private lane({ rank, thread }: ThreadBlock): number {
    const process =
      this.processes.get(rank) ??
      this.sink.resource({
        name: `rank ${rank}`,
        type: "process",
        parent: NONE,
        location: NONE,
      });
    this.processes.set(rank, process);
    const stream = thread >= FIRST_STREAM;
    const name = stream ? `stream ${thread}` : `thread ${thread}`;
    const place = this.builder.location(threadLocation(rank, thread));
    const type = stream ? "stream" : "thread";
    const resource = this.sink.resource({ name, type, parent: process, location: place });
    return this.sink.lane({ name: `rank ${rank}, ${name}`, resource, location: place, kind: "intervals" });
  }

  private find(cpid: number): { frame: number; context: number; idle: boolean } {
    const known = this.known.get(cpid);
    if (known !== undefined && known.context !== NONE) return known;
    const node = this.tree.traced.get(cpid);
    if (node === undefined) this.unknown++;
    const found = known ?? this.look(node);
    this.known.set(cpid, found);
    return found;
  }

  private look(node: number | undefined): { frame: number; context: number; idle: boolean } {
    const { frames, tree } = this.builder;
    if (node === undefined)
      return { frame: frames.intern({ name: NO_CONTEXT, kind: "function" }), context: NONE, idle: false };
    const context = this.tree.nodes.context.values[node];
    let owner = context;
    while (owner !== NONE && !isFunctionKind(frames.kindOf(tree.frameOf(owner)))) owner = tree.parentOf(owner);
    const frame = tree.frameOf(owner === NONE ? context : owner);
    return { frame, context, idle: this.tree.isIdle(frame) };
  }
}
