/** The overview: a whole trace as the parts of its best partition over time and resources. */
import * as vscode from "vscode";
import type { OverviewFacts, OverviewQuery } from "../../engine/api";
import { counted, shorten } from "../../model/texts";
import { formatShare } from "../../model/units";
import type { Control, CurveControl, SelectControl, ToolControl } from "../../protocol/frame";
import {
  FINDINGS,
  type OverviewContent,
  type OverviewPartShown,
  type OverviewState,
  overviewState,
} from "../../protocol/overview";
import { timelineMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { firstStep } from "../kit/frameMessage";
import { restrictInTime } from "../kit/restricting";
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
/** Steps that leave something out before anything is aggregated. */
const WITHOUT = "without ";
const ONLY = "only";
/** Resources that one can look at alone. */
const MOST_ONLY = 1000;
const MOST_WITHOUT = 100;

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
  steps: ({ dataSet, state: { without = [], only } }, shown) => [
    firstStep(dataSet),
    ...without.map((name) => ({ id: `${WITHOUT}${name}`, text: `without ${shorten(name, 60)}`, removable: true })),
    ...(only
      ? [
          {
            id: ONLY,
            text: `${only.length} of ${counted(shown?.facts.allLeaves ?? only.length, "resource")}`,
            removable: true,
          },
        ]
      : []),
  ],
  choose({ state }, id, value) {
    if (id === "entry") return { strength: Number(value) };
    if (id === "kind") return { kind: value as OverviewState["kind"], strength: undefined };
    if (id === "shows") return { shows: value as OverviewState["shows"] };
    if (id === "by") return { by: value as OverviewState["by"], without: [], strength: undefined };
    if (id === "normalize") return { normalize: !state.normalize, strength: undefined };
    if (id === "step") return undefined;
    if (id === "remove-step")
      return value === ONLY
        ? { only: undefined, strength: undefined }
        : { without: state.without?.filter((one) => one !== value.slice(WITHOUT.length)), strength: undefined };
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
  content: ({ facts, query }, { state }) => overviewContent(facts, query, showsOf(state)),
  later: [
    {
      depends: (view, { facts }) => [entryOf(view, facts), rowsIn(view), showsOf(view.state)],
      async ask({ query, facts, drawn }, view, task) {
        const entry = entryOf(view, facts);
        const shows = showsOf(view.state);
        const question = { query, entry, rows: rowsIn(view), withMeans: shows === "proportion" };
        const parts = await view.session.engine.overviewParts(question, task);
        return (drawn.latest = { entry, shows, parts: partsContent(parts) });
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
    without: ({ facts, drawn }, mark, panel) => {
      const { view } = panel;
      const mode = mark === undefined || mark >= FINDINGS ? undefined : drawn.latest?.parts.mode.at(mark);
      const name = mode === undefined || mode < 0 ? undefined : facts.states[mode].name;
      if (!view || name === undefined) return undefined;
      const { without = [] } = view.state;
      if (facts.states.length < 2) return panel.notice("It is the only state that is left.");
      if (without.length >= MOST_WITHOUT) return panel.notice(`No more than ${MOST_WITHOUT} states can be left out.`);
      return panel.change({ without: [...without, name], strength: undefined });
    },
    only: ({ facts, drawn }, mark, panel) => {
      const area = mark === undefined ? undefined : areaOf(facts, drawn.latest, mark);
      if (!area || area.size === facts.leaves) return undefined;
      if (area.size > MOST_ONLY) return panel.notice(`No more than ${MOST_ONLY} resources can be looked at alone.`);
      const names = facts.nodes
        .slice(0, facts.leaves)
        .flatMap(({ first, name }) => (first >= area.first && first < area.first + area.size ? [name] : []));
      return panel.change({ only: names, strength: undefined });
    },
    restrict: (shown, mark, panel) => {
      const times = timesOf(shown, mark);
      if (times) restrictInTime(times, panel);
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
  const { slices, kind, metric, normalize, every, stateType, by = "function", without = [], only } = state;
  return {
    ...{ dataSet: dataSet.id, slices, kind, metric, normalize, categories: currentSettings().categories },
    ...(by === "function" ? {} : { by }),
    ...(without.length > 0 ? { without } : {}),
    ...(only ? { only } : {}),
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

/** Of time and resources at once there is no room for stacks. */
function showsOf({ shows = "mode", kind }: OverviewState): NonNullable<OverviewState["shows"]> {
  return kind === "spatiotemporal" && shows === "proportion" ? "mode" : shows;
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
  const showing = showsOf(state);
  const shows: ToolControl = {
    ...{ kind: "tool", id: "shows", name: "Show of each part", icon: "eye", leaves: 4 },
    menu: [
      { value: "mode", label: "The state that it is in most", checked: showing === "mode" },
      {
        ...{ value: "proportion", label: "All its states, stacked", checked: showing === "proportion" },
        ...(state.kind === "spatiotemporal" ? { disabled: "of time or resources alone" } : {}),
      },
      { value: "partition", label: "Where it begins and ends alone", checked: showing === "partition" },
    ],
  };
  const isByKind = state.by === "category";
  const by: ToolControl = {
    ...{ kind: "tool", id: "by", name: "What states are", icon: "list-tree", leaves: 9, tucked: true },
    menu: [
      { value: "function", label: "As the recording names them", checked: !isByKind },
      { value: "category", label: "Kinds: computing, communication, data movement …", checked: isByKind },
    ],
  };
  const normalize: ToolControl = {
    ...{ kind: "tool", id: "normalize", icon: "graph", leaves: 10, tucked: true },
    name: state.normalize ? "Weigh gains and losses as they are" : "Weigh gains and losses as shares of the largest",
  };
  const selects = [kind, metric, ...statesControl(shown), every, slicesControl(state, shown)];
  return [...selects, ...entryControl(view, shown), shows, by, normalize];
}

/** Those that an analysis has time for, with the largest number where others have not. */
function slicesControl({ slices }: OverviewState, shown: OverviewShown | undefined): SelectControl {
  const most = shown?.facts.mostSlices ?? Infinity;
  const numbers = new Set([...SLICES.map(Number), slices]);
  if (SLICES.some((one) => Number(one) > most)) numbers.add(most);
  const why = `takes too long; ${most} slices fit`;
  return {
    ...{ kind: "select", id: "slices", name: "Slices of time", value: String(slices), standard: "30" },
    choices: [...numbers]
      .sort((a, b) => a - b)
      .map((value) => ({
        ...{ value: String(value), label: counted(value, "slice"), short: String(value) },
        ...(value > most ? { disabled: why } : {}),
      })),
  };
}

function statesControl(shown: OverviewShown | undefined): SelectControl[] {
  const { stateTypes, stateType } = shown?.facts ?? { stateTypes: [], stateType: "" };
  if (stateTypes.length < 2) return [];
  const choices = stateTypes.map((value) => ({ value, label: shorten(value, MOST_NAME) }));
  return [{ kind: "select", id: "states", name: "States", value: stateType, standard: stateTypes[0], choices }];
}

/** Strengths at which something changes, from all the detail to one part for all. */
function entryControl(view: OverviewView, shown: OverviewShown | undefined): CurveControl[] {
  if (!shown || shown.facts.entries.length < 2) return [];
  const { entries, initial } = shown.facts;
  const most = entries[entries.length - 1];
  const value = (at: number) => String(Math.round(entries[at].p * UNIT));
  const share = (part: number, all: number) => (all > 0 ? Math.min(1, Math.max(0, part / all)) : 0);
  const [removed, lost] = [
    entries.map(({ gain }) => share(gain, most.gain)),
    entries.map(({ loss }) => share(loss, most.loss)),
  ];
  return [
    {
      ...{ kind: "curve", id: "entry", name: "Detail", icon: "layers" },
      ...{ value: value(entryOf(view, shown.facts)), standard: value(initial), ends: ["detail", "overview"] },
      choices: entries.map(({ parts }, at) => ({
        ...{ value: value(at), label: counted(parts, "part"), short: String(parts) },
        title: `complexity −${formatShare(removed[at])} · lost ${formatShare(lost[at])}`,
      })),
      lines: [
        { name: "complexity removed", values: removed },
        { name: "information lost", values: lost },
      ],
    },
  ];
}
