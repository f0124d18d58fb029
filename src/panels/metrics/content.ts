/** Metrics over time as the content of a message of bounded size. */
import type { CounterBands } from "../../engine/api";
import { eventKinds, type MetricsBands, type MetricsContent } from "../../protocol/metrics";
import { cutToFit } from "../kit/names";
import { orderOf } from "./rows";
import type { MetricsShown, MetricsView } from "./shown";

/** Characters of all names of a kind as JSON. */
const NAMES_LENGTH = 60_000;
const UNITS_LENGTH = 20_000;
const SHOWS = ["level", "rate", "derived"] as const;

export function metricsContent(shown: MetricsShown, { state, dataSet }: MetricsView): MetricsContent {
  const { facts, rows, strip, look, bands, window, measured } = shown;
  const own = rows.map((row) => facts.rows[row]);
  const { asked, range, sums } = measured ?? window;
  const names = (of: (fact: (typeof own)[number]) => string, most = NAMES_LENGTH) => cutToFit(own.map(of), most);
  const numbers = (of: (fact: (typeof own)[number]) => number) => Float64Array.from(own, of);
  const ownSums = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  return {
    subject: shown.subject,
    scale: state.scale,
    start: facts.startSeconds,
    end: facts.endSeconds,
    names: names(({ name }) => name),
    places: names(({ resource }) => facts.resources.at(resource < 0 ? facts.resources.length : resource)?.name ?? ""),
    units: names(({ unit }) => unit, UNITS_LENGTH),
    says: names(({ says }) => says ?? "", UNITS_LENGTH),
    shows: Int32Array.from(own, (fact) => SHOWS.indexOf(fact.shows)),
    kinds: Int32Array.from(own, ({ kind }) => (kind === undefined ? -1 : eventKinds.indexOf(kind))),
    points: numbers(({ points }) => points),
    least: numbers(({ least }) => least),
    most: numbers(({ most }) => most),
    more: shown.more,
    order: Int32Array.from(orderOf(facts, rows, window.sums, state.order)),
    asked,
    range,
    isMeasured: measured !== undefined,
    ownMean: ownSums(sums.mean),
    ownLeast: ownSums(sums.least),
    ownMost: ownSums(sums.most),
    variance: ownSums(sums.variance),
    hasEvents: (dataSet.trace?.events ?? 0) > 0,
    ...(strip ? { strip: { row: strip.row, ...stretchOf(strip.bands), ...extremesOf(strip.bands) } } : {}),
    ...(bands && look ? { bands: bandsShown(bands, look.rows) } : {}),
    pixel: look?.pixel ?? 0,
  };
}

function stretchOf({ fromSeconds, toSeconds }: CounterBands) {
  return { from: fromSeconds, to: toSeconds };
}

function extremesOf({ least, most }: CounterBands) {
  return { least, most };
}

/** @param rows by their places in the content */
export function bandsShown(bands: CounterBands, rows: readonly number[]): MetricsBands {
  const { columns, mean, stepsAt, seconds, value } = bands;
  return {
    rows: Int32Array.from(rows),
    ...stretchOf(bands),
    columns,
    ...extremesOf(bands),
    mean,
    stepsAt,
    seconds,
    value,
  };
}
