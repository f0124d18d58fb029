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

  startBlock(seconds: number): void {
    this.endBlock();
    this.block++;
    this.first = seconds;
    this.last = seconds;
  }

  /** Adds the block to the time that is covered. */
  endBlock(): void {
    if (this.block === NONE) return;
    if (this.first < this.to && this.last > this.from) this.hasOverlap = true;
    this.from = Math.min(this.from, this.first);
    this.to = Math.max(this.to, this.last);
  }
}
