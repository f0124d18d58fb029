/** An ensemble as columns of a message. Pure. */
import { orderedIndices } from "./runOrder";
import type { EnsembleContent, EnsembleLayout } from "../../protocol/ensemble";
import { shownUnit } from "../../session/scopeChoice";
import { shorten } from "../../model/texts";
import { cutToFit } from "../shared";
import type { EnsembleView } from "./query";
import type { ShownEnsemble, SizedLayout } from "./shown";

/** Characters of names beside those that many share. */
const MAX_NAME = 200;

export function ensembleContent(shown: ShownEnsemble, { state }: EnsembleView): EnsembleContent {
  const { runs, staying, parameter, layout, beside } = shown;
  const { graph, least, median, leastRun, mostRun, low, high, common } = staying;
  const { bars, edges, gradients } = graph;
  const names = cutToFit(
    bars.group.map((group, at) => numbered(graph.shownNames.get(group) ?? group, bars.visit[at])),
    200_000,
  );
  const stays = new Int32Array(runs.runs.length);
  for (const run of graph.runs) stays[run] = 1;
  const { value, order } = orderedIndices(runs, parameter, staying.parameterValues);
  return {
    metric: shorten(graph.metric, MAX_NAME),
    unit: shorten(shownUnit({ name: graph.metric, unit: graph.unit }), MAX_NAME),
    over: `${state.over} over ranks`,
    value: gradients.value,
    borderOf: state.border,
    bars: {
      name: names,
      level: bars.level,
      height: bars.height,
      collapses: Int32Array.from(bars.collapsesTo, (group) => Number(group !== undefined)),
      mostExclusive: bars.mostExclusive,
      runs: bars.runs,
      border: state.border === "exclusive" ? bars.mostExclusive : bars.height,
      to: gradients.to,
      least,
      median,
      leastRun,
      mostRun,
    },
    edges: {
      source: edges.source,
      target: edges.target,
      most: edges.most,
      sourceEnd: edges.sourceEnd,
      targetEnd: edges.targetEnd,
    },
    bins: gradients.bins,
    counts: gradients.counts,
    fullest: gradients.fullest,
    runs: {
      name: cutToFit(
        runs.runs.map(({ name }) => name),
        200_000,
      ),
      total: Float64Array.from(runs.runs, ({ total }) => total),
      value,
      stays,
      order,
    },
    parameter: {
      name: shorten(parameter ?? "", MAX_NAME),
      values: cutToFit(staying.parameterValues, 100_000),
    },
    low,
    high,
    common,
    commonTexts: cutToFit(staying.commonTexts, 100_000),
    layout: layoutPart(layout, shown),
    beside,
  };
}

/** `MPI (2)`: the second bar of a group. */
function numbered(name: string, visit: number): string {
  return visit > 1 ? `${name} (${visit})` : name;
}

export function layoutPart(
  { width, height, boxes, first, points }: SizedLayout,
  { whole }: Pick<ShownEnsemble, "whole">,
): EnsembleLayout {
  const heights = whole.graph.bars.height;
  // From the highest bar, where rounding weighs least.
  const highest = heights.reduce((most, value, at) => (value > heights[most] ? at : most), 0);
  const pixelsPerUnit = heights[highest] > 0 ? boxes[4 * highest + 3] / heights[highest] : 0;
  return { kind: "layout", width, height, pixelsPerUnit, boxes, first, points };
}
