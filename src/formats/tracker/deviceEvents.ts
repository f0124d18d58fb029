import type { Frame } from "../../model/frames";
import { NONE } from "../../model/ids";
import { type Location, location } from "../../model/locations";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { classOf, type EventClass, isGpuClass } from "../chrome/decode/categories";
import { DeviceActivities } from "../chrome/decode/deviceActivities";
import { EventThreads } from "../chrome/decode/eventThreads";
import { Launches } from "../chrome/decode/links";
import { PlaceNames, Places, type Thread } from "../chrome/decode/places";
import type { EventScanner } from "../chrome/scan/eventScanner";
import type { LaneStart } from "../trace/traceSink";
import type { TraceBuilder } from "../trace/traceBuilder";

/** Migrations and page faults, as DMTracker's reader calls them. */
export const UNIFIED_MEMORY = "uvm";
const UNIFIED_NAME = /^unified memory: ([\w.]{1,32})$/;

/** One thing that a device did again and again: by stream, caller and name. */
export interface Activity {
  readonly frame: Frame;
  /** The file's number of the context that launched it; NONE where the file knows none. */
  readonly caller: number;
  readonly device: number;
  /** undefined: of the device as a whole. */
  readonly stream: Thread | undefined;
  nanoseconds: number;
  count: number;
  /** Bytes that were moved: what memsets write and faults touch is none. */
  bytes: number;
}

/**
 * What GPUs did, in the words of Kineto and DMTracker (formats.md 2): lanes of streams, transfers, arrows from the calls that launched
 * it, and counters.
 */
export class DeviceEvents {
  /** By the number that events refer to. */
  readonly activities = new Map<number, Activity>();
  private readonly places: Places;
  private readonly streams: EventThreads;
  private readonly launches: Launches;
  private readonly transfers: DeviceActivities;
  private readonly classes = new Map<number, EventClass | typeof UNIFIED_MEMORY | undefined>();
  private readonly referenceOf = new Map<string, number>();
  private readonly unifiedLanes = new Map<string, { readonly lane: number; readonly declared: NamedLane }>();

  /** @param refer gives a new number for what events refer to */
  constructor(
    private readonly scanner: EventScanner,
    private readonly sink: TraceBuilder,
    private readonly rank: number,
    private readonly refer: () => number,
  ) {
    this.places = new Places(sink);
    this.streams = new EventThreads(scanner, this.places);
    this.launches = new Launches(sink);
    this.transfers = new DeviceActivities(sink, this.launches);
  }

  /** Takes the event that the scanner read last, if it is of a device. @returns whether it is */
  take(startSeconds: number, endSeconds: number, category: () => number): boolean {
    const { scanner } = this;
    const of = this.classOf(scanner.category);
    if (of === undefined || !(scanner.number("device") >= 0)) return false;
    if (of === UNIFIED_MEMORY) this.unifiedMemory(startSeconds, endSeconds, category());
    else this.onStream(of, startSeconds, endSeconds, category());
    return true;
  }

  /** A call that may have started something on a device. */
  called(resource: number, seconds: number): void {
    const correlation = this.scanner.number("correlation");
    if (Number.isSafeInteger(correlation)) this.launches.call(correlation, resource, seconds);
  }

  /** The resource of a device. */
  resource(device: number): number {
    return this.places.gpu(device);
  }

  /**
   * At the end of the file.
   *
   * @param properties of devices
   */
  finish(properties: ReadonlyMap<number, ReadonlyMap<string, string>>, task: Pick<Task, "check">): void {
    this.launches.finish(task);
    const { rank } = this;
    this.places.finish(new PlaceNames(), properties, rank === NONE ? undefined : rank, task);
    if (rank !== NONE)
      for (const { declared } of this.unifiedLanes.values()) declared.name = `rank ${rank}, ${declared.name}`;
  }

  /** Streams as locations; lanes refer to them from a number on that is known now. Once, after {@link finish}. */
  locations(first: number): readonly Location[] {
    for (const { location: own, declared, lanes } of this.places.all()) {
      if (own === NONE) continue;
      declared.location = first + own;
      for (const lane of lanes) lane.location = first + own;
    }
    return this.places.locations;
  }

  /** Where an activity was: what is of no stream in particular is at stream 0, since it is no time of the CPU. */
  placeOf({ stream, device }: Activity): Location {
    if (stream !== undefined) return this.places.locations[stream.location];
    return location({ rank: this.rank, device, stream: 0 });
  }

  private onStream(of: EventClass, start: number, end: number, category: number): void {
    const { scanner } = this;
    const stream = this.streams.of(of);
    const lane = this.places.laneOf(stream, false);
    const name = this.name();
    const kind = of === "kernel" ? "kernel" : "region";
    const reference = this.count({ name, kind }, stream.device, stream, of === "memcpy");
    this.transfers.add(of, scanner, stream, lane, start, end, reference, () => name, reference);
    this.sink.event(lane, start, end, reference, reference, category);
  }

  private unifiedMemory(startSeconds: number, endSeconds: number, category: number): void {
    const { scanner, sink } = this;
    const name = this.name();
    const kind = UNIFIED_NAME.exec(name)?.[1] ?? name;
    const device = scanner.number("device");
    const bytes = scanner.number("bytes");
    const reference = this.count({ name, kind: "region", origin: "runtime" }, device, undefined, true);
    const { lane } = entryOf(this.unifiedLanes, `${device} ${name}`, () => {
      const resource = this.places.gpu(device);
      const declared: NamedLane = { name: `GPU ${device}, ${name}`, resource, location: NONE, kind: "intervals" };
      return { lane: sink.lane(declared), declared };
    });
    const [from, to] = kind === "HtoD" ? [NONE, device] : kind === "DtoH" ? [device, NONE] : [NONE, NONE];
    const known = (argument: "fromDevice" | "toDevice", otherwise: number) =>
      Number.isSafeInteger(scanner.number(argument)) ? scanner.number(argument) : otherwise;
    sink.event(lane, startSeconds, endSeconds, reference, reference, category);
    sink.transfer({
      lane,
      startSeconds,
      endSeconds,
      bytes,
      direction: sink.transferDirection(kind),
      fromDevice: known("fromDevice", from),
      toDevice: known("toDevice", to),
      bandwidth: Number.NaN,
      frame: reference,
      context: reference,
    });
  }

  /** Adds the event to the sums of its activity. @returns what refers to that */
  private count(frame: Frame, device: number, stream: Thread | undefined, isMove: boolean): number {
    const { scanner } = this;
    const recorded = scanner.number("caller");
    const caller = Number.isSafeInteger(recorded) && recorded >= 0 ? recorded : NONE;
    const key = `${stream === undefined ? `of ${device}` : stream.location} ${caller} ${frame.kind} ${scanner.name}`;
    const reference = entryOf(this.referenceOf, key, () => {
      const number = this.refer();
      this.activities.set(number, { frame, caller, device, stream, nanoseconds: 0, count: 0, bytes: 0 });
      return number;
    });
    const activity = this.activities.get(reference);
    if (activity === undefined) return reference;
    activity.count++;
    if (scanner.duration > 0) activity.nanoseconds += Math.round(scanner.duration * 1000);
    const bytes = scanner.number("bytes");
    if (isMove && bytes > 0) activity.bytes += bytes;
    return reference;
  }

  private classOf(category: number): EventClass | typeof UNIFIED_MEMORY | undefined {
    if (category === NONE) return undefined;
    const known = this.classes.get(category);
    if (known !== undefined || this.classes.has(category)) return known;
    const name = this.scanner.labelText(category);
    const [of] = classOf(name);
    const found = name === UNIFIED_MEMORY ? UNIFIED_MEMORY : isGpuClass(of) ? of : undefined;
    this.classes.set(category, found);
    return found;
  }

  private name(): string {
    return this.scanner.name === NONE ? "(unnamed)" : this.scanner.labelText(this.scanner.name);
  }
}

/** A lane whose name gets its rank at the end. */
type NamedLane = { -readonly [Key in keyof LaneStart]: LaneStart[Key] };
