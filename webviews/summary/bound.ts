/** What the run and the window are bound by, as words and bars. Pure. */
import { appendAll, largestIn } from "../../src/model/longLists";
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { type BoundShown, computingWord } from "../../src/protocol/clock";
import type { SummaryContent } from "../../src/protocol/summary";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { exposedKind } from "../kit/clock";
import { kindFill } from "../kit/kinds";
import type { Box, DrawView, Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { fitName, visible, wrapped } from "../shared/text";

const TITLE = 13;
const LINE = 18;
/** Between the run's figures and the window's. */
const APART = 14;
const MOST_BAR = 160;

/** @returns what is drawn from the top of a box on, and how high it is */
export function boundBlock(
  content: SummaryContent,
  { x, y, width }: Omit<Box, "height">,
  view: DrawView,
): { readonly shapes: readonly Shape[]; readonly height: number } {
  const { clock, window } = content;
  const isBeside = width >= 500;
  const half = isBeside ? (width - 24) / 2 : width;
  const run = figures(
    clock.bound,
    `${clock.bound.over} · ${formatValue(Math.max(0, clock.end - clock.from), "s")} each`,
    {
      x,
      y,
      width: half,
      view,
    },
  );
  const below = isBeside ? { x: x + half + 24, y } : { x, y: run.end + APART };
  const shown = window
    ? figures(window.bound, `the window · ${formatStretch(window.from, window.to)}`, {
        ...below,
        width: half,
        view,
      })
    : clock.to > clock.from
      ? wholeRun(below, half, view)
      : { shapes: [], end: below.y };
  // Room for a window that comes: the drawing below stays where it is.
  const height = Math.max(run.end, shown.end, below.y + run.end - y) - y;
  return { shapes: [...run.shapes, ...shown.shapes], height };
}

function wholeRun({ x, y }: { x: number; y: number }, width: number, view: DrawView) {
  const words = wordsAt(view.theme);
  const lines = wrapped(
    "The window is the whole run: a sector of the clock makes it smaller.",
    width,
    view.measure(SIZE),
  );
  return {
    shapes: lines.map((line, at) => words(x, y + TITLE + at * 15, line, { fill: view.theme.muted })),
    end: y + TITLE + lines.length * 15,
  };
}

function figures(
  bound: BoundShown,
  of: string,
  { x, y, width, view }: { x: number; y: number; width: number; view: DrawView },
): { readonly shapes: readonly Shape[]; readonly end: number } {
  const { title, shares } = bound;
  const { theme, measure } = view;
  const words = wordsAt(theme);
  const widthOf = measure(TITLE, 600);
  // A function's name may be one word that is wider than the column; the details have it whole.
  const lines = wrapped(visible(title), width, widthOf).map((line) => fitName(line, width, widthOf));
  const shapes: Shape[] = lines.map((line, at) => words(x, y + TITLE + at * LINE, line, { size: TITLE, weight: 600 }));
  let top = y + lines.length * LINE;
  shapes.push(words(x, top + SIZE, fitName(of, width, measure(SIZE)), { fill: theme.muted }));
  top += LINE;
  if (!shares) return { shapes, end: top };
  const rows: [string, number | undefined, string | undefined][] = [
    [computingWord(bound.isOfGpus), shares.computing, kindFill(bound.isOfGpus ? "GPU" : "computing", theme)],
    ["exposed movement", shares.exposed, kindFill(exposedKind(bound), theme)],
    ["neither", shares.neither, undefined],
    ["hidden movement", shares.hidden, undefined],
  ];
  const label = Math.min(width / 2, largestIn(rows.map(([name]) => measure(SIZE)(name))) + 10);
  const value = measure(SIZE)("0.0829 %") + 8;
  for (const [name, share, fill] of rows) {
    const text = share === undefined ? "none moved" : formatShare(share);
    const isHidden = name === "hidden movement";
    shapes.push(words(x, top + SIZE, name, { fill: theme.soft }));
    const bar = Math.min(MOST_BAR, width - label - value);
    // A part of the movement, and none of the time: it has no bar.
    if (share !== undefined && !isHidden && bar > 20)
      appendAll(shapes, barShapes(x + label, top, bar, share, fill, theme));
    const at = isHidden ? x + label : x + label + Math.max(0, bar) + 8;
    shapes.push(words(at, top + SIZE, isHidden && share !== undefined ? `${text} of the movement` : text));
    top += LINE;
  }
  return { shapes, end: top };
}

function barShapes(
  x: number,
  y: number,
  width: number,
  share: number,
  fill: string | undefined,
  theme: Theme,
): Shape[] {
  const box = { x, y: y + 3, width: Math.max(share > 0 ? 1 : 0, width * Math.min(1, share)), height: 9 };
  return [
    { kind: "box", box: { ...box, width }, stroke: theme.grid, strokeWidth: 1 },
    ...(share > 0
      ? [{ kind: "box", box, fill: fill ?? theme.faint, stroke: theme.edge, strokeWidth: 0.75 } as const]
      : []),
  ];
}
