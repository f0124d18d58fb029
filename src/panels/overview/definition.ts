/** The overview: a whole trace as the parts of its best partition over time and resources. */
import * as vscode from "vscode";
import type { OverviewFacts, OverviewQuery } from "../../engine/api";
import { counted, shorten } from "../../model/texts";
import { formatShare } from "../../model/units";
import type { Control, SelectControl } from "../../protocol/frame";
import {
  FINDINGS,
  type OverviewContent,
  type OverviewPartShown,
  type OverviewState,
  overviewState,
} from "../../protocol/overview";
import { timelineMessage } from "../../session/notRecorded";
import { windowMetric } from "../../session/scopeChoice";
import { currentSettings } from "../../session/sourceFeed";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { overviewContent, partsContent } from "./content";

type OverviewView = View<OverviewState>;

/** What is asked and answered, and the parts that were drawn last: marks are of these. */
export interface OverviewShown {
  readonly query: OverviewQuery;
  readonly facts: OverviewFacts;
  readonly drawn: { latest?: OverviewPartShown };
}

/** Pixels of the drawing beside its rows: the time axis. */
const AXIS = 22;
/** Lower rows are shared by neighbours. */
const LEAST_ROW = 7;
/** Strengths are kept in such parts. */
const UNIT = 1024;
const RECORDED = "0";
const SLICES = ["10", "20", "30", "50", "100"];
const SIZES = ["2", "4", "8", "16", "32", "64"];
const MOST_NAME = 200;

export const overview: PanelDefinition<OverviewState, OverviewShown, OverviewContent, never, OverviewPartShown> = {
  id: "overview",
  title: "Overview",
  saved: "overview",
  state: overviewState,
  start: { slices: 30, kind: "spatiotemporal", metric: "duration", normalize: false, every: 0 },
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls,
  choose(_, id, value) {
    if (id === "entry") return { strength: Number(value) };
    if (id === "kind") return { kind: value as OverviewState["kind"], strength: undefined };
    if (id === "metric") return { metric: value as OverviewState["metric"], strength: undefined };
    if (id === "states") return { stateType: value, strength: undefined };
    return { [id]: Number(value), strength: undefined };
  },
  unmeasured: timelineMessage,
  asked: queryOf,
  async ask(view, task) {
    const query = queryOf(view);
    return { query, facts: await view.session.engine.overviewFacts(query, task), drawn: {} };
  },
  content: ({ facts, query }) => overviewContent(facts, query),
  later: [
    {
      depends: (view, { facts }) => [entryOf(view, facts), rowsIn(view)],
      async ask({ query, facts, drawn }, view, task) {
        const entry = entryOf(view, facts);
        const parts = await view.session.engine.overviewParts({ query, entry, rows: rowsIn(view) }, task);
        return (drawn.latest = { entry, parts: partsContent(parts) });
      },
    },
  ],
  notes: ({ facts }) =>
    facts.entries.length === 1 ? ["All of it is alike: there is nothing to aggregate step by step."] : [],
  async explain({ query, facts, drawn }, mark, view, task) {
    const area = areaOf(facts, drawn.latest, mark);
    if (!area || mark >= FINDINGS) return undefined;
    const shares = await view.session.engine.overviewShares({ query, ...area }, task);
    return {
      facts: shares.slice(0, 8).map(({ state, share }) => {
        const name = shorten(facts.states[state].name, MOST_NAME);
        return [name, formatShare(share)] as [string, string];
      }),
    };
  },
  actions: {
    open: (shown, mark, panel) => look(shown, mark, panel, true),
    window: (shown, mark, panel) => look(shown, mark, panel, false),
    restrict: (shown, mark, panel) => {
      const { view } = panel;
      const times = timesOf(shown, mark);
      if (!view || !times) return;
      const { session, dataSet, scope } = view;
      if (scope.metric >= 0 && windowMetric(dataSet, scope.metric) >= 0) session.setWindow(dataSet.id, times);
      else
        panel.notice("No metric of this recording is known over time, so that nothing can be restricted to a window.");
    },
  },
};

/** Makes the time of a part the window of all views over time. @param inTimeline opens the events, too */
async function look(
  shown: OverviewShown,
  mark: number | undefined,
  { view }: PanelHandle<OverviewState, OverviewShown>,
  inTimeline: boolean,
): Promise<void> {
  const times = timesOf(shown, mark);
  if (!view || !times) return;
  view.session.windows.show(view.dataSet.id, times);
  if (inTimeline) await vscode.commands.executeCommand("heatflow.showTimeline", { dataSet: view.dataSet.id });
}

function timesOf({ facts, drawn }: OverviewShown, mark: number | undefined) {
  const area = mark === undefined ? undefined : areaOf(facts, drawn.latest, mark);
  if (!area) return undefined;
  const { fromSeconds, toSeconds, slices } = facts;
  const at = (slice: number) => fromSeconds + (slice * (toSeconds - fromSeconds)) / slices;
  return { from: at(area.start), to: at(area.end + 1) };
}

/** What a part, or a finding, is about: leaves by their places, slices. */
function areaOf(facts: OverviewFacts, drawn: OverviewPartShown | undefined, mark: number) {
  if (mark >= FINDINGS) {
    const finding = facts.unlike.at(mark - FINDINGS);
    if (!finding) return undefined;
    const { fromSeconds, toSeconds, slices } = facts;
    const sliceAt = (seconds: number) => Math.round(((seconds - fromSeconds) / (toSeconds - fromSeconds)) * slices);
    const start = sliceAt(finding.fromSeconds);
    return { first: 0, size: facts.leaves, start, end: Math.max(start, sliceAt(finding.toSeconds) - 1) };
  }
  const parts = drawn?.parts;
  if (!parts || mark >= parts.first.length) return undefined;
  return { first: parts.first[mark], size: parts.size[mark], start: parts.start[mark], end: parts.end[mark] };
}

function queryOf({ state, dataSet, window }: OverviewView): OverviewQuery {
  const { slices, kind, metric, normalize, every, stateType } = state;
  return {
    ...{ dataSet: dataSet.id, slices, kind, metric, normalize, categories: currentSettings().categories },
    hierarchy: every > 0 ? { kind: "every", count: every, name: "group" } : { kind: "recorded" },
    ...(stateType === undefined ? {} : { stateType }),
    ...(window ? { fromSeconds: window.from, toSeconds: window.to } : {}),
  };
}

/** The entry with the largest strength that is not beyond the chosen one. */
function entryOf({ state: { strength } }: OverviewView, { entries, initial }: OverviewFacts): number {
  if (strength === undefined) return initial;
  return Math.max(
    0,
    entries.findLastIndex(({ p }) => p * UNIT <= strength),
  );
}

function rowsIn({ size }: OverviewView): number {
  return Math.max(1, Math.floor((size.height - AXIS) / LEAST_ROW));
}

function controls(view: OverviewView, shown?: OverviewShown): Control[] {
  const { state } = view;
  const kind: SelectControl = {
    ...{ kind: "select", id: "kind", name: "Aggregate", value: state.kind, standard: "spatiotemporal" },
    choices: [
      { value: "spatiotemporal", label: "time and resources", short: "both" },
      { value: "temporal", label: "time alone", short: "time" },
      { value: "hierarchical", label: "resources alone", short: "resources" },
    ],
  };
  const metric: SelectControl = {
    ...{ kind: "select", id: "metric", name: "Of states", value: state.metric, standard: "duration" },
    choices: [
      { value: "duration", label: "time in states", short: "time" },
      { value: "mean", label: "mean time of events", short: "mean" },
      { value: "count", label: "number of events", short: "number" },
    ],
  };
  const every: SelectControl = {
    ...{ kind: "select", id: "every", name: "Resources", value: String(state.every), standard: RECORDED },
    choices: [
      { value: RECORDED, label: "as recorded", title: "Resources belong together as the recording says" },
      ...SIZES.map((size) => ({ value: size, label: `${size} each`, title: `Each ${size} neighbours are a group` })),
    ],
  };
  const known = SLICES.includes(String(state.slices)) ? SLICES : [...SLICES, String(state.slices)];
  const slices: SelectControl = {
    ...{ kind: "select", id: "slices", name: "Slices of time", value: String(state.slices), standard: "30" },
    choices: known.map((value) => ({ value, label: `${value} slices`, short: value })),
  };
  return [kind, metric, ...statesControl(shown), every, slices, ...entryControl(view, shown)];
}

function statesControl(shown: OverviewShown | undefined): SelectControl[] {
  const { stateTypes, stateType } = shown?.facts ?? { stateTypes: [], stateType: "" };
  if (stateTypes.length < 2) return [];
  const choices = stateTypes.map((value) => ({ value, label: shorten(value, MOST_NAME) }));
  return [{ kind: "select", id: "states", name: "States", value: stateType, standard: stateTypes[0], choices }];
}

/** Strengths at which something changes, from all the detail to one part for all. */
function entryControl(view: OverviewView, shown: OverviewShown | undefined): SelectControl[] {
  if (!shown || shown.facts.entries.length < 2) return [];
  const { entries, initial } = shown.facts;
  const most = entries[entries.length - 1];
  const value = (at: number) => String(Math.round(entries[at].p * UNIT));
  return [
    {
      ...{ kind: "select", id: "entry", name: "Detail", icon: "layers" },
      ...{ value: value(entryOf(view, shown.facts)), standard: value(initial) },
      choices: entries.map(({ parts, loss }, at) => ({
        ...{ value: value(at), label: counted(parts, "part"), short: String(parts) },
        title: most.loss > 0 ? `information lost ${formatShare(loss / most.loss)}` : undefined,
      })),
    },
  ];
}
