/** What is said of a run, its sectors and its window. Pure. */
import { largestIn, smallestIn } from "../../src/model/longLists";
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { type BoundShown, computingWord, SECTORS } from "../../src/protocol/clock";
import { FINE, type SummaryContent, type SummarySide } from "../../src/protocol/summary";
import { isRun, kindSums, OCCUPANCY, sectorFacts, sectorName, timeFacts } from "../kit/clock";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { visible } from "../shared/text";

/** Marks: sectors, their rows beside the clock, and the whole run. */
export const ROWS = SECTORS;
export const WHOLE = 2 * SECTORS;

export function markName({ clock }: SummaryContent, mark: number): string {
  return mark === WHOLE ? "the whole run" : sectorName(clock, mark % SECTORS);
}

export function markFacts(content: SummaryContent, mark: number): Fact[] {
  const { clock } = content;
  if (mark < WHOLE)
    return [...(mark < ROWS ? [] : sideFacts(content, mark - ROWS)), ...sectorFacts(clock, mark % SECTORS)];
  const moved = clock.bytes.reduce((sum, one) => sum + one, 0);
  return [
    ["time", formatStretch(clock.from, clock.end)],
    ...timeFacts(kindSums(clock), clock.isMpi),
    ["data moved", clock.bytes.length > 0 ? formatValue(moved, "B") : "no sizes recorded"],
    ...boundFacts(clock.bound),
  ];
}

/** The two quantities that are laid off, in a sector. */
function sideFacts({ left, right }: SummaryContent, sector: number): Fact[] {
  const fine = FINE / SECTORS;
  return [left, right].flatMap((side): Fact[] => {
    const part = (all: Float64Array) => all.subarray(sector * fine, (sector + 1) * fine);
    const own = part(side.values);
    const { spread, what, of } = side;
    if (!spread) return [[what, `${sideText(side, own.reduce((sum, one) => sum + one, 0) / fine)} ${of}`]];
    const seconds = part(spread.seconds);
    const all = seconds.reduce((sum, one) => sum + one, 0);
    const mean = own.reduce((sum, one, at) => sum + (seconds[at] > 0 ? (one * seconds[at]) / all : 0), 0);
    const range = [smallestIn(known(part(spread.least))), largestIn(known(part(spread.most)))];
    if (!(all > 0)) return [[what, "no value"]];
    return [[what, `${sideText(side, mean)} in the mean`, range.map((one) => sideText(side, one)).join(" … ")]];
  });
}

function known(values: Float64Array): number[] {
  return Array.from(values).filter((one) => !Number.isNaN(one));
}

/** A value of a side: a share of time, or in the counter's unit. */
export function sideText({ unit }: Pick<SummarySide, "unit">, value: number): string {
  if (Number.isNaN(value)) return "none";
  return unit === undefined ? formatShare(value) : formatValue(value, unit);
}

export function boundFacts({ shares, isOfGpus }: BoundShown): Fact[] {
  if (!shares) return [];
  const { computing, exposed, neither, hidden } = shares;
  return [
    [computingWord(isOfGpus), formatShare(computing)],
    ["exposed movement", formatShare(exposed)],
    ["hidden movement", hidden === undefined ? "none moved" : `${formatShare(hidden)} of the movement`],
    ["neither", formatShare(neither)],
  ];
}

export function note(): string {
  return OCCUPANCY;
}

export function details(content: SummaryContent, mark: number): Details | undefined {
  if (mark < WHOLE && !isRun(content.clock, mark % SECTORS)) return undefined;
  return {
    name: markName(content, mark),
    numbers: markFacts(content, mark),
    actions: [{ id: "open", name: "Show in the timeline (Enter)", icon: "link-external" }],
  };
}

/** A stretch that ends before it begins has no length. */
function lengthText(from: number, to: number): string {
  return formatValue(Math.max(0, to - from), "s");
}

/** The window, as all views over time write it, the longest wording first. */
export function summary({ clock, window, imbalance }: SummaryContent): string[] {
  const length = lengthText(clock.from, clock.end);
  const [title, sentence] = [clock.bound.title, clock.bound.sentence].map(visible);
  if (!window) {
    const run = `whole run · ${length}`;
    const balanced = imbalance === undefined ? [] : [`${sentence} · ${visible(imbalance)} · ${run}`];
    return [...balanced, `${sentence} · ${run}`, `${title} · ${run}`, run, length];
  }
  const [stretch, own] = [formatStretch(window.from, window.to), lengthText(window.from, window.to)];
  const [when, bound] = [`${stretch} · ${own} of ${length}`, window.bound];
  return [
    `${when} · ${visible(bound.sentence)}`,
    `${when} · ${visible(bound.title)}`,
    `${stretch} · ${own} of ${length}`,
    stretch,
  ];
}
