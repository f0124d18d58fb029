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
import { EventLanes } from "./eventLanes";
import type { EventOwner } from "./eventOwner";
import { joinBlocks, joinEarly, joinPlaces, type JoinTarget, regionKey, type RegionPlace } from "./joinedBlocks";
import { LooseRows } from "./looseEnds";
import { RecordedLengths, RegionEvents } from "./regionEvents";
import { ThreadBlocks } from "./threadBlocks";
import { UnrankedPlaces } from "./unrankedPlaces";

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
/** Blocks and region of steps before their first record. */
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
  private readonly held: HeldRecords;
  private readonly unranked = new UnrankedPlaces();
  /** Steps whose last record has no rank and was not held. */
  private readonly unrankedSteps = new Set<Step>();
  private readonly lanes: EventLanes;
  private readonly threads = new Map<number, ThreadBlocks>();
  private readonly regions = new Map<string, RegionPlace>();

  constructor(
    private readonly recording: EventOwner,
    columnFiles: ColumnFiles | undefined,
  ) {
    this.builder = new TraceBuilder(columnFiles);
    this.loose = new LooseRows(columnFiles?.memoryBytes);
    this.held = new HeldRecords(columnFiles?.memoryBytes);
    this.lanes = new EventLanes(recording, this.builder);
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
      if (this.hold(location, values, (place, held) => this.takeAt(step, place, held))) return;
      const isUnranked = this.recording.locations[location].rank === NONE;
      this.moveTo(step, isUnranked ? this.unranked.of(location, NONE) : location);
      step.location = location;
      if (isUnranked) this.unrankedSteps.add(step);
    }
    this.add(step, values);
  }

  /** Takes one side of a message, or what was given to a collective. */
  message(step: MessageStep, location: number, values: Float64Array): void {
    const take: TakeRecord = (place, held) => this.messageAt(step, this.locationOf(place), held);
    if (!this.hold(location, values, take)) take(location, values);
  }

  /** Takes work of a device. */
  activity(step: ActivityStep, location: number, values: Float64Array): void {
    const take: TakeRecord = (place, held) => this.activities.take(step, this.locationOf(place), held);
    if (!this.hold(location, values, take)) take(location, values);
  }

  /**
   * Joins begins and ends of different blocks, once all records are there. Records without a rank belong to the rank that their
   * process has later.
   *
   * @returns the events without the state of reading: another thread may get them
   */
  async finish(task: Task): Promise<FileTrace> {
    const ranks = new ProcessRanks(this.recording.locations);
    const rankedLocation = (location: number, nextRank: number) => this.rankedLocation(ranks, location, nextRank);
    this.held.release(rankedLocation);
    const locations = this.unranked.joined(rankedLocation);
    const joined = this.lanes.join(locations);
    if (joined !== undefined) {
      await this.builder.join(joined.laneOf, joined.counterOf, task);
      this.activities.renumber(joined.laneOf);
    }
    const regions = joinPlaces(this.regions.values(), this.threads, locations, joined?.laneOf);
    this.messages.sort();
    const { begunBefore, rematched } = joinBlocks(regions, this.lengths, this.joinTarget(), task);
    if (rematched.length > 0) await this.builder.columns?.rematch(rematched, this.builder.lanes.length, task);
    const { builder, messages, activities } = this;
    return { builder, messages, activities, begunBefore };
  }

  /** Between pieces of input: joins and writes out what should not stay in memory. */
  async settle(task: Task): Promise<void> {
    if (this.loose.areMany) joinEarly(this.regions.values(), this.loose, this.lengths, this.joinTarget(), task);
    await this.builder.settle(task);
  }

  private takeAt(step: Step, place: number, values: Float64Array): void {
    if (step.location !== place) this.moveTo(step, place);
    this.add(step, values);
  }

  private messageAt(step: MessageStep, location: number, values: Float64Array): void {
    if (step.peer !== NONE) {
      this.messages.take(step, location, values);
      return;
    }
    const sender = this.lanes.resource(location);
    const seconds = values[step.clock] / step.perSecond;
    this.builder.message("collective", sender, NONE, seconds, Number.NaN, values[step.bytes], NONE);
  }

  /** Adds one record at the place to which its shape was moved. */
  private add(step: Step, values: Float64Array): void {
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

  /** Seconds at which the event that ends began, by its recorded length. NaN if no length was recorded. */
  private recordedBegin({ inclusive, clock, perSecond }: Step, values: Float64Array): number {
    if (inclusive === NONE) return Number.NaN;
    this.lengths.areRecorded = true;
    return this.lengths.areUsed ? (values[clock] - values[inclusive]) / perSecond : Number.NaN;
  }

  /** @returns whether the record has no rank yet, and is taken later */
  private hold(location: number, values: Float64Array, take: TakeRecord): boolean {
    const { rank } = this.recording.locations[location];
    if (rank !== NONE) {
      if (this.held.needsRank) this.held.noteRank(rank);
      if (this.unranked.areOpen) this.closePlaces(rank);
      return false;
    }
    if (this.unranked.areOpen) return false;
    this.held.add(location, values, take);
    if (this.held.isFull) this.held.releaseSome((place, nextRank) => this.unranked.of(place, nextRank));
    return true;
  }

  /** A rank is known: the places of records before it are complete. */
  private closePlaces(rank: number): void {
    this.unranked.noteRank(rank);
    for (const step of this.unrankedSteps) step.location = NONE;
    this.unrankedSteps.clear();
  }

  private locationOf(place: number): number {
    return UnrankedPlaces.has(place) ? this.unranked.locationOf(place) : place;
  }

  /** The location that a record without a rank belongs to, once all ranks are known. */
  private rankedLocation(ranks: ProcessRanks, location: number, nextRank: number): number {
    const { thread, stream, gpuContext } = this.recording.locations[location];
    const known = ranks.ofThread(thread);
    const own = known === NONE ? nextRank : known;
    return own === NONE ? location : this.recording.location(own, thread, stream, gpuContext);
  }

  /** Another place than that of the last record of this shape: finds its lane, or counter, and what is open there. */
  private moveTo(step: Step, place: number): void {
    step.location = place;
    step.thread = entryOf(this.threads, place, () => new ThreadBlocks());
    if (step.kind === COUNT) {
      step.lane = this.lanes.counter(place, step.attribute);
      return;
    }
    step.lane = this.lanes.lane(
      place,
      step.nested ? "" : step.attribute,
      step.kind === MARK ? "instants" : "intervals",
    );
    const { lane, thread, attribute, name } = step;
    const of = { place, attribute, name, around: step.nested ? step.around : NONE };
    const start = (): RegionPlace => ({ ...of, lane, thread, events: new RegionEvents(this.lengths, this.loose) });
    const region = entryOf(this.regions, regionKey(of), start);
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
