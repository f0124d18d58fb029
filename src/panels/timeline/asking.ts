/** What a timeline asks the engine, and what it has of the answers. */
import { createHash } from "node:crypto";
import type {
  CriticalPath,
  Occurrences,
  TimelineEvent,
  TimelineFacts,
  TimelineFound,
  TimelineMarks,
  TimelineMessages,
  TimelineStrip,
  TimelineSums,
  WaitTotals,
} from "../../engine/api";
import { shownNames } from "../../model/shownNames";
import type { Task } from "../../model/task";
import { parse } from "../../protocol/bounds";
import type { Stretch } from "../../protocol/panel";
import {
  MOST_FOUND,
  MOST_MESSAGES,
  timelineLook,
  type TimelineLook,
  type TimelineState,
} from "../../protocol/timeline";
import { listsIn } from "./askingLists";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";
import { type LaneGroups, laneGroups, shownLanes } from "./lanes";

export type TimelineView = View<TimelineState>;

export interface TimelineShown {
  readonly subject: string;
  readonly facts: TimelineFacts;
  readonly groups: LaneGroups;
  readonly isShown: readonly boolean[];
  /** Of functions whose names are shown shorter. */
  readonly shortNames: ReadonlyMap<string, string>;
  readonly strip: TimelineStrip & { readonly columns: number };
  /** Number of each lane's first event among those of all lanes. */
  readonly firstEvent: Float64Array;
  /** What is here; undefined until the page has said what is in sight. */
  readonly look?: TimelineLook;
  readonly marks?: TimelineMarks;
  readonly messages?: TimelineMessages;
  readonly found?: TimelineFound & { readonly search: string };
  /** Of what is measured, or, where the functions' table is open, of what is in sight; and where its first functions stand. */
  readonly sums?: TimelineSums & { readonly range: Stretch; readonly places: readonly string[] };
  /** Of the function whose events were asked for last. */
  readonly occurrences?: Occurrences & { readonly state: number };
  /** What lanes waited for others in this stretch. */
  readonly waits?: WaitTotals & { readonly range: Stretch };
  /** Where marks are, and what is on it in the stretch that its table is of. */
  readonly path?: CriticalPath;
  readonly pathSums?: CriticalPath & { readonly range: Stretch; readonly places: readonly string[] };
  /** What was asked of events, by their numbers. */
  readonly details: Map<number, Promise<TimelineEvent>>;
}

/** With the names of their functions they fill most of a message. */
const MOST_MARKS = 14_000;
/** Of the picture of the whole. */
const STRIP_COLUMNS = 1000;
const STRIP_ROWS = 14;

export async function askTimeline(view: TimelineView, task: Task): Promise<TimelineShown> {
  const { session, scope, state } = view;
  const of = traceOf(view);
  const [facts, strip] = await Promise.all([
    session.engine.timelineFacts({ ...of, ...(scope.chosen ? { chosen: scope.chosen } : {}) }, task),
    session.engine.timelineStrip({ ...of, columns: STRIP_COLUMNS, rows: STRIP_ROWS }, task),
  ]);
  task.check();
  const firstEvent = new Float64Array(facts.lanes.length + 1);
  facts.lanes.forEach(({ events }, lane) => (firstEvent[lane + 1] = firstEvent[lane] + events));
  const shown: TimelineShown = {
    ...{ subject: subjectOf(view), facts, firstEvent, details: new Map() },
    shortNames: shownNames(facts.states.map(({ name }) => name)),
    ...{ groups: laneGroups(facts), isShown: shownLanes(facts, state.lanes) },
    strip: { ...strip, columns: STRIP_COLUMNS },
  };
  return lookAtTimeline(shown, view, task);
}

/** Asks for the rows and the stretch of time that are in sight now. */
export async function lookAtTimeline(shown: TimelineShown, view: TimelineView, task: Task): Promise<TimelineShown> {
  const look = parse(timelineLook, view.look);
  if (look?.subject !== shown.subject || look.lanes.some(({ lane }) => lane >= shown.facts.lanes.length)) return shown;
  const lists = await listsIn(shown, look, view, task);
  // Marks that are there are not asked for again: sums take a while, and are looked at while nothing moves.
  if (look.keepsMarks && shown.look) return { ...shown, ...lists, look: { ...look, ...part(shown.look) } };
  const { session, state } = view;
  const window = { fromSeconds: look.from, toSeconds: look.to };
  const query = {
    ...{ ...traceOf(view), ...window, look: state.look, pixelSeconds: look.pixel, lanes: look.lanes },
    mostMarks: MOST_MARKS,
  };
  const lanes = [...new Set(look.lanes.map(({ lane }) => lane))];
  const [marks, found, messages, path] = await Promise.all([
    session.engine.timelineMarks(query, task),
    foundIn(shown, look, view, task),
    state.messages === "off" || shown.facts.messages === 0
      ? undefined
      : session.engine.timelineMessages(
          {
            ...{ dataSet: view.dataSet.id, ...window, lanes, most: MOST_MESSAGES },
            leastBytes: Number(state.messages),
          },
          task,
        ),
    state.path ? session.engine.timelinePath({ ...traceOf(view), ...window, withFunctions: false }, task) : undefined,
  ]);
  task.check();
  return { ...shown, ...lists, look, marks, messages, found, path };
}

/** Searches all lanes that are shown, once for each text. */
async function foundIn(shown: TimelineShown, { search, from }: TimelineLook, view: TimelineView, task: Task) {
  if (search === undefined) return undefined;
  if (shown.found?.search === search) return shown.found;
  const wanted = search.trim().toLowerCase();
  const states = shown.facts.states.flatMap(({ name }, at) => (name.toLowerCase().includes(wanted) ? [at] : []));
  const query = { ...traceOf(view), states, lanes: lanesOf(shown), fromSeconds: from, most: MOST_FOUND };
  return { ...(await view.session.engine.timelineFind(query, task)), search };
}

/** What of the drawing is in sight. */
function part({ from, to, pixel, lanes, search }: TimelineLook) {
  return { from, to, pixel, lanes, search };
}

/** Lanes that are shown. */
export function lanesOf({ isShown }: TimelineShown): number[] {
  return isShown.flatMap((one, lane) => (one ? [lane] : []));
}

/** An event, what it stands for, and its line. Asked once for all who want it: none of them may cancel it for the others. */
export function eventOf(shown: TimelineShown, mark: number, view: TimelineView) {
  const { details } = shown;
  const known = details.get(mark);
  if (known) return known;
  const { lane, event } = placeOf(shown, mark);
  if (lane < 0) return undefined;
  const asked = view.session.engine.timelineEvent({ ...traceOf(view), lane, event });
  details.set(mark, asked);
  asked.catch(() => details.delete(mark));
  return asked;
}

/** The event that a mark is named after; lane -1: there is none. */
export function placeOf(
  { firstEvent }: TimelineShown,
  mark: number,
): { readonly lane: number; readonly event: number } {
  const lane = firstEvent.findIndex((first, at) => first <= mark && mark < (firstEvent[at + 1] ?? -1));
  return { lane, event: mark - (firstEvent[lane] ?? 0) };
}

/** What all questions about events name. */
export function traceOf({ dataSet }: TimelineView) {
  return { dataSet: dataSet.id, categories: currentSettings().categories };
}

function subjectOf(view: TimelineView): string {
  const {
    dataSet,
    scope: { chosen },
    state: { look, lanes },
  } = view;
  return createHash("sha256")
    .update(JSON.stringify([dataSet.key, look, lanes, chosen, traceOf(view).categories]))
    .digest("base64url")
    .slice(0, 22);
}
