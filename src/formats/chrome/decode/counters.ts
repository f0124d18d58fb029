import type { TraceSink } from "../../trace/traceSink";
import { isObject, numberOf } from "../scan/jsonValues";

/** More counters than this are a mistake in the recording. */
const MOST_COUNTERS = 10_000;

/** Counter events (`C`): each argument that is a number is a counter. */
export class Counters {
  private readonly known = new Map<string, number>();
  /** Values of the counters beyond them. */
  leftOut = 0;

  constructor(private readonly sink: TraceSink) {}

  add(resource: number, name: string, values: unknown, seconds: number): void {
    if (!isObject(values)) return;
    for (const [key, recorded] of values) {
      const value = numberOf(recorded);
      if (Number.isNaN(value)) continue;
      const id = `${resource} ${name}\n${key}`;
      let counter = this.known.get(id);
      if (counter === undefined) {
        if (this.known.size >= MOST_COUNTERS) {
          this.leftOut++;
          continue;
        }
        const isOnly = values.size === 1 && (key === "value" || key === name);
        counter = this.sink.counter(isOnly ? name : `${name}: ${key}`, "", resource);
        this.known.set(id, counter);
      }
      this.sink.point(counter, seconds, value);
    }
  }
}
