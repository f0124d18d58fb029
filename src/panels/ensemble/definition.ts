/** The ensemble: many runs of a program as one super graph, each bar an axis from no time to its slowest run (dissertation 4; semantics 10). */
import type { Chosen, Target } from "../../engine/api";
import { quietTask } from "../../model/task";
import { shorten } from "../../model/texts";
import { placeText } from "../../model/placeText";
import {
  type EnsembleContent,
  ensembleMark,
  type EnsemblePart,
  type EnsembleSize,
  type EnsembleState,
  ensembleState,
} from "../../protocol/ensemble";
import { hottestPlace } from "../../session/hottestPlace";
import { ensembleMessage } from "../../session/notRecorded";
import type { PanelDefinition, PanelHandle, Subject } from "../kit/definition";
import { askGraphs, barOperations, learnedChoice, operate } from "../shared";
import { askedOf, barQueryOf, basisOf, type EnsembleView } from "./query";
import type { ShownEnsemble } from "./shown";
import { askEnsemble, isSize, layOut } from "./asked";
import { askBeside, targetOf } from "./beside";
import { ensembleContent, layoutPart } from "./content";
import { choose, chooseRun, controls, restrictionText, steps, withTarget } from "./controls";
import { endedDifference, followDifference } from "./followed";
import { askSites, pendingSites, siteOf } from "./sites";
import { otherTarget } from "./targeted";

export const ensemble: PanelDefinition<EnsembleState, ShownEnsemble, EnsembleContent, never, EnsemblePart> = {
  id: "ensemble",
  title: "Ensemble",
  saved: "ensemble",
  state: ensembleState,
  start: { over: "mean", value: "inclusive", border: "exclusive", bins: 20, mode: "ensemble", sites: false },
  combines: () => false,
  restrictionText,
  controls,
  choose,
  unmeasured: ensembleMessage,
  asked: askedOf,
  ask: askEnsemble,
  learned: ({ whole, steps: asked }, view, state) => learnedChoice(state, asked, whole.graph.chosen, basisOf(view)),
  content: ensembleContent,
  notes: ({ runs, whole }) => [...new Set([...runs.notes, ...whole.graph.notes])],
  later: [
    {
      depends: ({ size }) => size,
      async ask(shown, view) {
        const layout = isSize(shown.layout, view) ? shown.layout : await layOut(view, shown.whole);
        return layoutPart(layout, shown);
      },
    },
    {
      depends: ({ state: { mode, target, baseline, sets } }) => ({ mode, target, baseline, sets }),
      ask(shown, view, task) {
        followDifference(view, shown);
        return askBeside(shown, view, task);
      },
    },
    {
      depends: ({ state: { sites, mode, target } }) => (sites ? { mode, target } : "none"),
      ask: askSites,
      pending: pendingSites,
    },
  ],
  steps,
  /** Its hottest line, of the run that a double click shows it of. */
  async explain(shown, mark, view, task) {
    const subject = subjectOf(shown, mark, view);
    if (!subject?.scope) return undefined;
    const hottest = await hottestPlace(view.session, subject.scope, subject.target, task);
    const place = hottest && placeText(hottest.link);
    return place === undefined ? undefined : { facts: [], place: shorten(place, 300) };
  },
  subject: (shown, mark, view) => subjectOf(shown, mark, view),
  async markOf({ staying }, { target }, view) {
    const query = barQueryOf(view);
    const id =
      target.kind === "bar" && isOwn(target, view) ? target.bar : await view.session.engine.barOf({ query, target });
    const at = staying.graph.bars.id.indexOf(id ?? "");
    return at < 0 ? undefined : at;
  },
  targeted(view) {
    const ended = endedDifference(view);
    const other = otherTarget(view);
    return other ? { ...ended, ...withTarget({ ...view.state, ...ended }, other.target) } : ended;
  },
  members: {
    part: () => undefined,
    of: (shown, marks) => runsOf(shown, marks),
  },
  actions: {
    target: async (shown, mark, panel) => {
      const of = mark === undefined ? undefined : ensembleMark(sizeOf(shown), mark);
      const change = of?.kind === "run" && panel.view && chooseRun(shown.runs, of.run, panel.view);
      if (change) await panel.change(change);
    },
    ...Object.fromEntries(
      barOperations.map((kind) => [
        kind,
        async (shown: ShownEnsemble, mark: number | undefined, panel: PanelHandle<EnsembleState, ShownEnsemble>) => {
          const of = mark === undefined ? undefined : ensembleMark(sizeOf(shown), mark);
          if (of?.kind !== "bar" || !panel.view) return;
          const { session, dataSet } = panel.view;
          const { scope, ...common } = barQueryOf(panel.view);
          const graphs = [{ info: dataSet, scope, name: dataSet.name }];
          const asked = await askGraphs(session.engine, common, { graphs, merged: false, notes: [] }, quietTask);
          // Bars of both have the same order: by level, then by weight and name.
          const bar = asked.graphs[0].graph.bars.findIndex(({ id }) => id === shown.staying.graph.bars.id[of.bar]);
          if (bar >= 0) await operate(kind, { asked }, { bar }, panel);
        },
      ]),
    ),
  },
};

export function sizeOf({ staying: { graph }, runs }: ShownEnsemble): EnsembleSize {
  return { bars: graph.bars.size, runs: runs.runs.length, bins: graph.gradients.bins };
}

function isOwn(target: Extract<Target, { kind: "bar" }>, view: EnsembleView): boolean {
  return JSON.stringify(target.query) === JSON.stringify(barQueryOf(view));
}

/** A bar, in the target's values, else in those of the run where it has most. */
function subjectOf(shown: ShownEnsemble, mark: number | undefined, view: EnsembleView): Subject | undefined {
  const of = mark === undefined ? undefined : ensembleMark(sizeOf(shown), mark);
  if (of === undefined || of.kind === "run") return undefined;
  if (of.kind === "site") {
    const site = siteOf(shown, of.site);
    return site && { target: { kind: "function", function: site.function }, name: site.name, isBeside: true };
  }
  const { graph, mostRun } = shown.staying;
  const id = graph.bars.id[of.bar];
  const isOfRun = view.state.mode === "target" || (view.state.mode === "difference" && !view.state.sets);
  const target = isOfRun ? targetOf(shown.runs, view) : undefined;
  const run = target !== undefined && hasBar(shown, of.bar, target) ? target : mostRun[of.bar];
  const { metric, over } = view.scope;
  const scope = { dataSet: view.dataSet.id, metric, over };
  return {
    target: { kind: "bar", query: barQueryOf(view), bar: id },
    name: id,
    scope: run < 0 ? scope : { ...scope, chosen: { by: "run", members: [String(run)] } },
  };
}

/** Whether a run has a bar that has a gradient. */
function hasBar({ whole: { graph, firstOfBin, binRuns } }: ShownEnsemble, bar: number, run: number): boolean {
  const { bins } = graph.gradients;
  return binRuns.subarray(firstOfBin[bar * bins], firstOfBin[(bar + 1) * bins]).includes(run);
}

/** The runs that marks stand for: themselves, or those of a guide's bins. */
function runsOf(shown: ShownEnsemble, marks: readonly number[]): Chosen | undefined {
  const found = new Set<number>();
  const size = sizeOf(shown);
  const { firstOfBin, binRuns } = shown.staying;
  for (const mark of marks) {
    const of = ensembleMark(size, mark);
    if (of?.kind === "run") found.add(of.run);
    if (of?.kind !== "guide") continue;
    const cell = of.bar * size.bins;
    for (const run of binRuns.subarray(firstOfBin[cell + of.first], firstOfBin[cell + of.last + 1])) found.add(run);
  }
  return found.size === 0 ? undefined : { by: "run", members: [...found].sort((a, b) => a - b).map(String) };
}
