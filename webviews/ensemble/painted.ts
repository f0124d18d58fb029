/** Flows and gradients of an ensemble, which a canvas draws. Pure but for the layer that is made of it. */
import type { EnsembleContent } from "../../src/protocol/ensemble";
import { ensembleMark } from "../../src/protocol/ensemble";
import type { Box, Mark, Shape } from "../kit/stage/scene";
import type { Painted } from "../kit/stage/shapeLayer";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { gapTo, type Ribbon, ribbonPath } from "../superGraph/ribbon";
import { flowFacts, flowName, targetValue } from "./describe";
import type { EnsembleScene } from "./drawing";
import { ensembleSize, placeOnAxis } from "./placed";

/** At the left of a bar: the heat of its largest exclusive. */
export const EDGE = 5;
/** Of the target's line, beyond the edges of a bar. */
const BEYOND = 4;
/** Pixels from a flow within which the pointer still means it. */
const REACH = 3;
/** A bin without runs, and what the fullest one has more: the root, so that one run is seen beside hundreds. */
const [NO_RUNS, ALL_RUNS] = [0.06, 0.84];

/** The grey of so many runs. */
export function gradientColor(theme: Theme, runs: number, fullest: number): string {
  const share = fullest > 0 ? Math.sqrt(runs / fullest) : 0;
  return theme.faded(theme.text, NO_RUNS + ALL_RUNS * share * (theme.isDark ? 0.85 : 0.8));
}

export const painted: Painted<EnsembleScene> = {
  parts: [
    {
      of: ({ placed }) => [placed.flows],
      shapes: ({ placed }, { theme }) => placed.flows.flatMap((ribbon) => flow(ribbon, theme.flow(0), theme)),
    },
    {
      of: ({ placed }) => [placed.targetFlows],
      shapes: ({ placed }, { theme }) => placed.targetFlows.flatMap((ribbon) => targetFlow(ribbon, theme)),
    },
    {
      of: ({ content, placed }) => [placed.bars, content.bars, content.counts, content.beside.difference],
      shapes({ content, placed }, { theme }) {
        // Of a difference the bars themselves have the colour.
        if (content.beside.difference) return [];
        const hottest = hottestOf(content);
        const heat = (bar: number) => theme.heat(heatPosition(content.bars.border[bar], hottest));
        return placed.bars.flatMap((box, bar) =>
          content.bars.runs[bar] === 0 ? [] : barShapes(content, bar, box, heat(bar), theme),
        );
      },
    },
    {
      of: ({ content, placed }) => [placed.bars, content.beside.target],
      shapes: ({ content, placed }, { theme }) =>
        content.beside.target ? placed.bars.flatMap((box, bar) => targetLine(content, bar, box, theme)) : [],
    },
  ],
  near({ content, placed }, { theme }, { pointed, selected }) {
    const size = ensembleSize(content);
    const barOf = (mark: number | undefined) => {
      const of = mark === undefined ? undefined : ensembleMark(size, mark);
      return of === undefined || of.kind === "run" ? undefined : of.bar;
    };
    const [one, other] = [barOf(pointed), barOf(selected)];
    const { source, target } = content.edges;
    return placed.flows.flatMap((ribbon, at) => {
      const isNear =
        [source[at], target[at]].some((bar) => bar === one || bar === other) || pointed === flowMark(content, at);
      return isNear ? [...flow(ribbon, theme.flowNear(0), theme), ...targetFlow(placed.targetFlows.at(at), theme)] : [];
    });
  },
  markAt({ content, placed }, x, y): Mark | undefined {
    const { edges } = content;
    let [nearest, least] = [-1, REACH];
    placed.flows.forEach((ribbon, at) => {
      const gap = ribbon.points.length > 0 ? gapTo(ribbon, x, y) : undefined;
      if (gap !== undefined && gap < least) [nearest, least] = [at, gap];
    });
    if (nearest < 0) return undefined;
    return {
      ...{ id: flowMark(content, nearest), key: `flow ${nearest}`, name: flowName(content, nearest), paint: {} },
      // As large as the drawing, it is explained beside the bar that it leads to.
      box: placed.bars[edges.target[nearest]],
      facts: () => flowFacts(content, nearest),
    };
  },
};

/** The largest value that borders show. */
export function hottestOf({ bars }: EnsembleContent): number {
  return bars.border.reduce((most, value) => Math.max(most, value), 0);
}

/** Behind all bars, runs and guides. */
function flowMark(content: EnsembleContent, flow: number): number {
  const { bars, runs, bins } = ensembleSize(content);
  return bars + runs + bars * bins ** 2 + flow;
}

function flow(ribbon: Ribbon, fill: string, theme: Theme): Shape[] {
  if (ribbon.points.length === 0) return [];
  const edge = theme.edge === undefined ? {} : { stroke: theme.line, strokeWidth: 0.75 };
  const isLine = Math.max(ribbon.thickness, ribbon.until ?? 0) < 3;
  return [{ kind: "path", d: ribbonPath(ribbon), fill: isLine ? theme.faint : fill, ...edge }];
}

function targetFlow(ribbon: Ribbon | undefined, { link, isDark, isHighContrast }: Theme): Shape[] {
  if (!ribbon || ribbon.points.length === 0) return [];
  const fillOpacity = isHighContrast ? 0.3 : isDark ? 0.17 : 0.13;
  return [{ kind: "path", d: ribbonPath(ribbon), fill: link, fillOpacity, stroke: link, strokeWidth: 1 }];
}

/** Across a bar at the target's value, on a rim of the background. */
function targetLine(content: EnsembleContent, bar: number, box: Box, { background, link }: Theme): Shape[] {
  const own = targetValue(content, bar);
  if (Number.isNaN(own)) return [];
  const y = placeOnAxis(content, bar, own, box);
  const d = `M${box.x - BEYOND},${y}H${box.x + box.width + BEYOND}`;
  return [
    { kind: "path", d, stroke: background, strokeWidth: 4.5 },
    { kind: "path", d, stroke: link, strokeWidth: 2 },
  ];
}

function barShapes(content: EnsembleContent, bar: number, box: Box, heat: string, theme: Theme): Shape[] {
  const { bins, counts, fullest } = content;
  const { x, y, width, height } = box;
  const edge = Math.min(EDGE, width / 3);
  const inner = { x: x + edge, y, width: width - edge, height };
  const border: Shape = { kind: "box", box: { x, y, width: edge, height }, fill: heat };
  const line: Shape = { kind: "path", d: `M${x + edge},${y}v${height}`, stroke: theme.outline, strokeWidth: 0.75 };
  const ground: Shape = { kind: "box", box, fill: theme.background };
  if (!(content.bars.to[bar] > 0)) return [ground, border, line];
  const own = counts.subarray(bar * bins, (bar + 1) * bins);
  const colors = Array.from(own, (runs) => gradientColor(theme, runs, fullest));
  return [
    ground,
    { kind: "box", box: inner, fill: colors[0], graded: { colors, from: y, until: y + height } },
    border,
    line,
  ];
}
