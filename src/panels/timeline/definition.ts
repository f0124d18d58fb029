/** The timeline: what happened when, lane by lane. */
import { eventKinds } from "../../model/eventKinds";
import { placeText } from "../../model/placeText";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import { formatValue } from "../../model/units";
import type { SelectControl } from "../../protocol/frame";
import type { Explained } from "../../protocol/panel";
import { type TimelineContent, type TimelineState, timelineState } from "../../protocol/timeline";
import { timelineMessage } from "../../session/notRecorded";
import { windowMetric } from "../../session/scopeChoice";
import type { PanelDefinition, PanelHandle, Subject } from "../kit/definition";
import {
  askTimeline,
  eventOf,
  lookAtTimeline,
  placeOf,
  type TimelineShown,
  type TimelineView,
  traceOf,
} from "./asking";
import { timelineContent } from "./content";
import { laneTypes, lanesText } from "./lanes";

const ALL_LANES = "";

export const timeline: PanelDefinition<TimelineState, TimelineShown, TimelineContent, never> = {
  id: "timeline",
  title: "Timeline",
  saved: "timeline",
  state: timelineState,
  start: { look: "depth", colour: "kind", messages: "1000" },
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls,
  choose: (_, id, value) => ({ [id]: id === "lanes" && value === ALL_LANES ? undefined : value }),
  unmeasured: timelineMessage,
  asked: (view) => [view.state, traceOf(view)],
  ask: askTimeline,
  look: lookAtTimeline,
  explain,
  content: timelineContent,
  subject,
  actions: { restrict },
};

/** Restricts all numbers to what is measured. */
function restrict(
  { look }: TimelineShown,
  _: number | undefined,
  panel: PanelHandle<TimelineState, TimelineShown>,
): void {
  const { view } = panel;
  if (!look?.isMeasured || !view) return;
  const { session, dataSet, scope } = view;
  if (scope.metric >= 0 && windowMetric(dataSet, scope.metric) >= 0) session.setWindow(dataSet.id, look.range);
  else panel.notice("No metric of this recording is known over time, so that nothing can be restricted to a window.");
}

function controls({ state }: TimelineView, shown?: TimelineShown): SelectControl[] {
  const types = shown ? laneTypes(shown.facts) : [];
  const lanes = shown ? lanesText(shown.facts, shown.isShown) : "all lanes";
  return [
    {
      ...{ kind: "select", id: "colour", name: "Colour", value: state.colour, standard: "kind" },
      choices: [
        { value: "kind", label: "by kind", short: "kind" },
        { value: "function", label: "by function", short: "function" },
      ],
    },
    {
      ...{ kind: "select", id: "lanes", name: "Lanes", value: state.lanes ?? ALL_LANES, standard: ALL_LANES },
      choices: [
        { value: ALL_LANES, label: state.lanes === undefined ? lanes : "all lanes" },
        ...types.map((type) => ({ value: type, label: state.lanes === type ? `${type}: ${lanes}` : type })),
      ],
    },
    {
      ...{ kind: "select", id: "look", name: "Depths", value: state.look, standard: "depth" },
      choices: [
        { value: "depth", label: "all depths", short: "depths" },
        { value: "state", label: "innermost", title: "One row per lane: what it was in at each moment" },
      ],
    },
    {
      ...{ kind: "select", id: "messages", name: "Messages", value: state.messages, standard: "1000" },
      choices: [
        { value: "0", label: "all messages", short: "messages" },
        { value: "1000", label: "messages ≥ 1 kB", short: "≥ 1 kB" },
        { value: "1000000", label: "messages ≥ 1 MB", short: "≥ 1 MB" },
        { value: "off", label: "messages off", short: "no messages" },
      ],
    },
  ];
}

/** Callers that are named. */
const CALLERS = 8;

/** Calls in which somebody may wait for others. */
const WAITS = /^P?MPI_/;

async function explain(
  shown: TimelineShown,
  mark: number,
  view: TimelineView,
  task: Task,
): Promise<Explained | undefined> {
  const event = await eventOf(shown, mark, view);
  if (!event) return undefined;
  const { callers, category, link, state, name } = event;
  const cause = WAITS.test(name) ? await causeOf(shown, mark, view, task) : undefined;
  const place = link && placeText(link);
  const kind = eventKinds[shown.facts.states[state].kind];
  const before = callers.length - CALLERS;
  const path = [
    ...(before > 0 ? [`${before} more`] : []),
    ...callers.slice(-CALLERS).map((name) => shorten(name, 200)),
  ];
  return {
    facts: [
      ...(cause ? [["waited for", cause.says] as [string, string]] : []),
      ...(path.length > 0 ? [["in", path.join(" › ")] as [string, string]] : []),
      ["kind", kind],
      // The recording's own word, where it says more.
      ...(category === "" || category === kind ? [] : [["recorded as", shorten(category, 200)] as [string, string]]),
      ...(place === undefined ? [["line", "not known"] as [string, string]] : []),
    ],
    ...(place === undefined ? {} : { place: shorten(place, 300) }),
    ...(cause?.other ? { other: cause.other } : {}),
  };
}

/** Whom a call waited for, in words, and where that is; undefined where nobody waited. */
async function causeOf(shown: TimelineShown, mark: number, view: TimelineView, task: Task) {
  const { facts, firstEvent } = shown;
  const { lane, event } = placeOf(shown, mark);
  const cause = await view.session.engine.timelineCause({ dataSet: view.dataSet.id, lane, event }, task);
  if (cause.kind === "none") return { says: `not known: ${shorten(cause.why, 200)}` };
  const name = shorten(facts.lanes[cause.lane].name, 100);
  const says = `${name}, ${cause.kind}, ${formatValue(cause.waitedSeconds, "s")}`;
  const at = cause.event < 0 ? undefined : firstEvent[cause.lane] + cause.event;
  if (at === undefined) return { says };
  const { startSeconds, endSeconds } = await view.session.engine.timelineEvent(
    { ...traceOf(view), lane: cause.lane, event: cause.event },
    task,
  );
  const length = facts.endSeconds - facts.startSeconds || 1;
  const x = (startSeconds - facts.startSeconds) / length;
  const width = (endSeconds - startSeconds) / length;
  return { says, other: { name, place: { mark: at, x, width, row: cause.lane } } };
}

async function subject(
  shown: TimelineShown,
  mark: number | undefined,
  view: TimelineView,
): Promise<Subject | undefined> {
  const event = mark === undefined ? undefined : await eventOf(shown, mark, view);
  // Of what the profile does not have there is nothing to select, and no line to go to.
  return event?.target && { target: event.target, name: event.name, ...(event.link ? { link: event.link } : {}) };
}
