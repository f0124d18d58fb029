/** How much of a window each part of the machine was used, as far as that was recorded. */
import type { DataSet } from "../../model/dataSet";
import { eventKinds } from "../../model/eventKinds";
import type { HardwareKind } from "../../model/hardware";
import { NONE } from "../../model/ids";
import type { Resource } from "../../model/resources";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { TimeWindow } from "../scope";
import { type EventStates, stateNumbers } from "../traces/eventStates";
import { eachEventIn } from "../traces/eventsInWindow";
import { KINDS, KindTimes } from "../traces/kindTimes";
import { Union } from "../traces/movementSums";
import { busyCounters, capacityCounters, capacityUnit, integralOf } from "./counterUse";
import type { Elements } from "./elements";
import type { HardwareUse, UsedBy } from "./hardwareApi";

export const COMPUTING: number = eventKinds.indexOf("computing");
const GPU: number = eventKinds.indexOf("GPU");
/** What threads compute on, from the inside out, and what holds it. */
const PROCESSING: readonly HardwareKind[] = ["hardware thread", "core", "package", "machine"];
const HOLDING: readonly HardwareKind[] = [...PROCESSING, "zone"];

/** What is known of the use of one element. */
export interface ElementUse extends HardwareUse {
  readonly lanes: readonly number[];
  /** NaN: not recorded. */
  readonly bytes: number;
  readonly capacity: number;
}

/** A trace, and what is asked of it. */
export interface TraceWindow {
  readonly trace: Trace;
  readonly states: EventStates;
  readonly window: TimeWindow;
  /** Whether a lane is left by the restriction. */
  readonly isChosen: (lane: number) => boolean;
  /** Seconds of the window in which lanes compute, where these are known: events are not read for them. */
  readonly computing?: ReadonlyMap<number, number>;
}

/** @returns one per element; without a trace nothing is known */
export async function usesOf(
  { topology }: Pick<DataSet, "topology">,
  elements: Elements,
  asked: TraceWindow | undefined,
  task: Task,
): Promise<ElementUse[]> {
  const uses = new Uses(elements, asked, task);
  await uses.addCounters(topology?.resources ?? []);
  await uses.addLanes();
  uses.addInside();
  return uses.all;
}

class Uses {
  readonly all: { share: number; by: UsedBy | undefined; lanes: number[]; bytes: number; capacity: number }[];

  constructor(
    private readonly machine: Elements,
    private readonly asked: TraceWindow | undefined,
    private readonly task: Task,
  ) {
    const { elements, ofLane } = machine;
    this.all = elements.map(() => ({ share: NaN, by: undefined, lanes: [], bytes: NaN, capacity: NaN }));
    ofLane.forEach((element, lane) => {
      if (asked?.isChosen(lane) !== true) return;
      for (let at = element; at !== NONE; at = elements[at].parent) this.all[at].lanes.push(lane);
    });
  }

  /** @param resources of the topology: a level holds until its resource ends */
  async addCounters(resources: readonly Resource[]): Promise<void> {
    if (!this.asked) return;
    const { trace, window } = this.asked;
    const { elements, ofResource } = this.machine;
    for (const [resource, { used, of }] of capacityCounters(trace)) {
      const element = resource === NONE ? NONE : ofResource[resource];
      // Of what runs on an element, and is none itself, it says nothing.
      if (element === NONE || elements[element].name !== resources[resource].name) continue;
      const { endSeconds = Infinity } = resources[resource];
      const lifetime = { from: window.from, to: Math.min(window.to, endSeconds) };
      const there = await integralOf(trace, of, lifetime, this.task);
      const taken = await integralOf(trace, used, lifetime, this.task);
      if (there.amount > 0 && taken.seconds > 0) this.say(element, taken.amount / there.amount, "capacity");
      // What SimGrid calls a link's bandwidth is bytes per second.
      if (elements[element].kind !== "link") continue;
      if (taken.seconds > 0) this.all[element].bytes = taken.amount;
      if (there.seconds > 0) this.all[element].capacity = there.amount / there.seconds;
    }
    await this.addBandwidths(resources);
    for (const { counter, resource, number } of busyCounters(trace)) {
      const element = this.hardwareThread(this.machineOf(resource === NONE ? NONE : ofResource[resource]), number);
      if (element < 0) continue;
      const { amount, seconds } = await integralOf(trace, counter, window, this.task);
      if (seconds > 0) this.say(element, amount / seconds / 100, "system");
    }
  }

  /** Links of which only the capacity was recorded. */
  private async addBandwidths(resources: readonly Resource[]): Promise<void> {
    if (!this.asked) return;
    const { trace, window } = this.asked;
    for (const [counter, { name, resource }] of trace.counters.entries()) {
      if (resource === NONE || name !== "bandwidth" || capacityUnit(name, [resources[resource].type]) !== "B/s")
        continue;
      const element = this.machine.ofResource[resource];
      if (element === NONE || !Number.isNaN(this.all[element].capacity)) continue;
      const { endSeconds = Infinity } = resources[resource];
      const lifetime = { from: window.from, to: Math.min(window.to, endSeconds) };
      const { amount, seconds } = await integralOf(trace, counter, lifetime, this.task);
      if (seconds > 0) this.all[element].capacity = amount / seconds;
    }
  }

  private hardwareThread(machine: number, number: number): number {
    return this.machine.elements.findIndex(
      (one, at) => one.kind === "hardware thread" && one.number === number && this.machineOf(at) === machine,
    );
  }

  private machineOf(element: number): number {
    const { elements, host } = this.machine;
    let at = element;
    while (at !== NONE && elements[at].kind !== "machine") at = elements[at].parent;
    return at === NONE ? host : at;
  }

  async addLanes(): Promise<void> {
    if (!this.asked) return;
    const { trace, states, window } = this.asked;
    const length = window.to - window.from;
    if (!(length > 0)) return;
    const { elements } = this.machine;
    const records = recordedKinds(trace, states);
    const computing = new Map<number, number>();
    for (let element = 0; element < elements.length; element++) {
      this.task.progress(element / elements.length, "Adding up what each part of the machine did");
      const { kind } = elements[element];
      const { by, lanes } = this.all[element];
      const own = lanes.filter(
        (lane) => this.isOfGpu(lane) === (kind === "GPU") && trace.lanes[lane].kind === "intervals",
      );
      if (own.length === 0) continue;
      if (kind === "GPU" && records.has(GPU)) this.say(element, (await this.kernels(own)) / length, "kernels");
      else if (by === undefined && PROCESSING.includes(kind) && records.has(COMPUTING)) {
        let sum = 0;
        for (const lane of own) {
          if (!computing.has(lane)) computing.set(lane, await this.computing(lane));
          sum += computing.get(lane) ?? 0;
        }
        this.say(element, sum / own.length / length, "threads");
      }
    }
  }

  private isOfGpu(lane: number): boolean {
    const element = this.machine.ofLane[lane];
    return element !== NONE && this.machine.elements[element].kind === "GPU";
  }

  private async computing(lane: number): Promise<number> {
    if (!this.asked) return 0;
    const { trace, states, window, computing } = this.asked;
    const known = computing?.get(lane);
    if (known !== undefined) return known;
    const seconds = new Float64Array(KINDS);
    await new KindTimes(trace, states, this.task).add(lane, Float64Array.of(window.from, window.to), seconds);
    return seconds[COMPUTING];
  }

  /** Seconds in which a kernel runs on one of these streams. */
  private async kernels(lanes: readonly number[]): Promise<number> {
    if (!this.asked) return 0;
    const { trace, states, window } = this.asked;
    const stateOf = stateNumbers(trace, states.of);
    const parts: (readonly [from: number, to: number])[] = [];
    for (const lane of lanes)
      await eachEventIn(trace, lane, window, this.task, ({ startSeconds, endSeconds, frame, category }, at) => {
        if (states.states[stateOf(frame[at], category[at])].kind !== GPU) return;
        parts.push([Math.max(startSeconds[at], window.from), Math.min(endSeconds[at], window.to)]);
      });
    const running = new Union();
    for (const [from, to] of parts.sort((a, b) => a[0] - b[0])) running.add(from, to);
    return running.seconds;
  }

  /** Of what nothing is known itself: the mean over what it holds. */
  addInside(): void {
    const { elements } = this.machine;
    const inside = elements.map((): number[] => []);
    this.all.forEach(({ by, share }, element) => {
      if (by === undefined || !PROCESSING.includes(elements[element].kind)) return;
      let at = elements[element].parent;
      for (; at !== NONE && this.all[at].by === undefined; at = elements[at].parent) inside[at].push(share);
    });
    inside.forEach((shares, element) => {
      if (shares.length > 0 && HOLDING.includes(elements[element].kind)) this.say(element, meanOf(shares), "inside");
    });
  }

  private say(element: number, share: number, by: UsedBy): void {
    Object.assign(this.all[element], { share, by });
  }
}

/** What lanes of the recording ever do: where nothing computes anywhere, computing was not recorded. */
function recordedKinds(trace: Trace, { states, of }: EventStates): ReadonlySet<number> {
  const kinds = new Set<number>();
  for (let lane = 0; lane < trace.lanes.length; lane++)
    trace.stateSeconds(lane).state.forEach((state) => kinds.add(states[of[state]].kind));
  return kinds;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
