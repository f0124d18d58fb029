/** Events whose begin and end are in different blocks of a file. */
import { entryOf } from "../../../model/maps";
import type { Task } from "../../../model/task";
import { LooseEnds, type LooseRows, type TakeEnd } from "./looseEnds";
import type { RecordedLengths, RegionEvents } from "./regionEvents";
import type { ThreadBlocks } from "./threadBlocks";

/** Events of one region of one thread, and where they are. */
export interface RegionPlace {
  /** A location, or a place without a rank. */
  readonly place: number;
  readonly lane: number;
  readonly thread: ThreadBlocks;
  readonly attribute: string;
  readonly name: string;
  /** Context of the region around it. NONE for an attribute that annotates no regions. */
  readonly around: number;
  readonly events: RegionEvents;
  /** Frame of the events. Undefined before the first begin. */
  frame?: number;
  /** Undefined for an attribute that annotates no regions. */
  context?: number;
}

/** Gets what is joined. */
export interface JoinTarget {
  end(event: number, endSeconds: number, lane: number): void;
  /** An end for which it does not follow yet which event ends. The event is one of `place`. */
  missingEnd(place: RegionPlace, endSeconds: number): void;
}

/** Places between two checks of a task. */
const PLACES_BETWEEN_CHECKS = 1024;

/**
 * Joins what can be joined while records still come, so that loose begins and ends take little memory however many blocks there are.
 * Threads with overlapping blocks hand their ends on: their events are joined anew in the end.
 */
export function joinEarly(
  places: Iterable<RegionPlace>,
  rows: LooseRows,
  lengths: RecordedLengths,
  target: JoinTarget,
  task: Pick<Task, "check">,
): void {
  let left = 0;
  let visited = 0;
  for (const place of places) {
    if (++visited % PLACES_BETWEEN_CHECKS === 0) task.check();
    const { lane, thread, events } = place;
    if (events.loose.count === 0) continue;
    if (!thread.hasOverlap) {
      events.loose = events.loose.matchBetween(
        thread.from,
        thread.to,
        (event, seconds) => {
          events.hasJoinedEarly = true;
          target.end(event, seconds, lane);
        },
        task,
      );
    } else if (!lengths.areRecorded) handOn(place, events.loose, target);
    left += events.loose.count;
  }
  rows.joined(left);
}

/**
 * Joins what blocks left loose, once all of them are there.
 *
 * @returns the number of regions that began before the trace, and the places whose events must be joined anew
 */
export function joinBlocks(
  places: readonly RegionPlace[],
  lengths: RecordedLengths,
  target: JoinTarget,
  task: Pick<Task, "check">,
): { readonly begunBefore: number; readonly rematched: readonly RegionPlace[] } {
  for (const { thread } of places) thread.endBlock();
  let begunBefore = 0;
  const rematched: RegionPlace[] = [];
  const byName = new Map<string, { readonly lane: number; readonly loose: LooseEnds }>();
  for (const [at, place] of places.entries()) {
    if (at % PLACES_BETWEEN_CHECKS === 0) task.check();
    const { lane, thread, attribute, name, events } = place;
    events.endBlock();
    const take: TakeEnd = (event, seconds) => target.end(event, seconds, lane);
    const loose = lengths.areRight ? events.loose.matchLengths(take, task) : events.loose.withoutLengths();
    if (!thread.hasOverlap) {
      const key = JSON.stringify([lane, attribute, name]);
      entryOf(byName, key, () => ({ lane, loose: new LooseEnds() })).loose.addAll(loose.matchTimes(take, task));
      continue;
    }
    // What is joined in other blocks may be wrong, too: a block that lies between them was not there yet.
    handOn(place, loose, target);
    begunBefore += events.loose.ends.length;
    if (events.hasMissingEnds || events.hasJoinedEarly) rematched.push(place);
  }
  // A region that ends inside another one leaves that one with another path, but with its name.
  for (const { lane, loose } of byName.values())
    begunBefore += loose.matchTimes((event, seconds) => target.end(event, seconds, lane), task).ends.length;
  return { begunBefore, rematched };
}

/** Key of the events of a region at a place. */
export function regionKey({ place, attribute, name, around }: Omit<RegionPlace, "lane" | "thread" | "events">): string {
  return JSON.stringify([place, attribute, name, around]);
}

/**
 * Joins the regions of places that turned out to be of one thread.
 *
 * @param locationOf location of each place without a rank
 * @param laneOf new number of each lane. Undefined if all stay
 */
export function joinPlaces(
  regions: Iterable<RegionPlace>,
  threads: ReadonlyMap<number, ThreadBlocks>,
  locationOf: ReadonlyMap<number, number>,
  laneOf: Int32Array | undefined,
): RegionPlace[] {
  const joinedThreads = new Map<number, ThreadBlocks>();
  for (const [place, thread] of threads) {
    const location = locationOf.get(place) ?? place;
    const known = joinedThreads.get(location);
    if (known === undefined) joinedThreads.set(location, thread);
    else known.join(thread);
  }
  const joined = new Map<string, RegionPlace>();
  for (const region of regions) {
    const place = locationOf.get(region.place) ?? region.place;
    const lane = laneOf === undefined ? region.lane : laneOf[region.lane];
    const moved = { ...region, place, lane, thread: joinedThreads.get(place) ?? region.thread };
    const known = joined.get(regionKey(moved));
    if (known === undefined) {
      joined.set(regionKey(moved), moved);
      continue;
    }
    known.events.join(region.events);
    known.frame ??= region.frame;
    known.context ??= region.context;
  }
  return [...joined.values()];
}

/** Hands on the ends that may belong to events of a place. Only the other ends stay loose: all begins are known as events. */
function handOn(place: RegionPlace, { ends, began }: LooseEnds, target: JoinTarget): void {
  const { events } = place;
  events.loose = new LooseEnds();
  ends.forEach((seconds, at) => {
    if (Number.isNaN(began[at]) && seconds >= events.earliestBegin) {
      events.hasMissingEnds = true;
      target.missingEnd(place, seconds);
    } else events.loose.addEnd(seconds, began[at]);
  });
}
