import { NONE } from "../../../model/ids";
import { LooseEnds, type LooseRows } from "./looseEnds";

/**
 * How many recorded lengths may contradict the times, beyond those that agree, before none is used any more: the end of one block may
 * come before any that agrees.
 */
const MAX_CONTRADICTIONS = 1024;

/** Whether the lengths that a file records with its ends agree with its times. */
export class RecordedLengths {
  /** Whether any end has a length. */
  areRecorded = false;
  private agreeing = 0;
  private contradicting = 0;

  /** While records come. */
  get areUsed(): boolean {
    return this.contradicting <= this.agreeing + MAX_CONTRADICTIONS;
  }

  /** Once all records are there: a short recording is judged as a long one is. */
  get areRight(): boolean {
    return this.contradicting <= this.agreeing;
  }

  agree(): void {
    this.agreeing++;
  }

  contradict(): void {
    this.contradicting++;
  }
}

/**
 * Begins and ends of one region of one thread, joined to events as records arrive.
 *
 * The records of a thread come in blocks that each run forward in time; Caliper writes the last block first. In a block an end
 * belongs to the latest begin that is open. Begins and ends whose other side is in another block are loose until all are there.
 */
export class RegionEvents {
  loose = new LooseEnds();
  /** Whether begins and ends were joined before all blocks were there that may lie between them. */
  hasJoinedEarly = false;
  /** Whether ends were handed on that belong to events of this region. */
  hasMissingEnds = false;
  /** Seconds; Infinity before the first begin. */
  earliestBegin = Number.POSITIVE_INFINITY;
  private block: number = NONE;
  /** Seconds of the block's first record of the region. */
  private first = Number.NaN;
  /** Open events of the block and the seconds at which they begin, outermost first. */
  private readonly events: number[] = [];
  private readonly begins: number[] = [];

  /** @param rows counts what is loose */
  constructor(
    private readonly lengths: RecordedLengths,
    private readonly rows: LooseRows,
  ) {}

  /** @param event as `TraceBuilder.begin` gave it */
  begin(event: number, seconds: number, block: number): void {
    if (block !== this.block) this.startBlock(block, seconds);
    this.events.push(event);
    this.begins.push(seconds);
    if (seconds < this.earliestBegin) this.earliestBegin = seconds;
  }

  /**
   * @param began seconds at which the event began, by its recorded length; NaN if no length was recorded
   * @returns the event that ends here, NONE if its begin is in another block
   */
  end(seconds: number, began: number, block: number): number {
    if (block !== this.block) this.startBlock(block, seconds);
    const begin = this.begins[this.begins.length - 1];
    if (Number.isNaN(began) ? begin < seconds : begin === began) {
      if (begin === began) this.lengths.agree();
      this.begins.pop();
      return this.events.pop() ?? NONE;
    }
    return Number.isNaN(began) ? this.endAtOnce(seconds) : this.endElsewhere(seconds, began);
  }

  /** Makes loose what is open: the block ends here. */
  endBlock(): void {
    this.startBlock(NONE, Number.NaN);
  }

  /** Takes over the events of another place, which turned out to be this one. No records follow. */
  join(other: RegionEvents): void {
    this.endBlock();
    other.endBlock();
    this.loose.addAll(other.loose);
    this.earliestBegin = Math.min(this.earliestBegin, other.earliestBegin);
    if (other.hasMissingEnds) this.hasMissingEnds = true;
    // Records of both may alternate.
    this.hasJoinedEarly = true;
  }

  /**
   * Ends what has just begun, or what is not in this block. Blocks may meet at this time in any order: an event that is open since
   * earlier ends first, and no pair is certain before it is known whether one is.
   */
  private endAtOnce(seconds: number): number {
    const { begins, events } = this;
    const inner = begins.length - 1;
    let at = inner;
    while (at >= 0 && begins[at] === seconds) at--;
    const isCertain = at >= 0 || seconds > this.first;
    if (at < 0) at = inner;
    if (at < 0) {
      this.addLooseEnd(seconds, Number.NaN);
      return NONE;
    }
    begins.splice(at, 1);
    const [event] = events.splice(at, 1);
    if (isCertain) return event;
    this.addLooseBegin(event, seconds);
    this.addLooseEnd(seconds, Number.NaN);
    return NONE;
  }

  private endElsewhere(seconds: number, began: number): number {
    const at = this.begins.lastIndexOf(began);
    if (at >= 0) {
      // Threads without a number share a region: the inner event is not the later one.
      this.lengths.agree();
      this.begins.splice(at, 1);
      return this.events.splice(at, 1)[0];
    }
    if (this.begins.length > 0) this.lengths.contradict();
    this.addLooseEnd(seconds, began);
    return NONE;
  }

  private startBlock(block: number, seconds: number): void {
    this.block = block;
    this.first = seconds;
    this.events.forEach((event, at) => this.addLooseBegin(event, this.begins[at]));
    this.events.length = 0;
    this.begins.length = 0;
  }

  private addLooseBegin(event: number, seconds: number): void {
    this.loose.addBegin(event, seconds);
    this.rows.add();
  }

  private addLooseEnd(seconds: number, began: number): void {
    this.loose.addEnd(seconds, began);
    this.rows.add();
  }
}
