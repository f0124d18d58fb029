/** The summary over time: what a run is bound by, its clock, and two of its quantities from its beginning to its end. */
import type { BoundQuery, BoundTimes, Clock, ComputingImbalance, TimeWindow } from "../../engine/api";
import { imbalanceText } from "../../model/imbalance";
import { shorten } from "../../model/texts";
import { longestKind, SECTORS } from "../../protocol/clock";
import { type SummaryContent, type SummaryPart, type SummaryState, summaryState } from "../../protocol/summary";
import { statesMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import type { Task } from "../../model/task";
import type { Note, PanelDefinition, PanelHandle, View } from "../kit/definition";
import { leftOf, restrictInTime } from "../kit/restricting";
import { boundShown, clockContent } from "./clockContent";
import { askCounters, choiceOf, sideControls, sidesContent, type SummaryCounters } from "./sides";

/** Characters of a text that may name a function. */
const MAX_IMBALANCE = 300;

type SummaryView = View<SummaryState>;

interface SummaryShown {
  /** What was asked, as text. */
  readonly asked: string;
  readonly clock: Clock;
  readonly counters: SummaryCounters;
  /** Imbalance of computing in the metric; undefined if there is no metric, or if categories are not known. */
  readonly imbalance?: ComputingImbalance | undefined;
}

export const summary: PanelDefinition<SummaryState, SummaryShown, SummaryContent, never, SummaryPart> = {
  id: "summary",
  title: "Summary over Time",
  saved: "summary",
  state: summaryState,
  start: {},
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls: ({ state }, shown) => sideControls(state, shown),
  choose: (_, id, value) => {
    const choice = choiceOf(value);
    return choice === undefined ? undefined : { [id]: choice };
  },
  unmeasured: statesMessage,
  asked: (view) => [view.state, queryOf(view), view.scope],
  async ask(view, task, before) {
    const query = queryOf(view);
    const asked = JSON.stringify([query, view.scope]);
    // Another side of the glyph is made from what is there.
    const latest = before.at(0)?.shown;
    const known = latest?.asked === asked ? latest : undefined;
    const { engine } = view.session;
    const clock = known?.clock ?? (await engine.clock(query, task));
    const counters = await askCounters(engine, query, clock, view.state, known?.counters, task);
    const imbalance = known ? known.imbalance : await imbalanceIn(view, task);
    return known?.counters === counters ? known : { asked, clock, counters, imbalance };
  },
  content: summaryContent,
  notes,
  later: [
    {
      depends: ({ window }) => window ?? "whole",
      ask: async (_, view, task) => {
        const { window } = view;
        if (!window) return {};
        const times: BoundTimes = await view.session.engine.boundBy(
          { ...queryOf(view), window: leftOf(window, view.scope.window) },
          task,
        );
        return { window: { ...window, bound: boundShown(times) } };
      },
    },
  ],
  highlighted: () => [],
  actions: {
    restrict: ({ clock }, mark, panel) => {
      const window = mark === undefined ? undefined : sectorWindow(clock, mark);
      if (window) restrictInTime(window, panel);
      else panel.notice("This is all of the run.");
    },
    "highlight-kind": ({ clock }, mark, panel) => {
      const kind = mark === undefined ? undefined : longestKind(clockContent(clock), mark);
      if (kind) panel.highlight({ kinds: [kind] }, kind);
    },
    select: (shown, mark, panel) => showSector(shown, mark, panel),
    open: (shown, mark, panel) => {
      showSector(shown, mark, panel);
      return panel.run("heatflow.showTimeline", { target: undefined, name: "" });
    },
  },
};

async function imbalanceIn({ session, scope }: SummaryView, task: Task): Promise<ComputingImbalance | undefined> {
  if (scope.metric < 0) return undefined;
  return session.engine.computingImbalance({ scope, categories: currentSettings().categories }, task);
}

function queryOf({ dataSet, scope: { chosen, window } }: SummaryView): BoundQuery {
  return {
    dataSet: dataSet.id,
    categories: currentSettings().categories,
    ...(chosen ? { chosen } : {}),
    ...(window ? { window } : {}),
  };
}

/** Marks are sectors, then their rows in the glyph beside the clock, then the whole run. */
function showSector(
  { clock }: SummaryShown,
  mark: number | undefined,
  { view }: PanelHandle<SummaryState, SummaryShown>,
): void {
  if (view && mark !== undefined) view.session.windows.show(view.dataSet.id, sectorWindow(clock, mark));
}

/** Undefined: the whole run. */
function sectorWindow({ fromSeconds, toSeconds }: Clock, mark: number): TimeWindow | undefined {
  const edge = (at: number) => fromSeconds + ((toSeconds - fromSeconds) * at) / SECTORS;
  const sector = mark % SECTORS;
  return mark < 2 * SECTORS ? { from: edge(sector), to: edge(sector + 1) } : undefined;
}

function summaryContent(shown: SummaryShown, { state }: SummaryView): SummaryContent {
  const [left, right] = sidesContent(state, shown);
  const { clock, imbalance } = shown;
  return {
    clock: clockContent(clock),
    left,
    right,
    hasGpus: clock.bound.unit === "GPU",
    ...(imbalance ? { imbalance: shorten(imbalanceText(imbalance), MAX_IMBALANCE) } : {}),
  };
}

function notes({ clock: { leftOutGpus, bound } }: SummaryShown): Note[] {
  return [
    ...(leftOutGpus > 0
      ? [`${leftOutGpus === 1 ? "A GPU names" : `${leftOutGpus} GPUs name`} no rank: the restriction leaves them out.`]
      : []),
    ...(bound.count === 0
      ? ["Only samples and marks were recorded. They have no duration, so there are no times to show."]
      : []),
  ];
}
