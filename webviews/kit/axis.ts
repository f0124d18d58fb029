/** Round numbers along an axis, how they are written and drawn, and texts in drawings. Pure. */
import { scaleLinear } from "d3-scale";
import { formatAlong, formatValue } from "../../src/model/units";
import type { Box, DrawView, Shape } from "./stage/scene";
import type { Theme } from "./theme/theme";

/** Of axes and names, in pixels. */
export const TEXT_SIZE = 11;
/** Between texts on one line. */
const APART = 8;

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Part of the distance of two ticks by which a text may be off. */
const TOLERANCE = 0.05;

/**
 * d3's round numbers, all of one unit: `0 s`, `0.5 s`, `1 s`. Where three digits do not tell them from each other, the first is written, and of the others how much more
 * they are: `1.23 s`, `+100 ns`.
 *
 * @param about how many
 */
export function axisTicks(from: number, to: number, about: number, unit: string): Tick[] {
  const values = scaleLinear([from, to], [0, 1]).ticks(Math.max(1, about));
  const step = values.length > 1 ? values[1] - values[0] : Infinity;
  const isExact = values.every((value) => Math.abs(Number(value.toPrecision(3)) - value) <= TOLERANCE * step);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const span = values.length > 1 ? values[values.length - 1] - values[0] : 0;
  const along = (value: number) => formatAlong(value, unit, largest);
  return values.map((value, at) => ({
    value,
    text: isExact
      ? along(value)
      : at === 0
        ? formatValue(value, unit)
        : `+${formatAlong(value - values[0], unit, span)}`,
  }));
}

/** Ticks without their unit, which the title of the axis says once. Unchanged, with an empty unit, if they have none or several. */
export function withoutUnit(ticks: readonly Tick[]): { readonly ticks: readonly Tick[]; readonly unit: string } {
  const unitOf = (text: string) => /^\S+\s(.+)$/.exec(text)?.[1] ?? "";
  // Zero has no prefix: `0 B` stands beside `1 MB`.
  const unit = unitOf(ticks.find(({ value }) => value !== 0)?.text ?? "");
  if (ticks.some(({ value, text }) => value !== 0 && unitOf(text) !== unit)) return { ticks, unit: "" };
  return { ticks: ticks.map(({ value, text }) => ({ value, text: text.split(/\s/, 1)[0] })), unit };
}

/** A text of a drawing, from its baseline's beginning unless anchored elsewhere. */
export function wordsAt(theme: Theme) {
  return (x: number, y: number, text: string, rest: Partial<Shape & { kind: "text" }> = {}): Shape => ({
    kind: "text",
    at: { x, y },
    text,
    size: TEXT_SIZE,
    anchor: "start",
    fill: theme.text,
    ...rest,
  });
}

/** A line through the middle of pixels: `M10,20H300`. */
export function rule(d: string, stroke: string, strokeWidth = 1): Shape {
  return { kind: "path", d, stroke, strokeWidth };
}

/** Lines of a grid at places along y, and what is written at them to the left of the plot. */
export function gridRows(
  ticks: readonly PlacedTick[],
  { x, width }: Box,
  theme: Theme,
): [rules: Shape[], texts: Shape[]] {
  const words = wordsAt(theme);
  return [
    ticks.map(({ at }) => rule(`M${x},${crisp(at)}H${x + width}`, theme.grid)),
    ticks.map(({ at, text }) => words(x - 6, at + 4, text, { anchor: "end" })),
  ];
}

/** The middle of a pixel, where a line is sharp. */
export function crisp(pixels: number): number {
  return Math.round(pixels) + 0.5;
}

/** Something written at a place of an axis. */
export interface PlacedTick {
  readonly at: number;
  readonly text: string;
}

/** From the left those that have room in the drawing, beside the one before, and before `right`. */
export function withRoom<Tick extends PlacedTick>(
  ticks: readonly Tick[],
  right: number,
  { measure }: DrawView,
): Tick[] {
  const width = measure(TEXT_SIZE);
  let taken = -APART;
  return ticks.filter(({ at, text }) => {
    const half = width(text) / 2;
    if (at - half < taken + APART || at + half > right) return false;
    taken = at + half;
    return true;
  });
}

/** Every second, fifth, tenth, … so that all that are left have room; of names of which none is rounder than the next. @param least not more of them */
export function everyNth(ticks: readonly PlacedTick[], within: Box, view: DrawView, least = 1): PlacedTick[] {
  const step = Math.max(least, stepWithRoom(ticks, within, view));
  return withRoom(byStep(ticks, step), within.x + within.width + APART, view);
}

/** How many names side by side one of them has to stand for, so that it has room. */
export function stepWithRoom(ticks: readonly PlacedTick[], within: Box, view: DrawView): number {
  const width = view.measure(TEXT_SIZE);
  const longest = ticks.reduce((long, { text }) => (text.length > long.length ? text : long), "0");
  return roundStep((ticks.length * (width(longest) * 1.1 + APART)) / within.width);
}

/** 1, 2, 5, 10, 20, 50, …: the first that is as large. */
export function roundStep(least: number): number {
  for (let power = 1; ; power *= 10) for (const step of [power, 2 * power, 5 * power]) if (!(step < least)) return step;
}

/** Of numbers without a gap the multiples, else from the first name on. */
export function byStep<Tick extends PlacedTick>(ticks: readonly Tick[], step: number): Tick[] {
  const first = Number(ticks.at(0)?.text);
  const isNumbered = ticks.every(({ text }, at) => text === String(first + at));
  const offset = isNumbered ? first : 0;
  return ticks.filter((_, at) => (offset + at) % step === 0);
}

/** Values that differ by less than this share of themselves look alike in three digits. */
const NARROW = 0.02;

/** How values between two are written: where they hardly differ, as the least and what is above it. */
export function valueText(least: number, most: number, unit: string): (value: number) => string {
  const format = (value: number) => formatValue(value, unit);
  if (!(most > least && most - least < NARROW * Math.max(Math.abs(least), Math.abs(most)))) return format;
  return (value) => (value === least ? format(least) : `${format(least)} + ${format(value - least)}`);
}
