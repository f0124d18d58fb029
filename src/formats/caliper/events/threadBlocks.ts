import { NONE } from "../../../model/ids";

/** Blocks of one thread's records: each runs forward in time, the next one begins where a time is earlier than the one before. */
export class ThreadBlocks {
  /** Number of the block, counted from 0. */
  block: number = NONE;
  /** Seconds of the block's last record. Before the first record every time begins a block. */
  last = Number.POSITIVE_INFINITY;
  /** Whether a block lies within the time of the blocks before it: one of these may have a gap that no time shows. */
  hasOverlap = false;
  /** Time that earlier blocks cover, in seconds. */
  from = Number.POSITIVE_INFINITY;
  to = Number.NEGATIVE_INFINITY;
  private first = Number.POSITIVE_INFINITY;
  private isOpen = false;

  startBlock(seconds: number): void {
    this.endBlock();
    this.block++;
    this.first = seconds;
    this.last = seconds;
    this.isOpen = true;
  }

  /** Adds the block to the time that is covered, once: it would overlap itself. */
  endBlock(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.cover(this.first, this.last);
  }

  /** Takes over the blocks of another thread, which turned out to be this one. No records follow. */
  join(other: ThreadBlocks): void {
    this.endBlock();
    other.endBlock();
    if (other.hasOverlap) this.hasOverlap = true;
    this.cover(other.from, other.to);
  }

  private cover(from: number, to: number): void {
    if (from < this.to && to > this.from) this.hasOverlap = true;
    this.from = Math.min(this.from, from);
    this.to = Math.max(this.to, to);
  }
}
