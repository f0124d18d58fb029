/** The grid of clocks: all open recordings with events side by side, the longest run first. */
import type { Clock, ClockQuery } from "../../engine/api";
import { CancelledError } from "../../model/errors";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import { formatValue } from "../../model/units";
import { type ClocksContent, type ClocksState, clocksState, MOST_CLOCKS } from "../../protocol/clocks";
import type { ToolControl } from "../../protocol/frame";
import { statesMessage } from "../../session/notRecorded";
import { restrictionTexts } from "../../session/scopeChoice";
import type { Session, SessionDataSet } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";
import type { OnScreen, PanelDefinition, PanelHandle, View } from "../kit/definition";
import type { PanelSource } from "../kit/panelSource";
import { problemOf } from "../kit/problems";
import { clockContent } from "../summary/clockContent";

type ClocksView = View<ClocksState>;

interface ShownRun {
  readonly dataSet: SessionDataSet;
  readonly query: ClockQuery;
  readonly seconds: number;
  readonly clock: Clock;
}

interface ClocksShown {
  readonly runs: readonly ShownRun[];
  /** Sentences: of which recordings there is no clock, and why. */
  readonly missing: readonly string[];
}

export const clocks: PanelDefinition<ClocksState, ClocksShown, ClocksContent, never> = {
  id: "clocks",
  title: "Grid of Clocks",
  saved: "clocks",
  state: clocksState,
  start: { compares: false },
  needsMetric: false,
  showsMetric: false,
  controls,
  choose: ({ state }) => ({ compares: !state.compares }),
  unmeasured: statesMessage,
  others: ({ session }) => timed(session).map(({ id }) => id),
  asked: (view) => [view.session.current?.id, queriesOf(view).map(({ query }) => query)],
  ask,
  content,
  notes: ({ missing }) => missing,
  steps: ({ session }) => {
    const count = timed(session).length;
    return [{ id: "all", text: `${count.toLocaleString("en")} recording${count === 1 ? "" : "s"}` }];
  },
  // A clock is of all lanes of its run: what is highlighted is in it, whatever lanes these are.
  highlighted: ({ runs }, { dataSet, lanes }) =>
    runs.flatMap((run, at) => (lanes.length > 0 && run.dataSet.id === dataSet ? [at] : [])),
  actions: { select: showRun, open: showRun },
};

/** Whatever recordings are open: the panel is of all of them, and stays when one is closed. */
export function allRecordings(session: Session): PanelSource {
  return {
    // The tab is named after no recording.
    hasFile: true,
    get dataSet() {
      const all = timed(session);
      return all.find(({ id }) => id === session.current?.id) ?? all.at(0) ?? session.current;
    },
    open: () => Promise.resolve(undefined),
    closed: () => ({
      kind: "empty",
      message: "No recording is open.",
      advice: "Open recordings to compare their runs.",
    }),
  };
}

function timed({ dataSets }: Session): SessionDataSet[] {
  return dataSets.filter((info) => statesMessage(info) === undefined);
}

interface Wanted {
  readonly dataSet: SessionDataSet;
  readonly query: ClockQuery;
  readonly seconds: number;
}

/** Longest first. Each obeys its own restriction. */
function queriesOf({ session, state }: ClocksView): Wanted[] {
  const { categories } = currentSettings();
  const all = timed(session).map((dataSet): Wanted => {
    const { chosen, window } = session.scope(dataSet.id) ?? {};
    const { startSeconds = 0, endSeconds = 0 } = dataSet.trace ?? {};
    const seconds = window
      ? Math.max(0, Math.min(window.to, endSeconds) - Math.max(window.from, startSeconds))
      : endSeconds - startSeconds;
    const restriction = { ...(chosen ? { chosen } : {}), ...(window ? { window } : {}) };
    return { dataSet, seconds, query: { dataSet: dataSet.id, categories, ...restriction } };
  });
  all.sort((a, b) => b.seconds - a.seconds || compareText(a.dataSet.name, b.dataSet.name));
  const longest = all.at(0)?.seconds ?? 0;
  const shown = all.slice(0, MOST_CLOCKS);
  return state.compares ? shown.map((one) => ({ ...one, query: { ...one.query, lengthSeconds: longest } })) : shown;
}

/** A clock that is there is not asked for again; one that cannot be read leaves the others as they are. */
async function ask(view: ClocksView, task: Task, before: readonly OnScreen<ClocksShown>[]): Promise<ClocksShown> {
  const known = before.flatMap(({ shown }) => shown.runs);
  const runs: ShownRun[] = [];
  const missing: string[] = [];
  const wanted = queriesOf(view);
  for (const [at, one] of wanted.entries()) {
    task.progress(at / wanted.length, one.dataSet.name);
    const same = known.find(
      (run) => run.dataSet === one.dataSet && JSON.stringify(run.query) === JSON.stringify(one.query),
    );
    try {
      runs.push(same ?? { ...one, clock: await view.session.engine.clock(one.query, task) });
    } catch (error) {
      if (error instanceof CancelledError) throw error;
      task.check();
      missing.push(`${shorten(one.dataSet.name, 200)} has no clock: ${problemOf(error).message}`);
    }
  }
  const more = timed(view.session).length - wanted.length;
  if (more > 0) missing.push(`The ${more.toLocaleString("en")} shortest runs are not shown.`);
  return { runs, missing };
}

function content({ runs }: ClocksShown, { session, state }: ClocksView): ClocksContent {
  return {
    compares: state.compares,
    runs: runs.map(({ dataSet, seconds, clock, query: { chosen, window } }) => ({
      name: shorten(dataSet.name, 200),
      seconds,
      clock: clockContent(clock),
      restriction: shorten(Object.values(restrictionTexts({ chosen, window })).join(" · "), 200),
      isCurrent: dataSet.id === session.current?.id,
    })),
  };
}

function controls({ state, session }: ClocksView): ToolControl[] {
  const longest = timed(session).reduce(
    (most, { trace }) => Math.max(most, trace ? trace.endSeconds - trace.startSeconds : 0),
    0,
  );
  return [
    {
      kind: "tool",
      id: "compare",
      icon: "git-compare",
      on: state.compares,
      leaves: 1,
      name: `Compare: all clocks go ${formatValue(longest, "s")}, as the longest run`,
    },
  ];
}

/** Makes a run the current one, and opens its summary. */
function showRun(
  { runs }: ClocksShown,
  mark: number | undefined,
  panel: PanelHandle<ClocksState, ClocksShown>,
): Promise<void> | undefined {
  const run = mark === undefined ? undefined : runs.at(mark);
  if (!run || !panel.view) return undefined;
  const { id } = run.dataSet;
  panel.view.session.setCurrent(id);
  return panel.run("heatflow.showSummary", { target: undefined, name: "" }, { dataSet: id });
}
