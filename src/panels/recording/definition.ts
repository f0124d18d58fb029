/** The page of a recording: its total, MPI's share and imbalance, hottest functions and lines, ways to its views, and its facts. */
import * as v from "valibot";
import type { ComparedPair, DataSetInfo } from "../../engine/api";
import type { Task } from "../../model/task";
import type { Control } from "../../protocol/frame";
import type { RecordingContent } from "../../protocol/recording";
import {
  applicationMessage,
  asSentence,
  communicationMessage,
  contextsMessage,
  correlationMessage,
  flameGraphMessage,
  hardwareMessage,
  histogramMessage,
  metricsMessage,
  codeTreemapMessage,
  overviewMessage,
  resourcesMessage,
  statesMessage,
  superGraphMessage,
  timelineMessage,
} from "../../session/notRecorded";
import { canRecordAgain, RECORD_AGAIN } from "../../session/recordAgain";
import type { Note, PanelDefinition, PanelHandle, Subject, View } from "../kit/definition";
import { shorten } from "../../model/texts";
import { currentSettings } from "../../session/sourceFeed";
import { comparedNames, comparedWith, sameMetric } from "../../session/comparedScopes";
import {
  type Differences,
  hotLinesOf,
  hotStatesOf,
  LISTED,
  type RecordingValues,
  recordingOf,
  withCost,
} from "./content";
import { askOverTime, withFinding } from "./overTime";

/** Questions that views answer. */
const questions = ["where", "when", "which rank", "what changed", "more"] as const;
type Question = (typeof questions)[number];

const ways = {
  superGraph: { name: "Super Graph", icon: "type-hierarchy-sub" },
  flameGraph: { name: "Flame Graph", icon: "list-selection" },
  codeTreemap: { name: "Treemap of Code", icon: "layout" },
  timeline: { name: "Timeline", icon: "history" },
  overview: { name: "Overview", icon: "layout" },
  summary: { name: "Summary", icon: "dashboard" },
  metrics: { name: "Metrics", icon: "pulse" },
  communication: { name: "Communication", icon: "arrow-swap" },
  application: { name: "Application", icon: "list-tree" },
  treemap: { name: "Treemap", icon: "layout" },
  hardware: { name: "Hardware", icon: "server" },
  clocks: { name: "Clocks", icon: "watch" },
  histogram: { name: "Histogram", icon: "graph" },
  correlation: { name: "Correlation", icon: "graph-scatter" },
  hotFunctions: { name: "Hot Functions", icon: "flame" },
  callingContexts: { name: "Calling Contexts", icon: "list-tree" },
  dataSets: { name: "Data Sets", icon: "layers" },
  compare: { name: "Compare with…", icon: "git-compare" },
  text: { name: "Show as Text", icon: "go-to-file" },
} as const;
export type Way = keyof typeof ways;
/** Links of notices. */
export type Remedy = "recordAgain" | "locateSource";

/** Views by the question that they answer, the one that answers it first in front. */
const answers: Readonly<Record<Question, readonly Way[]>> = {
  where: ["superGraph", "flameGraph", "codeTreemap", "application", "hotFunctions", "callingContexts"],
  when: ["timeline", "overview", "summary", "metrics", "clocks"],
  "which rank": ["histogram", "communication", "treemap", "hardware", "correlation"],
  "what changed": ["compare"],
  more: ["dataSets", "text"],
};
/** The same without a metric: states are known by lane and time alone. */
const answersOverTime: typeof answers = {
  ...answers,
  where: ["hotFunctions", "superGraph", "flameGraph", "codeTreemap", "application", "callingContexts"],
  when: ["overview", "timeline", "summary", "metrics", "clocks"],
  "which rank": ["treemap", "communication", "hardware", "histogram", "correlation"],
};
const questionsOverTime: readonly Question[] = ["when", "which rank", "where", "what changed", "more"];

const isWay = (id: string): id is Way => Object.hasOwn(ways, id);

type Places = Pick<RecordingValues, "hot" | "foreign">;
type Shown = RecordingValues & {
  /** What needs the source, while it is still being read. */
  readonly places?: Promise<Places>;
};

/** Longer than it takes if the source is known. */
const PLACES_AWAITED_MS = 300;

/** Ways by question, those that lead nowhere here with the reason behind the others. */
function waysOf({ dataSet, scope }: Pick<View<object>, "dataSet" | "scope">) {
  const measured = scope.metric < 0 ? undefined : scope;
  const states = statesMessage(dataSet);
  const reasons: Partial<Record<Way, string>> = {
    superGraph: superGraphMessage(dataSet),
    compare: superGraphMessage(dataSet),
    flameGraph: flameGraphMessage(dataSet),
    application: applicationMessage(dataSet),
    timeline: timelineMessage(dataSet),
    overview: overviewMessage(dataSet),
    summary: states,
    clocks: states,
    metrics: metricsMessage(dataSet),
    communication: communicationMessage(dataSet),
    hardware: hardwareMessage(dataSet),
    treemap: resourcesMessage(dataSet),
    codeTreemap: codeTreemapMessage(dataSet),
    histogram: histogramMessage(dataSet, measured),
    callingContexts: dataSet.contexts === 0 ? contextsMessage(dataSet) : undefined,
    correlation: correlationMessage(dataSet, measured),
  };
  const [order, of] = measured ? [questions, answers] : [questionsOverTime, answersOverTime];
  return order.flatMap((group) =>
    of[group]
      .toSorted((a, b) => Number(reasons[a] !== undefined) - Number(reasons[b] !== undefined))
      .map((id) => {
        const reason = reasons[id];
        return { id, ...ways[id], group, ...(reason === undefined ? {} : { disabled: shorten(reason, 400) }) };
      }),
  );
}

/** @param go leads to another view of the recording, or to its text */
export function recordingDefinition(
  go: (way: Way | Remedy, panel: PanelHandle<object, Shown>) => Promise<void>,
): PanelDefinition<object, Shown, RecordingContent, never> {
  return {
    id: "recording",
    title: "Recording",
    saved: "recording",
    state: v.object({}),
    start: {},
    needsMetric: false,
    unmeasured: () => undefined,
    controls: (view) => waysOf(view).map((way, at): Control => ({ kind: "tool", ...way, leaves: at })),
    async choose(_, id, __, panel) {
      if (isWay(id)) await go(id, panel);
      return undefined;
    },
    links: {
      text: (panel) => go("text", panel),
      recordAgain: (panel) => go("recordAgain", panel),
      locateSource: (panel) => go("locateSource", panel),
    },
    notes: ({ foreign }, { dataSet }) => notesOn(dataSet, foreign),
    asked: (view) => [view.scope, comparedIn(view), currentSettings().categories],
    ask: askValues,
    // The finding needs a model of the whole trace, the work of GPUs its events, and places the source: the page does not wait for them.
    refinement: {
      name: "finding source lines",
      isDue: ({ places, overTime, gpuWork }) =>
        places !== undefined || gpuWork === "later" || (overTime !== undefined && overTime.finding === undefined),
      async ask({ places, ...shown }, view, task) {
        const { session, dataSet } = view;
        const query = { dataSet: dataSet.id, categories: currentSettings().categories };
        const all = {
          ...shown,
          ...(places ? await places : {}),
          ...(shown.gpuWork === "later" ? { gpuWork: await session.engine.gpuWork(query, task) } : {}),
        };
        if (!all.overTime || all.overTime.finding !== undefined) return all;
        return { ...all, overTime: await withFinding(all.overTime, view, task) };
      },
    },
    content: (values, view) => recordingOf(view.dataSet, view.scope.metric < 0 ? undefined : view.scope, values),
    subject: (values, mark, view) => (mark === undefined ? undefined : subjectOf(values, mark, view)),
  };
}

/** Everything that needs no source is there at once; places in it may take seconds, so the page waits a moment for them only. */
async function askValues(view: View<object>, task: Task): Promise<Shown> {
  const numbers = askNumbers(view, task);
  const places = askPlaces(view, task);
  // Who waits for them gets the error.
  places.catch(() => undefined);
  const known = await numbers;
  const found = await within(places, PLACES_AWAITED_MS);
  return found ? { ...known, ...found } : { ...known, hot: [], places };
}

/** Values that are known without the source. A recording without a metric still has facts and events. */
async function askNumbers(view: View<object>, task: Task): Promise<Omit<Shown, "hot">> {
  const { session, scope } = view;
  if (scope.metric < 0) {
    const overTime = await askOverTime(view, task);
    return { functions: [], ...(overTime ? { overTime } : {}) };
  }
  const functions = await session.engine.hotFunctions(
    { scope, by: "exclusive", limit: LISTED, joinsNumbered: true },
    task,
  );
  const totals = await session.engine.runTotals(scope, task);
  const { categories } = currentSettings();
  const imbalance = await session.engine.computingImbalance({ scope, categories }, task);
  const differences = await differencesIn(view, task);
  const values = { functions, totals, imbalance, ...(differences ? { differences } : {}) };
  const { trace, locationCounts } = view.dataSet;
  const hasGpus = trace && trace.events > 0 && (locationCounts.streams > 0 || trace.transfers.count > 0);
  return hasGpus ? { ...values, gpuWork: "later" } : values;
}

/** Hottest lines, and whether the recording belongs to the source folders. */
async function askPlaces({ session, scope }: View<object>, task: Task): Promise<Places> {
  const clause = await session.engine.foreignClause({ dataSet: scope.dataSet }, task);
  const foreign = clause === undefined ? {} : { foreign: clause };
  if (scope.metric < 0) return { hot: [], ...foreign };
  return { hot: await session.engine.hotPlaces({ scope, limit: LISTED, everything: true }, task), ...foreign };
}

/** Waits for an answer. @returns undefined if it takes longer */
async function within<Answer>(answer: Promise<Answer>, longestMs: number): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), longestMs)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Marks are hot lines, hot functions, differences and hot states, in this order. */
function subjectOf(
  { hot, functions, differences, overTime }: Shown,
  mark: number,
  { dataSet, session }: View<object>,
): Subject | undefined {
  const lines = hotLinesOf(hot);
  const line = lines.at(mark);
  if (line) return { target: { kind: "context", context: line.context }, name: line.name, link: line.link };
  const hottest = withCost(functions);
  const row = hottest.at(mark - lines.length);
  if (row) return { target: { kind: "function", function: row.function }, name: row.name };
  const other = typeof differences?.rows === "object" ? differences.rows : [];
  const differing = other.at(mark - lines.length - hottest.length);
  const side = session.comparison?.baseline === dataSet.id ? "baselineFunction" : "candidateFunction";
  const own = differing?.[side];
  if (differing) return own && { target: { kind: "function", function: own.function }, name: differing.name };
  const state = hotStatesOf(overTime).at(mark - lines.length - hottest.length - other.length);
  return state && { target: undefined, name: state.name, link: state.lines.at(0)?.link };
}

/** Notices with a button. @param foreign see {@link RecordingValues} */
function notesOn(dataSet: DataSetInfo, foreign: string | undefined): Note[] {
  const notes: Note[] = [];
  if (foreign !== undefined)
    notes.push({
      text: `${asSentence(foreign)} None of its names leads to a line here.`,
      link: { id: "locateSource", text: "Locate Source…" },
    });
  const early = dataSet.warnings.find(({ isUnrooted }) => isUnrooted === true);
  if (early && canRecordAgain(dataSet))
    notes.push({ text: asSentence(early.message), link: { id: "recordAgain", text: RECORD_AGAIN } });
  return notes;
}

/** What it is compared in with the other recording, in the metric that it shows itself; a string says why it is not. */
function comparedIn({ session, dataSet, scope }: View<object>): ComparedPair | string | undefined {
  const both = comparedWith(session, dataSet.id);
  if (!both || scope.metric < 0) return undefined;
  const isBaseline = both[0].info.id === dataSet.id;
  const other = sameMetric({ info: dataSet, scope }, both[isBaseline ? 1 : 0]);
  if (typeof other === "string") return other;
  const { renamed } = session;
  return isBaseline ? { baseline: scope, candidate: other, renamed } : { baseline: other, candidate: scope, renamed };
}

async function differencesIn(view: View<object>, task: Task): Promise<Differences | undefined> {
  const pair = comparedIn(view);
  const names = comparedNames(view.session);
  if (pair === undefined || !names) return undefined;
  if (typeof pair === "string") return { names, rows: pair };
  const { baseline, candidate, renamed } = pair;
  const sides = { baseline: [baseline], candidate: [candidate], renamed };
  const query = { ...sides, value: "exclusive", limit: LISTED, linked: 0 } as const;
  const { rows } = await view.session.engine.comparison(query, task);
  return { names, rows: rows.filter(({ difference }) => difference !== 0) };
}
