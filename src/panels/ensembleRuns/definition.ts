/** The runs of an ensemble in several views: call sites, scaling, projection, and the runs themselves (semantics 10). */
import * as vscode from "vscode";
import type { CallSite, CommitChanges, EnsembleRun, RunDistribution, Target } from "../../engine/api";
import { untestedRuns } from "../../engine/ensembles/untestedRuns";
import { placeText } from "../../model/placeText";
import { shorten } from "../../model/texts";
import {
  CHANGE_LIMIT,
  type EnsembleRunsChosen,
  type EnsembleRunsContent,
  type EnsembleRunsState,
  ensembleRunsState,
  FUNCTION_LIMIT,
  usualStatistics,
} from "../../protocol/ensembleRuns";
import { LEAD } from "../../protocol/panel";
import { ensembleMessage } from "../../session/notRecorded";
import { hottestPlace } from "../../session/hottestPlace";
import { FIRST_MEMBER } from "../../protocol/histogram";
import type { Note, PanelDefinition, PanelHandle, Subject } from "../kit/definition";
import { isPinOf, onLine, pinSelection } from "../shared";
import { askedOf, askRuns, chosenRuns, distributed, ofBars } from "./asked";
import { runsContent } from "./content";
import { choose, controls } from "./controls";
import { cellOfFunction, pivotFunction, rowsHere, runsOfCells } from "./pivot";
import { PATTERN_LINK } from "./parameters";
import { presenceText } from "./presence";
import { otherTarget, setTarget } from "../ensemble/targeted";
import type { RunsView, ShownRuns } from "./shown";

/** The link that ends the choice of functions by the runs that have them. */
const ALL_FUNCTIONS = "all-functions";
/** The link that leaves out the runs whose inputs also differ. */
const LEAVE_OUT = "leave-out";

type Panel = PanelHandle<EnsembleRunsState, ShownRuns>;

export const ensembleRuns: PanelDefinition<EnsembleRunsState, ShownRuns, EnsembleRunsContent, EnsembleRunsChosen> = {
  id: "ensembleRuns",
  title: "Ensemble Runs",
  saved: "ensemble-runs",
  state: ensembleRunsState,
  start: {
    view: "callSites",
    value: "exclusive",
    sortedBy: "mean",
    over: "mean",
    counted: "runs",
    bins: "20",
    statistic: "mean",
    statistics: [...usualStatistics],
  },
  combines: () => false,
  controls,
  choose,
  unmeasured: ensembleMessage,
  restrictionText: (view, shown) => runsText(view, shown?.runs.runs),
  asked(view) {
    const { sortedBy, function: curve, colour, target, statistic, statistics } = view.state;
    return [askedOf(view), sortedBy, curve, colour, target, statistic, statistics];
  },
  ask: askRuns,
  content: runsContent,
  notes,
  links: {
    [ALL_FUNCTIONS]: (panel: Panel) => panel.change({ onlyIn: undefined, missingIn: undefined }),
    [LEAVE_OUT]: leaveOutRuns,
    async [PATTERN_LINK]() {
      await vscode.commands.executeCommand("workbench.action.openSettings", "heatflow.ensemble.pattern");
    },
    async [LEAD](panel: Panel) {
      const { onScreen, view } = panel;
      const subject = onScreen && view && functionSubject(onScreen.shown, 0, view);
      if (subject) await panel.run("heatflow.rows.goToHottestLine", subject);
    },
  },
  subject: (shown, mark, view) => (mark === undefined ? undefined : markSubject(shown, mark, view)),
  /** Its hottest line: where a double click leads. */
  async explain(shown, mark, view, task) {
    const subject = markSubject(shown, mark, view);
    if (!subject) return undefined;
    const hottest = await hottestPlace(view.session, subject.scope ?? view.scope, subject.target, task);
    const place = hottest && placeText(hottest.link);
    return place === undefined ? undefined : { facts: [], place: shorten(place, 300) };
  },
  markOf(shown, { target }) {
    if (shown.view === "hierarchy") {
      const { functions, function: of, context } = shown.hierarchy;
      const at = [...of.keys()].find(
        (cell) =>
          (target.kind === "context" && context[cell] === target.context) ||
          (target.kind === "function" && functions[of[cell]].function === target.function),
      );
      return at;
    }
    if (shown.view === "pivot")
      return target.kind === "function" ? cellOfFunction(shown.pivot, target.function) : undefined;
    if (target.kind !== "function") return undefined;
    const at = functionsOf(shown).findIndex((one) => one.function === target.function);
    if (shown.view !== "correlation" || at < 0) return at < 0 ? undefined : at;
    const { of } = shown.points;
    return Math.max(0, of.indexOf(at));
  },
  /** The curve is that of the selected function, a distribution of what is selected. */
  followed(selection, view) {
    if (view.state.view === "distribution" || view.state.view === "hierarchy") {
      const isOther = selection && ofBars(view.state) && selection.target.kind !== "bar";
      if (isOther || isPinOf(view.state.subject, selection)) return undefined;
      return { subject: pinSelection(selection, view) };
    }
    if (view.state.view === "pivot") {
      const isFunction = selection?.target.kind === "function" && !isPinOf(view.state.subject, selection);
      return isFunction && view.state.pivotRows !== undefined ? { subject: pinSelection(selection, view) } : undefined;
    }
    if (view.state.view !== "scaling" || selection?.target.kind !== "function") return undefined;
    const name = shorten(selection.name, 4000);
    return name === view.state.function ? undefined : { function: name };
  },
  targeted: otherTarget,
  members: {
    part(shown, chosen) {
      if (chosen.by !== "run" || runsOf(shown).length === 0) return undefined;
      const wanted = new Set(chosen.members);
      const runs = runsOf(shown);
      const marks = [...runs.keys()].filter((at) => wanted.has(String(runs[at])));
      return { marks: Int32Array.from(marks, (at) => at + firstRun(shown)) };
    },
    of(shown, marks) {
      if (shown.view === "pivot") return { by: "run", members: runsOfCells(shown.pivot, new Set(marks)).map(String) };
      const runs = runsOf(shown);
      const first = firstRun(shown);
      const wanted = new Set(marks);
      const inBins = shown.view === "distribution" ? inBinsOf(shown.distribution, wanted) : [];
      const own = [...wanted].flatMap((mark) => (mark < first ? [] : (runs.at(mark - first) ?? [])));
      const chosen = [...new Set([...own, ...inBins])];
      return { by: "run", members: chosen.sort((a, b) => a - b).map(String) };
    },
  },
  actions: {
    async target(shown, mark, panel) {
      const run = mark === undefined || shown.view !== "runs" ? undefined : shown.runs.runs.at(mark);
      if (!run || !panel.view) return;
      const target = panel.view.state.target === run.name ? undefined : run.name;
      setTarget(panel.view, target);
      await panel.change({ target });
    },
    /** What changed in the function's file between the two commits of a change. */
    async diff(shown, mark, panel) {
      const change = mark === undefined || shown.view !== "commits" ? undefined : shown.changes.changes.at(mark);
      if (!change || mark === undefined || !panel.view) return;
      const subject = markSubject(shown, mark, panel.view);
      const file = change.link?.places.at(0)?.file;
      if (!subject || file === undefined)
        return panel.notice(`The file of ${shorten(change.name, 200)} is not known here.`);
      await panel.run("heatflow.openCommitDiff", subject, { file, before: change.before, after: change.after });
    },
  },
};

/** Restricts the runs to those that stay. Removing the chip takes it back. */
function leaveOutRuns(panel: Panel): void {
  const { onScreen, view } = panel;
  if (!view || onScreen?.shown.view !== "scaling") return;
  const { scaling, runs } = onScreen.shown;
  const left = new Set(scaling.leaveOut?.runs);
  const kept = (chosenRuns(view) ?? [...runs.runs.keys()]).filter((run) => !left.has(run));
  view.session.setRestriction(view.dataSet.id, { by: "run", members: kept.map(String) });
}

/** What of the answer is not drawn, or not tested. */
function notes(shown: ShownRuns, { state }: RunsView): Note[] {
  return [...shown.runs.notes, ...notesOf(shown, state)];
}

function noFunction(presence: string): Note {
  return { text: `No function of these runs is ${presence}.`, link: { id: ALL_FUNCTIONS, text: "All functions" } };
}

function notesOf(shown: ShownRuns, state: EnsembleRunsState): Note[] {
  const presence = presenceText(state);
  switch (shown.view) {
    case "callSites": {
      const { sites, of } = shown;
      if (of === 0 && presence !== undefined) return [noFunction(presence)];
      if (of <= sites.length) return [];
      return [
        `The ${sites.length.toLocaleString("en")} with the largest mean of ${of.toLocaleString("en")} functions are shown.`,
      ];
    }
    case "hierarchy": {
      const { cellCount, parent } = shown.hierarchy;
      if (cellCount <= parent.length) return [];
      return [
        `The ${parent.length.toLocaleString("en")} heaviest of ${cellCount.toLocaleString("en")} calls inside are shown.`,
      ];
    }
    case "correlation": {
      const { functionCount, functions } = shown.points;
      if (functionCount <= functions.length) return [];
      return [
        `The ${functions.length.toLocaleString("en")} functions with the largest mean of ${functionCount.toLocaleString("en")} are shown. The coefficient is that of all.`,
      ];
    }
    case "pivot": {
      const { rowCount, rowsBy } = shown.pivot;
      const here = rowsHere(shown.pivot, state);
      const [count, all] = [here.toLocaleString("en"), rowCount.toLocaleString("en")];
      if (rowCount === 0 && presence !== undefined) return [noFunction(presence)];
      if (rowCount <= here) return [];
      return [
        rowsBy === undefined
          ? `The ${count} functions with the largest mean of ${all} are shown.`
          : `The first ${count} of ${all} values of ${shorten(rowsBy, 200)} are shown.`,
      ];
    }
    case "commits":
      return commitNotes(shown.changes);
    case "scaling": {
      const { alsoText, leaveOut } = shown.scaling;
      if (alsoText === "") return [];
      const text = `Also different: ${shorten(alsoText, MAX_NOTE)}.`;
      return [leaveOut ? { text, link: { id: LEAVE_OUT, text: shorten(leaveOut.text, 200) } } : text];
    }
    default:
      return [];
  }
}

/** Characters of the inputs that also differ. */
const MAX_NOTE = 4000;

/** What is not tested, of runs and of functions. */
function commitNotes(changes: CommitChanges): string[] {
  const left = untestedRuns(changes);
  return [
    ...(left.length > 0 ? [`Drawn, and left out of the test: ${left.join(", ")}.`] : []),
    ...(changes.tested > 0 && changes.tested < changes.varying
      ? [
          `Of ${changes.varying.toLocaleString("en")} functions that differ between runs the ${changes.tested.toLocaleString("en")} that differ most were tested.`,
        ]
      : []),
    ...(changes.changes.length > CHANGE_LIMIT
      ? [
          `The ${CHANGE_LIMIT.toLocaleString("en")} largest of ${changes.changes.length.toLocaleString("en")} changes are shown.`,
        ]
      : []),
  ];
}

/** The functions that are here, in their order: those that the first marks stand for, or that points are of. */
function functionsOf(shown: ShownRuns): readonly Pick<CallSite, "function" | "name">[] {
  switch (shown.view) {
    case "callSites":
      return shown.sites;
    case "correlation":
      return shown.points.functions;
    case "commits":
      return shown.changes.changes.slice(0, CHANGE_LIMIT);
    case "scaling":
      return shown.scaling.functions.slice(0, FUNCTION_LIMIT);
    default:
      return [];
  }
}

/** What a mark stands for. */
function markSubject(shown: ShownRuns, mark: number, view: RunsView): Subject | undefined {
  const inRun = (run: number): Pick<Subject, "scope"> => ({
    scope: { ...view.scope, chosen: { by: "run", members: [String(run)] } },
  });
  if (shown.view === "correlation") {
    const { functions, of, runs } = shown.points;
    const one = functions.at(of.at(mark) ?? functions.length);
    return one && { target: { kind: "function", function: one.function }, name: one.name, ...inRun(runs[mark]) };
  }
  if (shown.view === "hierarchy") {
    const { functions, function: of, context, contexts } = shown.hierarchy;
    const one = functions.at(of.at(mark) ?? functions.length);
    const target: Target | undefined =
      one && contexts[mark] === 1
        ? { kind: "context", context: context[mark] }
        : one && { kind: "function", function: one.function };
    return one && { target, name: one.name };
  }
  if (shown.view === "distribution") {
    const { functions, names, runs, values } = shown.distribution;
    const member = onLine({ order: Int32Array.from(values.keys()) }).at(mark - FIRST_MEMBER);
    if (mark >= FIRST_MEMBER && member !== undefined && functions && names)
      return { target: { kind: "function", function: functions[member] }, name: names[member].name };
    const { target, name = "all runs" } = distributed(view);
    const run = mark < FIRST_MEMBER || member === undefined ? undefined : runs?.at(member);
    return { target, name, ...(run === undefined ? {} : inRun(run)) };
  }
  if (shown.view === "pivot") {
    const { functions, columns } = shown.pivot;
    const runs = runsOfCells(shown.pivot, new Set([mark])).map(String);
    const one = functions.at(Math.floor(mark / columns.length)) ?? pivotFunction(view);
    const target = one && ({ kind: "function", function: one.function } as const);
    const scope = { ...view.scope, chosen: { by: "run", members: runs } } as const;
    return runs.length === 0 ? undefined : { target, name: one?.name ?? "these runs", scope };
  }
  return functionSubject(shown, mark, view);
}

/** A function; of a run in a curve the one that is drawn, in that run. */
function functionSubject(shown: ShownRuns, mark: number, { scope }: RunsView): Subject | undefined {
  const functions = functionsOf(shown);
  const run = shown.view === "scaling" ? shown.scaling.runs.at(Math.max(0, mark - functions.length)) : undefined;
  const isRun = shown.view === "scaling" && mark >= functions.length;
  const one = functions.at(isRun ? shown.curve : mark);
  return (
    one && {
      target: { kind: "function", function: one.function },
      name: one.name,
      ...(isRun && run !== undefined ? { scope: { ...scope, chosen: { by: "run", members: [String(run)] } } } : {}),
    }
  );
}

/** The runs that marks stand for, in their order, and the first of these marks. */
function runsOf(shown: ShownRuns): readonly number[] {
  switch (shown.view) {
    case "callSites":
    case "hierarchy":
    case "correlation":
    case "pivot":
    case "commits":
    case "unchosen":
      return [];
    case "distribution": {
      const { runs, values } = shown.distribution;
      return runs ? Array.from(onLine({ order: Int32Array.from(values.keys()) }), (member) => runs[member]) : [];
    }
    case "scaling":
      return [...shown.scaling.runs];
    case "projection":
      return [...shown.projection.runs];
    case "runs":
      return [...shown.runs.runs.keys()];
  }
}

function inBinsOf({ runs, binOf }: RunDistribution, bins: ReadonlySet<number>): number[] {
  return [...(runs ?? [])].filter((_, member) => bins.has(binOf[member]));
}

function firstRun(shown: ShownRuns): number {
  return shown.view === "distribution" ? FIRST_MEMBER : functionsOf(shown).length;
}

/** So many runs are called by their names. */
const MOST_NAMED = 3;

/** What numbers are restricted to, by names. */
function runsText(view: RunsView, runs: readonly EnsembleRun[] | undefined): string | undefined {
  const chosen = chosenRuns(view);
  if (!chosen || !runs) return undefined;
  if (chosen.length > MOST_NAMED) return `${chosen.length.toLocaleString("en")} runs`;
  return chosen.map((run) => shorten(runs.at(run)?.name ?? "", 40)).join(", ");
}
