import type { EntryLog } from "../../../model/entryLog";
import type { SparseBuilder } from "../../../model/values";
import { parseMetricName } from "./metricNames";

/** What a recording says of one of its numeric attributes (or columns). */
export interface Quantity {
  readonly name: string;
  /** Metadata `attribute.alias`. */
  readonly alias?: string;
  /** Metadata `attribute.unit`, else `time.unit`. */
  readonly unit?: string;
  /** Marked as adding up (property bit 2048, or metadata `class.aggregatable` of versions before 2.10). */
  readonly aggregatable: boolean;
}

/** Values of one quantity, in the recording's own unit. */
export interface Column<Values = SparseBuilder | EntryLog> {
  /** What is known of it may become more while the file is read. */
  quantity: Quantity;
  readonly values: Values;
  /** Number of `nan` and `inf`. */
  notFinite: number;
  /** Whether all values are whole numbers: tells the microseconds of old versions from seconds. */
  whole: boolean;
}

/** Columns of one name and unit are one. */
export function keyOf({ name, alias, unit }: Quantity): string {
  return JSON.stringify([name, alias, unit]);
}

/** Which part of a location an attribute gives. */
export type LocationPart = "rank" | "thread" | "gpuContext" | "stream";

const LOCATION_PARTS: ReadonlyMap<string, LocationPart> = new Map([
  ["mpi.rank", "rank"],
  ["omp.thread.id", "thread"],
  ["pthread.id", "thread"],
  ["thread.id", "thread"],
  ["cupti.contextID", "gpuContext"],
  ["cupti.streamID", "stream"],
]);

export function locationPart(attribute: string): LocationPart | undefined {
  return LOCATION_PARTS.get(attribute);
}

/** Where two attributes give the same part, the lower one counts. */
export function locationPriority(attribute: string): number {
  return [...LOCATION_PARTS.keys()].indexOf(attribute);
}

/** Numbers that say where, when or which: points in time, iterations, the ends and tags of messages. Nothing to add up. */
const NO_QUANTITY =
  /^(?:cali\.|event\.|iteration#|time\.offset|timestamp|cupti\.timestamp|cupti\.activity\.(?:start|end)$|rocm\.(?:host\.timestamp|starttime|endtime)|timeseries\.(?:starttime|snapshot)|starttime\.|loop\.start_iteration|mpi\.(?:rank|msg\.|comm|coll\.(?:type|root))|block$|jobsize$)/;
const IDENTITY = /(?:\.id|ID|\.uid|\.address|\.addr)$/;

/** Whether values of this attribute may be measurements, by its name alone. */
export function mayBeQuantity(name: string): boolean {
  const { base, role } = parseMetricName(name);
  return role !== "helper" && locationPart(base) === undefined && !NO_QUANTITY.test(base) && !IDENTITY.test(base);
}

/** Attributes that annotate regions, as far as their names tell; outermost first. */
const REGION_ATTRIBUTES = [
  "function",
  "annotation",
  "region",
  "phase",
  "loop",
  "comm.region",
  "mpi.function",
  "cupti.runtimeAPI",
  "cupti.driverAPI",
  "rocm.api",
];

export function isRegionAttribute(name: string): boolean {
  return REGION_ATTRIBUTES.includes(name);
}

/** Lower ones stand outside of higher ones, in records where they are not joined to one path. */
export function regionOrder(name: string): number {
  return REGION_ATTRIBUTES.indexOf(name);
}
