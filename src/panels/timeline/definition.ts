/** The timeline: what happened when, lane by lane. */
import * as vscode from "vscode";
import { isMpiCall } from "../../model/mpiNames";
import { shorten } from "../../model/texts";
import type { Control } from "../../protocol/frame";
import { type LaneOrder, type TimelineContent, type TimelineState, timelineState } from "../../protocol/timeline";
import type { TimelinePart } from "../../protocol/timelineCounters";
import { flagIn } from "../../session/commandArguments";
import { noLinesMessage, timelineMessage } from "../../session/notRecorded";
import type { PanelDefinition, PanelHandle, Subject } from "../kit/definition";
import { hasOwnColors } from "../kit/ownColors";
import { restrictInTime } from "../kit/restricting";
import { highlightKind, restrictToKind, restrictToLane } from "./restricting";
import { askTimeline, lookAtTimeline } from "./asking";
import { exportWindow } from "./exporting";
import { eventOf, lanesOf, placeOf, type TimelineShown, type TimelineView, traceOf } from "./shown";
import { timelineContent } from "./content";
import { CONSTANT_SHOWN, constantNotes, counterControls, goToMetrics, laterCounters } from "./counters";
import { explain, goAlong, goToOccurrence } from "./explaining";
import { bookmarkControls, keepBookmark, useBookmark } from "./bookmarks";
import { laneTypes, lanesText, shownText } from "./lanes";
import { markOf } from "./marking";
import type { TimelineNotesStore } from "./notes";
import { missingText } from "./lists";
import { startsText } from "./rankStarts";
import { phasesControl } from "./phases";

const ALL_LANES = "";
/** Asks for a text; and the value while lanes are chosen by one, as no type of resources is called. */
const NAMED = "\u0000named";

/** @param kept what people keep of recordings: bookmarks, pinned lanes */
export const timeline = (
  kept: TimelineNotesStore,
): PanelDefinition<TimelineState, TimelineShown, TimelineContent, never, TimelinePart> => ({
  id: "timeline",
  title: "Timeline",
  saved: "timeline",
  state: timelineState,
  start: { look: "depth", colour: "kind", messages: "1000" },
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  apart: {
    open: (argument, beside) => (flagIn(argument, "apart") ? { ...beside, apart: true } : undefined),
    is: ({ apart }) => apart === true,
  },
  controls: (view, shown) => [
    ...controls(view, shown),
    ...bookmarkControls(view, kept),
    {
      kind: "tool",
      id: "apart",
      icon: "split-vertical",
      leaves: 10,
      tucked: true,
      name: "Another stretch below…",
    },
    {
      kind: "tool",
      id: "export",
      icon: "export",
      leaves: 10,
      tucked: true,
      name: "Export window as Chrome trace…",
    },
  ],
  async choose({ state }, id, value, panel) {
    if (id === "bookmark") return void (await keepBookmark(undefined, undefined, panel, kept));
    if (id === "export") return void (await exportShown(panel));
    if (id === "apart")
      return void (await panel.run("heatflow.showTimeline", { target: undefined, name: "" }, { apart: true }));
    if (id === "bookmarks") return void (await useBookmark(value, panel, kept));
    if (id === "path") return { path: !state.path };
    if (id === "counters") return { counters: state.counters === false };
    if (id === "constantCounters") return state.constantCounters ? { constantCounters: false } : CONSTANT_SHOWN;
    if (id !== "lanes") return { [id]: value };
    if (value !== NAMED) return { lanes: value === ALL_LANES ? undefined : value, filter: undefined };
    const filter = await askFilter(state.filter);
    return filter === undefined ? undefined : { filter: filter === "" ? undefined : filter };
  },
  unmeasured: timelineMessage,
  notes: ({ waits, pathSums, path, isShown, facts }, { state, dataSet }) => {
    const { filter, apart } = state;
    const noLines = noLinesMessage(dataSet);
    const began = startsText({ waits, facts });
    const missing = missingText((path && pathSums ? pathSums : waits)?.missing ?? path?.missing ?? []);
    return [
      ...(isShown.includes(true)
        ? []
        : [
            facts.lanes.length === 0
              ? "No events are recorded, so there are no lanes."
              : filter === undefined
                ? "No lane is of what the numbers are restricted to."
                : `No lane is called “${shorten(filter, 200)}”: choose “all lanes”.`,
          ]),
      ...constantNotes(facts, state),
      ...(missing === "" ? [] : [missing]),
      ...(began === "" ? [] : [began]),
      ...(apart ? ["This timeline has a window of its own: other views neither follow nor move it."] : []),
      ...(noLines === undefined ? [] : [noLines]),
    ];
  },
  links: { constantCounters: (panel) => panel.change(CONSTANT_SHOWN) },
  asked: (view) => [view.state, view.scope.chosen, traceOf(view), kept.of(view.dataSet.key).pinned],
  ask: (view, task) => askTimeline(view, kept.of(view.dataSet.key).pinned, task),
  look: lookAtTimeline,
  later: [laterCounters],
  explain,
  content: timelineContent,
  subject,
  markOf,
  highlighted: (_, { lanes }) => lanes,
  actions: {
    restrict: ({ look }, _, panel) => (look?.isMeasured ? restrictInTime(look.range, panel) : undefined),
    "restrict-lane": restrictToLane,
    "restrict-kind": restrictToKind,
    "highlight-kind": highlightKind,
    "chain-next": goAlong(false),
    "chain-back": goAlong(true),
    "next-occurrence": goToOccurrence(false),
    "previous-occurrence": goToOccurrence(true),
    bookmark: (shown, mark, panel) => keepBookmark(shown, mark, panel, kept),
    pin: (shown, mark, panel) => pin(shown, mark, panel, kept),
    metrics: goToMetrics,
  },
});

/** The window with the lanes that are shown. */
async function exportShown({ view, onScreen }: PanelHandle<TimelineState, TimelineShown>): Promise<void> {
  if (view && onScreen) await exportWindow(view.session, view.dataSet, lanesOf(onScreen.shown), view.window);
}

/** Pins the lane of an event on top, or takes the pin away. */
async function pin(
  shown: TimelineShown,
  mark: number | undefined,
  panel: PanelHandle<TimelineState, TimelineShown>,
  kept: TimelineNotesStore,
): Promise<void> {
  const lane = mark === undefined ? undefined : shown.facts.lanes.at(placeOf(shown, mark).lane);
  if (!lane || !panel.view) return;
  await kept.togglePin(panel.view.dataSet.key, lane.name);
  await panel.change({});
}

/** @returns undefined where the user went back; "": all lanes */
async function askFilter(before: string | undefined): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: "Lanes by Name",
    prompt: "Texts to find in the names of lanes or of their groups, separated by commas. Empty: all lanes",
    ...(before === undefined ? {} : { value: before }),
    validateInput: (given) => (given.length > 1000 ? "At most 1,000 characters." : undefined),
  });
  return text?.trim();
}

const ORDERS: readonly { readonly value: LaneOrder; readonly label: string }[] = [
  { value: "recorded", label: "as recorded" },
  { value: "name", label: "by name" },
  { value: "communication", label: "most communication first" },
  { value: "busy", label: "busiest first" },
];

function controls({ state, scope }: TimelineView, shown?: TimelineShown): Control[] {
  const types = shown ? laneTypes(shown.facts) : [];
  const lanes = shown ? lanesText(shown.facts, shown.isShown) : "all lanes";
  const { filter } = state;
  const named =
    filter === undefined ? "" : `“${shorten(filter, 40)}”: ${shown ? shownText(shown.facts, shown.isShown) : ""}`;
  return [
    {
      kind: "select",
      id: "colour",
      name: "Colour",
      value: state.colour,
      standard: "kind",
      choices: [
        { value: "kind", label: "by kind", short: "kind" },
        { value: "function", label: "by function", short: "function" },
        ...(hasOwnColors(shown?.facts.states ?? [])
          ? [{ value: "own", label: "as recorded", short: "recorded", title: "Colours from the recording" }]
          : []),
      ],
    },
    {
      kind: "select",
      id: "lanes",
      name: "Lanes",
      value: filter === undefined ? (state.lanes ?? ALL_LANES) : NAMED,
      standard: ALL_LANES,
      choices: [
        { value: ALL_LANES, label: state.lanes === undefined && filter === undefined ? lanes : "all lanes" },
        ...types.map((type) => ({ value: type, label: state.lanes === type ? `${type}: ${lanes}` : type })),
        {
          value: NAMED,
          label: filter === undefined ? "by name…" : named,
          group: "name",
          ...(filter === undefined
            ? {}
            : {
                short: shown
                  ? `${shown.isShown.filter(Boolean).length} of ${shown.facts.lanes.length}`
                  : shorten(filter, 12),
              }),
          title: "Only lanes with a text in their names or in the names of their groups; pinned lanes stay",
        },
      ],
    },
    {
      kind: "select",
      id: "look",
      name: "Depths",
      value: state.look,
      standard: "depth",
      choices: [
        { value: "depth", label: "all depths", short: "depths" },
        { value: "state", label: "innermost", title: "One row per lane: what it was in at each moment" },
      ],
    },
    {
      kind: "select",
      id: "messages",
      name: "Messages",
      value: state.messages,
      standard: "1000",
      choices: [
        { value: "0", label: "all messages", short: "messages" },
        { value: "1000", label: "messages ≥ 1 kB", short: "≥ 1 kB" },
        { value: "1000000", label: "messages ≥ 1 MB", short: "≥ 1 MB" },
        { value: "off", label: "messages off", short: "no messages" },
      ],
    },
    {
      kind: "tool",
      id: "order",
      name: "Order of lanes",
      icon: "list-tree",
      leaves: 10,
      tucked: true,
      menu: ORDERS.map((choice) => ({ ...choice, checked: choice.value === (state.order ?? "recorded") })),
    },
    phasesControl(shown?.facts, state.phases),
    {
      kind: "tool",
      id: "path",
      name: "Critical path",
      icon: "git-branch",
      leaves: 9,
      on: state.path === true,
      ...(shown && !shown.facts.states.some(({ name }) => isMpiCall(name))
        ? { disabled: "No calls are recorded in which somebody waits for others." }
        : {}),
    },
    ...counterControls(shown?.facts, { state, scope }),
  ];
}

async function subject(
  shown: TimelineShown,
  mark: number | undefined,
  view: TimelineView,
): Promise<Subject | undefined> {
  if (mark === undefined) return undefined;
  const { lane } = placeOf(shown, mark);
  const event = await eventOf(shown, mark, view);
  if (lane < 0) return undefined;
  const at = { lanes: [lane], name: shown.facts.lanes[lane].name };
  // Of what the profile does not have there is nothing to select, and no line to go to.
  if (!event?.target) return { target: undefined, name: at.name, at };
  return { target: event.target, name: event.name, at, ...(event.link ? { link: event.link } : {}) };
}
