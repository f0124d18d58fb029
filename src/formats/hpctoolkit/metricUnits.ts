import type { MetricKind } from "../../model/metrics";
import { PER_SECOND } from "../timeUnits";

/** What the name of an HPCToolkit metric says: its unit stands in brackets. */
export interface NamedMetric {
  /** Without the unit: `CPUTIME`, `GXCOPY:H2D`. */
  readonly name: string;
  readonly unit: string;
  readonly kind: MetricKind;
  /** Recorded values divided by this are in the unit. */
  readonly divisor?: number;
  /** Recorded values multiplied with this are in the unit. */
  readonly factor?: number;
}

type UnitOf = Omit<NamedMetric, "name">;

const sizes: ReadonlyMap<string, UnitOf> = new Map<string, UnitOf>([
  ["b", { unit: "B", kind: "bytes" }],
  ["bytes", { unit: "B", kind: "bytes" }],
  ["kb", { unit: "B", kind: "bytes", factor: 1024 }],
  ["mb", { unit: "B", kind: "bytes", factor: 1 << 20 }],
  ["%", { unit: "%", kind: "level" }],
]);

/** `CPUTIME (usec)` → CPUTIME in seconds; a name without a known unit is a plain count and stays as it is. */
export function namedMetric(recorded: string): NamedMetric {
  for (const bracket of recorded.matchAll(/ ?\(([a-zA-Z%]{1,5})\)/g)) {
    const word = bracket[1].toLowerCase();
    const perSecond = PER_SECOND.get(word);
    const unit = perSecond === undefined ? sizes.get(word) : timeIn(perSecond);
    if (unit === undefined) continue;
    const name = recorded.slice(0, bracket.index) + recorded.slice(bracket.index + bracket[0].length);
    return { name: name === "" ? recorded : name, ...unit };
  }
  return { name: recorded, unit: "1", kind: "count" };
}

function timeIn(perSecond: number): UnitOf {
  return { unit: "s", kind: "time", ...(perSecond === 1 ? {} : { divisor: perSecond }) };
}
