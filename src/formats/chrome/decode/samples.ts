import type { FrameTable } from "../../../model/frames";
import { type FrameId, NONE } from "../../../model/ids";
import type { TraceSink } from "../../trace/traceSink";
import { secondsOf } from "./clock";
import { type CallStacks, functionFrame, withPlace } from "./callStacks";
import type { Thread } from "./places";
import { isObject, type JsonObject, type JsonValue, numberOf } from "../scan/jsonValues";

/** Samples of one stack on one thread. */
export interface SampleTotal {
  readonly thread: Thread;
  readonly stack: number;
  count: number;
  /** Time to the next sample of the thread. */
  microseconds: number;
}

/** A profile that V8 writes in chunks. */
interface ScriptProfile {
  /** Stack of each node. */
  readonly nodes: Map<number, number>;
  microseconds: number;
}

/**
 * Samples of call stacks: `P` events and the list `samples` refer to `stackFrames`; V8's `Profile` and `ProfileChunk` carry trees of
 * their own. A sample stands for the time to the next one of its thread, the last for none.
 */
export class Samples {
  private readonly byThread = new Map<Thread, Map<number, SampleTotal>>();
  private readonly before = new Map<Thread, { readonly total: SampleTotal; readonly microseconds: number }>();
  private readonly profiles = new Map<string, ScriptProfile>();

  constructor(
    private readonly sink: TraceSink,
    private readonly frames: FrameTable,
    private readonly stacks: CallStacks,
  ) {}

  *totals(): Generator<SampleTotal> {
    for (const totals of this.byThread.values()) yield* totals.values();
  }

  add(thread: Thread, lane: number, microseconds: number, stack: number, frame: number, category: number): void {
    let totals = this.byThread.get(thread);
    if (totals === undefined) this.byThread.set(thread, (totals = new Map()));
    let total = totals.get(stack);
    if (total === undefined) totals.set(stack, (total = { thread, stack, count: 0, microseconds: 0 }));
    total.count++;
    const before = this.before.get(thread);
    if (before !== undefined) before.total.microseconds += Math.max(0, microseconds - before.microseconds);
    this.before.set(thread, { total, microseconds });
    const seconds = secondsOf(microseconds);
    this.sink.event(lane, seconds, seconds, frame, stack, category);
  }

  /** `Profile` begins one, `ProfileChunk` goes on with it. A function's line counts from 0, those of the list `lines`, one per sample, from 1. */
  chunk(
    id: string,
    thread: Thread,
    lane: () => number,
    values: JsonValue | undefined,
    zero: number,
    category: number,
  ): void {
    const data = isObject(values) ? values.get("data") : undefined;
    if (!isObject(data)) return;
    let profile = this.profiles.get(id);
    if (profile === undefined) this.profiles.set(id, (profile = { nodes: new Map(), microseconds: 0 }));
    const start = numberOf(data.get("startTime"));
    if (!Number.isNaN(start)) profile.microseconds = start - zero;
    const tree = data.get("cpuProfile");
    if (!isObject(tree)) return;
    for (const node of listOf(tree.get("nodes"))) if (isObject(node)) this.defineNode(profile, node);
    const deltas = listOf(data.get("timeDeltas") ?? tree.get("timeDeltas"));
    const lines = listOf(data.get("lines") ?? tree.get("lines"));
    listOf(tree.get("samples")).forEach((sample, at) => {
      const delta = numberOf(deltas[at]);
      if (!Number.isNaN(delta)) profile.microseconds += delta;
      const stack = profile.nodes.get(numberOf(sample));
      if (stack === undefined) return;
      const onLine = this.lineBelow(stack, numberOf(lines[at]));
      this.add(thread, lane(), profile.microseconds, onLine, this.stacks.frameOf(stack), category);
    });
  }

  /** The line that a sample was taken on, below its function; the function where no line is recorded (V8: 0). @param line 1-based */
  private lineBelow(stack: number, line: number): number {
    const { file } = this.frames.get(this.stacks.frameOf(stack) as FrameId);
    const frame = withPlace({ name: `${file}:${line}`, kind: "line" }, file, line);
    return frame.line === undefined ? stack : this.stacks.child(stack, this.frames.intern(frame));
  }

  private defineNode(profile: ScriptProfile, node: JsonObject): void {
    const call = node.get("callFrame");
    if (!isObject(call)) return;
    const name = textOf(call.get("functionName"));
    const file = textOf(call.get("url"));
    const line = numberOf(call.get("lineNumber")) + 1;
    const frame = withPlace({ name: name === "" ? "(anonymous)" : name, kind: "function" }, file, line);
    const parent = profile.nodes.get(numberOf(node.get("parent"))) ?? NONE;
    profile.nodes.set(numberOf(node.get("id")), this.stacks.child(parent, this.frames.intern(frame)));
  }
}

/** The frame of an entry of `stackFrames`. */
export function stackFrameOf(entry: JsonObject) {
  const frame = functionFrame(textOf(entry.get("name")) || "(unnamed)");
  const file = textOf(entry.get("file")) || textOf(entry.get("url"));
  return frame.file === undefined ? withPlace(frame, file, numberOf(entry.get("line"))) : frame;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
