/** Two quantities from the beginning of the run to its end, to the left and to the right of an axis (Kesavan 2023, chapter 7). Pure. */
import { scaleLinear } from "d3-scale";
import { formatValue } from "../../src/model/units";
import { SECTORS } from "../../src/protocol/clock";
import { FINE, type SummaryContent, type SummarySide } from "../../src/protocol/summary";
import type { EventKind } from "../../src/protocol/timeline";
import { crisp, rule, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { exposedKind, LEFT_OUT } from "../kit/clock";
import { kindFill } from "../kit/kinds";
import { type Box, type DrawView, rounded, type Shape, standsBack } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { fitName, visible } from "../shared/text";
import { sideText } from "./describe";

/** Of what lies between a counter's least and most. */
const SPREAD = 0.35;
/** Above and below the rows; and above, where the titles stand below each other. */
const TOP = 34;
const STACKED = 14;
/** Between what both sides end with. */
const APART = 6;
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
  return [left, right].some(({ what }) => measure(SIZE, 600)(visible(what)) > width / 2 - 8);
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
  const scales = scalesOf(left, right);
  const stacked = isStacked(content, area.width, view);
  const title = ({ what }: SummarySide) => fitName(visible(what), stacked ? area.width : half - 6, measure(SIZE, 600));
  const ends = [endText(left, scales[0]), endText(right, scales[1])];
  const haveRoom = measure(SIZE)(ends.join("")) + APART <= area.width;
  // A part of a number would be another one.
  const end = (text: string) => (haveRoom || measure(SIZE)(text) <= half - APART ? text : "");
  const length = clock.to - clock.from;
  const y = (seconds: number) => area.y + area.height * (length > 0 ? (seconds - clock.from) / length : 0);
  const exposed = exposedKind(clock.bound);
  const ticks = area.x > box.x && length > 0 ? [0, 3, 6, 9, SECTORS] : [];
  return [
    ...Array.from({ length: SECTORS + 1 }, (_, at) =>
      rule(`M${area.x},${crisp(rowBox(area, at).y)}h${area.width}`, theme.grid),
    ),
    ...areaShapes(left, exposed, area, scales[0], -1, view),
    ...areaShapes(right, exposed, area, scales[1], 1, view),
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
    words(area.x, area.y - 6, end(ends[0]), { fill: theme.muted }),
    words(area.x + area.width, area.y - 6, end(ends[1]), { fill: theme.muted, anchor: "end" }),
    ...ticks.map((at) =>
      words(area.x - 6, tickAt(area, at), formatValue(clock.from + (length * at) / SECTORS, "s"), {
        fill: theme.muted,
        anchor: "end",
      }),
    ),
  ];
}

function tickAt(area: Box, sector: number): number {
  const y = rowBox(area, sector).y;
  return sector === 0 ? y + 8 : sector === SECTORS ? y : y + 4;
}

/** What lies at the axis between the sides, and at the outer end. */
export interface SideScale {
  readonly least: number;
  readonly most: number;
}

/** Shares of time: what the largest is, rounded up, at most all of the time. Counters: all of their values, and 0. One scale for what has one unit. */
export function scalesOf(left: SummarySide, right: SummarySide): readonly [SideScale, SideScale] {
  // What is a mere number may be a number of anything.
  if (left.unit === right.unit && left.unit !== "1" && left.unit !== "") {
    const both = scaleOf([left, right]);
    return [both, both];
  }
  return [scaleOf([left]), scaleOf([right])];
}

function scaleOf(sides: readonly SummarySide[]): SideScale {
  let [least, most] = [0, 0];
  for (const { values, spread } of sides) {
    for (const one of spread?.least ?? []) if (one < least) least = one;
    for (const one of spread?.most ?? values) if (one > most) most = one;
  }
  if (!(most > least)) return { least: 0, most: 1 };
  const [low, high] = scaleLinear([least, most], [0, 1]).nice(4).domain();
  return { least: low, most: sides[0].unit === undefined ? Math.min(1, high) : high };
}

/** What its outer end is; where a counter goes below 0, what the axis between the sides is, too: `−20 … 30 °C`. */
function endText(side: SummarySide, { least, most }: SideScale): string {
  const [low, high] = [sideText(side, least), sideText(side, most)];
  const unit = / \S+$/.exec(high)?.[0] ?? "";
  if (least === 0) return high;
  return `${unit !== "" && low.endsWith(unit) ? low.slice(0, -unit.length) : low} … ${high}`;
}

/** Steps, one for each fine stretch; of a counter to its mean, and over that from least to most. */
function areaShapes(
  { utilisation, values, spread }: SummarySide,
  exposed: EventKind,
  area: Box,
  { least, most }: SideScale,
  to: -1 | 1,
  view: DrawView,
): Shape[] {
  const { theme } = view;
  const middle = area.x + area.width / 2;
  const half = area.width / 2 - 2;
  const x = (value: number) =>
    rounded(middle + to * half * Math.min(1, Math.max(0, Number.isNaN(value) ? 0 : (value - least) / (most - least))));
  const y = (at: number) => rounded(area.y + (area.height * at) / FINE);
  const steps = Array.from(values, (value, at) => `H${x(value)}V${y(at + 1)}`);
  const d = `M${rounded(middle)},${rounded(area.y)}${steps.join("")}H${rounded(middle)}Z`;
  if (utilisation === undefined) {
    const bands = Array.from(values, (_, at) => {
      const [from, until] = [spread?.least[at] ?? Number.NaN, spread?.most[at] ?? Number.NaN];
      return until > from ? `M${x(from)},${y(at)}H${x(until)}V${y(at + 1)}H${x(from)}Z` : "";
    });
    return [
      { kind: "path", d, fill: theme.faint, stroke: theme.edge ?? theme.outline, strokeWidth: 0.75 },
      ...(bands.some((one) => one !== "")
        ? [{ kind: "path", d: bands.join(""), fill: theme.text, fillOpacity: SPREAD } as const]
        : []),
    ];
  }
  const kind = utilisation === "exposed movement" ? exposed : utilisation;
  const back = standsBack(view, kind) ? { fillOpacity: LEFT_OUT } : {};
  return [
    {
      kind: "path",
      d,
      fill: kindFill(kind, theme),
      ...back,
      strokeWidth: 0.75,
      stroke: utilisation === "idle" ? theme.outline : theme.edge,
    },
  ];
}

function bracket({ x, width }: Box, from: number, to: number, theme: Theme): Shape[] {
  const end = Math.max(from + 2, to);
  const line = (left: number, top: number, wide: number, high: number): Shape => ({
    kind: "box",
    fill: theme.link,
    box: { x: left, y: rounded(top), width: wide, height: rounded(high) },
  });
  return [x, x + width].flatMap((side, at) => [
    line(side - 2 * at, from, 2, end - from),
    line(side - 7 * at, from - 1, 7, 2),
    line(side - 7 * at, end - 1, 7, 2),
  ]);
}
