/** The histogram: how one value is distributed over ranks, threads, GPU streams, hosts or runs (dissertation 3.3.2). */
import type { Distribution, DistributionQuery } from "../../engine/api";
import { memberRanges, unitName } from "../../model/members";
import { formatShare, formatValue } from "../../model/units";
import type { SelectControl } from "../../protocol/frame";
import {
  FIRST_MEMBER,
  hasMemberBars,
  type HistogramChosen,
  type HistogramContent,
  histogramState,
  type HistogramState,
} from "../../protocol/histogram";
import { spreadMessage } from "../../session/notRecorded";
import { shownUnit } from "../../session/scopeChoice";
import type { PanelDefinition, View } from "../kit/definition";
import {
  type AskedMembers,
  finite,
  lineContent,
  lineNotes,
  membersLeft,
  onLine,
  orderControl,
  orderIn,
  unitControl,
  unitIn,
} from "../kit/memberLine";
import { isPinOf, pinned, pinSelection } from "../kit/pins";
import { valueControl } from "../kit/scopeControls";
import { shorten } from "../../model/texts";

type HistogramView = View<HistogramState>;

type Shown = Distribution & AskedMembers;

/** As the authors of CallFlow found to work (dissertation 3.3.2). */
const STARTING_BINS = 20;
const BIN_CHOICES = [5, 10, 20, 50, 100, 200];
/** Characters of all bins' members together. */
const RANGES_LENGTH = 200_000;

export const histogram: PanelDefinition<HistogramState, Shown, HistogramContent, HistogramChosen> = {
  id: "histogram",
  title: "Histogram",
  saved: "histogram",
  state: histogramState,
  start: { value: "exclusive", bins: STARTING_BINS, order: "id" },
  controls,
  combines: () => false,
  choose: (_, id, value) => ({ [id]: id === "bins" ? Number(value) : value }),
  unmeasured(dataSet) {
    const { metrics, defaultMetric } = dataSet;
    const why = metrics.map((metric) => spreadMessage(dataSet, metric));
    return why.includes(undefined)
      ? undefined
      : (why.at(Math.max(0, defaultMetric)) ?? spreadMessage(dataSet, undefined));
  },
  empty(view) {
    const message = spreadMessage(view.dataSet, view.metric);
    return message === undefined ? undefined : { message: shorten(message, 4096) };
  },
  asked: queryOf,
  async ask(view, task) {
    const { chosen } = view.scope;
    return { ...(await view.session.engine.distribution(queryOf(view), task)), ...(chosen ? { within: chosen } : {}) };
  },
  content,
  notes,
  members: {
    part(answer, chosen) {
      const shown = inOrder(answer);
      const { members, binOf, counts } = shown;
      const isChosen = membersLeft(shown, chosen);
      if (!isChosen) return undefined;
      const bins = new Int32Array(counts.length);
      members.forEach((_, member) => isChosen(member) && binOf[member] >= 0 && bins[binOf[member]]++);
      const line = onLine(shown);
      return { bins, line: Int32Array.from(line.keys()).filter((position) => isChosen(line[position])) };
    },
    of: (shown, marks) => {
      const { by, members, binOf } = shown;
      if (hasBars(shown)) {
        const line = onLine(inOrder(shown));
        const positions = marks.map((mark) => mark - FIRST_MEMBER).filter((at) => at >= 0 && at < line.length);
        return { by, members: positions.map((position) => members[line[position]]) };
      }
      const wanted = new Set(marks);
      return { by, members: members.filter((_, member) => wanted.has(binOf[member])) };
    },
  },
  subject: (_, __, view) => ({ target: undefined, name: "the recording", ...pinned(view.state.subject, view) }),
  followed: (selection, view) =>
    isPinOf(view.state.subject, selection) ? undefined : { subject: pinSelection(selection, view) },
  actions: {
    "copy-members": (shown, bin, panel) =>
      panel.copy(
        memberRanges(
          shown.members.filter((_, member) => shown.binOf[member] === bin),
          "-",
        ),
      ),
  },
};

function queryOf(view: HistogramView): DistributionQuery {
  const { value, bins, subject } = view.state;
  const { target } = pinned(subject, view);
  return { scope: view.scope, by: unitIn(view), target, value, bins, order: orderIn(view).of };
}

function controls(view: HistogramView): SelectControl[] {
  const { value, bins, subject } = view.state;
  // Where nothing is spread there is nothing to choose but the metric.
  if (spreadMessage(view.dataSet, view.metric) !== undefined) return [];
  return [
    // Of the whole recording both are the same.
    ...(pinned(subject, view).target ? [valueControl("value", value)] : []),
    unitControl(view),
    // Members with a bar each have no bins, and one order.
    ...(hasMemberBars({ members: memberCount(view) }) ? [] : [binsControl(bins), orderControl(view)]),
  ];
}

function binsControl(bins: number): SelectControl {
  return {
    kind: "select",
    id: "bins",
    name: "Bins",
    value: String(bins),
    standard: String(STARTING_BINS),
    choices: [...new Set([...BIN_CHOICES, bins])]
      .sort((a, b) => a - b)
      .map((count) => ({ value: String(count), label: `${count} bins` })),
  };
}

function memberCount(view: HistogramView): number {
  const by = unitIn(view);
  return view.dataSet.units.find((unit) => unit.by === by)?.members.length ?? 0;
}

function content(answer: Distribution, view: HistogramView): HistogramContent {
  const shown = inOrder(answer);
  const { members, values, counts, edges, binOf } = shown;
  const inBins = values.filter(Number.isFinite);
  const line = onLine(shown);
  const mostRanges = Math.min(4000, Math.floor(RANGES_LENGTH / Math.max(1, counts.length)));
  const ofBins = Array.from(counts, (): string[] => []);
  members.forEach((key, member) => ofBins[binOf[member]]?.push(key));
  const { name } = pinned(view.state.subject, view);
  return {
    ...(name === undefined ? {} : { subject: shorten(name, 4096) }),
    metric: shorten(view.metric.name, 200),
    unit: shorten(shownUnit(view.metric), 200),
    value: view.state.value,
    edges,
    counts,
    members: members.length,
    mean: inBins.length === 0 ? 0 : sum(inBins) / inBins.length,
    ranges: ofBins.map((keys) => shorten(memberRanges(keys), mostRanges)),
    line: hasBars(shown) ? { ...lineContent(shown, view), order: "value" } : lineContent(shown, view),
    values: Float64Array.from(line, (member) => finite(values[member])),
    binOf: line.map((member) => binOf[member]),
  };
}

function hasBars({ members }: Distribution): boolean {
  return hasMemberBars({ members: members.length });
}

/** Members with a bar each stand by value, largest first; values that are not finite come last. */
function inOrder<Answer extends Distribution>(answer: Answer): Answer {
  if (!hasBars(answer)) return answer;
  const { values, order } = answer;
  const key = (member: number) => (Number.isFinite(values[member]) ? values[member] : -Infinity);
  return { ...answer, order: Int32Array.from(order).sort((a, b) => key(b) - key(a) || a - b) };
}

function sum(values: Float64Array): number {
  return values.reduce((all, one) => all + one, 0);
}

function notes(shown: Distribution, view: HistogramView): string[] {
  const { by, edges, outside, values, leftOut } = shown;
  const { lost } = pinned(view.state.subject, view);
  const said = lost === undefined ? [] : [`${lost} This is the whole recording.`];
  const several = (count: number) => `${count.toLocaleString("en")} ${unitName(by, count)}`;
  const unit = shownUnit(view.metric);
  if (edges.length === 2 && edges[0] === edges[1]) said.push(`All values are equal (${formatValue(edges[0], unit)}).`);
  if (outside !== 0) {
    const share = formatShare(outside / (outside + sum(values.filter(Number.isFinite))));
    said.push(`${formatValue(outside, unit)} (${share}) has no ${unitName(by, 1)} and is not in the histogram.`);
  }
  if (leftOut > 0) said.push(`${several(leftOut)} left out: the value is not a finite number.`);
  return [...said, ...lineNotes(shown, "bins and brushes have all")];
}
