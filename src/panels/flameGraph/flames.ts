/** What a flame graph asks the engine, and what it has of the answers. */
import { createHash } from "node:crypto";
import type {
  ComparedRow,
  Engine,
  FlameDetails,
  FlameOf,
  FlameQuery,
  Flames,
  FunctionRow,
  Scope,
} from "../../engine/api";
import type { Task } from "../../model/task";
import { parse } from "../../protocol/bounds";
import {
  flameAreas,
  flameLook,
  type FlamePane,
  type FlameState,
  flameWindow,
  type FlameWindowShown,
  ofFlameMark,
} from "../../protocol/flameGraph";
import { comparedDataSets, sameMetric } from "../../session/comparedScopes";
import { graphWorld } from "../kit/comparedRecording";
import type { View } from "../kit/definition";
import { type Pinned, pinned } from "../kit/pins";
import { subjectOf } from "../kit/pinnedSubjects";
import { shorten } from "../../model/texts";

export interface DrawnFlames {
  readonly kind: FlamePane;
  readonly query: FlameQuery;
  readonly window: FlameWindowShown;
  readonly flames: Flames;
}

export interface FlamesShown {
  readonly subject: string;
  /** Of the function or the bar. */
  readonly title?: string;
  readonly search?: string;
  /** Of a whole recording that is compared: the functions whose exclusive differs most. */
  readonly changes?: readonly ComparedRow[];
  /** Functions of a whole recording by exclusive and by inclusive, as its page has them. */
  readonly hottest?: { readonly exclusive: readonly FunctionRow[]; readonly inclusive: readonly FunctionRow[] };
  readonly panes: readonly DrawnFlames[];
  /** What was asked of rectangles, by their marks: a click needs what was explained before it. */
  readonly details: Map<number, Promise<FlameDetails>>;
}

type FlameView = View<FlameState>;
type BarOf = Extract<FlameOf, { kind: "bar" }>;

/** Rectangles of all drawings: their columns, and names of a usual length, fill half of a message. */
const MOST_RECTANGLES = 8000;
const WHOLE = { from: 0, to: 1, row: 0 };

export async function askFlames(view: FlameView, task: Task): Promise<FlamesShown> {
  const asked = await questionsOf(view);
  task.check();
  const subject = subjectKey(view.state);
  const look = lookInto(subject, view);
  const areas = flameAreas(
    view.size,
    asked.panes.map(() => Infinity),
  );
  const windows = look?.windows ?? areas.map((area) => flameWindow(WHOLE, area));
  const panes = asked.panes.map(([kind, of], at) => ({
    kind,
    query: { scope: view.scope, of, order: view.state.order, ...baselineIn(view) },
    window: windows[at],
  }));
  const drawn = await answered(panes, look?.search, view, task);
  return {
    subject,
    ...asked,
    ...drawn,
    ...(await changesIn(view, task)),
    ...(await hottestIn(view, task)),
    details: new Map(),
  };
}

/** Asks for the drawings of which another part is in sight now. */
export async function lookAtFlames(shown: FlamesShown, view: FlameView, task: Task): Promise<FlamesShown> {
  const look = lookInto(shown.subject, view);
  if (look?.windows.length !== shown.panes.length) return shown;
  const isSame = (pane: DrawnFlames, window: FlameWindowShown) =>
    shown.search === look.search && JSON.stringify(pane.window) === JSON.stringify(window);
  const panes = look.windows.map((window, at) => {
    const { kind, query, flames } = shown.panes[at];
    return { kind, query, window, ...(isSame(shown.panes[at], window) ? { flames } : {}) };
  });
  return { ...shown, ...(await answered(panes, look.search, view, task)) };
}

async function answered(
  wanted: readonly (Omit<DrawnFlames, "flames"> & { readonly flames?: Flames })[],
  search: string | undefined,
  view: FlameView,
  task: Task,
): Promise<Pick<FlamesShown, "panes" | "search">> {
  const { session } = view;
  const colour = colourOf(view);
  const panes: DrawnFlames[] = [];
  for (const pane of wanted) {
    const window = {
      ...pane.window,
      asShares: true,
      mostRectangles: Math.floor(MOST_RECTANGLES / wanted.length),
      ...(search === undefined ? {} : { search }),
      ...(colour === "exclusive" || colour === "difference" ? {} : { groupBy: colour }),
    };
    const flames = pane.flames ?? (await session.engine.flames({ query: pane.query, window }, task));
    task.check();
    panes.push({ ...pane, flames });
  }
  return { panes, search };
}

/** Functions that are listed. */
const LISTED = 20;

/** Whole functions, whatever of them is in sight: the same numbers as on the recording's page. */
async function hottestIn(view: FlameView, task: Task): Promise<Pick<FlamesShown, "hottest">> {
  if (baselineIn(view).compared || view.state.mode !== "recording") return {};
  const { scope, session } = view;
  const rows = (by: "exclusive" | "inclusive") => session.engine.hotFunctions({ scope, by, limit: LISTED }, task);
  return { hottest: { exclusive: await rows("exclusive"), inclusive: await rows("inclusive") } };
}

/** A path that the baseline has not is new along itself alone: what a function differs in everywhere is asked for. */
async function changesIn(view: FlameView, task: Task): Promise<Pick<FlamesShown, "changes">> {
  const { compared, renamed = [] } = baselineIn(view);
  if (!compared || view.state.mode !== "recording") return {};
  const sides = { baseline: [compared], candidate: [view.scope], renamed };
  const query = { ...sides, value: "exclusive", limit: LISTED, linked: 0 } as const;
  const { rows } = await view.session.engine.comparison(query, task);
  return { changes: rows.filter(({ difference }) => difference !== 0) };
}

/** The baseline that the recording is compared with, where it is a candidate and colours are to show the difference. */
export function baselineIn(view: FlameView): Pick<FlameQuery, "compared" | "renamed"> {
  const compared = colourOf(view) === "difference" ? baselineOrWhyNot(view) : undefined;
  return typeof compared === "object" ? { compared, renamed: view.session.renamed } : {};
}

/** Share of the kernel and of libraries from which on modules say more than heat. */
const MIN_FOREIGN = 0.05;

/** Colours unless others were chosen: the difference from a baseline, modules if much of the time is foreign, else heat. */
export function usualColour(view: FlameView): "difference" | "exclusive" | "module" {
  if (typeof baselineOrWhyNot(view) === "object") return "difference";
  return (view.dataSet.foreignShare ?? 0) >= MIN_FOREIGN ? "module" : "exclusive";
}

export function colourOf(view: FlameView): NonNullable<FlameState["colour"]> {
  return view.state.colour ?? usualColour(view);
}

/** The baseline in what a candidate shows; a string says why it is not compared, undefined: it is no candidate. */
export function baselineOrWhyNot({
  session,
  dataSet,
  scope,
}: Pick<FlameView, "session" | "dataSet" | "scope">): Scope | string | undefined {
  const both = comparedDataSets(session);
  return both?.[1].info.id === dataSet.id ? sameMetric({ info: dataSet, scope }, both[0]) : undefined;
}

/** What the page looks at, if that is in the drawing of this subject. */
function lookInto(subject: string, { look }: FlameView) {
  const known = parse(flameLook, look);
  return known?.subject === subject && known.windows.every(({ from, to }) => to > from) ? known : undefined;
}

function subjectKey({ mode, function: wanted, bar, order }: FlameState): string {
  const what = JSON.stringify([mode, mode === "sandwich" && wanted, mode === "bar" && bar, order]);
  return createHash("sha256").update(what).digest("base64url").slice(0, 22);
}

/** What each drawing shows. */
async function questionsOf(view: FlameView): Promise<{ title?: string; panes: [FlamePane, FlameOf][] }> {
  const { session, scope, state } = view;
  const bar = barIn(view);
  if (bar && typeof bar !== "string") return { title: state.bar?.name, panes: [["bar", bar]] };
  const wanted = state.mode === "sandwich" ? state.function : undefined;
  if (!wanted) return { panes: [["recording", { kind: "recording" }]] };
  const rows = await functionRows(session.engine, scope);
  const row = rows.find((candidate) => {
    const { name, detail } = functionOf(candidate);
    return name === wanted.name && detail === wanted.detail;
  });
  if (!row) throw new Error(`There is no function ${shorten(wanted.name, 200)} in this recording any more.`);
  const { function: id } = row;
  return {
    title: wanted.name,
    panes: [
      ["callers", { kind: "callers", function: id }],
      ["callees", { kind: "callees", function: id }],
    ],
  };
}

/** The bar that is looked into; a string says why there is none, undefined: another mode is shown. */
export function barIn(view: FlameView): BarOf | string | undefined {
  const { session, dataSet, scope, state } = view;
  const { bar } = state;
  if (state.mode !== "bar" || !bar) return undefined;
  // Of the metric that is shown now, as it would be in the graph.
  const of =
    bar.kind === "bar" ? subjectOf({ ...bar, metric: undefined }, dataSet, scope, graphWorld(session)) : undefined;
  if (typeof of === "string") return of;
  const { target, lost }: Pinned = of ?? pinned(bar, view);
  if (lost !== undefined) return lost;
  return target?.kind === "bar" ? { ...target, query: { ...target.query, scope } } : undefined;
}

/** How a function is remembered: the same for as long as names are. */
export function functionOf({ name, detail }: Pick<FunctionRow, "name" | "detail">) {
  return { name: shorten(name, 4096), detail: shorten(detail, 4096) };
}

export function functionRows(engine: Engine, scope: Scope): Promise<FunctionRow[]> {
  return engine.hotFunctions({ scope, by: "inclusive", limit: Number.MAX_SAFE_INTEGER });
}

/** What a rectangle stands for, and its line. Asked once for all who want it: none of them may cancel it for the others. */
export function detailsOf({ panes, details }: FlamesShown, mark: number, { session }: FlameView) {
  const { pane, node } = ofFlameMark(mark);
  const query = panes.at(pane)?.query;
  const known = details.get(mark);
  if (known || !query) return known;
  const asked = session.engine.flameDetails({ query, node });
  details.set(mark, asked);
  asked.catch(() => details.delete(mark));
  return asked;
}
