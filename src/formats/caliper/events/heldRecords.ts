import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";

/** @param place location of the record, or a number of `UnrankedPlaces` @param values of the record */
export type TakeRecord = (place: number, values: Float64Array) => void;

/** More than most programs record before `MPI_Init`. A recording without MPI has no rank at all: it goes on without holding. */
const MAX_RECORDS = 1 << 16;
/** Size of a record with its values, more or less. */
const BYTES_PER_RECORD = 256;

/** Records of processes that have no rank yet, until other records show whose they are. */
export class HeldRecords {
  private readonly max: number;
  private takers: TakeRecord[] = [];
  private locations = new IntColumn();
  /** Rank of the next record of the file that has one. */
  private nextRanks = new IntColumn();
  /** Index of each record's first value. */
  private starts = new IntColumn();
  private values = new FloatColumn();

  /** @param memoryBytes bytes that columns of the trace may take */
  constructor(memoryBytes = Number.POSITIVE_INFINITY) {
    this.max = Math.min(MAX_RECORDS, memoryBytes / BYTES_PER_RECORD);
  }

  get isFull(): boolean {
    return this.takers.length >= this.max;
  }

  /** Whether the next record with a rank shows something: {@link noteRank}. */
  get needsRank(): boolean {
    return this.nextRanks.length < this.takers.length;
  }

  add(location: number, values: Float64Array, take: TakeRecord): void {
    this.takers.push(take);
    this.locations.push(location);
    this.starts.push(this.values.length);
    for (const value of values) this.values.push(value);
  }

  /** A record with a rank follows those that are held. */
  noteRank(rank: number): void {
    while (this.needsRank) this.nextRanks.push(rank);
  }

  /**
   * Takes records, in the order of the file: those that a record with a rank follows, all if there is none of these.
   *
   * @param placeOf the place of a record. Its next rank is NONE if no record with a rank followed
   */
  releaseSome(placeOf: (location: number, nextRank: number) => number): void {
    this.release(placeOf, this.nextRanks.length === 0 ? this.takers.length : this.nextRanks.length);
  }

  /**
   * Takes all records, or the first of them, in the order of the file.
   *
   * @param placeOf as of {@link releaseSome}
   */
  release(placeOf: (location: number, nextRank: number) => number, count = this.takers.length): void {
    const { takers, locations, nextRanks, starts, values } = this;
    [this.takers, this.locations, this.nextRanks] = [[], new IntColumn(), new IntColumn()];
    [this.starts, this.values] = [new IntColumn(), new FloatColumn()];
    for (const [at, take] of takers.entries()) {
      const end = at + 1 < takers.length ? starts.values[at + 1] : values.length;
      const own = values.values.subarray(starts.values[at], end);
      const location = locations.values[at];
      if (at < count) take(placeOf(location, at < nextRanks.length ? nextRanks.values[at] : NONE), own);
      else this.add(location, own, take);
    }
  }
}
