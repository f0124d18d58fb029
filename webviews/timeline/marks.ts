/** The marks of a content, made fit to be looked up: by row and time, by number; which contain others. Pure. */
import { formatValue } from "../../src/model/units";
import { type EventKind, eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import { visible } from "../shared/text";
import { firstWhere } from "./rows";

export interface RowOfMarks {
  readonly lane: number;
  readonly depth: number;
  /** Its marks are first … end - 1. */
  readonly first: number;
  readonly end: number;
}

export class Marks {
  readonly count: number;
  /** 1: what lies below has marks within it. */
  readonly contains: Uint8Array;
  private readonly rows = new Map<number, RowOfMarks>();
  private numbers: Map<number, number> | undefined;
  /** Of functions, and of marks: each frame asks for hundreds of them. */
  private readonly labels: string[] = [];
  private readonly amounts: string[] = [];

  constructor(readonly content: TimelineContent) {
    const { lane, depth } = content.marks;
    this.count = lane.length;
    for (let first = 0; first < this.count;) {
      let end = first + 1;
      while (end < this.count && lane[end] === lane[first] && depth[end] === depth[first]) end++;
      this.rows.set(keyOf(lane[first], depth[first]), { lane: lane[first], depth: depth[first], first, end });
      first = end;
    }
    this.contains = new Uint8Array(this.count);
    for (const row of this.rows.values()) this.findContained(row);
  }

  row(lane: number, depth: number): RowOfMarks | undefined {
    return this.rows.get(keyOf(lane, depth));
  }

  /** The first mark of a row that ends after a moment. */
  firstAfter({ first, end }: RowOfMarks, seconds: number): number {
    const { end: ends } = this.content.marks;
    return first + firstWhere(end - first, (at) => ends[first + at] > seconds);
  }

  /** The mark of a row that is nearest to a moment; undefined: the row has none. */
  nearest(row: RowOfMarks | undefined, seconds: number): number | undefined {
    if (!row) return undefined;
    const { start, end } = this.content.marks;
    const after = Math.min(row.end - 1, this.firstAfter(row, seconds));
    if (after === row.first || start[after] <= seconds) return after;
    return start[after] - seconds < seconds - end[after - 1] ? after : after - 1;
  }

  /** Of several stretches of one event, the longest. */
  withNumber(number: number): number | undefined {
    if (!this.numbers) {
      const { start, end } = this.content.marks;
      this.numbers = new Map();
      for (let at = 0; at < this.count; at++) {
        const before = this.numbers.get(this.content.marks.number[at]);
        if (before === undefined || end[at] - start[at] > end[before] - start[before])
          this.numbers.set(this.content.marks.number[at], at);
      }
    }
    return this.numbers.get(number);
  }

  isCluster(at: number): boolean {
    return this.content.marks.events[at] > 1;
  }

  name(at: number): string {
    return visible(this.content.names[this.content.marks.state[at]]);
  }

  /** What is shown of its name. */
  label(at: number): string {
    const { shown, names, marks } = this.content;
    const state = marks.state[at];
    return (this.labels[state] ??= visible((shown ?? names)[state]));
  }

  /** How long it takes, or how many a cluster is of. */
  amount(at: number): string {
    const { start, end, events } = this.content.marks;
    return (this.amounts[at] ??=
      events[at] > 1 ? `×${events[at].toLocaleString("en")}` : formatValue(end[at] - start[at], "s"));
  }

  kind(at: number): EventKind {
    return eventKinds[this.content.kinds[this.content.marks.state[at]]];
  }

  private findContained({ lane, depth, first, end }: RowOfMarks): void {
    const below = this.row(lane, depth + 1);
    if (!below) return;
    const { start, end: ends } = this.content.marks;
    for (let at = first, inner = below.first; at < end; at++) {
      while (inner < below.end && ends[inner] <= start[at]) inner++;
      if (inner < below.end && start[inner] < ends[at]) this.contains[at] = 1;
    }
  }
}

function keyOf(lane: number, depth: number): number {
  return lane * 65_536 + depth;
}

/** Counters may come to a content that is the same else. */
const known = new WeakMap<TimelineContent["marks"], Marks>();

export function marksOf(content: TimelineContent): Marks {
  let marks = known.get(content.marks);
  if (!marks) known.set(content.marks, (marks = new Marks(content)));
  return marks;
}
