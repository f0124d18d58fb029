/** The timeline: what happened when, lane by lane. */
import type { Control } from "../../protocol/frame";
import { type LaneOrder, type TimelineContent, type TimelineState, timelineState } from "../../protocol/timeline";
import { timelineMessage } from "../../session/notRecorded";
import { windowMetric } from "../../session/scopeChoice";
import type { PanelDefinition, PanelHandle, Subject } from "../kit/definition";
import { askTimeline, lookAtTimeline } from "./asking";
import { eventOf, type TimelineShown, type TimelineView, traceOf } from "./shown";
import { timelineContent } from "./content";
import { explain, goAlong, goToOccurrence, WAITS } from "./explaining";
import { laneTypes, lanesText } from "./lanes";
import { missingText } from "./lists";

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
  choose: ({ state }, id, value) =>
    id === "path" ? { path: !state.path } : { [id]: id === "lanes" && value === ALL_LANES ? undefined : value },
  unmeasured: timelineMessage,
  notes: ({ waits, pathSums, path, isShown }) => {
    const missing = missingText((path && pathSums ? pathSums : waits)?.missing ?? path?.missing ?? []);
    return [
      ...(isShown.includes(true) ? [] : ["No lane is of what the numbers are restricted to."]),
      ...(missing === "" ? [] : [missing]),
    ];
  },
  asked: (view) => [view.state, view.scope.chosen, traceOf(view)],
  ask: askTimeline,
  look: lookAtTimeline,
  explain,
  content: timelineContent,
  subject,
  actions: {
    restrict,
    "chain-next": goAlong(false),
    "chain-back": goAlong(true),
    "next-occurrence": goToOccurrence(false),
    "previous-occurrence": goToOccurrence(true),
  },
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

const ORDERS: readonly { readonly value: LaneOrder; readonly label: string }[] = [
  { value: "recorded", label: "as recorded" },
  { value: "name", label: "by name" },
  { value: "communication", label: "most communication first" },
  { value: "busy", label: "busiest first" },
];

function controls({ state }: TimelineView, shown?: TimelineShown): Control[] {
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
    {
      ...{ kind: "tool", id: "order", name: "Order of lanes", icon: "list-tree", leaves: 10, tucked: true },
      menu: ORDERS.map((choice) => ({ ...choice, checked: choice.value === (state.order ?? "recorded") })),
    },
    {
      ...{ kind: "tool", id: "path", name: "Critical path", icon: "git-branch", leaves: 9, on: state.path === true },
      ...(shown && !shown.facts.states.some(({ name }) => WAITS.test(name))
        ? { disabled: "No calls are recorded in which somebody waits for others." }
        : {}),
    },
  ];
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
