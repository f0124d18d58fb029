import { NONE } from "../../../model/ids";
import type { Location } from "../../../model/locations";

/** The recording that events belong to, as far as they need it. */
export interface EventOwner {
  readonly locations: readonly Location[];
  /** As `Recording.warn`. */
  warn(kind: string, message: string): void;
}

export function processName(rank: number): string {
  return rank === NONE ? "process" : `rank ${rank}`;
}

export function placeName({ rank, thread }: Location): string {
  return thread === NONE ? processName(rank) : `${processName(rank)}, thread ${thread}`;
}
