/** What a timeline asks the engine. */
import { createHash } from "node:crypto";
import { nameTones, SHADES } from "../../protocol/nameTones";
import type { TimelineFacts } from "../../engine/api";
import type { Task } from "../../model/task";
import { parse } from "../../protocol/bounds";
import { MOST_FOUND, MOST_MESSAGES, timelineLook, type TimelineLook } from "../../protocol/timeline";
import { MOST_PHASES } from "../../protocol/timelineLists";
import { listsIn } from "./askingLists";
import { type LaneGroups, laneGroups, pinnedLanes, shownLanes, withBriefLanes } from "./lanes";
import { shownSeries } from "./phases";
import { lanesOf, type TimelineShown, type TimelineView, traceOf } from "./shown";

/** With the names of their functions they fill most of a message. */
const MOST_MARKS = 14_000;
/** Of the picture of the whole. */
const STRIP_COLUMNS = 1000;
const STRIP_ROWS = 14;

/** @param pinned names of the lanes on top */
export async function askTimeline(view: TimelineView, pinned: readonly string[], task: Task): Promise<TimelineShown> {
  const { session, scope, state } = view;
  const of = traceOf(view);
  const [facts, strip] = await Promise.all([
    session.engine.timelineFacts({ ...of, ...(scope.chosen ? { chosen: scope.chosen } : {}) }, task),
    session.engine.timelineStrip({ ...of, columns: STRIP_COLUMNS, rows: STRIP_ROWS }, task),
  ]);
  task.check();
  const isShown = shownLanes(facts, state, pinned);
  const firstEvent = new Float64Array(facts.lanes.length + 1);
  facts.lanes.forEach(({ events }, lane) => (firstEvent[lane + 1] = firstEvent[lane] + events));
  const shown: TimelineShown = {
    subject: subjectOf(view),
    facts,
    firstEvent,
    details: new Map(),
    tones: nameTones(Array.from(facts.byTime, (state) => facts.states[state].name)),
    shades: shadesOf(facts),
    groups: groupsIn(view, facts, isShown),
    isShown,
    pinned: pinnedLanes(facts, isShown, pinned),
    strip: { ...strip, columns: STRIP_COLUMNS },
  };
  return lookAtTimeline({ ...shown, phases: await phasesIn(shown, view, task) }, view, task);
}

/** Lanes that were chosen by name or type stay where they are, also brief ones. */
function groupsIn({ dataSet, state }: TimelineView, facts: TimelineFacts, isShown: readonly boolean[]): LaneGroups {
  const groups = laneGroups(facts);
  const areChosen = state.filter !== undefined || state.lanes !== undefined;
  return areChosen || dataSet.ranks.length > 0 ? groups : withBriefLanes(facts, groups, isShown);
}

function shadesOf({ byTime, states }: TimelineFacts): ReadonlyMap<number, number> {
  const shades = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const state of byTime) {
    const count = counts.get(states[state].kind) ?? 0;
    shades.set(state, count % SHADES);
    counts.set(states[state].kind, count + 1);
  }
  return shades;
}

/** Asks for the rows and the stretch of time that are in sight now. */
export async function lookAtTimeline(shown: TimelineShown, view: TimelineView, task: Task): Promise<TimelineShown> {
  const look = parse(timelineLook, view.look);
  if (look?.subject !== shown.subject || look.lanes.some(({ lane }) => lane >= shown.facts.lanes.length)) return shown;
  // Counters come later, by themselves.
  if (look.keepsLists && shown.look) return shown;
  const lists = await listsIn(shown, look, view, task);
  // Marks that are there are not asked for again: sums take a while, and are looked at while nothing moves.
  if (look.keepsMarks && shown.look) return { ...shown, ...lists, look: { ...look, ...part(shown.look) } };
  const { session, state } = view;
  const window = { fromSeconds: look.from, toSeconds: look.to };
  const query = {
    ...traceOf(view),
    ...window,
    look: state.look,
    pixelSeconds: look.pixel,
    lanes: look.lanes,
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
            dataSet: view.dataSet.id,
            ...window,
            lanes,
            most: MOST_MESSAGES,
            leastBytes: Number(state.messages),
          },
          task,
        ),
    state.path ? session.engine.timelinePath({ ...traceOf(view), ...window, withFunctions: false }, task) : undefined,
  ]);
  task.check();
  return { ...shown, ...lists, look, marks, messages, found, path };
}

/** Of the sort that is shown, in the lanes that are shown. */
async function phasesIn(shown: TimelineShown, view: TimelineView, task: Task) {
  const of = shownSeries(shown.facts, view.state.phases);
  if (!of) return undefined;
  const query = { ...traceOf(view), series: of.id, lanes: lanesOf(shown), most: MOST_PHASES };
  return { ...(await view.session.engine.timelinePhases(query, task)), of };
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

function subjectOf(view: TimelineView): string {
  const {
    dataSet,
    scope: { chosen },
    state: { look, lanes, filter },
  } = view;
  return createHash("sha256")
    .update(JSON.stringify([dataSet.key, look, lanes, filter, chosen, traceOf(view).categories]))
    .digest("base64url")
    .slice(0, 22);
}
