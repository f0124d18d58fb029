import type { Warning } from "../../../model/dataSet";
import { formatShare } from "../../../model/units";
import type { PartHeader } from "./header";

/** Sums of the cost lines of one part, to be compared with what the tool says of it. */
export class PartTotals {
  private sums = new Float64Array(0);
  private summary: readonly number[] | undefined;
  private totals: readonly number[] | undefined;
  private used = false;

  begin(events: number): void {
    this.sums = new Float64Array(events);
    this.used = true;
  }

  add(costs: Float64Array, count: number): void {
    for (let at = 0; at < count; at++) this.sums[at] += costs[at];
  }

  /** The line `summary:` or `totals:`; a part may have both. */
  say(key: string, value: string): void {
    const numbers = value.split(/\s+/).map(Number);
    if (key === "totals") this.totals = numbers;
    else this.summary = numbers;
  }

  /** Whether the line that ends a part was there. */
  get ended(): boolean {
    return this.totals !== undefined;
  }

  /** Compares and begins anew. `totals:` is what was written; `summary:` may hold events outside any function. */
  close(header: PartHeader, file: string, line: number): Warning[] {
    const { sums, used } = this;
    const said = this.totals ?? this.summary;
    const cut = used && this.totals === undefined && /^callgrind/.test(header.creator);
    this.summary = this.totals = undefined;
    this.used = false;
    if (!used) return [];
    const warn = (message: string): Warning[] => [{ message, file, at: { line } }];
    if (cut) {
      const message =
        "the file ends, or its next part begins, before the line of totals: the end of this part is missing";
      return [{ ...warn(message + missingText(sums, said, header))[0], isCut: true }];
    }
    if (said === undefined)
      return warn("the recording has no line of totals: nothing tells whether all of it is there");
    for (const [at, sum] of sums.entries()) {
      const total = said[at] ?? 0;
      if (!(Math.abs(sum - total) <= 1e-9 * Math.max(Math.abs(sum), Math.abs(total))))
        return warn(`the costs of ${header.events[at]} add up to ${sum}, but the recording says ${total} in all`);
    }
    return [];
  }
}

/** How much is missing, where the header says the sum of all (which may hold events outside of functions, too). */
function missingText(sums: Float64Array, said: readonly number[] | undefined, { events }: PartHeader): string {
  const missing = 1 - sums[0] / (said?.[0] ?? 0);
  return missing > 0 && missing <= 1 ? `, about ${formatShare(missing)} of ${events[0]}` : "";
}
