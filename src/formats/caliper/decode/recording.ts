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

/** What one file says, decoded: contexts, locations and values as they arrive, in no canonical order yet. */
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
  /** Whether records outside any region stand at {@link outside} itself, and not only their samples below it. */
  outsideUsed = false;
  /** Load modules of each sampled function, where samples name both. */
  readonly modulesOf = new Map<string, Set<string>>();
  /** Values by iteration, where records have both. */
  readonly iterations = new Iterations();
  /** Loops whose iterations some attribute counts. */
  readonly loops = new Set<string>();
  readonly deviceClock = new DeviceClock();
  /** When the device's clock was first looked at, where the recording tells: about the file's own start. */
  deviceStart?: bigint;
  /** What happened when. Undefined before {@link close}, and if no record tells. */
  trace?: FileTrace;
  /** Events while the file is read. Undefined if no record tells, and after {@link close}. */
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
    /** Where columns of events go; undefined where none are needed yet. */
    readonly columnFiles?: ColumnFiles,
  ) {}

  /** Where events go. */
  events(): EventTrace {
    return (this.reading ??= new EventTrace(this, this.columnFiles));
  }

  /** Between pieces of input: writes out events that should not stay in memory. */
  async settleEvents(task: Task): Promise<void> {
    await this.reading?.settle(task);
  }

  /** Whether an attribute annotates regions; undefined before a record says so. */
  isNested(attribute: string): boolean | undefined {
    return this.nested.get(attribute);
  }

  /** An attribute is defined: events of it that came before can be put where they belong. */
  attributeDefined(name: string, nested: boolean): void {
    this.nested.set(name, nested);
    const waiting = this.undecided.get(name);
    if (waiting === undefined) return;
    this.undecided.delete(name);
    for (const decide of waiting) decide(nested);
  }

  /** Calls back when it is known whether an attribute annotates regions: what begins is defined after it began. */
  whenDefined(attribute: string, decide: (nested: boolean) => unknown): void {
    entryOf(this.undecided, attribute, () => []).push(decide);
  }

  /** Decides by its name alone whether an attribute annotates regions. */
  decide(attribute: string): void {
    this.attributeDefined(attribute, isRegionAttribute(attribute));
  }

  /**
   * At the end of the file: attributes without a definition are judged by their names, and events that a process recorded before
   * it had a rank are of that rank.
   */
  async close(task: Task): Promise<void> {
    for (const name of [...this.undecided.keys()]) this.decide(name);
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
   * At the end of the file: what only reading needs goes. A run may have thousands of files.
   *
   * @param names that the files of an opening have; each is held once
   */
  settle(names: Map<string, string>): void {
    this.frames.strings.settle(names);
    this.tree.settle();
    for (const known of [this.nested, this.columnOf, this.locationOf, this.regionFrames]) known.clear();
  }

  /** Frees what is not in memory, when the recording is not used any further. */
  async discard(): Promise<void> {
    await (this.trace ?? this.reading)?.builder.discard();
  }

  /** All that has no rank is of this one. */
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

  /** As {@link outside}, {@link NONE} where no record needed it. */
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

  /** The number of this location, which is added when it is new. */
  location(rank: number, thread: number, stream: number, gpuContext: number = NONE): number {
    // Calls of the host may name the context that they are made in: only streams are told apart by it.
    const context = stream === NONE ? NONE : gpuContext;
    const contexts = entryOf(this.locationOf, rank, () => new Map<number, Map<number, Map<number, number>>>());
    const threads = entryOf(contexts, context, () => new Map<number, Map<number, number>>());
    const streams = entryOf(threads, thread, () => new Map<number, number>());
    const place = { rank, thread, stream, ...(context === NONE ? {} : { gpuContext: context }) };
    return entryOf(streams, stream, () => this.locations.push(location(place)) - 1);
  }

  /**
   * Index of the column for this quantity: those of one name and unit are one, whatever their attribute ids.
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

  /** The column for a quantity of which many values come for one cell, as in a stream of records. */
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

/** What annotated a region decides how it is linked and grouped: see {@link RegionOrigin}. */
function originOf(attribute: string): RegionOrigin {
  if (attribute === "mpi.function") return "mpi";
  if (attribute === "loop") return "loop";
  return /^(?:cupti\.(?:runtimeAPI|driverAPI)|rocm\.api|hip\.api|cuda\.api)$/.test(attribute) ? "runtime" : "mark";
}

function combineOf(name: string): Combine {
  const { role, base } = parseMetricName(name);
  if (role === "minimum") return "minimum";
  const isSummed = (role === "sum" || role === "average") && !isLevel(base);
  // A sum of shares would be a number that nobody measured: of several in one place the largest is kept, as of levels.
  return isSummed ? "sum" : "maximum";
}

/** How much there was at a time: high-water marks and sizes of memory in use, of which the largest counts. */
export function isLevel(base: string): boolean {
  return /highwatermark|\.hwm$|^mem\.active$|^memstat\.|\.current\.size$|\.actual\.size$/.test(base);
}

/** A whole number that can name a rank, thread or stream. */
export function locationNumber(value: number): number {
  return Number.isSafeInteger(value) && value >= 0 ? value : NONE;
}

export type LocationNumbers = Partial<Record<LocationPart, number>>;
