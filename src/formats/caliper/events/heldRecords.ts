import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";

/** @param values of the record */
export type TakeRecord = (location: number, values: Float64Array) => void;

/** More than programs record before `MPI_Init`. A recording without MPI has no rank at all: it goes on without holding. */
const MAX_RECORDS = 1 << 16;

/** Records of processes that have no rank yet, until other records show whose they are. */
export class HeldRecords {
  private takers: TakeRecord[] = [];
  private locations = new IntColumn();
  /** Rank of the next record of the file that has one. */
  private nextRanks = new IntColumn();
  /** Where the values of each record begin. */
  private starts = new IntColumn();
  private values = new FloatColumn();

  get isFull(): boolean {
    return this.takers.length >= MAX_RECORDS;
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
   * Takes all records, in the order of the file.
   *
   * @param place location of a record, now that ranks are known
   */
  release(place: (location: number, nextRank: number) => number): void {
    const { takers, locations, nextRanks, starts, values } = this;
    this.noteRank(NONE);
    [this.takers, this.locations, this.nextRanks] = [[], new IntColumn(), new IntColumn()];
    [this.starts, this.values] = [new IntColumn(), new FloatColumn()];
    for (const [at, take] of takers.entries()) {
      const end = at + 1 < takers.length ? starts.values[at + 1] : values.length;
      take(place(locations.values[at], nextRanks.values[at]), values.values.subarray(starts.values[at], end));
    }
  }
}
