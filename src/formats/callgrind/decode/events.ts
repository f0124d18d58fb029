import type { Metric, MetricKind } from "../../../model/metrics";
import { PER_SECOND } from "../../timeUnits";

interface EventUnit {
  readonly unit: string;
  readonly kind: MetricKind;
  /** Recorded costs divided by this are in the unit. */
  readonly divisor: number;
}

/** Sizes are read in the units that their names say. */
const BYTES: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["byte", 1],
  ["bytes", 1],
  ["kb", 1 / 1024],
  ["mb", 1 / 1024 ** 2],
]);
/** What the tools' own events are, which their files do not say (manuals of callgrind and cachegrind). */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ["Ir", "instructions executed"],
  ["Dr", "data reads"],
  ["Dw", "data writes"],
  ["I1mr", "instruction reads that missed the first cache"],
  ["D1mr", "data reads that missed the first cache"],
  ["D1mw", "data writes that missed the first cache"],
  ["ILmr", "instruction reads that missed the last cache"],
  ["DLmr", "data reads that missed the last cache"],
  ["DLmw", "data writes that missed the last cache"],
  ["Bc", "conditional branches"],
  ["Bcm", "conditional branches mispredicted"],
  ["Bi", "indirect branches"],
  ["Bim", "indirect branches mispredicted"],
]);
const COUNT: EventUnit = { unit: "1", kind: "count", divisor: 1 };

/** An event as a metric, and what its costs are divided by. A few tools write the unit behind the name: `Time_(10ns)`. */
export function eventMetric(event: string, longName: string | undefined): { metric: Metric; divisor: number } {
  const found = /^(.+?)_?\((\d{0,9})\s*([a-zµ]+)\)$/iu.exec(event);
  const unit = found ? unitOf(found[2], found[3]) : undefined;
  const { kind, divisor } = unit ?? COUNT;
  const description = longName || KNOWN.get(event);
  return {
    metric: {
      name: unit && found ? found[1] : event,
      recordedName: event,
      unit: (unit ?? COUNT).unit,
      kind,
      additive: true,
      reducedOverRanks: false,
      ...(description ? { description } : {}),
    },
    divisor,
  };
}

function unitOf(steps: string, unit: string): EventUnit | undefined {
  const many = steps === "" ? 1 : Number(steps);
  const seconds = PER_SECOND.get(unit.toLowerCase());
  if (seconds !== undefined && many > 0) return { unit: "s", kind: "time", divisor: seconds / many };
  const bytes = BYTES.get(unit.toLowerCase());
  return bytes === undefined || many === 0 ? undefined : { unit: "B", kind: "bytes", divisor: bytes / many };
}
