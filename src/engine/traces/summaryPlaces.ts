/** Where a recording's time was spent: CPU lanes, GPUs with their lanes, and the first lane of each rank. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Chosen } from "../../model/members";
import type { Trace } from "../../model/trace";
import { lanesAside } from "./lanesAside";
import { chosenLocations, locationsOf, locationsOfLanes } from "./movement";

export interface Gpu {
  readonly lanes: readonly number[];
  /** As transfers name it; NONE: not known. */
  readonly device: number;
  readonly rank: number;
}

export interface SummaryPlaces {
  readonly cpuLanes: readonly number[];
  readonly gpuLanes: readonly number[];
  readonly gpus: readonly Gpu[];
  /**
   * The CPU lane of each rank whose thread has the lowest number, since files may begin with any thread; of these the first one. Of each
   * process, else of each resource, where there are no ranks.
   */
  readonly mainLanes: readonly number[];
  /** What {@link mainLanes} are of. */
  readonly unit: "rank" | "process" | "lane";
  /** What the restriction leaves of what is at a lane; NONE: at none. */
  readonly isChosen: (lane: number) => boolean;
  /** Run and rank of a lane, as a key; undefined if its rank is not known. */
  readonly runRankOf: (lane: number) => string | undefined;
  /** GPUs that name no rank, of which a restriction leaves nothing. */
  readonly leftOutGpus: number;
}

/** Of the lanes that the restriction leaves and that have events which last on a thread or stream. */
export function summaryPlaces(dataSet: DataSet, trace: Trace, chosen: Chosen | undefined): SummaryPlaces {
  const locations = locationsOfLanes(trace, locationsOf(dataSet));
  const isChosen = chosenLocations(dataSet, chosen);
  const isAside = lanesAside(dataSet, trace);
  const gpus = new Map<string, number[]>();
  const ranks = new Map<string, number>();
  const units = new Set<SummaryPlaces["unit"]>();
  const cpuLanes: number[] = [];
  const leftOut = new Set<string>();
  trace.lanes.forEach(({ kind, events, resource }, lane) => {
    if (kind !== "intervals" || events === 0 || isAside(lane)) return;
    const gpu = gpuOf(dataSet, resource, locations[lane]);
    if (!isChosen(locations[lane])) {
      if (gpu !== undefined && locations[lane] === NONE) leftOut.add(gpu);
      return;
    }
    if (gpu !== undefined) return void entryOf(gpus, gpu, () => []).push(lane);
    cpuLanes.push(lane);
    const [unit, key] = rankOf(dataSet, resource, locations[lane], lane);
    units.add(unit);
    const first = entryOf(ranks, key, () => lane);
    if (threadOf(dataSet, locations[lane]) < threadOf(dataSet, locations[first])) ranks.set(key, lane);
  });
  return {
    cpuLanes,
    gpuLanes: [...gpus.values()].flat().sort((a, b) => a - b),
    gpus: [...gpus.values()].map((lanes) => {
      const known = lanes.map((lane) => locations[lane]).find((location) => location !== NONE);
      const { device, rank } = known === undefined ? { device: NONE, rank: NONE } : dataSet.locations[known];
      return { lanes, device, rank };
    }),
    mainLanes: [...ranks.values()],
    unit: units.size === 1 ? [...units][0] : "lane",
    isChosen: (lane) => isChosen(lane === NONE ? NONE : locations[lane]),
    runRankOf: (lane) => {
      const place = locations[lane] === NONE ? undefined : dataSet.locations[locations[lane]];
      return place && place.rank !== NONE ? `${place.run} ${place.rank}` : undefined;
    },
    leftOutGpus: leftOut.size,
  };
}

/** A thread's number; what is none of a process's threads comes last. */
function threadOf({ locations }: DataSet, location: number): number {
  const thread = location === NONE ? NONE : locations[location].thread;
  return thread === NONE ? Infinity : thread;
}

/** Names the GPU that a lane belongs to: the resource of that type around it, else the device of its stream. */
function gpuOf({ topology, locations }: DataSet, resource: number, location: number): string | undefined {
  const resources = topology?.resources ?? [];
  for (let at = resource; at !== NONE; at = resources[at].parent) if (resources[at].type === "GPU") return `at ${at}`;
  if (location === NONE || locations[location].stream === NONE) return undefined;
  const { run, rank, device } = locations[location];
  return `of ${run} ${rank} ${device}`;
}

function rankOf(
  { topology, locations }: DataSet,
  resource: number,
  location: number,
  lane: number,
): readonly [SummaryPlaces["unit"], string] {
  if (location !== NONE && locations[location].rank !== NONE) {
    const { run, rank } = locations[location];
    return ["rank", `rank ${run} ${rank}`];
  }
  const resources = topology?.resources ?? [];
  for (let at = resource; at !== NONE; at = resources[at].parent)
    if (resources[at].type === "process") return ["process", `process ${at}`];
  return ["lane", resource === NONE ? `lane ${lane}` : `resource ${resource}`];
}
