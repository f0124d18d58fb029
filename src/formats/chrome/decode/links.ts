import { entryOf } from "../../../model/maps";
import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";
import { type ArrowPart, ArrowParts, type ArrowPoint, withSteps } from "./arrowParts";

/** More arrows than this whose other end was not found yet are left out: memory must not grow with damaged input. */
const MOST_OPEN = 1 << 20;
const PART_BITS = 6;
const PARTS = 1 << PART_BITS;

/** A start (`s`), a step (`t`) or an end (`f`): at one time they follow each other so. */
const points = ["start", "step", "end"] as const;

interface Point extends ArrowPoint {
  readonly at: number;
}

/** What is known of the arrow of one category and id. */
interface Arrow {
  /** Where it goes on from. */
  begun: Point | undefined;
  /** What belongs to a point that stands later in the file, or to none. */
  waiting: Point[];
  latestSeconds: number;
  /** Its id was an arrow's before, all of which is drawn. */
  isUsed: boolean;
}

/** Of more parts than this those that come later are drawn at once: of these a step that stands behind its arrow's end is lost. */
const MOST_PARTS = 1 << 20;

/**
 * Flow arrows: a start, steps and an end of one category and id, each pair of neighbours a message. They may stand in any order
 * (threads write their buffers one after the other): what comes before its start, and a step that comes late, waits for the end of the file.
 */
export class Flows {
  private readonly arrows = new Map<number, Map<number, Arrow>>();
  private readonly parts = new ArrowParts();
  private open = 0;
  /** Points that were left out. */
  leftOut = 0;
  /** Ends without a start, and starts without an end: all of them after {@link finish}. */
  unfinished = 0;

  constructor(private readonly sink: TraceSink) {}

  take(point: (typeof points)[number], category: number, id: number, resource: number, seconds: number): void {
    const found = this.arrows.get(category)?.get(id);
    const own = { at: points.indexOf(point), resource, seconds };
    if (point === "start") {
      if (found === undefined) this.keep(category, id, own);
      else if (seconds <= found.latestSeconds) this.wait(found, own);
      else {
        // The one that is begun anew was never ended.
        if (found.begun !== undefined) this.unfinished++;
        else this.open++;
        found.begun = own;
      }
      return;
    }
    const begun = found?.begun;
    if (found === undefined) this.keep(category, id, own);
    else if (begun === undefined || (point === "step" && seconds < begun.seconds)) this.wait(found, own);
    else {
      if (this.parts.length < MOST_PARTS) this.parts.push(category, id, { from: begun, to: own });
      else this.draw(begun, own);
      if (point === "step") found.begun = own;
      else this.end(category, id, found);
    }
  }

  /** At the end of the file: what waits is joined in the order of time. */
  finish(task: Pick<Task, "check">): void {
    this.drawParts(task);
    let steps = 0;
    for (const byId of this.arrows.values())
      for (const { begun, waiting, isUsed } of byId.values()) {
        if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
        const rest = begun === undefined ? waiting : [...waiting, begun];
        const isOne =
          !isUsed && ["start", "end"].every((end) => rest.filter(({ at }) => points[at] === end).length < 2);
        // Where clocks differ, an arrow may arrive before it starts.
        if (isOne) rest.sort(cancellable((a, b) => a.at - b.at || a.seconds - b.seconds, task));
        else rest.sort(cancellable((a, b) => a.seconds - b.seconds || a.at - b.at, task));
        this.join(rest, begun);
      }
    this.arrows.clear();
  }

  /** What was joined while the file was read, with the steps that came late. */
  private drawParts(task: Pick<Task, "check">): void {
    const late = new Map<Arrow, ArrowPart[]>();
    this.parts.each((category, id, part) => {
      const arrow = this.arrows.get(category)?.get(id);
      if (arrow?.waiting.some(isStep)) entryOf(late, arrow, () => []).push(part);
      else this.draw(part.from, part.to);
    }, task);
    for (const [arrow, parts] of late) {
      const { parts: all, rest } = withSteps(parts, arrow.waiting.filter(isStep), task);
      for (const { from, to } of all) this.draw(from, to);
      arrow.waiting = [...arrow.waiting.filter((point) => !isStep(point)), ...rest];
    }
  }

  /** @param begun the one of them that something leads to already, where there is one */
  private join(rest: readonly Point[], begun: Point | undefined): void {
    let from: Point | undefined;
    for (const point of rest) {
      const isStart = points[point.at] === "start" || point === begun;
      if (isStart !== (from === undefined)) this.unfinished++;
      else if (from !== undefined) this.draw(from, point);
      from = points[point.at] === "end" ? undefined : point;
    }
    if (from !== undefined) this.unfinished++;
  }

  private draw(from: ArrowPoint, to: ArrowPoint): void {
    this.sink.message("flow", from.resource, to.resource, from.seconds, to.seconds, Number.NaN, NONE);
  }

  /** The first point of an arrow. */
  private keep(category: number, id: number, point: Point): void {
    if (!this.isRoom()) return;
    let byId = this.arrows.get(category);
    if (byId === undefined) this.arrows.set(category, (byId = new Map()));
    const isStart = points[point.at] === "start";
    byId.set(id, {
      begun: isStart ? point : undefined,
      waiting: isStart ? [] : [point],
      latestSeconds: isStart ? -Infinity : point.seconds,
      isUsed: false,
    });
  }

  private wait(arrow: Arrow, point: Point): void {
    if (!this.isRoom()) return;
    arrow.waiting.push(point);
    arrow.latestSeconds = Math.max(arrow.latestSeconds, point.seconds);
  }

  private end(category: number, id: number, arrow: Arrow): void {
    this.open--;
    arrow.begun = undefined;
    arrow.isUsed = true;
    if (arrow.waiting.length === 0) this.arrows.get(category)?.delete(id);
  }

  private isRoom(): boolean {
    if (this.open < MOST_OPEN) {
      this.open++;
      return true;
    }
    this.leftOut++;
    return false;
  }
}

function isStep({ at }: Point): boolean {
  return points[at] === "step";
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
