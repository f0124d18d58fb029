/** Which lanes a timeline shows, and what they belong to. Pure. */
import type { TimelineFacts } from "../../engine/api";
import { type LaneOrder, MOST_LANES, type TimelineState } from "../../protocol/timeline";

/** Name of a lane as people say it: `thread 20070 (muscle)` for `muscle (20068), thread 20070`. */
export function laneText(name: string): string {
  const [, process, thread] = /^(.+?) \(\d+\), thread (\d+)$/.exec(name) ?? [];
  return thread === undefined ? name : `thread ${thread} (${process})`;
}

/** Types of resources that some lanes, but not all, are of: what lanes are chosen by. */
export function laneTypes({ lanes, resources }: TimelineFacts): readonly string[] {
  const types = new Set(lanes.map(({ resource }) => resources.at(resource)?.type ?? ""));
  return types.size > 1 ? [...types].filter((type) => type !== "") : [];
}

/**
 * Whether each lane is shown: of what the restriction leaves, those of a type of resources, or with a text in their names; pinned ones
 * in any case.
 */
export function shownLanes(
  { lanes, resources }: TimelineFacts,
  { lanes: type, filter }: Pick<TimelineState, "lanes" | "filter">,
  pinned: readonly string[] = [],
): readonly boolean[] {
  const texts = (filter ?? "")
    .toLowerCase()
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const isNamed = (name: string) => texts.some((text) => name.toLowerCase().includes(text));
  // Parents come before their children.
  const isWithin: boolean[] = [];
  for (const { name, parent } of resources) isWithin.push(isNamed(name) || (parent >= 0 && isWithin[parent]));
  const isPinned = new Set(pinned);
  return lanes.slice(0, MOST_LANES).map(
    ({ name, resource, isChosen, events }) =>
      isChosen &&
      // Lanes without events are shown if they are asked for.
      (isPinned.has(name) ||
        ((events !== 0 || texts.length > 0 || type !== undefined) &&
          (type === undefined || (resource >= 0 && resources[resource].type === type)) &&
          (texts.length === 0 || isNamed(name) || (resource >= 0 && isWithin[resource])))),
  );
}

/** Lanes on top that are shown, as they were pinned. */
export function pinnedLanes(
  { lanes }: TimelineFacts,
  isShown: readonly boolean[],
  pinned: readonly string[],
): number[] {
  const places = new Map(pinned.map((name, at) => [name, at]));
  return isShown
    .flatMap((shown, lane) => (shown && places.has(lanes[lane].name) ? [lane] : []))
    .sort((a, b) => (places.get(lanes[a].name) ?? 0) - (places.get(lanes[b].name) ?? 0) || a - b);
}

/** "3 ranks, 5 hidden" */
export function shownText(facts: TimelineFacts, isShown: readonly boolean[]): string {
  const hidden = facts.lanes.length - isShown.filter(Boolean).length;
  return `${lanesText(facts, isShown)}, ${hidden.toLocaleString("en")} hidden`;
}

/** Lanes as they stand below each other; of equal ones in the order of the recording. */
export function orderOf({ lanes }: TimelineFacts, count: number, order: LaneOrder = "recorded"): number[] {
  const by = {
    recorded: () => 0,
    // "rank 10" after "rank 9".
    name: (a: number, b: number) => lanes[a].name.localeCompare(lanes[b].name, "en", { numeric: true }),
    communication: (a: number, b: number) => lanes[b].communicationSeconds - lanes[a].communicationSeconds,
    busy: (a: number, b: number) => lanes[b].coveredSeconds - lanes[a].coveredSeconds,
  }[order];
  return Array.from({ length: count }, (_, lane) => lane).sort((a, b) => by(a, b) || a - b);
}

/** "8 ranks", "24 lanes". */
export function lanesText({ lanes }: TimelineFacts, shown: readonly boolean[]): string {
  const names = lanes.filter((_, at) => shown[at]).map(({ name }) => name);
  const noun = names.length > 0 && names.every((name) => /^rank \d+$/.test(name)) ? "rank" : "lane";
  return `${names.length.toLocaleString("en")} ${noun}${names.length === 1 ? "" : "s"}`;
}

export interface LaneGroups {
  readonly names: readonly string[];
  /** Of each lane; -1: it stands by itself. */
  readonly of: Int32Array;
  /** Group of the brief lanes; undefined if the recording has none. */
  readonly brief?: number;
}

/** Lanes of one process, machine or GPU: of the outermost resource that not all lanes are of. */
export function laneGroups({ lanes, resources }: TimelineFacts): LaneGroups {
  const known = lanes.slice(0, MOST_LANES);
  const paths = known.map(({ resource }) => {
    const path: number[] = [];
    for (let at = resource; at >= 0; at = resources[at].parent) path.unshift(at);
    return path;
  });
  const together = new Map<number, number>();
  for (const path of paths) for (const step of path) together.set(step, (together.get(step) ?? 0) + 1);
  const own = paths.map((path) => path.find((step) => (together.get(step) ?? 0) < known.length) ?? -1);
  const numbers = new Map<number, number>();
  const of = Int32Array.from(own, (resource) => {
    if (resource < 0 || (together.get(resource) ?? 0) < 2) return -1;
    const number = numbers.get(resource) ?? numbers.size;
    numbers.set(resource, number);
    return number;
  });
  return { names: [...numbers.keys()].map((resource) => resources[resource].name), of };
}

/** Minimum number of brief lanes that get a group. */
const MIN_BRIEF_LANES = 4;

/** Groups with one more for brief lanes, whose rows would push the work out of the window. A process with a busy lane keeps its group. */
export function withBriefLanes(
  { lanes }: TimelineFacts,
  { names, of }: LaneGroups,
  isShown: readonly boolean[],
): LaneGroups {
  const busy = new Set(of.filter((_, lane) => isShown[lane] && !lanes[lane].isBrief));
  const isAside = isShown.map((shown, lane) => shown && lanes[lane].isBrief && (of[lane] < 0 || !busy.has(of[lane])));
  if (isAside.filter(Boolean).length < MIN_BRIEF_LANES) return { names, of };
  const brief = names.length;
  const group = of.map((own, lane) => (isAside[lane] ? brief : own));
  return { names: [...names, "others, each below 1 % of the busiest lane"], of: group, brief };
}
