/** Text guides: the bins of a bar's gradient that have runs, near ones merged (semantics 10, Bar). Pure. */
import { type EnsembleContent, NONE } from "../../src/protocol/ensemble";
import { shortCommits } from "../../src/model/commitNames";
import { formatAlong } from "../../src/model/units";
import type { Box } from "../kit/stage/scene";
import { visible } from "../shared/text";

/** Lines of text stand so far apart. */
export const GUIDE_LINE = 14;

/** Neighbouring bins with runs. */
export interface Guide {
  readonly bar: number;
  readonly first: number;
  readonly last: number;
  readonly runs: number;
  /** Numbers of the values of the parameter; {@link NONE}: not all of its runs have one. */
  readonly low: number;
  readonly high: number;
  /** Another parameter that its runs have in common; {@link NONE}: none. */
  readonly common: number;
  readonly top: number;
  readonly bottom: number;
}

/** The guides of a bar: as one those that are nearer to each other than a line of text, and neighbours of one value of the parameter. */
export function guidesOf(
  { bins, counts, low, high, common, bars }: EnsembleContent,
  bar: number,
  { y, height }: Box,
): Guide[] {
  const guides: Guide[] = [];
  if (!(bars.to[bar] > 0)) return guides;
  for (let bin = 0; bin < bins; bin++) {
    const cell = bar * bins + bin;
    if (counts[cell] === 0) continue;
    const own: Guide = {
      bar,
      first: bin,
      last: bin,
      runs: counts[cell],
      low: low[cell],
      high: high[cell],
      common: common[cell],
      top: y + (height * bin) / bins,
      bottom: y + (height * (bin + 1)) / bins,
    };
    const before = guides.at(-1);
    const isNear = before !== undefined && middleOf(own) - middleOf(before) < GUIDE_LINE;
    if (before && (isNear || isOneValue(before, own))) guides[guides.length - 1] = merged(before, own);
    else guides.push(own);
  }
  return guides;
}

function isOneValue(above: Guide, below: Guide): boolean {
  const isSame = above.low === above.high && below.low === below.high && above.low === below.low;
  return isSame && above.low !== NONE && above.last + 1 === below.first;
}

export function middleOf({ top, bottom }: Pick<Guide, "top" | "bottom">): number {
  return (top + bottom) / 2;
}

function merged(above: Guide, below: Guide): Guide {
  const isKnown = above.low !== NONE && below.low !== NONE;
  return {
    ...above,
    last: below.last,
    bottom: below.bottom,
    runs: above.runs + below.runs,
    low: isKnown ? Math.min(above.low, below.low) : NONE,
    high: isKnown ? Math.max(above.high, below.high) : NONE,
    common: above.common === below.common ? above.common : NONE,
  };
}

const shortened = new WeakMap<EnsembleContent["parameter"], readonly string[]>();

/** The parameter's values as they stand in the drawing: commits, and numbers as a program prints them, are whole in tooltips and tables alone. */
export function shortValues(parameter: EnsembleContent["parameter"]): readonly string[] {
  const known = shortened.get(parameter) ?? withoutZeros(shortCommits(parameter.values));
  shortened.set(parameter, known);
  return known;
}

/** `1048576` for `1048576.000000`, as C prints a double, where no other value is written so. */
function withoutZeros(values: readonly string[]): readonly string[] {
  // Of 15 digits a number keeps each.
  const short = values.map((text) => (/^-?\d{1,9}\.\d{6}$/.test(text) ? String(Number(text)) : text));
  return new Set(short).size === new Set(values).size ? short : values;
}

/** `16 ranks`, `1 – 2 ranks`, `size 30`, `variant CUDA`; empty where its runs have nothing in common that says anything. */
export function guideText(
  { parameter, commonTexts }: EnsembleContent,
  { low, high, common }: Guide,
  isShort: boolean,
): string {
  if (low !== NONE && (low === high || common === NONE)) {
    const [from, to] = [low, high].map((value) => shortValues(parameter)[value]);
    const range = from === to ? from : `${from} – ${to}`;
    return visible(isShort ? range : valueText(parameter.name, range));
  }
  return common === NONE ? "" : visible(commonTexts[common]);
}

/** `16 ranks`, `size 30`. */
export function valueText(parameter: string, value: string): string {
  if (parameter !== "ranks") return `${parameter} ${value}`;
  return value === "1" ? "1 rank" : `${value} ranks`;
}

/** Values that its bins are of: `530 – 581 ms`. */
export function rangeText(
  { bars, bins, unit }: EnsembleContent,
  { bar, first, last }: Pick<Guide, "bar" | "first" | "last">,
): string {
  const to = bars.to[bar];
  const [from, until] = [(to * first) / bins, (to * (last + 1)) / bins];
  return `${formatAlong(from, unit, until)} – ${formatAlong(until, unit, until)}`;
}
