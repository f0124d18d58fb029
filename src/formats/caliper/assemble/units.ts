import type { MetricKind, Unit } from "../../../model/metrics";
import { PER_SECOND } from "../../timeUnits";
import { isHistogram, isRate, type MetricName } from "../names/metricNames";
import type { Quantity } from "../names/quantities";
import { isLevel } from "../decode/recording";

/** What a quantity measures, and how its recorded numbers become numbers of the metric's unit. */
export interface Measure {
  readonly kind: MetricKind;
  readonly unit: Unit;
  /** Recorded numbers times `factor`, divided by `divisor`. */
  readonly factor: number;
  readonly divisor: number;
  readonly note?: string;
}

const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ["byte", 1],
  ["bytes", 1],
  ["b", 1],
  ["kb", 1e3],
  ["mb", 1e6],
  ["gb", 1e9],
  ["kib", 2 ** 10],
  ["mib", 2 ** 20],
  ["gib", 2 ** 30],
]);

/** Times whose unit no recording states: the services that measure them count nanoseconds. */
const NANOSECONDS = /\.ns$|^(?:cupti\.(?:host|activity)|rocm\.(?:host|activity))\.duration$/;
const SECONDS = /^timeseries\.duration$/;
const BYTES = /bytes|(?:^|\.)size$|highwatermark|\.hwm$|^alloc\.(?:tally|total_size)$|^mem\.active$/;
const PAGES = /^memstat\./;

/** Units of shares and of rates, which add up as little as ratios do: `%`, `MB/s`. */
const RATE_UNIT = /^(?:%|percent|[^/\s]{1,32}\/[^/\s]{1,32})$/;

/** @param whole whether all values are whole numbers, which tells microseconds from seconds where nothing else does */
export function measureOf(quantity: Quantity, name: MetricName, whole: boolean): Measure {
  const unit = quantity.unit?.toLowerCase();
  const perSecond = unit === undefined ? undefined : PER_SECOND.get(unit);
  if (name.operations.includes("variance"))
    return plain("rate", quantity.unit === undefined ? "1" : `${quantity.unit}²`);
  if (name.operations.some((one) => one.endsWith("percent_total"))) return plain("rate", "%");
  if (isRate(name.base) || (unit !== undefined && RATE_UNIT.test(unit))) return plain("rate", quantity.unit ?? "1");
  if (isHistogram(name.base)) return plain("count", "1");
  if (perSecond !== undefined) return time(perSecond);
  const size = unit === undefined ? undefined : SIZE_UNITS.get(unit);
  if (size !== undefined) return { kind: levelOr("bytes", name), unit: "B", factor: size, divisor: 1 };
  if (unit === "count") return plain(levelOr("count", name), "1");
  if (quantity.unit !== undefined) return plain(levelOr("count", name), quantity.unit);
  if (NANOSECONDS.test(name.base)) return time(name.scaled ? 1 : 1e9);
  if (SECONDS.test(name.base) || name.base === "time") return time(1);
  if (name.base === "time.duration") {
    if (name.scaled || !whole) return time(1);
    const note = "The recording names no unit; its values are whole numbers, so they are read as microseconds.";
    return { ...time(1e6), note };
  }
  if (BYTES.test(name.base) && !name.scaled) return plain(levelOr("bytes", name), "B");
  if (PAGES.test(name.base)) return plain("level", "pages");
  return plain(levelOr("count", name), "1");
}

function levelOr(kind: MetricKind, name: MetricName): MetricKind {
  return name.role === "any" || isLevel(name.base) ? "level" : kind;
}

function time(perSecond: number): Measure {
  return { kind: "time", unit: "s", factor: 1, divisor: perSecond };
}

function plain(kind: MetricKind, unit: Unit): Measure {
  return { kind, unit, factor: 1, divisor: 1 };
}
