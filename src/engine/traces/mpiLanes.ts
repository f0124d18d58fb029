/** MPI calls of each lane of a trace, and those that run at ascending moments. */
import { LaneSweep } from "../../formats/trace/laneSweep";
import { widened } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { isBlockingReceive, isBlockingSend, isCollective, isReceiver, mpiFunction } from "../../model/mpiNames";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { CallTimes, Collectives } from "./waitRule";

/** Rows that are read at once. */
const PAGE = 1 << 13;

/** Flags of an MPI call's function. */
export const callKinds = { receive: 1, blockingReceive: 2, blockingSend: 4, collective: 8 } as const;

/** MPI calls of one lane, by ascending start. */
export class LaneCalls {
  count = 0;
  private start = new Float64Array(64);
  private end = new Float64Array(64);
  private eventOf = new Int32Array(64);
  private functionOf = new Int32Array(64);

  /** @param functions MPI functions by number, each with its flags of {@link callKinds} */
  constructor(private readonly functions: readonly { readonly name: string; readonly kinds: number }[]) {}

  add(start: number, end: number, event: number, of: number): void {
    if (this.count === this.start.length) {
      this.start = widened(this.start);
      this.end = widened(this.end);
      this.eventOf = widened(this.eventOf);
      this.functionOf = widened(this.functionOf);
    }
    const at = this.count++;
    this.start[at] = start;
    this.end[at] = end;
    this.eventOf[at] = event;
    this.functionOf[at] = of;
  }

  times(call: number): CallTimes {
    return { start: this.start[call], end: this.end[call] };
  }

  event(call: number): number {
    return this.eventOf[call];
  }

  isOfKind(call: number, kind: number): boolean {
    return (this.functions[this.functionOf[call]].kinds & kind) !== 0;
  }

  /** Numbers of the calls that have a flag of {@link callKinds}, or of all calls. */
  numbers(kind?: number): Int32Array {
    const all = Int32Array.from({ length: this.count }, (_, call) => call);
    return kind === undefined ? all : all.filter((call) => this.isOfKind(call, kind));
  }

  collectives(): Collectives {
    const calls = this.numbers(callKinds.collective);
    return {
      name: Array.from(calls, (call) => this.functions[this.functionOf[call]].name),
      start: Float64Array.from(calls, (call) => this.start[call]),
      event: Int32Array.from(calls, (call) => this.eventOf[call]),
    };
  }
}

/** Reads the MPI calls of all lanes. @returns calls by lane */
export async function mpiLanes({ frames }: DataSet, trace: Trace, task: Task): Promise<LaneCalls[]> {
  const functions: { name: string; kinds: number }[] = [];
  const functionOf = new Map<number, number>();
  for (const frame of trace.states.frame) {
    const written = frame === NONE ? "" : frames.nameOf(frame);
    const name = mpiFunction(written);
    if (name === undefined || functionOf.has(frame)) continue;
    functionOf.set(frame, functions.push({ name, kinds: kindsOf(written) }) - 1);
  }
  const all: LaneCalls[] = [];
  for (const [lane, { events }] of trace.lanes.entries()) {
    task.progress(lane / trace.lanes.length);
    const calls = new LaneCalls(functions);
    for (let first = 0; functionOf.size > 0 && first < events; first += PAGE) {
      task.check();
      const { count, frame, startSeconds, endSeconds } = await trace.readEvents(lane, first, PAGE);
      for (let row = 0; row < count; row++) {
        const of = functionOf.get(frame[row]);
        if (of !== undefined) calls.add(startSeconds[row], endSeconds[row], first + row, of);
      }
    }
    all.push(calls);
  }
  return all;
}

function kindsOf(name: string): number {
  return (
    (isReceiver(name) ? callKinds.receive : 0) |
    (isBlockingReceive(name) ? callKinds.blockingReceive : 0) |
    (isBlockingSend(name) ? callKinds.blockingSend : 0) |
    (isCollective(name) ? callKinds.collective : 0)
  );
}

/**
 * Calls that run at ascending moments. Each call is visited once: going back from each moment would visit all calls within a long one
 * again.
 */
export class RunningCalls {
  private readonly running: number[] = [];
  private next = 0;

  /** @param of numbers of calls, by ascending start */
  constructor(
    private readonly calls: LaneCalls,
    private readonly of: Int32Array,
  ) {}

  /** Calls that have begun and not ended, in the order of their starts. A call includes its start and its end. */
  at(seconds: number): readonly number[] {
    const { calls, of, running } = this;
    while (this.next < of.length && calls.times(of[this.next]).start <= seconds) running.push(of[this.next++]);
    let kept = 0;
    for (const call of running) if (calls.times(call).end >= seconds) running[kept++] = call;
    running.length = kept;
    return running;
  }
}

/** The innermost call at ascending moments, by the rule of nesting (semantics 8). */
export class InnermostCalls {
  private readonly sweep = new LaneSweep(() => {});
  private next = 0;

  constructor(private readonly calls: LaneCalls) {
    this.sweep.begin();
  }

  /** A call includes its start, but not its end. @returns number of the call; NONE if no call runs */
  at(seconds: number): number {
    const { calls, sweep } = this;
    for (; this.next < calls.count; this.next++) {
      const { start, end } = calls.times(this.next);
      if (start > seconds) break;
      sweep.event(start, end, NONE, 0, this.next);
    }
    sweep.advance(seconds);
    return sweep.innermost;
  }
}
