/** Which lanes a timeline shows, and what they belong to. Pure. */
import type { TimelineFacts } from "../../engine/api";
import { type LaneOrder, MOST_LANES } from "../../protocol/timeline";

/** Types of resources that some lanes, but not all, are of: what lanes are chosen by. */
export function laneTypes({ lanes, resources }: TimelineFacts): readonly string[] {
  const types = new Set(lanes.map(({ resource }) => resources.at(resource)?.type ?? ""));
  return types.size > 1 ? [...types].filter((type) => type !== "") : [];
}

/** Whether each lane is shown: of what the restriction leaves. @param type of the resources whose lanes alone are */
export function shownLanes({ lanes, resources }: TimelineFacts, type: string | undefined): readonly boolean[] {
  return lanes
    .slice(0, MOST_LANES)
    .map(
      ({ resource, isChosen }) =>
        isChosen && (type === undefined || (resource >= 0 && resources[resource].type === type)),
    );
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
  const noun = names.every((name) => /^rank \d+$/.test(name)) ? "rank" : "lane";
  return `${names.length.toLocaleString("en")} ${noun}${names.length === 1 ? "" : "s"}`;
}

export interface LaneGroups {
  readonly names: readonly string[];
  /** Of each lane; -1: it stands by itself. */
  readonly of: Int32Array;
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
