import type { ColumnFiles } from "../../../model/columnFile";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { CategoryKind } from "../../../model/trace";
import { IntColumn } from "../../../model/columns";
import { TraceBuilder } from "../../trace/traceBuilder";
import { DeviceActivities } from "./deviceActivities";
import type { EventPhase } from "../names/details";
import { MessageEnds, type MessageStep } from "./messageEnds";
import { placeName, processName } from "../../trace/placeNames";
import type { EventOwner } from "./eventOwner";

/** What all records of one shape tell of the trace. */
export interface Step {
  /** Whether an event begins or ends, an instant is marked, or a number is set. */
  readonly kind: number;
  /** Which value says when, and how its unit relates to seconds. */
  readonly clock: number;
  readonly perSecond: number;
  /** What began or ended: regions share the lane of their thread, every other attribute has lanes of its own. */
  readonly attribute: string;
  readonly nested: boolean;
  readonly frame: number;
  readonly context: number;
  readonly category: number;
  /** Which value holds the new value of an attribute that was set; {@link NONE} where it is no number. */
  readonly value: number;
  /** Of the last record of this shape: its location, and where its events go. */
  location: number;
  lane: number;
  open: IntColumn;
}

const BEGIN = 0;
const END = 1;
const MARK = 2;
const COUNT = 3;

/** Longer than any run: what is later is no time. */
const LATEST_SECONDS = 1e12;
const NOTHING_OPEN = new IntColumn();

/**
 * The events of one file: begin and end records become the nested events of a lane for each thread, in the order in which
 * the file has them (docs: caliper.md, Event traces).
 */
export class EventTrace {
  readonly builder: TraceBuilder;
  readonly messages: MessageEnds;
  readonly activities: DeviceActivities;
  /** Ends of what began before the first record. */
  begunBefore = 0;
  private readonly lanes = new Map<string, number>();
  private readonly openOf = new Map<string, IntColumn>();
  private readonly resources = new Map<string, number>();
  private readonly counters = new Map<string, number>();

  constructor(
    private readonly recording: EventOwner,
    columnFiles: ColumnFiles | undefined,
  ) {
    this.builder = new TraceBuilder(columnFiles);
    this.messages = new MessageEnds(recording);
    this.activities = new DeviceActivities(recording, this.builder);
  }

  /** Category of events that this attribute annotates. */
  category(attribute: string): number {
    return this.builder.category(attribute, kindOf(attribute));
  }

  /** Takes one record. */
  take(step: Step, location: number, values: Float64Array): void {
    if (step.location !== location) this.moveTo(step, location);
    const seconds = values[step.clock] / step.perSecond;
    // Written so that what is no number fails it as well.
    if (!(seconds > -LATEST_SECONDS && seconds < LATEST_SECONDS)) {
      this.recording.warn("times", "events have times that are no numbers: those events are left out");
      return;
    }
    if (step.kind === BEGIN) {
      step.open.push(this.builder.begin(step.lane, seconds, step.frame, step.context, step.category));
    } else if (step.kind === END) {
      const { open } = step;
      if (open.length > 0) this.builder.end(open.values[--open.length], seconds, step.lane);
      else this.begunBefore++;
    } else if (step.kind === COUNT) {
      this.builder.point(step.lane, seconds, values[step.value]);
    } else this.builder.event(step.lane, seconds, seconds, step.frame, step.context, step.category);
  }

  /** Takes one side of a message, or what was given to a collective. */
  message(step: MessageStep, location: number, values: Float64Array): void {
    if (step.peer !== NONE) {
      this.messages.take(step, location, values);
      return;
    }
    const sender = this.resourceOf(location);
    const seconds = values[step.clock] / step.perSecond;
    this.builder.message("collective", sender, NONE, seconds, Number.NaN, values[step.bytes], NONE);
  }

  /** Process or thread of a location. */
  resourceOf(location: number): number {
    const { rank, thread } = this.recording.locations[location];
    const process = this.process(rank, thread === NONE ? location : NONE);
    if (thread === NONE) return process;
    const key = `${rank} ${thread}`;
    const start = { name: `thread ${thread}`, type: "thread", parent: process, location };
    return entryOf(this.resources, key, () => this.builder.resource(start));
  }

  private process(rank: number, location: number): number {
    const start = { name: processName(rank), type: "process", parent: NONE, location };
    return entryOf(this.resources, `${rank}`, () => this.builder.resource(start));
  }

  /** Another location than that of the last record of this shape: finds its lane, or counter, and what is open there. */
  private moveTo(step: Step, location: number): void {
    step.location = location;
    if (step.kind === COUNT) {
      step.lane = this.counter(location, step.attribute);
      return;
    }
    const of = step.nested ? "" : step.attribute;
    step.lane = this.lane(location, of, step.kind === MARK);
    const key = JSON.stringify([location, step.attribute]);
    step.open = entryOf(this.openOf, key, () => new IntColumn());
  }

  private lane(location: number, of: string, instants: boolean): number {
    const key = JSON.stringify([location, of, instants]);
    return entryOf(this.lanes, key, () => {
      const name = [placeName(this.recording.locations[location]), ...(of === "" ? [] : [of])].join(": ");
      const resource = this.resourceOf(location);
      return this.builder.lane({ name, resource, location, kind: instants ? "instants" : "intervals" });
    });
  }

  private counter(location: number, attribute: string): number {
    const key = JSON.stringify([location, attribute]);
    return entryOf(this.counters, key, () => {
      // A lane as well, so that the counter moves with the clock of its process.
      this.lane(location, "", false);
      return this.builder.counter(attribute, "", this.resourceOf(location));
    });
  }
}

export function newStep(phase: EventPhase, of: Omit<Step, "kind" | "location" | "lane" | "open">): Step {
  const kind = phase === "begin" ? BEGIN : phase === "end" ? END : of.value === NONE ? MARK : COUNT;
  return { ...of, kind, location: NONE, lane: NONE, open: NOTHING_OPEN };
}

/** Kind of a category, by the attribute that annotates its events. */
function kindOf(attribute: string): CategoryKind {
  if (attribute === "mpi.function" || attribute === "comm.region") return "communication";
  if (/^(?:cupti\.(?:runtimeAPI|driverAPI)|rocm\.api|hip\.api|cuda\.api)$/.test(attribute)) return "runtime";
  if (/^(?:omp\.sync|cupti\.sync)$/.test(attribute)) return "synchronization";
  if (attribute === "io.region") return "io";
  return "compute";
}
