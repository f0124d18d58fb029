import { isObject, type JsonObject, type JsonValue, numberOf } from "./jsonValues";

const MOST_GLOBALS = 1000;
const MOST_TEXT = 10_000;
/** Times of day in µs between 2001 and 2128: what lies outside is some other clock. */
const FIRST_DAY = 1e15;
const LAST_DAY = 5e15;

/** What a trace file says beside its events. */
export class TraceGlobals {
  readonly texts = new Map<string, string>();
  readonly devices = new Map<number, ReadonlyMap<string, string>>();
  rank: number | undefined;
  ranks: number | undefined;
  /** Keys that only Kineto and its relatives write. */
  isKineto = false;
  private baseNanoseconds: bigint | undefined;

  add(key: string, value: JsonValue): void {
    if (key === "deviceProperties" || key === "computeProperties") {
      this.isKineto = true;
      if (Array.isArray(value)) for (const device of value as readonly JsonValue[]) this.addDevice(device);
      return;
    }
    if (key === "schemaVersion") this.isKineto = true;
    if (key === "distributedInfo" && isObject(value)) {
      this.rank = countOf(value.get("rank"));
      this.ranks = countOf(value.get("world_size"));
    }
    if (key === "baseTimeNanoseconds" && typeof value === "number" && Number.isSafeInteger(value / 1000))
      // Beyond 2^53, but whole microseconds.
      this.baseNanoseconds = BigInt(value / 1000) * 1000n;
    this.flatten(key, value, 0);
  }

  /** @param zero of the file's clock in µs */
  zeroNanoseconds(zero: number | undefined): bigint | undefined {
    if (zero === undefined) return undefined;
    if (this.baseNanoseconds !== undefined) return this.baseNanoseconds + BigInt(zero) * 1000n;
    return zero >= FIRST_DAY && zero < LAST_DAY ? BigInt(zero) * 1000n : undefined;
  }

  private addDevice(device: JsonValue): void {
    if (!isObject(device)) return;
    const id = countOf(device.get("id"));
    if (id !== undefined) this.devices.set(id, propertiesOf(device));
  }

  private flatten(key: string, value: JsonValue, depth: number): void {
    if (isObject(value)) {
      if (depth < 4) for (const [inner, one] of value) this.flatten(`${key}.${inner}`, one, depth + 1);
    } else if (Array.isArray(value)) {
      const list = value as readonly JsonValue[];
      if (list.every((one) => !isObject(one) && !Array.isArray(one))) this.set(key, list.map(String).join(", "));
    } else this.set(key, String(value));
  }

  private set(key: string, text: string): void {
    if (this.texts.size < MOST_GLOBALS || this.texts.has(key)) this.texts.set(key, text.slice(0, MOST_TEXT));
  }
}

function propertiesOf(device: JsonObject): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const [key, value] of device)
    if (typeof value === "string" || typeof value === "number") properties.set(key, String(value));
  return properties;
}

/** A number of something; undefined for anything else. */
export function countOf(value: JsonValue | undefined): number | undefined {
  const number = numberOf(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
