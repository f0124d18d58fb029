/** Metrics over time: recorded counters, and what follows from events, row by row on one axis of time. */
import { eventKinds } from "../../model/eventKinds";
import type { Control, SelectControl, ToolControl } from "../../protocol/frame";
import { type MetricsContent, type MetricsState, metricsState } from "../../protocol/metrics";
import { quantityIn } from "../../session/commandArguments";
import { metricsMessage } from "../../session/notRecorded";
import type { Selection } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";
import type { Note, PanelDefinition, PanelHandle } from "../kit/definition";
import { restrictInTime } from "../kit/restricting";
import { shorten } from "../../model/texts";
import { askMetrics, lookAtMetrics } from "./asking";
import { metricsContent } from "./content";
import { quantitiesOf, rowsAt } from "./rows";
import type { MetricsShown, MetricsView } from "./shown";

const ALL = "";
const CONSTANT = "constant";
/** One list holds no more entries than people look through. */
const MOST_QUANTITIES = 500;
const MAX_NAME = 200;

export const metrics: PanelDefinition<MetricsState, MetricsShown, MetricsContent, never> = {
  id: "metrics",
  title: "Metrics over Time",
  saved: "metrics",
  state: metricsState,
  start: { order: "variance", scale: "zero" },
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls,
  choose: ({ state }, id, value) =>
    id === CONSTANT ? { constant: !state.constant } : { [id]: id === "quantity" && value === ALL ? undefined : value },
  unmeasured: metricsMessage,
  asked: ({ state, scope }) => [state, scope.chosen, scope.window, currentSettings().categories],
  ask: askMetrics,
  look: lookAtMetrics,
  content: metricsContent,
  notes,
  links: { [CONSTANT]: (panel: PanelHandle<MetricsState, MetricsShown>) => panel.change({ constant: true }) },
  // A row is no part of the program: it is at a place, or of a kind of work.
  subject({ facts, rows }, mark) {
    const row = mark === undefined ? undefined : facts.rows.at(rows[mark]);
    if (!row) return undefined;
    const { lanes, kind, resource, name } = row;
    const place = resource < 0 ? name : facts.resources[resource].name;
    return { target: undefined, name: kind ?? place, at: { lanes, kinds: kind ? [kind] : [] } };
  },
  opened(_, argument) {
    const quantity = quantityIn(argument);
    return quantity === undefined ? undefined : { quantity };
  },
  highlighted: ({ facts, rows }, { lanes }) => rowsAt(facts, rows, lanes),
  markOf,
  actions: {
    open: (_, __, panel) => panel.run("heatflow.showTimeline", { target: undefined, name: "" }),
    restrict: ({ look }, _, panel) => (look?.isMeasured ? restrictInTime(look.range, panel) : undefined),
  },
};

/** Of what is selected elsewhere the row of its kind of work: a function has none of its own. */
async function markOf(
  { facts, rows }: MetricsShown,
  { name, target }: Selection,
  { session, dataSet }: MetricsView,
): Promise<number | undefined> {
  const kinds = rows.map((row) => facts.rows[row].kind);
  if (target.kind === "bar" || kinds.every((kind) => kind === undefined)) return undefined;
  const { categories } = currentSettings();
  const own = await session.engine.timelineKinds({ dataSet: dataSet.id, categories, name });
  const row = kinds.findIndex((kind) => kind !== undefined && own.includes(eventKinds.indexOf(kind)));
  return row < 0 ? undefined : row;
}

function controls({ state }: MetricsView, shown?: MetricsShown): Control[] {
  const known = shown ? quantitiesOf(shown.facts).slice(0, MOST_QUANTITIES) : [];
  const names = state.quantity === undefined || known.includes(state.quantity) ? known : [state.quantity, ...known];
  const quantity: SelectControl = {
    kind: "select",
    id: "quantity",
    name: "Rows",
    value: state.quantity ?? ALL,
    standard: ALL,
    choices: [
      {
        value: ALL,
        label: state.constant ? "all rows" : "rows that change",
        short: state.constant ? "all" : "changing",
      },
      ...names.map((name) => ({ value: name, label: shorten(name, MAX_NAME) })),
    ],
  };
  const order: SelectControl = {
    kind: "select",
    id: "order",
    name: "Order of rows",
    value: state.order,
    standard: "variance",
    choices: [
      {
        value: "variance",
        label: "most variance first",
        short: "variance",
        title: "Variance in the window over the square of the mean",
      },
      { value: "recorded", label: "as recorded", short: "recorded" },
      { value: "name", label: "by name", short: "name" },
    ],
  };
  const scale: SelectControl = {
    kind: "select",
    id: "scale",
    name: "Axes of values",
    value: state.scale,
    standard: "zero",
    choices: [
      { value: "zero", label: "from 0", title: "From 0 to the largest value of the run" },
      {
        value: "window",
        label: "least to most",
        short: "fitted",
        title: "From the least to the largest value in the window",
      },
    ],
  };
  const isAsked = state.constant === true;
  const constant: ToolControl = {
    kind: "tool",
    id: CONSTANT,
    name: "Rows that do not change",
    icon: "pulse",
    leaves: 9,
    tucked: true,
    on: isAsked,
  };
  return [quantity, order, scale, ...(isAsked || (shown?.constant ?? 0) > 0 ? [constant] : [])];
}

/** What the recording lacks, and what a restriction or a message leaves out. */
function notes({ facts, rows, more, constant, window, measured }: MetricsShown, { dataSet }: MetricsView): Note[] {
  const recorded = facts.rows.filter(({ shows }) => shows !== "derived");
  const { range, asked } = measured ?? window;
  const isEmpty = asked.to > asked.from && !(range.to > range.from);
  return [
    rows.length === 0 && facts.rows.some(({ isLeft }) => !isLeft) ? "No counter belongs to the selected ranks." : "",
    rows.length === 0 && facts.rows.length === 0
      ? "No counters were recorded, and no event, message or transfer with a duration, so there is nothing to show over time."
      : "",
    recorded.length === 0 && rows.length > 0
      ? "No counters were recorded. All rows are computed from events, messages and transfers."
      : "",
    (dataSet.trace?.events ?? 0) === 0 && rows.length > 0
      ? "No events were recorded, so no rows are computed from them."
      : "",
    more > 0
      ? `${more.toLocaleString("en")} more rows, which vary less over the run, are left out: choose one kind of rows.`
      : "",
    ...(constant > 0 ? [leftOut(constant)] : []),
    isEmpty ? "The time restriction does not overlap this window, so its rows have no numbers." : "",
  ].filter((text) => text !== "");
}

function leftOut(rows: number): Note {
  const text = rows === 1 ? "1 row does not change." : `${rows.toLocaleString("en")} rows do not change.`;
  return { text, link: { id: CONSTANT, text: rows === 1 ? "Show it" : "Show them" } };
}
