/** Flows and gradients of an ensemble, which a canvas draws. Pure but for the layer that is made of it. */
import type { EnsembleContent } from "../../src/protocol/ensemble";
import { ensembleMark } from "../../src/protocol/ensemble";
import type { Box, Mark, Paint, Shape, Traced } from "../kit/stage/scene";
import type { Painted } from "../kit/stage/shapeLayer";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { HAIRLINE } from "../superGraph/placed";
import { drawLines, drawRibbon, gapTo, MOST_OF_A_LINE, type Ribbon, ribbonPath } from "../superGraph/ribbon";
import { flowFacts, flowName, targetValue } from "./describe";
import type { EnsembleScene } from "./drawing";
import { ensembleSize, placeOnAxis } from "./placed";

/** At the left of a bar: the heat of its largest exclusive. */
export const EDGE = 5;
/** Of the target's line, beyond the edges of a bar. */
const BEYOND = 4;
/** More of a target's flows that are no more than lines are thin, and as pale as this. */
const [MOST_LINES, PALE] = [150, 0.5];
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
      shapes: ({ placed }, { theme }) => flows(placed.flows, theme.flow(0), theme.flowInk),
    },
    {
      of: ({ placed }) => [placed.targetFlows],
      shapes: ({ placed }, { theme }) => targetFlows(placed.targetFlows, theme),
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
    { of: ({ written }) => [written], standsBack: true, shapes: ({ written }) => written },
  ],
  near({ content, placed }, { theme }, { pointed, selected }) {
    const size = ensembleSize(content);
    const barOf = (mark: number | undefined) => {
      const of = mark === undefined ? undefined : ensembleMark(size, mark);
      return of?.kind === "bar" || of?.kind === "guide" ? of.bar : undefined;
    };
    const [one, other] = [barOf(pointed), barOf(selected)];
    const { source, target } = content.edges;
    const isNear = (_: Ribbon, at: number) =>
      [source[at], target[at]].some((bar) => bar === one || bar === other) || pointed === flowMark(content, at);
    return [
      ...flows(placed.flows.filter(isNear), theme.flowNear(0), theme.outline),
      ...targetFlows(placed.targetFlows.filter(isNear), theme),
    ];
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
      id: flowMark(content, nearest),
      key: `flow ${nearest}`,
      name: flowName(content, nearest),
      paint: {},
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

/** @param ink of edges, and of flows between whose edges nothing would be left */
function flows(ribbons: readonly Ribbon[], fill: string, ink: string): Shape[] {
  const paintOf = (ribbon: Ribbon): Paint =>
    thicknessOf(ribbon) < HAIRLINE ? { fill: ink } : { fill, stroke: ink, strokeWidth: 0.75 };
  return ribbonShapes(ribbons, paintOf, { color: ink, pixels: 1 });
}

/** Filled, which of a line between two edges nothing shows of. Hundreds of lines are thin and pale, else bars and names drown in them. */
function targetFlows(ribbons: readonly Ribbon[], { link, faded, isDark, isHighContrast }: Theme): Shape[] {
  const fillOpacity = isHighContrast ? 0.3 : isDark ? 0.17 : 0.13;
  const paint = { fill: link, fillOpacity, stroke: link, strokeWidth: 1 };
  if (ribbons.filter(isLine).length <= MOST_LINES)
    return ribbonShapes(ribbons, () => paint, { color: link, pixels: 2 });
  const color = isHighContrast ? link : faded(link, PALE);
  const paintOf = (ribbon: Ribbon) => (isLine(ribbon) ? { ...paint, stroke: color, strokeWidth: 0.5 } : paint);
  return ribbonShapes(ribbons, paintOf, { color, pixels: 1 });
}

function isLine(ribbon: Ribbon): boolean {
  return ribbon.points.length > 0 && thicknessOf(ribbon) < MOST_OF_A_LINE;
}

function thicknessOf({ thickness, until = thickness }: Ribbon): number {
  return Math.max(thickness, until);
}

/**
 * Ribbons in their order. Most of hundreds are no more than lines: neighbours among these are one shape.
 *
 * @param lines how a canvas draws what is no more than a line
 */
function ribbonShapes(
  ribbons: readonly Ribbon[],
  paintOf: (ribbon: Ribbon) => Paint,
  lines: { readonly color: string; readonly pixels: number } | undefined,
): Shape[] {
  const shapes: Shape[] = [];
  let together: Ribbon[] = [];
  const add = (some: readonly Ribbon[], traced: Traced) =>
    shapes.push({
      ...paintOf(some[0]),
      kind: "path",
      // Read by pictures alone.
      get d() {
        return some.map(ribbonPath).join("");
      },
      traced,
    });
  const finish = () => {
    const some = together;
    together = [];
    if (!lines || some.length === 0) return;
    const trace: Traced["trace"] = (pen, dots) => {
      for (const ribbon of some) drawLines(ribbon, Math.max(1, Math.round(lines.pixels * dots)), 1 / dots, pen);
    };
    add(some, { trace, lines: lines.color });
  };
  for (const ribbon of ribbons) {
    if (ribbon.points.length === 0) continue;
    if (lines && isLine(ribbon)) {
      together.push(ribbon);
      continue;
    }
    finish();
    add([ribbon], { trace: (pen) => drawRibbon(ribbon, pen) });
  }
  finish();
  return shapes;
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
