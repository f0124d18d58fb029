/** A column for each run above the drawing, as high as its total, in the order of a parameter. Pure. */
import { type EnsembleContent, NONE, runMark } from "../../src/protocol/ensemble";
import { formatValue } from "../../src/model/units";
import type { Box, DrawView, Mark, Paint, Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { visible } from "../shared/text";
import { runFacts } from "./describe";
import { shortValues, valueText } from "./guides";
import { ensembleSize, STRIP } from "./placed";

const EDGE = 12;
const BASE = 36;
/** Above the highest there is room for the target's value, off the frame of its column. */
const HIGHEST = 20;
const VALUE = 7.4;
const TEXT = 11;
/** Between runs of two values, and between runs. */
const [APART, BETWEEN] = [3, 3];
const OTHERS = { normal: 0.38, high: 0.7, out: 0.16 } as const;
/** Panels that are narrower have short labels. */
const NARROW = 500;

export interface StripPart {
  readonly below: readonly Shape[];
  readonly marks: readonly Mark[];
  readonly above: readonly Shape[];
  readonly box: Box;
}

/** What does not depend on the run that is set beside all. */
interface Columns {
  readonly width: number;
  readonly theme: Theme;
  /** As all of them look while they are nothing else; in their order. */
  readonly marks: readonly Mark[];
  readonly runs: readonly number[];
  readonly labels: readonly Shape[];
}

/** Another target comes many times a second, and changes one column of hundreds. */
const known = new WeakMap<EnsembleContent["runs"], Columns>();

export function strip(content: EnsembleContent, view: DrawView): StripPart {
  const { runs, beside } = content;
  const { theme, width } = view;
  const { target, difference } = beside;
  const last = known.get(runs);
  const columns = last?.width === width && last.theme === theme ? last : columnsOf(content, view);
  known.set(runs, columns);
  const chosen = new Set(target ? [target.run] : difference?.candidate.runs);
  const baseline = new Set(difference?.baseline.runs);
  const marks = columns.marks.map((mark, at): Mark => {
    if (chosen.has(columns.runs[at])) return { ...mark, paint: { fill: theme.link } };
    const isBaseline = baseline.has(columns.runs[at]);
    return isBaseline ? { ...mark, paint: baselinePaint(theme) } : mark;
  });
  const [only] = chosen;
  const at = chosen.size === 1 ? columns.runs.indexOf(only) : -1;
  return {
    below: [
      { kind: "path", d: `M${EDGE},${BASE + 0.5}H${width - EDGE}`, stroke: theme.line, strokeWidth: 1 },
      { kind: "path", d: `M0,${STRIP - 0.5}H${width}`, stroke: theme.line, strokeWidth: 1 },
    ],
    marks,
    above: [...columns.labels, ...(at < 0 ? [] : valueAbove(content, marks[at], columns.runs[at], view))],
    box: { x: 0, y: 0, width, height: STRIP },
  };
}

/** In high contrast all other runs are as strong as they can be: there it is an outline. */
function baselinePaint(theme: Theme): Paint {
  if (theme.isHighContrast) return { fill: theme.background, stroke: theme.text, strokeWidth: 1 };
  return { fill: theme.faded(theme.text, OTHERS.high) };
}

/** The total of the chosen run, above its column. */
function valueAbove(
  { runs, unit }: EnsembleContent,
  { framed }: Mark,
  run: number,
  { theme, measure, width }: DrawView,
): Shape[] {
  const total = runs.total[run];
  if (!framed || Number.isNaN(total)) return [];
  const text = formatValue(total, unit);
  const half = measure(TEXT)(text) / 2;
  const x = Math.min(width - half - 2, Math.max(half + 2, framed.x + framed.width / 2));
  return [
    {
      kind: "text",
      at: { x, y: framed.y - VALUE },
      text,
      size: TEXT,
      anchor: "middle",
      fill: theme.link,
      halo: theme.background,
    },
  ];
}

/** Columns that would be narrower than a pixel are merged, and stand for the highest of them. */
function columnsOf(content: EnsembleContent, view: DrawView): Columns {
  const { runs } = content;
  const { theme, width } = view;
  const size = ensembleSize(content);
  const room = Math.max(1, width - 2 * EDGE);
  const together = Math.max(1, Math.ceil(runs.order.length / room));
  const columns = Array.from({ length: Math.ceil(runs.order.length / together) }, (_, at) =>
    highestOf(content, runs.order.subarray(at * together, (at + 1) * together)),
  );
  const pitch = room / Math.max(1, columns.length);
  const most = runs.total.reduce((largest, total) => (total > largest ? total : largest), 0);
  const valueOf = (at: number) => (at < 0 || at >= columns.length ? -2 : runs.value[columns[at]]);
  const isWide = pitch > 6 * BETWEEN;
  const marks = columns.map((run, at): Mark => {
    const apart = (other: number) => (isWide ? (BETWEEN + (valueOf(at) === valueOf(other) ? 0 : APART)) / 2 : 0);
    const left = EDGE + at * pitch + apart(at - 1);
    const wide = Math.max(0.5, EDGE + (at + 1) * pitch - apart(at + 1) - left);
    const total = runs.total[run];
    const high = most > 0 && total > 0 ? Math.max(1.5, (total / most) * HIGHEST) : 1.5;
    const share = runs.stays[run] === 0 ? OTHERS.out : theme.isHighContrast ? OTHERS.high : OTHERS.normal;
    return {
      id: runMark(size, run),
      key: `run ${runs.name[run]}`,
      name: visible(runs.name[run]),
      box: { x: left, y: 2, width: wide, height: BASE - 2 },
      framed: { x: left, y: BASE - high, width: wide, height: high },
      d: `M${left},${BASE - high}h${wide}v${high}h${-wide}Z`,
      paint: { fill: theme.faded(theme.text, share) },
      facts: () => runFacts(content, run),
    };
  });
  return { width, theme, marks, runs: columns, labels: labels(content, columns, pitch, view) };
}

function highestOf({ runs }: EnsembleContent, some: Int32Array): number {
  return some.reduce((highest, run) => (runs.total[run] > runs.total[highest] ? run : highest), some[0]);
}

/** Below neighbours of one value of the parameter. */
function labels(
  { runs, parameter }: EnsembleContent,
  columns: readonly number[],
  pitch: number,
  { theme, measure, width }: DrawView,
): Shape[] {
  const shapes: Shape[] = [];
  let taken = 0;
  for (let from = 0; from < columns.length;) {
    const value = runs.value[columns[from]];
    let to = from + 1;
    while (to < columns.length && runs.value[columns[to]] === value) to++;
    const middle = EDGE + ((from + to) / 2) * pitch;
    from = to;
    if (value === NONE) continue;
    const own = shortValues(parameter)[value];
    const text = visible(width < NARROW ? own : valueText(parameter.name, own));
    const half = measure(TEXT)(text) / 2;
    if (middle - half < taken || middle + half > width - 2) continue;
    taken = middle + half + 8;
    shapes.push({ kind: "text", at: { x: middle, y: 48 }, text, size: TEXT, anchor: "middle", fill: theme.muted });
  }
  return shapes;
}
