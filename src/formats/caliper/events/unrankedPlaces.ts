import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";

/** Number of the first place. The next ones are below it, so that no place has the number of a location. */
const FIRST = NONE - 1;

interface Place {
  readonly location: number;
  /** Rank of the next record of the file that has one. NONE before that record. */
  nextRank: number;
}

/**
 * Places of records without a rank of which more came than are held. Each is joined with the place of the rank that its process has
 * later, once all records are there.
 */
export class UnrankedPlaces {
  private readonly places: Place[] = [];
  private readonly byNextRank = new Map<string, number>();
  /** Place of the records since the last record with a rank, by location. */
  private readonly open = new Map<number, number>();

  /** Whether records without a rank go to their places, and are not held. */
  get areOpen(): boolean {
    return this.open.size > 0;
  }

  /** @returns whether the number is one of a place without a rank, and not of a location */
  static has(place: number): boolean {
    return place <= FIRST;
  }

  /** Number of the place of records at a location. @param nextRank NONE if no record with a rank followed them yet */
  of(location: number, nextRank: number): number {
    if (nextRank === NONE) return entryOf(this.open, location, () => this.add(location, NONE));
    return entryOf(this.byNextRank, `${location} ${nextRank}`, () => this.add(location, nextRank));
  }

  /** A record with a rank follows: records without a rank are held again. */
  noteRank(rank: number): void {
    for (const place of this.open.values()) this.places[FIRST - place].nextRank = rank;
    this.open.clear();
  }

  locationOf(place: number): number {
    return this.places[FIRST - place].location;
  }

  /** The location of each place. @param rankedLocation as of a record that was held */
  joined(rankedLocation: (location: number, nextRank: number) => number): Map<number, number> {
    return new Map(
      this.places.map(({ location, nextRank }, at) => [FIRST - at, rankedLocation(location, nextRank)] as const),
    );
  }

  private add(location: number, nextRank: number): number {
    return FIRST + 1 - this.places.push({ location, nextRank });
  }
}
