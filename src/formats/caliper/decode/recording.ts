import { ContextTreeBuilder } from "../../../model/contextTree";
import type { ColumnFiles } from "../../../model/columnFile";
import type { Hierarchy, Warning } from "../../../model/dataSet";
import type { Position } from "../../../model/errors";
import { EntryLog } from "../../../model/entryLog";
import { FrameTable, NO_REGION, type RegionOrigin } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { type Location, location } from "../../../model/locations";
import { entryOf } from "../../../model/maps";
import { StringTable } from "../../../model/strings";
import type { Task } from "../../../model/task";
import { type Combine, SparseBuilder } from "../../../model/values";
import { WarningList } from "../../warnings";
import { DeviceClock } from "../events/deviceActivities";
import { EventTrace, type FileTrace } from "../events/eventTrace";
import { Iterations } from "./iterations";
import { ProcessRanks } from "./processRanks";
import { parseMetricName } from "../names/metricNames";
import { isRegionAttribute, keyOf, type LocationPart, type Quantity, type Column } from "../names/quantities";

/** Warnings of one kind beyond this number are only counted. */
const MOST_WARNINGS = 20;

/** Decoded content of one file: contexts, locations and values in the order of arrival. */
export class Recording {
  readonly frames = new FrameTable(new StringTable());
  readonly tree = new ContextTreeBuilder();
  readonly locations: Location[] = [];
  readonly columns: Column[] = [];
  /** Distinct values, in the order they came. */
  readonly globals = new Map<string, Set<string>>();
  /** Number of snapshot records. */
  records = 0;
  hasRegions = false;
  hasSamples = false;
  /** Whether records have {@link outside} as context, and not only samples below it. */
  outsideUsed = false;
  /** Load modules of each sampled function, from samples that name both. */
  readonly modulesOf = new Map<string, Set<string>>();
  /** Values by iteration, from records that have both. */
  readonly iterations = new Iterations();
  /** Loops whose iterations some attribute counts. */
  readonly loops = new Set<string>();
  readonly deviceClock = new DeviceClock();
  /** Time of the first reading of the device's clock, which is near the start of the file. Undefined if not recorded. */
  deviceStart?: bigint;
  /** Undefined before {@link close}, and if there are no events. */
  trace?: FileTrace;
  /** Events while the file is read. Undefined if there are none, and after {@link close}. */
  private reading?: EventTrace;
  private readonly nested = new Map<string, boolean>();
  private readonly undecided = new Map<string, ((nested: boolean) => unknown)[]>();
  private readonly warned = new WarningList(MOST_WARNINGS);
  private readonly columnOf = new Map<string, number>();
  private readonly locationOf = new Map<number, Map<number, Map<number, Map<number, number>>>>();
  private readonly regionFrames = new Map<RegionOrigin, Map<string, number>>();
  private noRegion = NONE;

  constructor(
    readonly file: string,
    readonly hierarchy: Hierarchy,
    readonly format: { readonly id: string; readonly label: string },
    readonly modifiedAt?: number,
    /** Storage for columns of events. Undefined if none are needed yet. */
    readonly columnFiles?: ColumnFiles,
  ) {}

  /** Receiver of events. */
  events(): EventTrace {
    return (this.reading ??= new EventTrace(this, this.columnFiles));
  }

  /** Writes out events that should not stay in memory. Called between pieces of input. */
  async settleEvents(task: Task): Promise<void> {
    await this.reading?.settle(task);
  }

  /** Whether an attribute annotates regions. @returns undefined if it is not defined yet */
  isNested(attribute: string): boolean | undefined {
    return this.nested.get(attribute);
  }

  /** Notes the definition of an attribute, and places earlier events of it. */
  attributeDefined(name: string, nested: boolean): void {
    this.nested.set(name, nested);
    const waiting = this.undecided.get(name);
    if (waiting === undefined) return;
    this.undecided.delete(name);
    for (const decide of waiting) decide(nested);
  }

  /** Calls back when an attribute is defined. Caliper writes the definition after the first begin. */
  whenDefined(attribute: string, decide: (nested: boolean) => unknown): void {
    entryOf(this.undecided, attribute, () => []).push(decide);
  }

  /** Decides by name whether an attribute annotates regions. */
  decide(attribute: string): void {
    this.attributeDefined(attribute, isRegionAttribute(attribute));
  }

  /**
   * Ends the file. Attributes without a definition are decided by name. Events of a process from before it had a rank get that rank.
   */
  async close(task: Task): Promise<void> {
    for (const name of Array.from(this.undecided.keys())) this.decide(name);
    // In a profile a record without a rank may be of several.
    if (this.reading === undefined) return;
    this.trace = await this.reading.finish(task);
    this.reading = undefined;
    const ranks = new ProcessRanks(this.locations);
    this.locations.forEach((place, at) => {
      if (place.rank === NONE) this.locations[at] = { ...place, rank: ranks.ofThread(place.thread) };
    });
  }

  /**
   * Frees tables that only reading needs: a run may have thousands of files.
   *
   * @param names strings of all files of the opening, to keep each of them once
   */
  settle(names: Map<string, string>): void {
    this.frames.strings.settle(names);
    this.tree.settle();
    for (const known of [this.nested, this.columnOf, this.locationOf, this.regionFrames]) known.clear();
  }

  /** Removes the files of events, when the recording is not used any further. */
  async discard(): Promise<void> {
    await (this.trace ?? this.reading)?.builder.discard();
  }

  /** Gives this rank to all locations without a rank. */
  isOfRank(rank: number): void {
    this.locations.forEach((place, at) => {
      if (place.rank === NONE) this.locations[at] = { ...place, rank };
    });
  }

  /** Context of time outside any region. */
  outside(): number {
    if (this.noRegion === NONE) {
      const frame = this.frames.intern({ name: NO_REGION, kind: "region", origin: "outside" });
      this.noRegion = this.tree.child(NONE, frame);
    }
    return this.noRegion;
  }

  /** Same as {@link outside}, but {@link NONE} if no record needed it. */
  outsideIfAny(): number {
    return this.noRegion;
  }

  /** Context of a region below `parent`, in the file's own tree. `attribute` is what annotated it. */
  region(parent: number, name: string, attribute: string): number {
    this.hasRegions = true;
    const origin = originOf(attribute);
    let frames = this.regionFrames.get(origin);
    if (!frames) this.regionFrames.set(origin, (frames = new Map()));
    let frame = frames.get(name);
    if (frame === undefined) frames.set(name, (frame = this.frames.intern({ name, kind: "region", origin })));
    return this.tree.child(parent, frame);
  }

  /** The innermost region of this name and kind of attribute at or around `region`, `region` itself if there is none. */
  enclosing(region: number, name: string, attribute: string): number {
    const frame = this.regionFrames.get(originOf(attribute))?.get(name);
    let context = region;
    while (context !== NONE && this.tree.frameOf(context) !== frame) context = this.tree.parentOf(context);
    return context === NONE ? region : context;
  }

  /** The number of this location. Adds it if it is new. */
  location(rank: number, thread: number, stream: number, gpuContext: number = NONE): number {
    // Host calls may name their GPU context. Only for streams it is part of the location.
    const context = stream === NONE ? NONE : gpuContext;
    const contexts = entryOf(this.locationOf, rank, () => new Map<number, Map<number, Map<number, number>>>());
    const threads = entryOf(contexts, context, () => new Map<number, Map<number, number>>());
    const streams = entryOf(threads, thread, () => new Map<number, number>());
    const place = { rank, thread, stream, ...(context === NONE ? {} : { gpuContext: context }) };
    return entryOf(streams, stream, () => this.locations.push(location(place)) - 1);
  }

  /**
   * Index of the column for this quantity. Attributes of one name and unit share a column.
   *
   * @param oncePerCell most cells get a single value, as in profiles
   */
  column(quantity: Quantity, oncePerCell = false): number {
    const key = keyOf(quantity);
    const known = this.columnOf.get(key);
    if (known !== undefined) return known;
    const index = this.columns.length;
    const combine = combineOf(quantity.name);
    this.columns.push({
      quantity,
      values: oncePerCell ? new EntryLog(combine) : new SparseBuilder(combine),
      notFinite: 0,
      whole: true,
    });
    this.columnOf.set(key, index);
    return index;
  }

  global(name: string, value: string): void {
    entryOf(this.globals, name, () => new Set()).add(value);
  }

  /** The column for a quantity with many values per cell, as in a stream of records. */
  summed(quantity: Quantity): Column<SparseBuilder> {
    return this.columns[this.column(quantity)] as Column<SparseBuilder>;
  }

  /** @param kind warnings of one kind are listed up to a limit, then counted */
  warn(kind: string, message: string, at?: Position): void {
    this.warned.note(kind, this.file, at, () => message);
  }

  warnings(): Warning[] {
    return this.warned.all((count, kind) => `${count} further warnings of this kind (${kind})`);
  }
}

/** Origin of a region, by the attribute that annotated it. It decides links and groups. */
function originOf(attribute: string): RegionOrigin {
  if (attribute === "mpi.function") return "mpi";
  if (attribute === "loop") return "loop";
  return /^(?:cupti\.(?:runtimeAPI|driverAPI)|rocm\.api|hip\.api|cuda\.api)$/.test(attribute) ? "runtime" : "mark";
}

function combineOf(name: string): Combine {
  const { role, base } = parseMetricName(name);
  if (role === "minimum") return "minimum";
  const isSummed = (role === "sum" || role === "average") && !isLevel(base);
  // A sum of shares has no meaning. The largest value of a cell is kept, as for levels.
  return isSummed ? "sum" : "maximum";
}

/** Levels such as high-water marks and sizes of memory in use, of which the largest counts. */
export function isLevel(base: string): boolean {
  return /highwatermark|\.hwm$|^mem\.active$|^memstat\.|\.current\.size$|\.actual\.size$/.test(base);
}

/** A whole number that can name a rank, thread or stream. */
export function locationNumber(value: number): number {
  return Number.isSafeInteger(value) && value >= 0 ? value : NONE;
}

export type LocationNumbers = Partial<Record<LocationPart, number>>;
