/** The super graph: groups of functions as bars, calls between them as flows (dissertation 3.3; semantics 2). */
import type { GraphQuery } from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shortName } from "../../model/shortName";
import { LEAD } from "../../protocol/panel";
import { superGraphState, type SuperGraphState } from "../../protocol/superGraph";
import { hottestPlace, type LeadingPlace } from "../../session/hottestPlace";
import type { OnScreen, PanelHandle, Subject } from "../kit/definition";
import { shorten } from "../../model/texts";
import { askGraphs, barAt, heightsOf, isOpen, queryOf } from "./askedGraphs";
import { graphContent, graphNotes, markAt } from "./content";
import { nearLayout, transition } from "./graphTransition";
import type { SavedStepsStore } from "./savedSteps";
import type { ShownGraphs } from "./shownGraphs";
import { learnedChoice } from "./keptChoices";
import { barOperations, operate, stepsOf } from "./steps";
import { basisOf, bothIn, commonOf, type GraphView, planOf, type SuperGraphDefinition } from "./graphView";
import { laterChanges, laterHistograms, laterHottest, laterLayout, laterLook } from "./graphParts";
import { choose, controls, steps } from "./graphControls";

/** @param saved steps by name, of the workspace */
export function superGraph(saved: SavedStepsStore): SuperGraphDefinition {
  return {
    id: "superGraph",
    title: "Super Graph",
    saved: "super-graph",
    state: superGraphState,
    start: { histograms: "exclusive" },
    controls,
    choose: (view, id, value, panel) => choose(view, id, value, panel, saved),
    empty({ metric }) {
      if (metric.total > 0) return undefined;
      const name = shorten(metric.name, 200);
      const message = `The total of ${name} is not positive, so there are no shares to draw.`;
      return { message, advice: "Choose another metric." };
    },
    asked(view) {
      const plan = planOf(view);
      // The choice of a first picture is an answer, and not part of the question.
      const common = { ...commonOf(view), first: undefined };
      const queries = plan.graphs.map((_, at) => queryOf(common, plan, at));
      const chosen = plan.graphs.map(({ scope }) => JSON.stringify(scope.chosen));
      const { filter } = stepsOf(view.state);
      return [queries, filter, plan.merged, chosen, ...(view.alone ? ["alone"] : [])];
    },
    ask,
    learned: ({ asked: { graphs }, steps: asked }, view, state) =>
      learnedChoice(state, asked, graphs[0].graph.chosen, basisOf(view)),
    /** Its hottest line: where a double click leads. */
    async explain(shown, mark, { session }, task) {
      const at = barOfMark(shown, mark);
      if (!at || !isOpen(at.of, session.dataSets)) return undefined;
      const { scope, target } = subjectOf(at);
      const hottest = await hottestPlace(session, scope, target, task);
      const place = hottest && placeText(hottest.link);
      return { facts: inlinedFacts(hottest), ...(place === undefined ? {} : { place: shorten(place, 300) }) };
    },
    content: ({ content }) => content,
    notes: ({ asked, drawn }) => [...graphNotes(asked), ...(drawn?.notes ?? [])],
    links: {
      async [LEAD](panel: PanelHandle<SuperGraphState, ShownGraphs>) {
        const lead = panel.onScreen?.shown.lead;
        if (lead) await panel.run("heatflow.rows.goToHottestLine", lead);
      },
    },
    later: [laterLayout, laterHistograms, laterChanges, laterHottest, laterLook],
    steps,
    others(view) {
      const ids = bothIn(view)?.map(({ info }) => info.id) ?? [];
      return ids.filter((id) => id !== view.dataSet.id);
    },
    drawsBoth: ({ alone }) => !alone,
    async subject(shown, mark, { session }, task) {
      const at = barOfMark(shown, mark);
      if (!at || !isOpen(at.of, session.dataSets)) return undefined;
      const { link, unlinked, function: id } = entryOf(at) ?? {};
      if (!link) return subjectOf(at);
      const { query } = at.of;
      // What is not linked yet, since its bar has many entries, is linked now.
      const found =
        unlinked === undefined ? link : await session.engine.linkOfEntry({ query, context: unlinked }, task);
      if (found === undefined || found.rule === "call" || id === undefined) return { ...subjectOf(at), link: found };
      const target = { kind: "function", function: id } as const;
      const hottest = await hottestPlace(session, query.scope, target, task);
      return { ...subjectOf(at), link: hottest?.link ?? found };
    },
    async markOf({ asked: { graphs, plan } }, { dataSet, target }, { session }) {
      const own = graphs.filter(({ query }) => query.scope.dataSet === dataSet);
      // The graph that it was selected in, else the first of its data set.
      const of = own.find(({ query }) => target.kind === "bar" && target.query === query) ?? own.at(0);
      if (!of) return undefined;
      const { query, graph } = of;
      const id =
        target.kind === "bar" && target.query === query ? target.bar : await session.engine.barOf({ query, target });
      const at = graph.bars.findIndex((bar) => bar.id === id);
      return at < 0 ? undefined : at + (plan.merged ? 0 : graphs.indexOf(of) * graph.bars.length);
    },
    actions: {
      histogram: running("heatflow.histogram"),
      why: running("heatflow.whyHere", { selected: 1 }),
      "hot-path": running("heatflow.hotPath"),
      "go-to-function": running("heatflow.rows.goToFunction"),
      "look-inside": running("heatflow.flameGraph.lookInside"),
      correlate: running("heatflow.correlation", { pin: true }),
      ...Object.fromEntries(
        barOperations.map((kind) => [
          kind,
          async (shown: ShownGraphs, mark: number | undefined, panel: PanelHandle<SuperGraphState, ShownGraphs>) => {
            const at = barOfMark(shown, mark);
            if (at) await operate(kind, shown, { bar: at.bar, entry: entryOf(at)?.name }, panel);
          },
        ]),
      ),
    },
  };
}

/** A bar is of the files that define its functions; its hottest line may be in another one, from where code was inlined. */
function inlinedFacts(hottest: LeadingPlace | undefined): [string, string][] {
  if (!hottest?.isInlined || !hottest.definition) return [];
  const at = placeText(hottest.definition);
  return [["inlined into", shorten(`${shortName(hottest.name)}${at === undefined ? "" : ` · ${at}`}`, 200)]];
}

/** A bar of one of the graphs, or one of its entries. */
type BarOfMark = NonNullable<ReturnType<typeof barOfMark>>;

function barOfMark({ asked, content }: ShownGraphs, mark: number | undefined) {
  const named = mark === undefined ? undefined : markAt(content.bars, mark);
  const at = named && barAt(asked, named.bar);
  return at && { ...at, entry: named.entry };
}

function entryOf({ of, bar, entry }: BarOfMark) {
  return entry === undefined ? undefined : of.graph.bars[bar].entries.at(entry);
}

function subjectOf({ of: { query, graph }, bar }: BarOfMark): Subject & Pick<GraphQuery, "scope"> {
  const { id } = graph.bars[bar];
  return { target: { kind: "bar", query, bar: id }, name: id, scope: query.scope };
}

/** Runs a command about a bar. */
function running(command: string, more: Readonly<Record<string, unknown>> = {}) {
  return async (
    shown: ShownGraphs,
    mark: number | undefined,
    panel: PanelHandle<SuperGraphState, ShownGraphs>,
  ): Promise<void> => {
    const at = barOfMark(shown, mark);
    if (at && panel.view && isOpen(at.of, panel.view.session.dataSets)) await panel.run(command, subjectOf(at), more);
  };
}

async function ask(
  view: GraphView,
  task: Parameters<SuperGraphDefinition["ask"]>[1],
  before: readonly OnScreen<ShownGraphs>[],
): Promise<ShownGraphs> {
  const { engine } = view.session;
  const steps = stepsOf(view.state);
  const asked = await askGraphs(engine, commonOf(view), planOf(view), task);
  const [{ query }] = asked.graphs;
  const shown = { asked, steps };
  // The graph that this one moves from: where both are one graph of the same recording.
  const last = before.find((one) => one.shown.drawn);
  const then = last?.shown.asked.graphs;
  if (!last?.shown.drawn || then?.length !== 1 || asked.graphs.length !== 1)
    return { ...shown, content: graphContent(asked) };
  if (then[0].query.scope.dataSet !== query.scope.dataSet) return { ...shown, content: graphContent(asked) };
  const origins = await engine.barOrigins({ before: then[0].query, after: query }, task);
  const { width, height, parts } = last.shown.drawn.layout;
  const was = { graph: then[0].graph, layout: { width, height, ...parts[0] }, revision: last.revision };
  const content = graphContent(asked, transition(was, origins));
  return { ...shown, content, near: nearLayout(was, heightsOf(asked)[0], origins) };
}
