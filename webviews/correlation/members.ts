/** Which members are chosen here, by mouse and keyboard, and what was told of it. */
import type { ScatterMessage } from "../../src/protocol/correlation";

export class ChosenMembers {
  /** Undefined without a restriction. */
  marks: ReadonlySet<number> | undefined;
  /** Where Shift extends from. */
  private anchor: number | undefined;
  /** Number of the last choice made here. */
  private last = 0;

  /** @param tell hears of every choice made here */
  constructor(private readonly tell: (choice: number, marks: readonly number[]) => void) {}

  /** Takes over what the host says, but for answers to a choice before the last one. */
  heard(choice: number, marks: readonly number[] | undefined): void {
    if (choice >= this.last) this.marks = marks && new Set(marks);
  }

  /** A page that was loaded anew goes on from where its host is. */
  begin({ choice, chosen }: ScatterMessage): void {
    if (this.last === 0) this.last = choice;
    this.heard(choice, chosen);
  }

  toggle(mark: number): void {
    const marks = new Set(this.marks);
    if (!marks.delete(mark)) marks.add(mark);
    this.anchor = mark;
    this.choose(marks);
  }

  /** From where the last choice began to this mark, in the order of x. */
  extend(order: readonly number[], from: number, to: number): void {
    this.anchor ??= from;
    const ends = [order.indexOf(this.anchor), order.indexOf(to)].sort((a, b) => a - b);
    this.choose(new Set(order.slice(Math.max(0, ends[0]), ends[1] + 1)));
  }

  /** Moving without Shift ends what Shift would extend, unless a choice was just made there. */
  moved(): void {
    this.anchor = undefined;
  }

  /** @param added keeps what was chosen before */
  choose(marks: Iterable<number>, added = false): void {
    const all = new Set(added ? this.marks : []);
    for (const mark of marks) all.add(mark);
    this.marks = all.size > 0 ? all : undefined;
    this.tell(++this.last, [...all]);
  }

  clear(): void {
    if (this.marks) this.choose([]);
  }
}
