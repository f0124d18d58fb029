/** What begins and ends, and so how much is under way at each moment. Pure. */
import { FloatColumn } from "../../model/columns";

export class Transitions {
  private readonly starts = new FloatColumn();
  private readonly ends = new FloatColumn();
  private readonly amounts = new FloatColumn();
  private isPlain = true;

  /** What lasts no time is never under way. */
  add(startSeconds: number, endSeconds: number, amount = 1): void {
    if (!(endSeconds > startSeconds)) return;
    this.starts.push(startSeconds);
    this.ends.push(endSeconds);
    this.amounts.push(amount);
    this.isPlain &&= amount === 1;
  }

  /** One amount of 1 wherever something is under way here. */
  addUnionTo(others: Transitions): void {
    const [starts, order] = [this.starts.values, this.order(this.starts)];
    let [begun, until] = [Number.NaN, Number.NaN];
    for (const at of order) {
      if (!(starts[at] <= until)) {
        others.add(begun, until);
        [begun, until] = [starts[at], this.ends.values[at]];
      } else if (this.ends.values[at] > until) until = this.ends.values[at];
    }
    others.add(begun, until);
  }

  /** The sum at the window's beginning, and each other one that follows before its end. */
  each(fromSeconds: number, toSeconds: number, take: (seconds: number, value: number) => void): void {
    const { length } = this.starts;
    const [starts, ends] = [this.sorted(this.starts), this.sorted(this.ends)];
    let [start, end, value, shown] = [0, 0, 0, Number.NaN];
    const until = (seconds: number) => {
      for (; start < length && starts.seconds(start) <= seconds; start++) value += starts.amount(start);
      for (; end < length && ends.seconds(end) <= seconds; end++) value -= ends.amount(end);
      // What rounding leaves of nothing is nothing.
      if (start === end) value = 0;
      if (value === shown) return;
      take(seconds, value);
      shown = value;
    };
    until(fromSeconds);
    while (end < length) {
      const next = Math.min(start < length ? starts.seconds(start) : Infinity, ends.seconds(end));
      if (next >= toSeconds) return;
      until(next);
    }
  }

  private sorted(times: FloatColumn) {
    if (this.isPlain) {
      const seconds = times.values.slice(0, times.length).sort();
      return { seconds: (at: number) => seconds[at], amount: () => 1 };
    }
    const order = this.order(times);
    return { seconds: (at: number) => times.values[order[at]], amount: (at: number) => this.amounts.values[order[at]] };
  }

  private order({ length, values }: FloatColumn): Uint32Array {
    return Uint32Array.from({ length }, (_, at) => at).sort((a, b) => values[a] - values[b] || a - b);
  }
}
