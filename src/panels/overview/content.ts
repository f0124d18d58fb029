/** An overview as the content of a message of bounded size. */
import type { OverviewFacts, OverviewQuery, VisualParts } from "../../engine/api";
import { RequestError } from "../../model/errors";
import { shorten } from "../../model/texts";
import { MARK_LIMIT } from "../../protocol/bounds";
import { MOST_LEAVES, type OverviewContent, type OverviewPartShown } from "../../protocol/overview";
import { cutToFit } from "../kit/names";
import { ownColorsOf } from "../kit/ownColors";

const NAMES_LENGTH = 150_000;
const SENTENCE = 1000;

/** @throws RequestError where there are more resources than a page draws */
export function overviewContent(
  facts: OverviewFacts,
  { metric, kind, without = [] }: OverviewQuery,
  shows: OverviewContent["shows"],
  ownColors?: boolean,
): OverviewContent {
  const { leaves, allLeaves, nodes, states, entries, unlike } = facts;
  if (leaves > MOST_LEAVES)
    throw new RequestError(`${leaves.toLocaleString("en")} resources are more than an overview draws.`);
  const total = states.reduce((sum, one) => sum + one.total, 0);
  const placed = nodes.slice(0, leaves).sort((a, b) => a.first - b.first);
  const groups = nodes.slice(leaves).filter(({ parent }) => parent >= 0);
  const depthOf = (parent: number): number => (parent < 0 ? 0 : 1 + depthOf(nodes[parent].parent));
  return {
    from: facts.fromSeconds,
    to: facts.toSeconds,
    slices: facts.slices,
    leaves,
    metric,
    kind,
    shows,
    without: without.length,
    allLeaves,
    states: cutToFit(
      states.map(({ readable }) => readable),
      NAMES_LENGTH,
    ),
    stateKinds: Int32Array.from(states, (one) => one.kind),
    stateColors: ownColorsOf(states, ownColors),
    stateShares: Float64Array.from(states, (one) => (total > 0 ? one.total / total : 0)),
    leafNames: cutToFit(
      placed.map(({ name }) => name),
      NAMES_LENGTH,
    ),
    groups: {
      names: cutToFit(
        groups.map(({ name }) => name),
        NAMES_LENGTH,
      ),
      first: Int32Array.from(groups, ({ first }) => first),
      size: Int32Array.from(groups, ({ size }) => size),
      depth: Int32Array.from(groups, ({ parent }) => depthOf(parent)),
    },
    uncovered: facts.uncoveredSeconds,
    entries: {
      strength: Float64Array.from(entries, ({ p }) => p),
      gain: Float64Array.from(entries, ({ gain }) => gain),
      loss: Float64Array.from(entries, ({ loss }) => loss),
      parts: Int32Array.from(entries, ({ parts }) => parts),
    },
    unlike: unlike.map(({ kind: one, fromSeconds, toSeconds, leaves: own, strength, when, what, mode }) => ({
      kind: one,
      from: fromSeconds,
      to: toSeconds,
      leaves: Int32Array.from(own),
      strength,
      mode,
      when: shorten(when, SENTENCE),
      what: shorten(what, SENTENCE),
    })),
  };
}

/** @throws RequestError where there are more parts than a page draws */
export function partsContent({ count, sign, ...columns }: VisualParts): OverviewPartShown["parts"] {
  if (count > MARK_LIMIT || columns.means.length > MARK_LIMIT)
    throw new RequestError(`${count.toLocaleString("en")} parts are more than an overview draws: choose fewer.`);
  return {
    first: columns.first,
    size: columns.size,
    start: columns.start,
    end: columns.end,
    mode: columns.mode,
    share: columns.share,
    sign: Int32Array.from(sign),
    parts: columns.parts,
    means: columns.means,
  };
}
