import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";

/** More arrows than this whose other end was not found yet are left out: memory must not grow with damaged input. */
const MOST_OPEN = 1 << 20;
const PART_BITS = 6;
const PARTS = 1 << PART_BITS;

interface Side {
  readonly resource: number;
  readonly seconds: number;
}

/** Flow arrows: a start (`s`), steps (`t`) and an end (`f`) of one category and id, each pair of neighbours a message. */
export class Flows {
  private readonly starts = new Map<number, Map<number, Side>>();
  /** Ends that stand before their starts. */
  private readonly ends = new Map<number, Map<number, Side>>();
  private open = 0;
  /** Arrows that were left out. */
  leftOut = 0;

  constructor(private readonly sink: TraceSink) {}

  start(category: number, id: number, resource: number, seconds: number): void {
    const end = this.take(this.ends, category, id);
    if (end !== undefined) this.draw({ resource, seconds }, end);
    else this.keep(this.starts, category, id, { resource, seconds });
  }

  step(category: number, id: number, resource: number, seconds: number): void {
    this.end(category, id, resource, seconds);
    this.keep(this.starts, category, id, { resource, seconds });
  }

  end(category: number, id: number, resource: number, seconds: number): void {
    const start = this.take(this.starts, category, id);
    if (start !== undefined) this.draw(start, { resource, seconds });
    else this.keep(this.ends, category, id, { resource, seconds });
  }

  /** Number of ends and starts that found no other side, beyond those left out. */
  get unfinished(): number {
    return this.open;
  }

  private draw(from: Side, to: Side): void {
    this.sink.message("flow", from.resource, to.resource, from.seconds, to.seconds, Number.NaN, NONE);
  }

  private take(sides: Map<number, Map<number, Side>>, category: number, id: number): Side | undefined {
    const byId = sides.get(category);
    const found = byId?.get(id);
    if (found === undefined) return undefined;
    byId?.delete(id);
    this.open--;
    return found;
  }

  private keep(sides: Map<number, Map<number, Side>>, category: number, id: number, side: Side): void {
    let byId = sides.get(category);
    if (byId === undefined) sides.set(category, (byId = new Map()));
    if (!byId.has(id)) {
      if (this.open >= MOST_OPEN) {
        this.leftOut++;
        return;
      }
      this.open++;
    }
    byId.set(id, side);
  }
}

/** Columns that grow: runtime calls, or device activities, by their correlation. */
class CorrelatedCalls {
  readonly correlation = new FloatColumn();
  readonly resource = new IntColumn();
  readonly seconds = new FloatColumn();

  push(correlation: number, resource: number, seconds: number): number {
    this.correlation.push(correlation);
    this.resource.push(resource);
    this.seconds.push(seconds);
    return this.seconds.length - 1;
  }
}

/**
 * Runtime calls joined to what they started on a device, by `correlation` (formats.md 2: the flow arrows of such files do not
 * tell). One call may start several activities; either side may come first.
 */
export class Launches {
  private readonly calls = new CorrelatedCalls();
  private readonly waiting = new CorrelatedCalls();
  /**
   * Where the calls are found, by hash, in parts that grow one by one: millions of calls placed anew at once would leave a
   * cancel unheard for longer than it may be. Numbers that follow each other fill all parts alike: each grows at another
   * share of its slots, from a half to three quarters.
   */
  private readonly parts = Array.from({ length: PARTS }, (_, part) => ({
    count: 0,
    mostFilled: 0.5 + part / PARTS / 4,
    slots: new Int32Array(16).fill(NONE),
  }));

  constructor(private readonly sink: TraceSink) {}

  call(correlation: number, resource: number, seconds: number): void {
    if (this.find(correlation) !== NONE) return;
    const call = this.calls.push(correlation, resource, seconds);
    const part = this.parts[partOf(correlation)];
    if (++part.count > part.mostFilled * part.slots.length) {
      const { slots } = part;
      part.slots = new Int32Array(2 * slots.length).fill(NONE);
      for (const own of slots) if (own !== NONE) this.place(part.slots, own);
    }
    this.place(part.slots, call);
  }

  activity(correlation: number, resource: number, seconds: number): void {
    const call = this.find(correlation);
    if (call === NONE) this.waiting.push(correlation, resource, seconds);
    else this.join(call, correlation, resource, seconds);
  }

  /** At the end of the file: activities that stood before their calls. */
  finish(task: Pick<Task, "check">): void {
    const { correlation, resource, seconds } = this.waiting;
    for (let at = 0; at < seconds.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const call = this.find(correlation.values[at]);
      if (call !== NONE) this.join(call, correlation.values[at], resource.values[at], seconds.values[at]);
    }
  }

  private join(call: number, correlation: number, resource: number, seconds: number): void {
    const tag = correlation >= 0 && correlation <= 0x7fffffff ? correlation : NONE;
    const { calls } = this;
    const [caller, called] = [calls.resource.values[call], calls.seconds.values[call]];
    this.sink.message("launch", caller, resource, called, seconds, Number.NaN, tag);
  }

  private find(correlation: number): number {
    const { slots } = this.parts[partOf(correlation)];
    const mask = slots.length - 1;
    let slot = hash(correlation) & mask;
    for (let own = slots[slot]; own !== NONE; own = slots[(slot = (slot + 1) & mask)])
      if (this.calls.correlation.values[own] === correlation) return own;
    return NONE;
  }

  private place(slots: Int32Array, call: number): void {
    const mask = slots.length - 1;
    let slot = hash(this.calls.correlation.values[call]) & mask;
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = call;
  }
}

/** The highest bits of the hash: a part uses the lowest. */
function partOf(correlation: number): number {
  return hash(correlation) >>> (31 - PART_BITS);
}

function hash(correlation: number): number {
  const h = Math.imul((correlation % 0x80000000) | 0, 0x9e3779b1) ^ Math.floor(correlation / 0x80000000);
  return (h ^ (h >>> 15)) >>> 1;
}
