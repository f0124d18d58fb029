import type { ColumnFiles } from "../../../model/columnFile";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { Task } from "../../../model/task";
import type { CategoryKind } from "../../../model/trace";
import { TraceBuilder } from "../../trace/traceBuilder";
import { ProcessRanks } from "../decode/processRanks";
import { type ActivityStep, DeviceActivities } from "./deviceActivities";
import type { EventPhase } from "../names/details";
import { HeldRecords, type TakeRecord } from "./heldRecords";
import { MessageEnds, type MessageStep } from "./messageEnds";
import { placeName, processName } from "../../trace/placeNames";
import type { EventOwner } from "./eventOwner";
import { joinBlocks, joinEarly, type JoinTarget, type RegionPlace } from "./joinedBlocks";
import { LooseRows } from "./looseEnds";
import { RecordedLengths, RegionEvents } from "./regionEvents";
import { ThreadBlocks } from "./threadBlocks";

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
  /** The region around the one that begins or ends, and the name of that one. */
  readonly around: number;
  readonly name: string;
  readonly category: number;
  /** Which value holds the new value of an attribute that was set; {@link NONE} where it is no number. */
  readonly value: number;
  /** Index of the value that holds the length of the event that ends, in nanoseconds. NONE if no length was recorded. */
  readonly inclusive: number;
  /** Of the last record of this shape: its location, and where its events go. */
  location: number;
  lane: number;
  thread: ThreadBlocks;
  region: RegionEvents;
}

/** Events of one file, once all records are there. */
export interface FileTrace {
  readonly builder: TraceBuilder;
  readonly messages: MessageEnds;
  readonly activities: DeviceActivities;
  /** Number of ends of regions that began before the first record. */
  readonly begunBefore: number;
}

const BEGIN = 0;
const END = 1;
const MARK = 2;
const COUNT = 3;

/** Longer than any run: what is later is no time. */
const LATEST_SECONDS = 1e12;
/** Where steps are before their first record. */
const NO_THREAD = new ThreadBlocks();
const NO_REGION = new RegionEvents(new RecordedLengths(), new LooseRows());

/**
 * The events of one file: begin and end records become the nested events of a lane for each thread, in the order of their times
 * (docs: caliper.md, Event traces).
 */
export class EventTrace {
  readonly builder: TraceBuilder;
  private readonly messages: MessageEnds;
  private readonly activities: DeviceActivities;
  private readonly lengths = new RecordedLengths();
  private readonly loose: LooseRows;
  private readonly held = new HeldRecords();
  /** Ranks of the file's processes, once records without a rank are not held any more. */
  private ranks: ProcessRanks | undefined;
  private readonly lanes = new Map<string, number>();
  private readonly threads = new Map<number, ThreadBlocks>();
  private readonly regions = new Map<string, RegionPlace>();
  private readonly resources = new Map<string, number>();
  private readonly counters = new Map<string, number>();

  constructor(
    private readonly recording: EventOwner,
    columnFiles: ColumnFiles | undefined,
  ) {
    this.builder = new TraceBuilder(columnFiles);
    this.loose = new LooseRows(columnFiles?.memoryBytes);
    this.messages = new MessageEnds(recording);
    this.activities = new DeviceActivities(recording, this.builder);
  }

  /** Category of events that this attribute annotates. */
  category(attribute: string): number {
    return this.builder.category(attribute, kindOf(attribute));
  }

  /** Takes one record. */
  take(step: Step, location: number, values: Float64Array): void {
    if (step.location !== location) {
      if (this.hold(location, values, (place, held) => this.take(step, place, held))) return;
      this.moveTo(step, location);
    }
    const seconds = values[step.clock] / step.perSecond;
    // Written so that what is no number fails it as well.
    if (!(seconds > -LATEST_SECONDS && seconds < LATEST_SECONDS)) {
      this.recording.warn("times", "events have times that are no numbers: those events are left out");
      return;
    }
    const { thread } = step;
    if (seconds >= thread.last) thread.last = seconds;
    else thread.startBlock(seconds);
    if (step.kind === BEGIN) {
      const event = this.builder.begin(step.lane, seconds, step.frame, step.context, step.category);
      step.region.begin(event, seconds, thread.block);
    } else if (step.kind === END) {
      const event = step.region.end(seconds, this.recordedBegin(step, values), thread.block);
      if (event !== NONE) this.builder.end(event, seconds, step.lane);
    } else if (step.kind === COUNT) {
      this.builder.point(step.lane, seconds, values[step.value]);
    } else this.builder.event(step.lane, seconds, seconds, step.frame, step.context, step.category);
  }

  /** Takes one side of a message, or what was given to a collective. */
  message(step: MessageStep, location: number, values: Float64Array): void {
    if (this.hold(location, values, (place, held) => this.message(step, place, held))) return;
    if (step.peer !== NONE) {
      this.messages.take(step, location, values);
      return;
    }
    const sender = this.resourceOf(location);
    const seconds = values[step.clock] / step.perSecond;
    this.builder.message("collective", sender, NONE, seconds, Number.NaN, values[step.bytes], NONE);
  }

  /** Takes work of a device. */
  activity(step: ActivityStep, location: number, values: Float64Array): void {
    if (!this.hold(location, values, (place, held) => this.activity(step, place, held)))
      this.activities.take(step, location, values);
  }

  /**
   * Joins begins and ends of different blocks, once all records are there. Records without a rank belong to the rank that their
   * process has later.
   *
   * @returns the events without the state of reading: another thread may get them
   */
  async finish(task: Task): Promise<FileTrace> {
    this.release();
    this.messages.sort();
    const { begunBefore, rematched } = joinBlocks([...this.regions.values()], this.lengths, this.joinTarget(), task);
    if (rematched.length > 0) await this.builder.columns?.rematch(rematched, this.builder.lanes.length, task);
    const { builder, messages, activities } = this;
    return { builder, messages, activities, begunBefore };
  }

  /** Between pieces of input: joins and writes out what should not stay in memory. */
  async settle(task: Task): Promise<void> {
    if (this.loose.areMany) joinEarly(this.regions.values(), this.loose, this.lengths, this.joinTarget(), task);
    await this.builder.settle(task);
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
    const { resources } = this.builder;
    const process = entryOf(this.resources, `${rank}`, () => this.builder.resource(start));
    // Records of a numbered thread may come before those without one.
    if (location !== NONE && resources[process].location === NONE) resources[process] = start;
    return process;
  }

  /** Seconds at which the event that ends began, by its recorded length. NaN if no length was recorded. */
  private recordedBegin({ inclusive, clock, perSecond }: Step, values: Float64Array): number {
    if (inclusive === NONE) return Number.NaN;
    this.lengths.areRecorded = true;
    return this.lengths.areUsed ? (values[clock] - values[inclusive]) / perSecond : Number.NaN;
  }

  /** @returns whether the record has no rank yet, and is taken later */
  private hold(location: number, values: Float64Array, take: TakeRecord): boolean {
    if (this.ranks !== undefined) return false;
    const { rank } = this.recording.locations[location];
    if (rank !== NONE) {
      if (this.held.needsRank) this.held.noteRank(rank);
      return false;
    }
    this.held.add(location, values, take);
    if (this.held.isFull) this.release();
    return true;
  }

  private release(): void {
    if (this.ranks !== undefined) return;
    this.ranks = new ProcessRanks(this.recording.locations);
    this.held.release((location, nextRank) => this.placeOf(location, nextRank));
  }

  /** The location that a record belongs to, now that ranks are known. */
  private placeOf(location: number, nextRank: number): number {
    const { rank, thread, stream, gpuContext } = this.recording.locations[location];
    if (rank !== NONE || this.ranks === undefined) return location;
    const known = this.ranks.ofThread(thread);
    const own = known === NONE ? nextRank : known;
    return own === NONE ? location : this.recording.location(own, thread, stream, gpuContext);
  }

  /** Another location than that of the last record of this shape: finds its lane, or counter, and what is open there. */
  private moveTo(step: Step, location: number): void {
    const place = this.placeOf(location, NONE);
    step.location = location;
    step.thread = entryOf(this.threads, place, () => new ThreadBlocks());
    if (step.kind === COUNT) {
      step.lane = this.counter(place, step.attribute);
      return;
    }
    step.lane = this.lane(place, step.nested ? "" : step.attribute, step.kind === MARK);
    const { lane, thread, attribute, name } = step;
    const key = JSON.stringify([place, attribute, name, step.nested ? step.around : NONE]);
    const start = (): RegionPlace => ({
      lane,
      thread,
      attribute,
      name,
      events: new RegionEvents(this.lengths, this.loose),
    });
    const region = entryOf(this.regions, key, start);
    if (step.kind === BEGIN) {
      region.frame = step.frame;
      region.context = step.nested ? step.context : undefined;
    }
    step.region = region.events;
  }

  private joinTarget(): JoinTarget {
    const { builder } = this;
    return {
      end: (event, seconds, lane) => builder.end(event, seconds, lane),
      missingEnd: ({ lane, frame = NONE, context = NONE }, seconds) => {
        const { columns } = builder;
        if (columns !== undefined) columns.missingEnd(lane, seconds, frame, context);
        // Counts need to know how long the trace is, not which event this is.
        else builder.end(0, seconds, lane);
      },
    };
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

export function newStep(phase: EventPhase, of: Omit<Step, "kind" | "location" | "lane" | "thread" | "region">): Step {
  const kind = phase === "begin" ? BEGIN : phase === "end" ? END : of.value === NONE ? MARK : COUNT;
  return { ...of, kind, location: NONE, lane: NONE, thread: NO_THREAD, region: NO_REGION };
}

/** Kind of a category, by the attribute that annotates its events. */
function kindOf(attribute: string): CategoryKind {
  if (attribute === "mpi.function" || attribute === "comm.region") return "communication";
  if (/^(?:cupti\.(?:runtimeAPI|driverAPI)|rocm\.api|hip\.api|cuda\.api)$/.test(attribute)) return "runtime";
  if (/^(?:omp\.sync|cupti\.sync)$/.test(attribute)) return "synchronization";
  if (attribute === "io.region") return "io";
  return "compute";
}
