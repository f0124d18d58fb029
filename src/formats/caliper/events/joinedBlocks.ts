/** Events whose begin and end are in different blocks of a file. */
import { entryOf } from "../../../model/maps";
import type { MissingEnds } from "../../trace/rematchedEnds";
import { LooseEnds, type TakeEnd } from "./looseEnds";
import type { RegionEvents } from "./regionEvents";
import type { ThreadBlocks } from "./threadBlocks";

/** Events of one region of one thread, and where they are. */
export interface RegionPlace {
  readonly lane: number;
  readonly thread: ThreadBlocks;
  readonly attribute: string;
  readonly name: string;
  readonly events: RegionEvents;
  /** Frame of the events. Undefined before the first begin. */
  frame?: number;
  /** Undefined for an attribute that annotates no regions. */
  context?: number;
}

/**
 * Joins what blocks left loose, once all of them are there.
 *
 * @param hasLengths recorded lengths agree with the times
 * @returns the number of regions that began before the trace, and ends of events of which not all are joined rightly
 */
export function joinBlocks(
  places: readonly RegionPlace[],
  hasLengths: boolean,
  end: (event: number, endSeconds: number, lane: number) => void,
): { readonly begunBefore: number; readonly missing: readonly MissingEnds[] } {
  // A block that is added twice would overlap itself.
  for (const thread of new Set(places.map((place) => place.thread))) thread.endBlock();
  let begunBefore = 0;
  const missing: MissingEnds[] = [];
  const byName = new Map<string, { readonly lane: number; readonly loose: LooseEnds }>();
  for (const { lane, thread, attribute, name, events, frame, context } of places) {
    events.endBlock();
    const take: TakeEnd = (event, seconds) => end(event, seconds, lane);
    const loose = hasLengths ? events.loose.matchLengths(take) : events.loose.withoutLengths();
    if (!thread.hasOverlap) {
      const key = JSON.stringify([lane, attribute, name]);
      entryOf(byName, key, () => ({ lane, loose: new LooseEnds() })).loose.addAll(loose.matchTimes(take));
      continue;
    }
    // What is joined in other blocks may be wrong, too: a block that lies between them was not there yet.
    const seconds = loose.ends.filter((time, at) => Number.isNaN(loose.began[at]) && time >= events.earliestBegin);
    if (frame !== undefined && seconds.length > 0) missing.push({ lane, frame, context, seconds });
    begunBefore += loose.ends.length - seconds.length;
  }
  // A region that ends inside another one leaves that one with another path, but with its name.
  for (const { lane, loose } of byName.values())
    begunBefore += loose.matchTimes((event, seconds) => end(event, seconds, lane)).ends.length;
  return { begunBefore, missing };
}
