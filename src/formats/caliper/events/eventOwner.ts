import type { Location } from "../../../model/locations";

/** The recording that events belong to, as far as they need it. */
export interface EventOwner {
  readonly locations: readonly Location[];
  /** As `Recording.warn`. */
  warn(kind: string, message: string): void;
}
