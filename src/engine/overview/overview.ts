/** A trace at a glance: the partitions of its microscopic model that matter, and what is unlike the rest (semantics 11). */
import { sumsOf } from "../../aggregation/modes";
import type { GroupsUnlike } from "../../aggregation/groupsUnlike";
import type { Partition } from "../../aggregation/partition";
import { initialEntry } from "../../aggregation/significant";
import { leavesBelow, MOST_FINDINGS, type UnlikeFinding } from "../../aggregation/unlike";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { findingText, groupsFindingText } from "./findingText";
import type { KeptOverview } from "./keptOverviews";
import type {
  Overview,
  OverviewFinding,
  OverviewFirst,
  OverviewKind,
  OverviewPart,
  OverviewPartition,
  OverviewStart,
} from "./overviewApi";
import { readableNames } from "./shownStates";

/** @throws CancelledError */
export function overviewOf(kind: OverviewKind, kept: KeptOverview, task: Task): Overview {
  const { fromSeconds, toSeconds, slices, names: states, nodes, uncoveredSeconds } = kept.model;
  return {
    fromSeconds,
    toSeconds,
    slices,
    states,
    nodes,
    uncoveredSeconds,
    partitions: partitionsOf(kind, kept, task),
    unlike: findingsOf(kept, task),
    ...(kept.model.first ? { first: startOf(kept, kept.model.first, task) } : {}),
  };
}

/** Findings of groups, then of leaves; each kind strongest first. */
export function findingsOf(kept: KeptOverview, task: Task): OverviewFinding[] {
  const ofGroups = kept.groups.map((one) => groupFinding(kept, one));
  const ofLeaves = kept.aggregation.unlike(task).map((one) => finding(kept, one));
  return [...ofGroups, ...ofLeaves].slice(0, MOST_FINDINGS);
}

/** The partition that is shown before anyone chose one. */
function startOf({ aggregation }: KeptOverview, { hierarchy, found }: OverviewFirst, task: Task): OverviewStart {
  const entries = aggregation.significant(task);
  const { strength: p, count: parts, loss } = entries[initialEntry(entries)];
  const largest = entries.reduce((most, one) => Math.max(most, one.loss), 0);
  return { p, parts, loss: largest > 0 ? loss / largest : 0, hierarchy, found };
}

/** Parts over time alone are of the root, and those of resources alone are of all slices. */
export function inWholeModel<Parts extends Partition>(
  kind: OverviewKind,
  { model: { slices }, nodes: { order } }: KeptOverview,
  partition: Parts,
): Parts {
  if (kind === "temporal") return { ...partition, node: partition.node.map(() => order[order.length - 1]) };
  if (kind === "hierarchical") return { ...partition, end: partition.end.map(() => slices - 1) };
  return partition;
}

function partitionsOf(kind: OverviewKind, kept: KeptOverview, task: Task): OverviewPartition[] {
  const { aggregation } = kept;
  const partsOf = partsOnce(kept);
  return aggregation.significant(task).map((one) => {
    const partition = inWholeModel(kind, kept, one);
    return { p: one.strength, gain: one.gain, loss: one.loss, parts: partsOf(partition) };
  });
}

/**
 * Partitions have many parts in common: each is added up once. Most are those of the partition before, in the same order, which are found
 * without a search.
 */
function partsOnce({ model, nodes, modes }: KeptOverview) {
  const { slices } = model;
  const keyOf = (node: number, start: number, end: number) => (node * slices + start) * slices + end;
  const known = new Map<number, OverviewPart>();
  let before: readonly OverviewPart[] = [];
  let beforeKeys = new Float64Array(0);
  return ({ count, node, start, end }: Partition): OverviewPart[] => {
    const keys = new Float64Array(count);
    const parts: OverviewPart[] = [];
    for (let at = 0, next = 0; at < count; at++) {
      const key = (keys[at] = keyOf(node[at], start[at], end[at]));
      while (next < beforeKeys.length && beforeKeys[next] < key) next++;
      const isBefore = beforeKeys[next] === key;
      parts.push(isBefore ? before[next] : entryOf(known, key, () => part(node[at], start[at], end[at])));
    }
    before = parts;
    beforeKeys = keys;
    return parts;
  };

  function part(node: number, start: number, end: number): OverviewPart {
    const { state: mode, share } = modes.of(sumsOf(model, leavesBelow(nodes, node), start, end));
    return { node, start, end, mode, share };
  }
}

/** When a slice begins, in seconds. */
function momentsOf({ fromSeconds, toSeconds, slices }: KeptOverview["model"]): (boundary: number) => number {
  return (boundary) => fromSeconds + (boundary * (toSeconds - fromSeconds)) / slices;
}

function groupFinding({ model, nodes }: KeptOverview, one: GroupsUnlike): OverviewFinding {
  const moment = momentsOf(model);
  const leaves = one.groups.flatMap((group) => leavesBelow(nodes, group)).sort((a, b) => a - b);
  return {
    kind: "group",
    leaves,
    strength: one.strength,
    fromSeconds: moment(one.start),
    toSeconds: moment(one.end + 1),
    ...groupsFindingText({ ...model, names: readableNames(model.names) }, one, moment),
  };
}

function finding({ model, modes }: KeptOverview, one: UnlikeFinding): OverviewFinding {
  const moment = momentsOf(model);
  const { kind, boundaries, leaves, strength } = one;
  return {
    kind,
    leaves,
    strength,
    ...findingText({ ...model, names: readableNames(model.names) }, modes, one, moment),
    fromSeconds: moment(boundaries[0]),
    toSeconds: moment(boundaries[boundaries.length - 1]),
  };
}
