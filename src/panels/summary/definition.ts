/** The summary over time: what a run is bound by, its clock, and two of its quantities from its beginning to its end. */
import type { BoundQuery, BoundTimes, Clock, TimeWindow } from "../../engine/api";
import { eventKinds } from "../../model/eventKinds";
import type { SelectControl } from "../../protocol/frame";
import { longestKind, SECTORS } from "../../protocol/clock";
import {
  type SummaryContent,
  type SummaryPart,
  type SummaryState,
  summaryState,
  type Utilisation,
  type UtilisationSide,
  utilisations,
} from "../../protocol/summary";
import { timelineMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import type { Note, PanelDefinition, PanelHandle, View } from "../kit/definition";
import { leftOf, restrictInTime } from "../kit/restricting";
import { boundShown, clockContent } from "./clockContent";

type SummaryView = View<SummaryState>;

interface SummaryShown {
  /** What was asked, as text. */
  readonly asked: string;
  readonly clock: Clock;
}

const KINDS = eventKinds.length;

export const summary: PanelDefinition<SummaryState, SummaryShown, SummaryContent, never, SummaryPart> = {
  id: "summary",
  title: "Summary over Time",
  saved: "summary",
  state: summaryState,
  start: {},
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls,
  choose: (_, id, value) => ({ [id]: value }),
  unmeasured: timelineMessage,
  asked: (view) => [view.state, queryOf(view)],
  async ask(view, task, before) {
    const query = queryOf(view);
    const asked = JSON.stringify(query);
    // Another side of the glyph is made from what is there.
    const known = before.at(0)?.shown;
    return known?.asked === asked ? known : { asked, clock: await view.session.engine.clock(query, task) };
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

function queryOf({ dataSet, scope: { chosen, window } }: SummaryView): BoundQuery {
  return {
    ...{ dataSet: dataSet.id, categories: currentSettings().categories },
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

function controls(view: SummaryView, shown?: SummaryShown): SelectControl[] {
  const [left, right] = sidesOf(view.state, shown?.clock);
  const missing = shown && shown.clock.bound.unit !== "GPU" ? { disabled: "Nothing was recorded of a GPU." } : {};
  const side = (id: "left" | "right", name: string, value: Utilisation, standard: Utilisation): SelectControl => ({
    ...{ kind: "select", id, name, value, standard },
    choices: utilisations.map((one) => ({ value: one, label: one, ...(one === "GPU" ? missing : {}) })),
  });
  const [standardLeft, standardRight] = sidesOf({}, shown?.clock);
  return [side("left", "Left", left, standardLeft), side("right", "Right", right, standardRight)];
}

/** Computing on CPUs, or what they do most where they never compute, and GPUs where there are some; else what ranks do beside computing. */
function sidesOf({ left, right }: SummaryState, clock: Clock | undefined): [Utilisation, Utilisation] {
  return [
    left ?? (clock ? busiest(clock) : "computing"),
    right ?? (clock?.bound.unit === "GPU" ? "GPU" : "exposed movement"),
  ];
}

function busiest({ fine: { cpu } }: Clock): Utilisation {
  const sums = new Float64Array(KINDS);
  cpu.forEach((seconds, cell) => (sums[cell % KINDS] += seconds));
  const computing = eventKinds.indexOf("computing");
  const most = Math.max(...sums);
  const kind = sums[computing] > 0 || !(most > 0) ? computing : sums.indexOf(most);
  return utilisations.find((one) => one === eventKinds[kind]) ?? "computing";
}

function summaryContent({ clock }: SummaryShown, view: SummaryView): SummaryContent {
  const [left, right] = sidesOf(view.state, clock);
  return {
    clock: clockContent(clock),
    ...{ left: sideOf(left, clock), right: sideOf(right, clock), hasGpus: clock.bound.unit === "GPU" },
  };
}

/** Shares of whose time: kinds of work of CPU lanes' time, kernels and transfers of GPUs', what is exposed of what it is bound by. */
function sideOf(what: Utilisation, clock: Clock): UtilisationSide {
  const { fine, bound, cpuLanes, toSeconds, fromSeconds } = clock;
  const isOfGpus = bound.unit === "GPU";
  const length = (toSeconds - fromSeconds) / fine.count;
  const of = (places: string, number: number, seconds: Float64Array): UtilisationSide => ({
    ...{ what, of: `of the time of ${places}` },
    shares: seconds.map((one) => (number > 0 && length > 0 ? Math.max(0, one) / (number * length) : 0)),
  });
  const { over } = boundShown(bound);
  if (what === "GPU") return of(isOfGpus ? over : "no GPU", isOfGpus ? bound.count : 0, fine.computing);
  if (what === "data movement" && isOfGpus) return of(over, bound.count, fine.movement);
  if (what === "exposed movement") {
    return of(
      over,
      bound.count,
      fine.movement.map((one, at) => one - fine.hidden[at]),
    );
  }
  const kind = eventKinds.indexOf(what);
  const seconds = Float64Array.from({ length: fine.count }, (_, at) => fine.cpu[at * KINDS + kind]);
  return of(`${cpuLanes.toLocaleString("en")} CPU lane${cpuLanes === 1 ? "" : "s"}`, cpuLanes, seconds);
}

function notes({ clock: { leftOutGpus, bound } }: SummaryShown): Note[] {
  return [
    ...(leftOutGpus > 0
      ? [`${leftOutGpus === 1 ? "A GPU names" : `${leftOutGpus} GPUs name`} no rank: the restriction leaves them out.`]
      : []),
    ...(bound.count === 0
      ? ["Only moments were recorded, and nothing that lasts: samples and marks have no time to be shared out."]
      : []),
  ];
}
