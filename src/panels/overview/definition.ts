/** The overview: a whole trace as the parts of its best partition over time and resources. */
import * as vscode from "vscode";
import type { OverviewFacts, OverviewQuery } from "../../engine/api";
import { type EventKind, eventKinds } from "../../model/eventKinds";
import { counted, shorten } from "../../model/texts";
import {
  FINDINGS,
  type OverviewCellsShown,
  type OverviewContent,
  type OverviewLater,
  type OverviewPartShown,
  type OverviewState,
  overviewState,
} from "../../protocol/overview";
import { MARK_LIMIT } from "../../protocol/bounds";
import { overviewMessage } from "../../session/notRecorded";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { firstStep } from "../kit/frameMessage";
import { restrictInTime } from "../kit/restricting";
import { analysisControls, type AnalysesStore, keepAnalysis, useAnalysis } from "./analyses";
import { overviewContent, partsContent } from "./content";
import { controls, entryOf, metricOf, showsOf } from "./controls";
import { OVERVIEW_START, queryOf, startedQuery } from "./query";
import { exportJson } from "./export";
import { chosenHierarchy } from "./hierarchyChoice";
import { areaFacts } from "./areaFacts";

type OverviewView = View<OverviewState>;
type Handle = PanelHandle<OverviewState, OverviewShown>;

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
const MAX_NAME = 200;
/** Steps that leave something out before anything is aggregated. */
const WITHOUT = "without ";
const ONLY = "only";
/** Resources that one can look at alone. */
const MOST_ONLY = 1000;
const MOST_WITHOUT = 100;

type Definition = PanelDefinition<OverviewState, OverviewShown, OverviewContent, never, OverviewLater>;

/** @param kept analyses that people saved of recordings */
export const overview = (kept: AnalysesStore): Definition => ({
  id: "overview",
  title: "Overview",
  saved: "overview",
  state: overviewState,
  start: OVERVIEW_START,
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls: (view, shown) => [...controls(view, shown), ...analysisControls(view, kept)],
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
  choose(view, id, value, panel) {
    const { state } = view;
    if (id === "keep") return keepAnalysis(view, panel, kept).then(() => undefined);
    if (id === "analyses") return useAnalysis(value, view, panel, kept);
    if (id === "export") return exportJson(view);
    if (id === "entry") return { strength: Number(value) };
    if (id === "kind") return { kind: value as OverviewState["kind"], strength: undefined };
    if (id === "shows") return { shows: value as OverviewState["shows"] };
    if (id === "by") return { by: value as OverviewState["by"], without: [], strength: undefined };
    if (id === "normalize") return { normalize: !state.normalize, strength: undefined };
    if (id === "every") return chosenHierarchy(value, state, panel);
    if (id === "ownColors") return { ownColors: !state.ownColors };
    if (id === "step") return undefined;
    if (id === "remove-step")
      return value === ONLY
        ? { only: undefined, strength: undefined }
        : { without: state.without?.filter((one) => one !== value.slice(WITHOUT.length)), strength: undefined };
    if (id === "metric") return { ...metricOf(value), strength: undefined };
    if (id === "states") return { stateType: value, strength: undefined };
    return { [id]: Number(value), strength: undefined };
  },
  unmeasured: overviewMessage,
  asked: (view) => [queryOf(view), view.state.ownColors === true],
  async ask(view, task) {
    const query = await startedQuery(view, task);
    const near = { ...query, orNearest: true as const };
    const facts = await view.session.engine.overviewFacts(near, task);
    return { query: facts.isNear ? near : query, facts, drawn: {} };
  },
  refinement: {
    isDue: ({ facts }) => facts.isNear === true,
    async ask(_, view, task) {
      const query = await startedQuery(view, task);
      return { query, facts: await view.session.engine.overviewFacts(query, task), drawn: {} };
    },
  },
  content: ({ facts, query }, { state }) => overviewContent(facts, query, showsOf(state), state.ownColors),
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
    {
      depends: ({ state: { cells } }) => cells ?? null,
      async ask({ query, facts }, { session, state: { cells } }, task): Promise<OverviewCellsShown> {
        const isThere = cells && cells.first + cells.size <= facts.leaves && cells.end < facts.slices;
        if (!isThere || cellsIn(cells) > MARK_LIMIT) return NO_CELLS;
        return { ...cells, ...(await session.engine.overviewCells({ query, ...cells }, task)) };
      },
    },
  ],
  notes: ({ facts }) =>
    facts.entries.length === 1 ? ["All resources and slices are equal, so there are no steps of aggregation."] : [],
  async explain({ query, facts, drawn }, mark, view, task) {
    const area = areaOf(facts, drawn.latest, mark);
    if (!area || mark >= FINDINGS) return undefined;
    return { facts: areaFacts(await view.session.engine.overviewArea({ query, ...area }, task), facts, query) };
  },
  async subject({ query, facts, drawn }, mark, { session }, task) {
    const about = aboutOf({ facts, drawn }, mark);
    if (!about) return undefined;
    const lanes = await session.engine.overviewLanes({ query, names: about.names }, task);
    return { target: undefined, name: about.name, at: { lanes } };
  },
  // The largest part that is mostly in what is selected, where states are functions.
  markOf: ({ facts, drawn }, { name }, { state: { by = "function" } }) => {
    const state = by === "function" ? facts.states.findIndex((one) => one.name === name) : -1;
    const parts = drawn.latest?.parts;
    if (!parts || state < 0) return undefined;
    const cells = (part: number) => parts.size[part] * (parts.end[part] - parts.start[part] + 1);
    const own = [...parts.mode.keys()].filter((part) => parts.mode[part] === state);
    return own.length > 0 ? own.reduce((most, part) => (cells(part) > cells(most) ? part : most)) : undefined;
  },
  highlighted: ({ query }, { lanes }, { session }) =>
    lanes.length > 0 ? session.engine.overviewPlaces({ query, lanes }) : [],
  actions: {
    open: inside,
    "highlight-kind": ({ facts, drawn }, mark, panel) => {
      const kind = kindOf(facts, mark === undefined ? -1 : (drawn.latest?.parts.mode.at(mark) ?? -1));
      if (kind !== undefined) panel.highlight({ kinds: [kind] }, kind);
    },
    timeline: (shown, mark, panel) => look(shown, mark, panel, true),
    window: (shown, mark, panel) => look(shown, mark, panel, false),
    without: ({ facts, drawn }, mark, panel) => {
      const { view } = panel;
      const mode = mark === undefined || mark >= FINDINGS ? undefined : drawn.latest?.parts.mode.at(mark);
      const name = mode === undefined || mode < 0 ? undefined : facts.states[mode].name;
      if (!view || name === undefined) return undefined;
      const { without = [] } = view.state;
      if (facts.states.length < 2) return panel.notice("This is the only remaining state.");
      if (without.length >= MOST_WITHOUT) return panel.notice(`No more than ${MOST_WITHOUT} states can be left out.`);
      return panel.change({ without: [...without, name], strength: undefined });
    },
    only: (shown, mark, panel) => {
      const only = namesOf(shown, mark);
      if (only && isFew(only, panel)) panel.change({ only, strength: undefined });
    },
    cells: ({ facts, drawn }, mark, panel) => {
      const area = mark === undefined || mark >= FINDINGS ? undefined : areaOf(facts, drawn.latest, mark);
      if (!area || !panel.view) return undefined;
      if (cellsIn(area) > MARK_LIMIT)
        return panel.notice(`No more than ${MARK_LIMIT.toLocaleString("en")} cells are drawn at once.`);
      const { cells } = panel.view.state;
      const isShown = cells && (["first", "size", "start", "end"] as const).every((one) => cells[one] === area[one]);
      return panel.change({ cells: isShown ? undefined : area });
    },
    restrict: (shown, mark, panel) => {
      const times = timesOf(shown, mark);
      if (times) restrictInTime(times, panel);
    },
  },
});

const NO_CELLS: OverviewCellsShown = {
  first: 0,
  size: 0,
  start: 0,
  end: 0,
  mode: new Int32Array(0),
  share: new Float64Array(0),
};

function cellsIn({ size, start, end }: NonNullable<OverviewState["cells"]>): number {
  return size * (end - start + 1);
}

/** What kind of work a state is; undefined: of several, or none. */
function kindOf({ states }: OverviewFacts, state: number): EventKind | undefined {
  const kind = states.at(state)?.kind ?? -1;
  return state < 0 || kind < 0 ? undefined : eventKinds[kind];
}

/** A part with a model of its own: its time is the window, its resources are those that are looked at. What no model divides is looked at event by event. */
async function inside(shown: OverviewShown, mark: number | undefined, panel: Handle): Promise<void> {
  const { facts, drawn } = shown;
  const area = mark === undefined ? undefined : areaOf(facts, drawn.latest, mark);
  if (!area) return;
  const isWhole = area.size === facts.leaves && area.start === 0 && area.end === facts.slices - 1;
  if (isWhole || (area.size === 1 && area.start === area.end)) return look(shown, mark, panel, true);
  const only = namesOf(shown, mark);
  if (only && !isFew(only, panel)) return;
  if (only) panel.change({ only, strength: undefined });
  await look(shown, mark, panel, false);
}

/** Names of a part's resources; undefined where these are all. */
function namesOf({ facts, drawn }: OverviewShown, mark: number | undefined): string[] | undefined {
  const area = mark === undefined ? undefined : areaOf(facts, drawn.latest, mark);
  if (!area || area.size === facts.leaves) return undefined;
  return facts.nodes
    .slice(0, facts.leaves)
    .flatMap(({ first, name }) => (first >= area.first && first < area.first + area.size ? [name] : []));
}

function isFew(names: readonly string[], panel: Handle): boolean {
  if (names.length <= MOST_ONLY) return true;
  panel.notice(`No more than ${MOST_ONLY} resources can be looked at alone.`);
  return false;
}

/** Makes the time of a part the window of all views over time. @param inTimeline opens the events, too, with its lanes highlighted */
async function look(shown: OverviewShown, mark: number | undefined, panel: Handle, inTimeline: boolean): Promise<void> {
  const { view } = panel;
  const times = timesOf(shown, mark);
  if (!view || !times) return;
  const { engine, windows } = view.session;
  windows.show(view.dataSet.id, times);
  if (!inTimeline) return;
  await vscode.commands.executeCommand("heatflow.showTimeline", { dataSet: view.dataSet.id });
  const about = aboutOf(shown, mark);
  // Where lanes were known when it was selected, they are highlighted; before a view shows lanes, none is.
  if (!about || about.names.length === shown.facts.leaves || view.session.highlight !== undefined) return;
  const lanes = await engine.overviewLanes({ query: shown.query, names: about.names, waits: true });
  panel.highlight({ lanes }, about.name);
}

/** What a part, or a finding, is called, and the names of its resources. */
function aboutOf({ facts, drawn }: Pick<OverviewShown, "facts" | "drawn">, mark: number | undefined) {
  const area = mark === undefined ? undefined : areaOf(facts, drawn.latest, mark);
  if (!area || mark === undefined) return undefined;
  const finding = mark >= FINDINGS ? facts.unlike[mark - FINDINGS] : undefined;
  const isOwn = finding
    ? new Set(finding.leaves)
    : { has: (place: number) => place >= area.first && place < area.first + area.size };
  const names = facts.nodes.slice(0, facts.leaves).flatMap(({ first, name }) => (isOwn.has(first) ? [name] : []));
  return { name: finding ? shorten(finding.what, MAX_NAME) : counted(names.length, "resource"), names };
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

function rowsIn({ size }: OverviewView): number {
  return Math.max(1, Math.floor((size.height - AXIS) / LEAST_ROW));
}
