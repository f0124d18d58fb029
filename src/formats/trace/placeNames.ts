import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";

/** The name that the processes of all readers have, so that what several files say of one is joined. */
export function processName(rank: number): string {
  return rank === NONE ? "process" : `rank ${rank}`;
}

export function placeName({ rank, thread }: Location): string {
  return thread === NONE ? processName(rank) : `${processName(rank)}, thread ${thread}`;
}
