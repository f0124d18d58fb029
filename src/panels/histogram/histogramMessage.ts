/** A distribution as messages of bounded size. Pure. */
import type { Distribution, MemberOrder, MetricInfo } from "../../engine/api";
import { type Chosen, memberRanges, unitName } from "../../model/members";
import { formatShare, formatValue } from "../../model/units";
import { type ChosenMessage, type HistogramMessage, LINE_LIMIT } from "../../protocol/histogram";
import { shownUnit } from "../../session/scopes";
import { shorten } from "../kit/shorten";

/** What a distribution is of. */
export interface About {
  readonly metric: MetricInfo;
  readonly value: "exclusive" | "inclusive";
  /** Absent: the whole recording. */
  readonly subject?: string;
  readonly order: MemberOrder;
  /** The metric of `order`, where it is one. */
  readonly orderMetric?: MetricInfo;
  /** Sentences beside those about the distribution. */
  readonly notes?: readonly string[];
}

/** Characters of all bins' members together. */
const RANGES_LENGTH = 200_000;

export function histogramMessage(shown: Distribution, about: About, revision: number): HistogramMessage {
  const { by, members, values, counts, leftOut } = shown;
  const { metric, subject, order, orderMetric } = about;
  const unit = shorten(shownUnit(metric), 200);
  const finite = values.filter(Number.isFinite);
  const total = finite.reduce((sum, value) => sum + value, 0);
  const line = lineOf(shown);
  const mostRanges = Math.min(4000, Math.floor(RANGES_LENGTH / Math.max(1, counts.length)));
  const at = <T>(all: ArrayLike<T>) => Array.from(line, (member) => all[member]);
  return {
    type: "histogram",
    revision,
    ...(subject === undefined ? {} : { subject: shorten(subject, 4096) }),
    metric: shorten(metric.name, 200),
    unit,
    value: about.value,
    by,
    nouns: [unitName(by, 1), unitName(by, 2)],
    members: members.length,
    total,
    mean: finite.length === 0 ? 0 : total / finite.length,
    edges: [...shown.edges],
    counts: [...counts],
    ranges: membersOfBins(shown).map((keys) => shorten(memberRanges(keys), mostRanges)),
    line: {
      order: orderText(order, orderMetric),
      keys: at(members),
      values: at(values).map((value) => (Number.isFinite(value) ? value : 0)),
      bins: at(shown.binOf),
      ...(shown.hosts.some((host) => host >= 0) ? { hosts: at(shown.hosts) } : {}),
      ...(orderMetric && shown.attribute
        ? {
            attribute: {
              name: shorten(orderMetric.name, 200),
              unit: shorten(shownUnit(orderMetric), 200),
              values: at(shown.attribute).map((value) => (Number.isFinite(value) ? value : 0)),
            },
          }
        : {}),
    },
    notes: [...notesOn(shown, { unit, total, leftOut, onLine: line.length }), ...(about.notes ?? [])],
  };
}

/** How an order is written in messages and in what a panel keeps. */
export function orderText(order: MemberOrder, metric: Pick<MetricInfo, "name"> | undefined): string {
  return typeof order === "object" ? `metric:${shorten(metric?.name ?? "", 4096)}` : order;
}

/** Keys of the members of each bin, in canonical order. */
export function membersOfBins({ members, binOf, counts }: Distribution): string[][] {
  const ofBins = Array.from(counts, (): string[] => []);
  members.forEach((key, member) => ofBins[binOf[member]]?.push(key));
  return ofBins;
}

/**
 * What is chosen of a distribution that is on screen.
 *
 * @param flags 1 for each chosen member; undefined without a restriction
 */
export function chosenMessage(
  shown: Distribution,
  flags: Uint8Array | undefined,
  { revision, brush }: { revision: number; brush: number },
): ChosenMessage {
  if (!flags) return { type: "chosen", revision, brush };
  const bins = new Array<number>(shown.counts.length).fill(0);
  flags.forEach((flag, member) => {
    if (flag === 1 && shown.binOf[member] >= 0) bins[shown.binOf[member]]++;
  });
  const line: number[] = [];
  lineOf(shown).forEach((member, position) => {
    if (flags[member] === 1) line.push(position);
  });
  return { type: "chosen", revision, brush, chosen: { bins, line } };
}

/** What of a distribution a restriction to members of the same kind leaves. */
export function chosenFlags({ members }: Distribution, { members: keys }: Chosen): Uint8Array {
  const wanted = new Set(keys);
  return Uint8Array.from(members, (key) => (wanted.has(key) ? 1 : 0));
}

/** The members that are on the line: all, or evenly spaced ones where a message does not hold all. */
function lineOf({ order }: Distribution): Int32Array {
  const step = Math.ceil(order.length / LINE_LIMIT);
  return step <= 1 ? order : order.filter((_, position) => position % step === 0);
}

function notesOn(
  { by, members, edges, outside }: Distribution,
  { unit, total, leftOut, onLine }: { unit: string; total: number; leftOut: number; onLine: number },
): string[] {
  const notes: string[] = [];
  const several = (count: number) => `${count.toLocaleString("en")} ${unitName(by, count)}`;
  if (edges.length === 2 && edges[0] === edges[1])
    notes.push(`All values are equal (${formatValue(edges[0], unit)}): there is nothing to tell apart.`);
  if (outside !== 0)
    notes.push(
      `${formatValue(outside, unit)} (${formatShare(outside / (total + outside))}) has no ${unitName(by, 1)} and is not in the histogram.`,
    );
  if (leftOut > 0) notes.push(`${several(leftOut)} left out: the value is not a finite number.`);
  if (onLine < members.length)
    notes.push(
      `The line and its table show ${onLine.toLocaleString("en")} of ${several(members.length)}, evenly spaced; bins and brushes have all.`,
    );
  return notes;
}
