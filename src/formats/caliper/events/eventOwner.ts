import type { Location } from "../../../model/locations";

/** The recording that events belong to, as far as they need it. */
export interface EventOwner {
  readonly locations: readonly Location[];
  /** The same as `Recording.location`. */
  location(rank: number, thread: number, stream: number, gpuContext?: number): number;
  /** As `Recording.warn`. */
  warn(kind: string, message: string): void;
}
