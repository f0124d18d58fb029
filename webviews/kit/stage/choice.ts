/**
 * Marks that are chosen by who looks at the drawing: shown at once, told to the host in its own pace. The host hears of a choice a
 * few times a second and at its end, the latest wins, and its answers to earlier choices are of no use.
 */

/** Every change of a restriction asks for every number of the window. */
const PACE_MS = 200;

export class Choice {
  private marks: ReadonlySet<number> = new Set();
  /** Chosen before this drag or row of keys began: kept where it adds. */
  private before: ReadonlySet<number> | undefined;
  private number = 0;
  private notified = "";
  private lastNotified = -Infinity;
  private timer: number | undefined;

  /**
   * @param shown shows what is chosen, before the host has said what that is
   * @param notify restricts to what these marks stand for
   */
  constructor(
    private readonly shown: (marks: ReadonlySet<number>) => void,
    private readonly notify: (marks: readonly number[], choice: number) => void,
  ) {}

  has(mark: number): boolean {
    return this.marks.has(mark);
  }

  get isEmpty(): boolean {
    return this.marks.size === 0;
  }

  /** Other marks are on screen: what is chosen of them is heard next. */
  begin(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.before = undefined;
    this.marks = new Set();
    this.notified = "";
  }

  /**
   * What the host says of a restriction.
   *
   * @param isFirst of the marks on screen: then it is true whatever was chosen before
   * @returns whether it is news; an answer to an earlier choice is not
   */
  heard(choice: number, marks: Iterable<number>, isFirst: boolean): boolean {
    if (!isFirst && (choice < this.number || this.timer !== undefined || this.before !== undefined)) return false;
    // After a reload of the page the host's count is ahead.
    this.number = Math.max(this.number, choice);
    this.marks = new Set(marks);
    this.notified = "";
    return true;
  }

  /** Marks of a drag that goes on until `ended`, which tells the host at once. */
  drag(marks: Iterable<number>, { adds, ended }: { readonly adds: boolean; readonly ended: boolean }): void {
    this.before ??= this.marks;
    const next = new Set([...(adds ? this.before : []), ...marks]);
    if (ended) this.before = undefined;
    this.choose(next, ended);
  }

  /** Marks that keys have passed: more may come soon, so the host hears of them in its pace. */
  extend(marks: Iterable<number>): void {
    this.choose(new Set(marks), false);
  }

  giveUp(): void {
    const { before } = this;
    this.before = undefined;
    if (before) this.choose(before, true);
  }

  toggle(mark: number): void {
    const marks = new Set(this.marks);
    if (!marks.delete(mark)) marks.add(mark);
    this.choose(marks, true);
  }

  /** Exactly these. */
  set(marks: Iterable<number>): void {
    this.before = undefined;
    this.choose(new Set(marks), true);
  }

  private choose(marks: ReadonlySet<number>, ended: boolean): void {
    this.marks = marks;
    this.shown(marks);
    if (ended) this.send();
    else this.timer ??= window.setTimeout(() => this.send(), this.lastNotified + PACE_MS - performance.now());
  }

  private send(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    const marks = [...this.marks].sort((a, b) => a - b);
    const what = `:${marks.join()}`;
    if (what === this.notified) return;
    this.notified = what;
    this.lastNotified = performance.now();
    this.notify(marks, ++this.number);
  }
}
