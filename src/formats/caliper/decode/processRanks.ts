import { NONE } from "../../../model/ids";
import type { Location } from "../../../model/locations";

/** Ranks of the processes of one file, to find that of a process from before `MPI_Init`. */
export class ProcessRanks {
  /** The rank of each thread, NONE if several ranks have a thread of that number. */
  private readonly byThread = new Map<number, number>();
  private readonly ranks = new Set<number>();

  constructor(locations: readonly Location[]) {
    for (const { rank, thread } of locations) {
      if (rank === NONE) continue;
      this.ranks.add(rank);
      const known = this.byThread.get(thread) ?? rank;
      this.byThread.set(thread, known === rank ? rank : NONE);
    }
  }

  get areKnown(): boolean {
    return this.ranks.size > 0;
  }

  /** The file's rank if it is the only one, otherwise the only rank with such a thread. NONE if neither is known. */
  ofThread(thread: number): number {
    const [first, other] = this.ranks;
    if (first !== undefined && other === undefined) return first;
    return thread === NONE ? NONE : (this.byThread.get(thread) ?? NONE);
  }
}
