/**
 * What is brushed: shown at once, told to the host in its own pace. A brush is drawn here from what the page has; the host
 * hears of it a few times a second and at its end, the latest wins, and its answers to earlier brushes are of no use.
 */
import type { ChosenMessage, HistogramMessage } from "../../src/protocol/histogram";
import type { Chosen } from "./describe";

/** Every change of a restriction asks for every number of the window. */
const PACE_MS = 200;

export class Brush {
  private histogram: HistogramMessage | undefined;
  private current: Chosen;
  private members: ReadonlySet<number> | undefined;
  private bins: ReadonlySet<number> = new Set();
  /** Chosen before this brush began: kept where it adds. */
  private before: ReadonlySet<number> | undefined;
  private number = 0;
  private told = "";
  private lastTold = -Infinity;
  private timer: number | undefined;
  /** The host has not said yet what is chosen of this histogram. */
  private isNew = true;

  /** @param tell restricts to the members of these bins */
  constructor(private readonly tell: (bins: readonly number[], brush: number, revision: number) => void) {}

  get chosen(): Chosen {
    return this.current;
  }

  /** Positions of chosen members. */
  get chosenMembers(): ReadonlySet<number> | undefined {
    return this.members;
  }

  /** Another histogram: what is chosen of it is told next. The same one told again changes nothing. */
  show(histogram: HistogramMessage | undefined): void {
    const isSame = histogram !== undefined && histogram.revision === this.histogram?.revision;
    this.histogram = histogram;
    if (isSame) return;
    this.isNew = true;
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.before = undefined;
    this.take(undefined, undefined);
  }

  /** @returns whether the message was taken */
  hear({ revision, brush, chosen }: ChosenMessage): boolean {
    const isOld = (brush < this.number && !this.isNew) || this.timer !== undefined || this.before !== undefined;
    if (revision !== this.histogram?.revision || isOld) return false;
    if (chosen && chosen.bins.length !== this.histogram.counts.length) return false;
    this.isNew = false;
    this.take(chosen, chosen && new Set(chosen.line));
    // After a reload of the page the host's count is ahead.
    this.number = Math.max(this.number, brush);
    return true;
  }

  /**
   * Bins from one to another, both included.
   *
   * @param how `ended`: what comes next is another brush; `paced`: it may come soon, so the host is told in its own pace
   * @returns whether something has changed
   */
  over(from: number, to: number, how: { adds: boolean; ended: boolean; paced?: boolean }): boolean {
    const { adds, ended, paced = false } = how;
    this.before ??= this.bins;
    const bins = new Set(adds ? this.before : []);
    for (let bin = Math.min(from, to); bin <= Math.max(from, to); bin++) bins.add(bin);
    if (ended) this.before = undefined;
    return this.choose(bins, ended && !paced);
  }

  toggle(bin: number): void {
    const bins = new Set(this.bins);
    if (!bins.delete(bin)) bins.add(bin);
    this.choose(bins, true);
  }

  /** Exactly these bins. */
  set(bins: Iterable<number>): void {
    this.choose(new Set(bins), true);
  }

  clear(): void {
    this.before = undefined;
    this.choose(new Set(), true);
  }

  private choose(bins: ReadonlySet<number>, ended: boolean): boolean {
    const { histogram } = this;
    if (!histogram) return false;
    const isNew = bins.size !== this.bins.size || [...bins].some((bin) => !this.bins.has(bin));
    if (isNew) {
      const { counts, line } = histogram;
      const isSome = [...bins].some((bin) => counts[bin] > 0);
      const members = new Set<number>();
      if (isSome) line.bins.forEach((bin, position) => bins.has(bin) && members.add(position));
      this.current = isSome ? { bins: counts.map((count, bin) => (bins.has(bin) ? count : 0)), line: [] } : undefined;
      this.members = isSome ? members : undefined;
      this.bins = bins;
    }
    if (ended) this.send();
    else if (isNew) this.timer ??= window.setTimeout(() => this.send(), this.lastTold + PACE_MS - performance.now());
    return isNew;
  }

  private send(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    const bins = [...this.bins].sort((a, b) => a - b);
    const what = `${this.histogram?.revision} ${bins.join()}`;
    if (!this.histogram || what === this.told) return;
    this.told = what;
    this.lastTold = performance.now();
    this.tell(bins, ++this.number, this.histogram.revision);
  }

  private take(chosen: Chosen, members: ReadonlySet<number> | undefined): void {
    this.current = chosen;
    this.members = members;
    this.bins = new Set(chosen?.bins.flatMap((count, bin) => (count > 0 ? [bin] : [])));
    this.told = "";
  }
}
