/** The histogram: how one value is distributed over ranks, threads, GPU streams, hosts or runs (dissertation 3.3.2). */
import type { DataSetInfo, Distribution, LocationUnit, MemberOrder, MetricInfo } from "../../engine/api";
import { memberRanges, unitName } from "../../model/members";
import { formatShare, formatValue } from "../../model/units";
import type { Choice, SelectControl } from "../../protocol/frame";
import {
  type HistogramChosen,
  type HistogramContent,
  histogramState,
  type HistogramState,
  LINE_LIMIT,
} from "../../protocol/histogram";
import { spreadMessage } from "../../session/notRecorded";
import { shownUnit } from "../../session/scopes";
import type { PanelDefinition, View } from "../kit/definition";
import { isPinOf, pinned, pinSelection } from "../kit/pins";
import { shorten } from "../kit/shorten";

type HistogramView = View<HistogramState>;
type HistogramDefinition = PanelDefinition<HistogramState, Distribution, HistogramContent, HistogramChosen>;

/** As the authors of CallFlow found to work (dissertation 3.3.2). */
const STARTING_BINS = 20;
const BIN_CHOICES = [5, 10, 20, 50, 100, 200];
/** Characters of all bins' members together. */
const RANGES_LENGTH = 200_000;

export const histogram: HistogramDefinition = {
  id: "histogram",
  title: "Histogram",
  saved: "histogram",
  state: histogramState,
  start: { value: "exclusive", bins: STARTING_BINS, order: "id" },
  controls,
  choose: (_, id, value) => ({ [id]: id === "bins" ? Number(value) : value }),
  unmeasured: () => undefined,
  empty(view) {
    const message = spreadMessage(view.dataSet, view.metric);
    return message === undefined ? undefined : { message: shorten(message, 4096) };
  },
  asked: queryOf,
  ask: (view, task) => view.session.engine.distribution(queryOf(view), task),
  content,
  notes,
  members: {
    part: ({ members, binOf, counts, order, by }, chosen) => {
      if (chosen.by !== by) return undefined;
      const wanted = new Set(chosen.members);
      const bins = new Int32Array(counts.length);
      members.forEach((key, member) => wanted.has(key) && binOf[member] >= 0 && bins[binOf[member]]++);
      const line = lineOf(order);
      return { bins, line: Int32Array.from(line.keys()).filter((position) => wanted.has(members[line[position]])) };
    },
    of: ({ by, members, binOf }, bins) => {
      const wanted = new Set(bins);
      return { by, members: members.filter((_, member) => wanted.has(binOf[member])) };
    },
  },
  subject: (_, __, view) => {
    const of = pinned(view.state.subject, view);
    return { target: undefined, name: "the recording", ...(typeof of === "string" ? {} : of) };
  },
  followed: (selection, view) =>
    isPinOf(view.state.subject, selection) ? undefined : { subject: pinSelection(selection, view) },
  actions: {
    "copy-members": (shown, bin, panel) =>
      panel.copy(memberRanges(shown.members.filter((_, member) => shown.binOf[member] === bin))),
  },
};

function queryOf(view: HistogramView) {
  const { value, bins, subject } = view.state;
  const of = pinned(subject, view);
  const target = typeof of === "string" ? undefined : of.target;
  return { scope: view.scope, by: unitIn(view), target, value, bins, order: orderIn(view).of };
}

function controls(view: HistogramView): SelectControl[] {
  const { units } = view.dataSet;
  const { value, bins } = view.state;
  const choices = (...all: (Choice | string)[]) =>
    all.map((choice) => (typeof choice === "string" ? { value: choice, label: choice } : choice));
  const bin = (count: number) => ({ value: String(count), label: `${count} bins`, short: `${count}` });
  return [
    { kind: "select", id: "value", name: "Value", value, choices: choices("exclusive", "inclusive") },
    {
      ...{ kind: "select", id: "by", name: "Told apart by", value: unitIn(view) },
      choices: units.map(({ by, members }) => ({ value: by, label: unitName(by, members.length) })),
    },
    {
      ...{ kind: "select", id: "bins", name: "Bins", value: String(bins), standard: String(STARTING_BINS) },
      choices: [...new Set([...BIN_CHOICES, bins])].sort((a, b) => a - b).map(bin),
    },
    {
      ...{ kind: "select", id: "order", name: "Order of the line", value: orderIn(view).text, standard: "id" },
      choices: ordersOf(view.dataSet).map((order) => ({ value: order, label: orderLabel(order, unitIn(view)) })),
    },
  ];
}

function content(shown: Distribution, view: HistogramView): HistogramContent {
  const { by, members, values, counts, edges, binOf, hosts, attribute } = shown;
  const finite = values.filter(Number.isFinite);
  const line = lineOf(shown.order);
  const mostRanges = Math.min(4000, Math.floor(RANGES_LENGTH / Math.max(1, counts.length)));
  const ofBins = Array.from(counts, (): string[] => []);
  members.forEach((key, member) => ofBins[binOf[member]]?.push(key));
  const onLine = (all: Float64Array) =>
    Float64Array.from(line, (member) => (Number.isFinite(all[member]) ? all[member] : 0));
  const { subject, value } = view.state;
  const of = pinned(subject, view);
  const order = orderIn(view);
  return {
    ...(typeof of === "string" || of.name === undefined ? {} : { subject: shorten(of.name, 4096) }),
    metric: shorten(view.metric.name, 200),
    unit: shorten(shownUnit(view.metric), 200),
    ...{ value, by, edges, counts, members: members.length },
    nouns: [unitName(by, 1), unitName(by, 2)],
    mean: finite.length === 0 ? 0 : finite.reduce((sum, one) => sum + one, 0) / finite.length,
    ranges: ofBins.map((keys) => shorten(memberRanges(keys), mostRanges)),
    order: order.text,
    keys: Array.from(line, (member) => members[member]),
    values: onLine(values),
    binOf: line.map((member) => binOf[member]),
    ...(hosts.some((host) => host >= 0) ? { hosts: line.map((member) => hosts[member]) } : {}),
    ...(order.metric && attribute
      ? {
          attribute: {
            name: shorten(order.metric.name, 200),
            unit: shorten(shownUnit(order.metric), 200),
            values: onLine(attribute),
          },
        }
      : {}),
  };
}

function notes({ by, members, edges, outside, values, leftOut, order }: Distribution, view: HistogramView): string[] {
  const said: string[] = [];
  const of = pinned(view.state.subject, view);
  if (typeof of === "string") said.push(`${of} This is the whole recording.`);
  const several = (count: number) => `${count.toLocaleString("en")} ${unitName(by, count)}`;
  const unit = shownUnit(view.metric);
  if (edges.length === 2 && edges[0] === edges[1])
    said.push(`All values are equal (${formatValue(edges[0], unit)}): there is nothing to tell apart.`);
  if (outside !== 0) {
    const total = values.filter(Number.isFinite).reduce((sum, one) => sum + one, outside);
    said.push(
      `${formatValue(outside, unit)} (${formatShare(outside / total)}) has no ${unitName(by, 1)} and is not in the histogram.`,
    );
  }
  if (leftOut > 0) said.push(`${several(leftOut)} left out: the value is not a finite number.`);
  const onLine = lineOf(order).length;
  if (onLine < members.length)
    said.push(
      `The line and its table show ${onLine.toLocaleString("en")} of ${several(members.length)}, evenly spaced; bins and brushes have all.`,
    );
  return said;
}

/** The members that are on the line: all, or evenly spaced ones where a message does not hold all. */
function lineOf(order: Int32Array): Int32Array {
  const step = Math.ceil(order.length / LINE_LIMIT);
  return step <= 1 ? order : order.filter((_, position) => position % step === 0);
}

/** What values are told apart by; ranks where there is nothing, which `empty` says. */
function unitIn({ dataSet: { units }, state }: HistogramView): LocationUnit {
  return (units.find(({ by }) => by === state.by) ?? units.at(0))?.by ?? "rank";
}

/** The order that was chosen, where the recording has it; else by number. */
function orderIn({ dataSet, state }: HistogramView): { of: MemberOrder; text: string; metric?: MetricInfo } {
  const text = ordersOf(dataSet).find((known) => known === state.order) ?? "id";
  if (text === "id" || text === "value" || text === "host") return { of: text, text };
  const index = dataSet.metrics.findIndex(({ name }) => `metric:${shorten(name, 4096)}` === text);
  return { of: { metric: index }, text, metric: dataSet.metrics[index] };
}

/** What a line can be ordered by. */
function ordersOf({ metrics, units }: DataSetInfo): string[] {
  const summed = metrics.filter(({ additive, reducedOverRanks }) => additive && !reducedOverRanks).slice(0, 1000);
  const hosts = units.some(({ by }) => by === "host") ? ["host"] : [];
  return ["id", "value", ...hosts, ...summed.map(({ name }) => `metric:${shorten(name, 4096)}`)];
}

function orderLabel(order: string, by: LocationUnit): string {
  if (order.startsWith("metric:")) return `by ${shorten(order.slice("metric:".length), 100)} in all`;
  return order === "id" ? `by ${unitName(by, 1)}` : `by ${order}`;
}
