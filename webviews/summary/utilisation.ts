/** Two quantities from the beginning of the run to its end, to the left and to the right of an axis (Kesavan 2023, chapter 7). Pure. */
import { scaleLinear } from "d3-scale";
import { formatShare, formatValue } from "../../src/model/units";
import { SECTORS } from "../../src/protocol/clock";
import { FINE, type SummaryContent, type UtilisationSide } from "../../src/protocol/summary";
import type { EventKind } from "../../src/protocol/timeline";
import { crisp, rule, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { exposedKind, LEFT_OUT } from "../kit/clock";
import { kindFill } from "../kit/kinds";
import { type Box, type DrawView, rounded, type Shape, standsBack } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { fitName } from "../shared/text";

/** Above and below the rows; and above, where the titles stand below each other. */
const TOP = 34;
const STACKED = 14;
const BOTTOM = 4;
/** Moments beside the axis, where there is room. */
const GUTTER = 56;

/** Where the glyph's rows are. */
export function rowsArea({ x, y, width, height }: Box, content: SummaryContent, view: DrawView): Box {
  const gutter = width >= 200 ? GUTTER : 0;
  const top = TOP + (isStacked(content, width - gutter, view) ? STACKED : 0);
  return { x: x + gutter, y: y + top, width: width - gutter, height: Math.max(24, height - top - BOTTOM) };
}

/** Whether a side's title is wider than the side. */
function isStacked({ left, right }: SummaryContent, width: number, { measure }: DrawView): boolean {
  return [left, right].some(({ what }) => measure(SIZE, 600)(what) > width / 2 - 8);
}

export function rowBox(area: Box, sector: number): Box {
  const height = area.height / SECTORS;
  return { x: area.x, y: area.y + sector * height, width: area.width, height };
}

export function utilisationShapes(content: SummaryContent, box: Box, view: DrawView): Shape[] {
  const { left, right, clock, window } = content;
  const { theme, measure } = view;
  const area = rowsArea(box, content, view);
  const words = wordsAt(theme);
  const middle = crisp(area.x + area.width / 2);
  const half = area.width / 2 - 2;
  const most = scaleOf(left, right);
  const stacked = isStacked(content, area.width, view);
  const title = (side: UtilisationSide) => fitName(side.what, stacked ? area.width : half - 6, measure(SIZE, 600));
  const length = clock.to - clock.from;
  const y = (seconds: number) => area.y + area.height * (length > 0 ? (seconds - clock.from) / length : 0);
  const exposed = exposedKind(clock.bound);
  const ticks = area.x > box.x && length > 0 ? [0, 3, 6, 9, SECTORS] : [];
  return [
    ...Array.from({ length: SECTORS + 1 }, (_, at) =>
      rule(`M${area.x},${crisp(rowBox(area, at).y)}h${area.width}`, theme.grid),
    ),
    areaShape(left, exposed, area, most, -1, view),
    areaShape(right, exposed, area, most, 1, view),
    rule(`M${middle},${area.y}v${area.height}`, theme.line),
    ...(window ? bracket(area, y(window.from), y(window.to), theme) : []),
    ...(stacked
      ? [
          words(area.x, area.y - 20 - STACKED, title(left), { weight: 600 }),
          words(area.x + area.width, area.y - 20, title(right), { anchor: "end", weight: 600 }),
        ]
      : [
          words(middle - 6, area.y - 20, title(left), { anchor: "end", weight: 600 }),
          words(middle + 6, area.y - 20, title(right), { weight: 600 }),
        ]),
    words(area.x, area.y - 6, formatShare(most), { fill: theme.muted }),
    words(area.x + area.width, area.y - 6, formatShare(most), { fill: theme.muted, anchor: "end" }),
    ...ticks.map((at) =>
      words(area.x - 6, tickAt(area, at), formatValue(clock.from + (length * at) / SECTORS, "s"), {
        ...{ fill: theme.muted, anchor: "end" },
      }),
    ),
  ];
}

function tickAt(area: Box, sector: number): number {
  const y = rowBox(area, sector).y;
  return sector === 0 ? y + 8 : sector === SECTORS ? y : y + 4;
}

/** One scale for both sides: what the largest share is, rounded up, at most all of the time. */
export function scaleOf(left: UtilisationSide, right: UtilisationSide): number {
  const most = [...left.shares, ...right.shares].reduce((all, one) => Math.max(all, one), 0);
  if (!(most > 0)) return 1;
  const [, nice] = scaleLinear([0, most], [0, 1]).nice(4).domain();
  return Math.min(1, nice);
}

/** Steps, one for each fine stretch. */
function areaShape(
  { what, shares }: UtilisationSide,
  exposed: EventKind,
  area: Box,
  most: number,
  to: -1 | 1,
  view: DrawView,
): Shape {
  const { theme } = view;
  const middle = area.x + area.width / 2;
  const half = area.width / 2 - 2;
  const steps = Array.from(shares, (share, at) => {
    const x = rounded(middle + to * half * Math.min(1, share / most));
    return `H${x}V${rounded(area.y + (area.height * (at + 1)) / FINE)}`;
  });
  const d = `M${rounded(middle)},${rounded(area.y)}${steps.join("")}H${rounded(middle)}Z`;
  const kind = what === "exposed movement" ? exposed : what;
  const back = standsBack(view, kind) ? { fillOpacity: LEFT_OUT } : {};
  return {
    kind: "path",
    d,
    fill: kindFill(kind, theme),
    ...back,
    stroke: what === "idle" ? theme.outline : theme.edge,
    strokeWidth: 0.75,
  };
}

function bracket({ x, width }: Box, from: number, to: number, theme: Theme): Shape[] {
  const end = Math.max(from + 2, to);
  const line = (left: number, top: number, wide: number, high: number): Shape => ({
    ...{ kind: "box", fill: theme.link, box: { x: left, y: rounded(top), width: wide, height: rounded(high) } },
  });
  return [x, x + width].flatMap((side, at) => [
    line(side - 2 * at, from, 2, end - from),
    line(side - 7 * at, from - 1, 7, 2),
    line(side - 7 * at, end - 1, 7, 2),
  ]);
}
