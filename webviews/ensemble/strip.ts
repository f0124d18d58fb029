/** A column for each run above the drawing, as high as its total, in the order of a parameter. Pure. */
import { type EnsembleContent, NONE, runMark } from "../../src/protocol/ensemble";
import { formatValue } from "../../src/model/units";
import type { Box, DrawView, Mark, Shape } from "../kit/stage/scene";
import { visible } from "../shared/text";
import { runFacts } from "./describe";
import { valueText } from "./guides";
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

/** Columns that would be narrower than a pixel are merged, and stand for the highest of them. */
export function strip(content: EnsembleContent, view: DrawView): StripPart {
  const { runs, beside, unit } = content;
  const { theme, measure } = view;
  const { target, difference } = beside;
  const size = ensembleSize(content);
  const room = Math.max(1, view.width - 2 * EDGE);
  const together = Math.max(1, Math.ceil(runs.order.length / room));
  const columns = Array.from({ length: Math.ceil(runs.order.length / together) }, (_, at) =>
    highestOf(content, runs.order.subarray(at * together, (at + 1) * together)),
  );
  const pitch = room / Math.max(1, columns.length);
  const most = runs.total.reduce((largest, total) => (total > largest ? total : largest), 0);
  const isChosen = (run: number) => run === (target?.run ?? difference?.candidate.run);
  const valueOf = (at: number) => (at < 0 || at >= columns.length ? -2 : runs.value[columns[at]]);
  const marks: Mark[] = [];
  const above: Shape[] = [];
  columns.forEach((run, at) => {
    const before = valueOf(at) === valueOf(at - 1) ? 0 : APART;
    const after = valueOf(at) === valueOf(at + 1) ? 0 : APART;
    const gap = pitch > 6 * BETWEEN ? BETWEEN / 2 : 0;
    const left = EDGE + at * pitch + gap + (pitch > 6 * BETWEEN ? before / 2 : 0);
    const right = EDGE + (at + 1) * pitch - gap - (pitch > 6 * BETWEEN ? after / 2 : 0);
    const box: Box = { x: left, y: 2, width: Math.max(0.5, right - left), height: BASE - 2 };
    const total = runs.total[run];
    const high = most > 0 && total > 0 ? Math.max(1.5, (total / most) * HIGHEST) : 1.5;
    const isBaseline = run === difference?.baseline.run;
    const share = runs.stays[run] === 0 ? OTHERS.out : theme.isHighContrast || isBaseline ? OTHERS.high : OTHERS.normal;
    marks.push({
      ...{ id: runMark(size, run), key: `run ${runs.name[run]}`, name: visible(runs.name[run]), box },
      framed: { x: left, y: BASE - high, width: box.width, height: high },
      d: `M${left},${BASE - high}h${box.width}v${high}h${-box.width}Z`,
      paint: { fill: isChosen(run) ? theme.link : theme.faded(theme.text, share) },
      facts: () => runFacts(content, run),
    });
    if (!isChosen(run) || Number.isNaN(total)) return;
    const text = formatValue(total, unit);
    const half = measure(TEXT)(text) / 2;
    const x = Math.min(view.width - half - 2, Math.max(half + 2, (left + right) / 2));
    above.push({
      ...{ kind: "text", at: { x, y: BASE - high - VALUE }, text, size: TEXT, anchor: "middle" },
      ...{ fill: theme.link, halo: theme.background },
    });
  });
  return {
    below: [
      { kind: "path", d: `M${EDGE},${BASE + 0.5}H${view.width - EDGE}`, stroke: theme.line, strokeWidth: 1 },
      { kind: "path", d: `M0,${STRIP - 0.5}H${view.width}`, stroke: theme.line, strokeWidth: 1 },
    ],
    ...{ marks, above: [...above, ...labels(content, columns, pitch, view)] },
    box: { x: 0, y: 0, width: view.width, height: STRIP },
  };
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
    const own = parameter.values[value];
    const text = visible(width < NARROW ? own : valueText(parameter.name, own));
    const half = measure(TEXT)(text) / 2;
    if (middle - half < taken || middle + half > width - 2) continue;
    taken = middle + half + 8;
    shapes.push({ kind: "text", at: { x: middle, y: 48 }, text, size: TEXT, anchor: "middle", fill: theme.muted });
  }
  return shapes;
}
