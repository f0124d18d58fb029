import { FloatColumn } from "../../model/columns";
import { RECORDING_ITSELF } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { addTo } from "../../model/maps";
import type { ProfileBuilder } from "../profileBuilder";
import type { FrameRows } from "./frameRows";
import type { FileCost } from "./recordingCost";

/** What is recorded of a context itself, in the file's words; nanoseconds and bytes. Only the first two are always there. */
export const SUMS = ["calls", "exclusive", "waiting", "allocations", "allocated", "peak"] as const;
export const ALWAYS = 2;
const EXCLUSIVE = SUMS.indexOf("exclusive");
const PEAK = SUMS.indexOf("peak");

const RECORDING = { name: RECORDING_ITSELF, kind: "region", origin: "outside" } as const;

/** One context as a recording has it. */
export interface ContextRow {
  readonly id: number;
  /** Another context; a number that no row has (a thread's own one) makes it a root. */
  readonly parent: number;
  readonly frame: number;
  /** The frame that says where it is called; a number that none has where that is not known. */
  readonly call?: number;
  /** The operating system's number of the thread. */
  readonly thread: number;
  /** In the order of {@link SUMS}; shorter where less was measured. Of several rows the peak is the largest. */
  readonly sums: readonly number[];
}

/** Where the sums of rows go: metrics of the builder, and what a thread's location is there. */
export interface SumMetrics {
  /** In the order of {@link SUMS}. */
  readonly metrics: readonly number[];
  locationOf(thread: number): number;
}

/** Overhead of recording in the functions of a file. */
export interface Costs {
  readonly cost: FileCost;
  readonly frames: Pick<FrameRows, "isFunction">;
}

const CHECK_EVERY = 4096;
const RESOLVING = -2;

/** Contexts of one file with what was recorded of each, in any order; rows of one context add up. */
export class ContextRows {
  /** Rows whose numbers are none, or that are below themselves. */
  damaged = 0;
  private readonly rowOf = new Map<number, number>();
  private readonly parents = new FloatColumn();
  private readonly frames = new FloatColumn();
  private readonly calls = new FloatColumn();
  private readonly threads = new FloatColumn();
  /** In the order of {@link SUMS}. */
  private readonly sums = SUMS.map(() => new FloatColumn());

  get size(): number {
    return this.rowOf.size;
  }

  /** Of all contexts together: calls, or nanoseconds. */
  totalOf(sum: "calls" | "exclusive"): number {
    const { values, length } = this.sums[SUMS.indexOf(sum)];
    return values.subarray(0, length).reduce((total, value) => total + value, 0);
  }

  /** Calls that were recorded, by frame; of others that were only counted nothing is known. */
  recordedCalls(frames: Pick<FrameRows, "everyOf">): Map<number, number> {
    const [calls] = this.sums;
    const byFrame = new Map<number, number>();
    for (let row = 0; row < this.size; row++) {
      const frame = this.frames.values[row];
      addTo(byFrame, frame, calls.values[row] / frames.everyOf(frame));
    }
    return byFrame;
  }

  /** Whether any context is of a function that the compiler instrumented. */
  hasFunctions(frames: Pick<FrameRows, "isFunction">): boolean {
    return this.frames.values.subarray(0, this.frames.length).some((frame) => frames.isFunction(frame));
  }

  add(row: ContextRow): void {
    const { id, parent, frame, call = NONE, thread, sums } = row;
    if (sums.length < ALWAYS || ![id, frame, thread, ...sums].every(isCount)) {
      this.damaged++;
      return;
    }
    const known = this.rowOf.get(id);
    if (known !== undefined) return this.addTo(known, sums);
    this.rowOf.set(id, this.rowOf.size);
    this.parents.push(parent);
    this.frames.push(frame);
    this.calls.push(call);
    this.threads.push(thread);
    this.sums.forEach((column, at) => column.push(sums[at] ?? 0));
  }

  /** Adds what a region has cost so far that is open: a call, and its nanoseconds. */
  addOpen(id: number, exclusive: number): void {
    const row = this.rowOf.get(id);
    if (row === undefined || !(exclusive >= 0)) this.damaged++;
    else this.addTo(row, [1, exclusive]);
  }

  /** The operating system's number of a context's thread; {@link NONE} where there is no such context. */
  threadOf(id: number): number {
    const row = this.rowOf.get(id);
    return row === undefined ? NONE : this.threads.values[row];
  }

  /** Numbers of frames that rows refer to. */
  frameOf(id: number): number {
    const row = this.rowOf.get(id);
    return row === undefined ? NONE : this.frames.values[row];
  }

  /** The operating system's numbers of all threads, ascending. */
  threadNumbers(): number[] {
    return [...new Set(this.threads.values.subarray(0, this.threads.length))].sort((a, b) => a - b);
  }

  /**
   * Adds contexts and sums to a profile.
   *
   * @param frameOf frame of the profile by number of the file
   * @param lineOf the same for where contexts are called; {@link NONE} where that is not known
   * @param costs what recording has cost, which becomes a row of its own below each context that has it in its time
   * @returns provisional context by the file's number
   */
  addToProfile(
    builder: ProfileBuilder,
    frameOf: (frame: number) => number,
    lineOf: (frame: number) => number,
    { metrics, locationOf }: SumMetrics,
    task: Pick<Task, "check">,
    costs?: Costs,
  ): Map<number, number> {
    const contexts = this.contextsIn(builder, frameOf, lineOf, task);
    const costOf = costs && this.costOfRows(costs);
    const toolFrame = costs && builder.frames.intern(RECORDING);
    const byNumber = new Map<number, number>();
    let row = 0;
    for (const id of this.rowOf.keys()) {
      if (row % CHECK_EVERY === 0) task.check();
      const location = locationOf(this.threads.values[row]);
      const tool = costOf?.[row] ?? 0;
      this.sums.forEach(({ values }, at) => {
        const value = at === EXCLUSIVE ? values[row] - tool : values[row];
        // What was not measured is not 0.
        if (at < ALWAYS || value > 0) builder.add(metrics[at], contexts[row], location, value);
      });
      if (tool > 0 && toolFrame !== undefined)
        builder.add(metrics[EXCLUSIVE], builder.tree.child(contexts[row], toolFrame), location, tool);
      byNumber.set(id, contexts[row++]);
    }
    return byNumber;
  }

  /**
   * Whole nanoseconds of each row that recording functions has taken, at most those that the row has. Regions that stand in the source keep
   * their times as they were measured.
   */
  private costOfRows({ cost, frames }: Costs): Float64Array {
    const [{ values: calls }, { values: exclusive }] = this.sums;
    const costs = new Float64Array(this.size);
    for (let row = 0; row < costs.length; row++) {
      if (!frames.isFunction(this.frames.values[row])) continue;
      costs[row] += calls[row] * cost.function.callee;
      const above = this.rowOf.get(this.parents.values[row]);
      if (above !== undefined) costs[above] += calls[row] * cost.function.caller;
    }
    return costs.map((nanoseconds, row) => Math.min(Math.round(nanoseconds), exclusive[row]));
  }

  private addTo(row: number, sums: readonly number[]): void {
    sums.forEach((value, at) => {
      const { values } = this.sums[at];
      values[row] = at === PEAK ? Math.max(values[row], value) : values[row] + value;
    });
  }

  /** Context of each row. A row may stand before its parent; one that is below itself becomes a root. */
  private contextsIn(
    builder: ProfileBuilder,
    frameOf: (frame: number) => number,
    lineOf: (frame: number) => number,
    task: Pick<Task, "check">,
  ): Int32Array {
    const contexts = new Int32Array(this.size).fill(NONE);
    const path: number[] = [];
    let steps = 0;
    for (let first = 0; first < contexts.length; first++) {
      let at: number | undefined = first;
      while (at !== undefined && contexts[at] === NONE) {
        if (++steps % CHECK_EVERY === 0) task.check();
        contexts[at] = RESOLVING;
        path.push(at);
        at = this.rowOf.get(this.parents.values[at]);
      }
      if (at !== undefined && contexts[at] === RESOLVING) this.damaged++;
      let above = at === undefined || contexts[at] === RESOLVING ? NONE : contexts[at];
      for (let row = path.pop(); row !== undefined; row = path.pop()) {
        const line = above === NONE ? NONE : lineOf(this.calls.values[row]);
        if (line !== NONE) above = builder.tree.child(above, line);
        above = contexts[row] = builder.tree.child(above, frameOf(this.frames.values[row]));
      }
    }
    return contexts;
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
