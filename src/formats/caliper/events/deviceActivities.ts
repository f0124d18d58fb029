import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { CategoryKind } from "../../../model/trace";
import type { TraceBuilder } from "../../trace/traceBuilder";
import { processName } from "../../trace/placeNames";
import type { EventOwner } from "./eventOwner";

/** What all records of one shape tell of a device's work. */
export interface ActivityStep {
  /** `kernel`, `memcpy`, `uvm`, or the operation: each has a lane of its own, since devices do them at once. */
  readonly activity: string;
  readonly device: string;
  /** Which values are the start and the end, in nanoseconds of {@link DeviceClock}; {@link NONE} where there is no end. */
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  /** `HtoD`, `pagefaults.gpu`; undefined where nothing is moved. */
  readonly direction?: string;
  readonly frame: number;
  readonly context: number;
}

/** What has no direction and is no wait keeps the device busy. */
function kindOf({ activity, direction }: ActivityStep): CategoryKind {
  if (direction !== undefined || /memcpy|memset/i.test(activity)) return "transfer";
  return /sync/i.test(activity) ? "synchronization" : "gpuCompute";
}

/** Device times may be nanoseconds since 1970, more digits than a double has: they are kept as distances from the first one. */
export class DeviceClock {
  base: bigint | undefined;

  /** @returns nanoseconds since the first time of all; NaN where the text is no whole number */
  since(text: string): number {
    if (!/^\d{1,20}$/.test(text)) return Number.NaN;
    const time = BigInt(text);
    this.base ??= time;
    return Number(time - this.base);
  }
}

/** Kernels, copies and page migrations of one file, with the transfers that they are. */
export class DeviceActivities {
  private readonly lanes = new Map<string, number>();
  private readonly resources = new Map<string, number>();
  private readonly devices = new Map<string, number>();

  constructor(
    private readonly recording: EventOwner,
    private readonly builder: TraceBuilder,
  ) {}

  take(step: ActivityStep, location: number, values: Float64Array): void {
    const start = values[step.start] / 1e9;
    const end = step.end === NONE ? start : values[step.end] / 1e9;
    if (!Number.isFinite(start) || !Number.isFinite(end) || end < start) {
      this.recording.warn("device times", "activities of a device end before they start, or have no times: left out");
      return;
    }
    const lane = this.lane(step, location);
    const category = this.builder.category(step.activity, kindOf(step));
    this.builder.event(lane, start, end, step.frame, step.context, category);
    if (step.direction === undefined) return;
    const device = this.deviceNumber(step.device);
    const [from, to] = sidesOf(step.direction);
    this.builder.transfer({
      lane,
      startSeconds: start,
      endSeconds: end,
      bytes: step.bytes === NONE ? Number.NaN : values[step.bytes],
      direction: this.builder.transferDirection(step.direction),
      fromDevice: from ? device : NONE,
      toDevice: to ? device : NONE,
      bandwidth: Number.NaN,
      frame: step.frame,
      context: step.context,
    });
  }

  /** @param laneOf new number of each lane */
  renumber(laneOf: Int32Array): void {
    for (const [key, lane] of this.lanes) this.lanes.set(key, laneOf[lane]);
  }

  /** Moves all of it: devices have clocks of their own. */
  shift(seconds: number): void {
    for (const lane of this.lanes.values()) this.builder.shift(lane, seconds);
  }

  private lane({ activity, device }: ActivityStep, location: number): number {
    const { rank } = this.recording.locations[location];
    const key = JSON.stringify([rank, device, activity]);
    return entryOf(this.lanes, key, () => {
      const gpu = `${processName(rank)}, GPU${device === "" ? "" : ` ${device}`}`;
      // No part of the process, whose events are on another clock.
      const start = { name: gpu, type: "GPU", parent: NONE, location: NONE };
      const resource = entryOf(this.resources, gpu, () => this.builder.resource(start));
      return this.builder.lane({ name: `${gpu}: ${activity}`, resource, location: NONE, kind: "intervals" });
    });
  }

  /** Caliper writes an identifier, no number: devices are numbered as they are met. What names none is the first one's. */
  private deviceNumber(device: string): number {
    return device === "" ? 0 : entryOf(this.devices, device, () => this.devices.size);
  }
}

/** Whether the device is where a copy comes from, and where it goes to. */
function sidesOf(direction: string): readonly [from: boolean, to: boolean] {
  const kind = /^([HDA])to([HDA])$/.exec(direction);
  if (kind) return [kind[1] !== "H", kind[2] !== "H"];
  if (/HOST_TO_DEVICE|HostToDevice/.test(direction)) return [false, true];
  if (/DEVICE_TO_HOST|DeviceToHost/.test(direction)) return [true, false];
  return /DEVICE_TO_DEVICE|DeviceToDevice/.test(direction) ? [true, true] : [false, true];
}
