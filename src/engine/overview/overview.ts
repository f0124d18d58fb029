/** A trace at a glance: the partitions of its microscopic model that matter, and what is unlike the rest (semantics 11). */
import { sumsOf } from "../../aggregation/modes";
import type { Partition } from "../../aggregation/partition";
import { leavesBelow, type UnlikeFinding } from "../../aggregation/unlike";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { findingText } from "./findingText";
import type { KeptOverview } from "./keptOverviews";
import type { Overview, OverviewFinding, OverviewKind, OverviewPart, OverviewPartition } from "./overviewApi";
import { readableNames } from "./shownStates";

/** @throws CancelledError */
export function overviewOf(kind: OverviewKind, kept: KeptOverview, task: Task): Overview {
  const { fromSeconds, toSeconds, slices, names: states, nodes, uncoveredSeconds } = kept.model;
  return {
    ...{ fromSeconds, toSeconds, slices, states, nodes, uncoveredSeconds },
    ...{ partitions: partitionsOf(kind, kept, task), unlike: findingsOf(kept, task) },
  };
}

export function findingsOf(kept: KeptOverview, task: Task): OverviewFinding[] {
  return kept.aggregation.unlike(task).map((one) => finding(kept, one));
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

function finding({ model, modes }: KeptOverview, one: UnlikeFinding): OverviewFinding {
  const { fromSeconds, toSeconds, slices } = model;
  const moment = (boundary: number) => fromSeconds + (boundary * (toSeconds - fromSeconds)) / slices;
  const { kind, boundaries, leaves, strength } = one;
  return {
    ...{ kind, leaves, strength, ...findingText({ ...model, names: readableNames(model.names) }, modes, one, moment) },
    fromSeconds: moment(boundaries[0]),
    toSeconds: moment(boundaries[boundaries.length - 1]),
  };
}
