/** The super graph: groups of functions as bars, calls between them as flows (dissertation 3.3; semantics 2). */
import * as vscode from "vscode";
import type { ComparedRow, GraphQuery, HotPlace } from "../../engine/api";
import { chosenText, unitName } from "../../model/members";
import { placeText } from "../../model/placeText";
import { shortName } from "../../model/shortName";
import {
  type ColourChoice,
  colourChoices,
  groupChoices,
  type GroupChoice,
  groupNames,
  type HistogramChoice,
  histogramChoices,
  MINI_BINS,
  NONE,
  type SuperGraphContent,
  type SuperGraphPart,
  superGraphState,
  type SuperGraphState,
} from "../../protocol/superGraph";
import type { Control, Step, ToolControl } from "../../protocol/frame";
import { currentSettings } from "../../session/sourceFeed";
import { comparedNames, comparedWith } from "../../session/comparedScopes";
import { pickComparison } from "../../session/pickComparison";
import type { LaterPart, OnScreen, PanelDefinition, PanelHandle, Subject, View } from "../kit/definition";
import { shorten } from "../../model/texts";
import { firstStep } from "../kit/frameMessage";
import { askGraphs, barAt, heightsOf, isOpen, layOut, queryOf } from "./askedGraphs";
import { breakable } from "./brokenBars";
import { backToGroups, firstOf, graphContent, graphNotes, markAt } from "./content";
import { canRedo, canUndo, operationsDone, setStart } from "./graphSteps";
import { nearLayout, transition } from "./graphTransition";
import { layoutPart, layoutSize, unseenFlows } from "./layoutPart";
import { startLabels, stepLabel } from "./stepTexts";
import { histogramUnit, planSplit, type SplitPlan } from "./splitPlan";
import type { SavedStepsStore } from "./savedSteps";
import type { ShownGraphs } from "./shownGraphs";
import { barOperations, becomes, chooseSteps, keptSteps, operate, stepProblems, stepsOf } from "./steps";
import { operationText } from "../../engine/graphs/operations";

type GraphView = View<SuperGraphState>;
type SuperGraphDefinition = PanelDefinition<SuperGraphState, ShownGraphs, SuperGraphContent, never, SuperGraphPart>;

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
      const queries = plan.graphs.map((_, at) => queryOf(commonOf(view), plan, at));
      return [queries, plan.merged, plan.graphs.map(({ scope }) => JSON.stringify(scope.chosen))];
    },
    ask,
    /** Its hottest line: where a double click leads. */
    async explain(shown, mark, { session }, task) {
      const at = barOfMark(shown, mark);
      if (!at || !isOpen(at.of, session.dataSets)) return undefined;
      const { scope, target } = subjectOf(at);
      const [hottest] = await session.engine.hotPlaces({ scope, target, limit: 1 }, task);
      const place = hottest && placeText(hottest.link);
      return { facts: inlinedFacts(hottest), ...(place === undefined ? {} : { place: shorten(place, 300) }) };
    },
    content: ({ content }) => content,
    notes: ({ asked, drawn }) => [...graphNotes(asked), ...(drawn?.notes ?? [])],
    links: Object.fromEntries(
      (["file", "module"] as const).map((groupBy) => [
        backToGroups(groupBy),
        async (panel: PanelHandle<SuperGraphState, ShownGraphs>) => {
          if (panel.view) await panel.change(keptSteps(setStart(stepsOf(panel.view.state), { groupBy })));
        },
      ]),
    ),
    later: [laterLayout, laterHistograms, laterChanges, laterLook],
    steps,
    others({ session, dataSet }) {
      const both = comparedWith(session, dataSet.id);
      return both ? both.map(({ info }) => info.id).filter((id) => id !== dataSet.id) : [];
    },
    drawsBoth: () => true,
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
      const [hottest] = await session.engine.hotPlaces({ scope: query.scope, target, limit: 1 }, task);
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
function inlinedFacts(hottest: HotPlace | undefined): [string, string][] {
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

function planOf({ session, dataSet, scope, state }: GraphView): SplitPlan {
  const [baseline, candidate] = comparedWith(session, dataSet.id) ?? [{ info: dataSet, scope }];
  return planSplit(baseline, candidate, state);
}

/** Everything that is asked for but the values. */
function commonOf({ state, session }: GraphView): Omit<GraphQuery, "scope"> {
  const list = stepsOf(state);
  const { filter, groupBy, done } = list;
  return {
    ...{ filter, groupBy: groupBy === "auto" ? ("adaptive" as const) : groupBy },
    ...(session.renamed.length > 0 ? { renamed: session.renamed } : {}),
    // Operations that cannot be done are left out, and said.
    ...(done > 0 ? { operations: operationsDone(list), lenient: true } : {}),
    ...(groupBy === "map" ? { map: currentSettings().groups } : {}),
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
  const [{ query, graph }] = asked.graphs;
  const isGrouped = query.operations?.some(({ kind }) => kind === "group-by") === true;
  const shown = { asked, steps, groupedBy: isGrouped ? undefined : graph.groupBy };
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

const laterLayout: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: ({ size, state }) => [size, state.broken === true],
  async ask(shown, { session, size, state }, task) {
    const { asked, near } = shown;
    const room = { ...layoutSize(size), ...(near ? { near } : {}) };
    const layout = await layOut(session.engine, asked, room, state.broken);
    // Of two sizes the one that is on screen is the last.
    task.check();
    shown.drawn = { layout, notes: unseenFlows(asked, layout) };
    return layoutPart(asked, layout);
  },
};

/** What histograms are of, and over what; undefined: there are none. */
function histogramsIn({ state, dataSet, scope }: GraphView) {
  const unit = histogramUnit(dataSet, scope);
  return state.histograms === "off" || typeof unit === "string" ? undefined : { of: state.histograms, by: unit.by };
}

const laterHistograms: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: histogramsIn,
  async ask({ asked: { plan, graphs } }, view, task) {
    const { of, by } = histogramsIn(view) ?? { of: "exclusive", by: "rank" };
    const bars: { numbers: HistogramNumbers; slowest: string; counting: number }[] = [];
    const members = new Set<string>();
    let member = by;
    const values: Float64Array[] = [];
    for (const { query } of plan.merged ? graphs.slice(-1) : graphs) {
      const answer = await view.session.engine.barHistograms({ query, of, by, bins: MINI_BINS }, task);
      const { counting } = answer;
      // Where one of two recordings has no members there is nothing to compare them by.
      if (answer.bars.length === 0) {
        bars.length = values.length = 0;
        break;
      }
      members.add(chosenText(answer));
      member = answer.by;
      values.push(answer.values);
      // Two halves may have other members: where one has too many for a column each, both have bins.
      if (bars.length > 0 && bars[0].counting !== counting) values.length = 0;
      for (const numbers of answer.bars)
        bars.push({ numbers, slowest: shorten(answer.members[numbers.slowest], 60), counting });
    }
    const column = (value: (numbers: HistogramNumbers) => number) =>
      Float64Array.from(bars, ({ numbers }) => value(numbers));
    return {
      ...{ kind: "histograms", of, member: unitName(member, 1), members: shorten([...members].join("; "), 60) },
      minimum: column(({ minimum }) => minimum),
      mean: column(({ mean }) => mean),
      maximum: column(({ maximum }) => maximum),
      imbalance: column(({ imbalance }) => (Number.isFinite(imbalance) ? imbalance : -1)),
      slowest: bars.map(({ slowest }) => slowest),
      first: firstOf(bars.map(({ numbers }) => numbers.counts)),
      counts: Int32Array.from(bars.flatMap(({ numbers }) => [...numbers.counts])),
      counting: Int32Array.from(bars, ({ counting }) => counting),
      values: Float64Array.from(values.flatMap((own) => [...own])),
    };
  },
};

/** Functions that are listed, and of how many of them place and bar are looked up. */
const MOST_CHANGES = 500;
const PLACED_CHANGES = 10;

const laterChanges: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => (planOf(view).pair === "runs" ? { from: currentSettings().changedShare } : undefined),
  async ask({ asked: { graphs, plan } }, { session: { engine } }, task) {
    const [before, after] = graphs.map(({ query }) => query);
    const sides = { baseline: [before.scope], candidate: [after.scope], renamed: before.renamed };
    const from = currentSettings().changedShare;
    const largest = await engine.comparison(
      { ...sides, value: "exclusive", limit: MOST_CHANGES, linked: PLACED_CHANGES, changedFrom: from },
      task,
    );
    const barOf = async ({ candidateFunction, baselineFunction }: ComparedRow) => {
      const of = candidateFunction ?? baselineFunction;
      if (!of) return NONE;
      const query = candidateFunction ? after : before;
      const target = { kind: "function", function: of.function } as const;
      const id = await engine.barOf({ query, target }, task);
      const at = graphs[0].graph.bars.findIndex((bar) => bar.id === id);
      return at < 0 || plan.merged ? at : at + graphs[0].graph.bars.length;
    };
    const rows = await Promise.all(
      largest.rows.map(async (row, at) => {
        const { name, shown, baseline, candidate, link } = row;
        const place = link && placeText(link);
        const bar = at < PLACED_CHANGES ? await barOf(row) : NONE;
        return {
          ...{ name: shorten(name, 1000), baseline, candidate, bar },
          ...(shown === undefined ? {} : { shown: shorten(shown, 200) }),
          ...(place === undefined ? {} : { place: shorten(place, 200) }),
        };
      }),
    );
    return { kind: "changes", from, changed: largest.changed, rows };
  },
};

type HistogramNumbers = Awaited<ReturnType<GraphView["session"]["engine"]["barHistograms"]>>["bars"][number];

const laterLook: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => [colourOf(view), histogramsIn(view)],
  ask: (_, view) => ({ kind: "look", colour: colourOf(view), histograms: histogramsIn(view)?.of ?? "off" }),
};

/** What bars are coloured by: what differs between two recordings, unless something else was chosen. */
function colourOf(view: GraphView): ColourChoice {
  return view.state.colour ?? (planOf(view).pair === "runs" ? "difference" : "exclusive");
}

function controls(view: GraphView, shown?: ShownGraphs): Control[] {
  const list = stepsOf(view.state);
  const plan = planOf(view);
  const hasMap = Object.keys(currentSettings().groups).length > 0;
  const groupings = groupChoices.filter((choice) => choice !== "auto" && (choice !== "map" || hasMap));
  const undo: ToolControl = {
    kind: "tool",
    id: "undo",
    name: "Undo",
    icon: "discard",
    key: "Ctrl+Z",
    group: "steps",
    leaves: 3,
  };
  const redo: ToolControl = { ...undo, id: "redo", name: "Redo", icon: "redo", key: "Ctrl+Shift+Z", leaves: 4 };
  const below: ToolControl = {
    ...{ kind: "tool", id: "below", icon: "split-vertical", on: isBelow(plan), group: "graphs", leaves: 7 },
    name: plan.pair === "runs" ? "Two graphs, else one by difference" : "Others below",
  };
  const both = comparedWith(view.session, view.dataSet.id);
  const names = comparedNames(view.session) ?? [];
  const other = names[both?.findIndex(({ info }) => info.id !== view.dataSet.id) ?? -1];
  const compare: ToolControl = {
    ...{ kind: "tool", id: "compare", icon: "git-compare", group: "graphs", leaves: 6, on: both !== undefined },
    name: both ? `Compared with ${shorten(other ?? "", 200)}` : "Compare with another recording…",
  };
  return [
    {
      ...{ kind: "select", id: "groupBy", name: "Group by" },
      value: list.groupBy === "auto" ? (shown?.asked.graphs[0].graph.groupBy ?? "file") : list.groupBy,
      choices: groupings.map((value) => ({
        ...{ value, label: `by ${groupNames[value]}`, short: groupNames[value] },
        ...(value === "module" && !view.dataSet.hasModules ? { disabled: "no load modules were recorded" } : {}),
      })),
    },
    {
      ...{ kind: "threshold", id: "filter", name: "Hide functions below", value: list.filter },
      ...(shown ? { says: saysOf(shown) } : {}),
    },
    { ...undo, ...(canUndo(list) ? {} : { disabled: "nothing was done" }) },
    { ...redo, ...(canRedo(list) ? {} : { disabled: "nothing was undone" }) },
    stepsTool(list.done > 0, list.steps.length > 0),
    ...(plan.pair ? [below] : []),
    compare,
    breakTool(view, shown),
    lookTool(view, plan),
  ];
}

function saysOf({
  asked: {
    graphs: [{ graph }],
  },
}: ShownGraphs): string {
  const { functions, filtered, total } = graph;
  const share = Number((100 * (1 - filtered.exclusive / total)).toPrecision(3));
  return `${functions} of ${functions + filtered.functions} functions stay, ${share} % of ${shorten(graph.metric, 60)}`;
}

function stepsTool(hasDone: boolean, hasSteps: boolean): ToolControl {
  const none = { disabled: "there are no steps yet" };
  return {
    ...{ kind: "tool", id: "steps", name: "Steps: save, apply, copy", icon: "list-tree", tucked: true, leaves: 9 },
    menu: [
      { value: "save", label: "Save steps…", ...(hasDone ? {} : none) },
      { value: "apply", label: "Apply saved steps…" },
      { value: "copy", label: "Copy as command line" },
      { value: "clear", label: "Remove all steps", ...(hasSteps ? {} : none) },
    ],
  };
}

/** One bar may leave too little height to all others. */
function breakTool({ state }: GraphView, shown: ShownGraphs | undefined): ToolControl {
  const bar = shown ? breakable(shown.asked) : "there is no graph yet";
  return {
    ...{
      kind: "tool",
      id: "broken",
      name: "Break the bar that fills the height",
      icon: "fold",
      tucked: true,
      leaves: 8,
    },
    on: state.broken === true,
    ...(typeof bar === "string" && state.broken !== true ? { disabled: bar } : {}),
  };
}

/** What bars show beside their own numbers. */
function lookTool(view: GraphView, plan: SplitPlan): ToolControl {
  const { dataSet, scope, state } = view;
  const unit = histogramUnit(dataSet, scope);
  const none = typeof unit === "string" ? { disabled: unit } : {};
  const colours = plan.graphs.length > 1 && !plan.merged ? colourChoices : [];
  return {
    ...{ kind: "tool", id: "look", name: "Histograms and colour of bars", icon: "graph", tucked: true, leaves: 8 },
    menu: [
      ...histogramChoices.map((of) => ({
        ...{ value: `histograms ${of}`, label: of === "off" ? "no histograms" : `histograms of ${of}` },
        ...{ group: "histograms", checked: state.histograms === of, ...none },
      })),
      ...colours.map((of) => ({
        ...{ value: `colour ${of}`, label: `colour: ${of}`, group: "colour", checked: colourOf(view) === of },
      })),
    ],
  };
}

function choose(
  view: GraphView,
  id: string,
  value: string,
  panel: PanelHandle<SuperGraphState, ShownGraphs>,
  saved: SavedStepsStore,
): ReturnType<SuperGraphDefinition["choose"]> {
  const list = stepsOf(view.state);
  switch (id) {
    case "filter":
      return becomes(list, setStart(list, { filter: Number(value) }));
    case "groupBy":
      return becomes(list, setStart(list, { groupBy: value as GroupChoice }));
    case "broken":
      return { broken: view.state.broken !== true };
    case "below":
      return { below: !isBelow(planOf(view)) };
    case "compare":
      return compare(view);
    case "look": {
      const [what, of] = value.split(" ");
      return what === "colour" ? { colour: of as ColourChoice } : { histograms: of as HistogramChoice };
    }
    default:
      return chooseSteps(list, id, value, panel, saved);
  }
}

function isBelow({ graphs, merged }: SplitPlan): boolean {
  return graphs.length > 1 && !merged;
}

/** Sets the recording against another one that is asked for, or ends that. The session tells everybody. */
async function compare({ session, dataSet }: GraphView): Promise<undefined> {
  if (comparedWith(session, dataSet.id)) {
    session.compare(undefined);
    return;
  }
  const comparison = await pickComparison(session, dataSet);
  if (!comparison) return;
  session.compare(comparison);
  // What was opened for this has put its page in front.
  if (comparison.baseline === dataSet.id)
    await vscode.commands.executeCommand("heatflow.showSuperGraph", { dataSet: dataSet.id });
}

function steps({ dataSet, state }: GraphView, shown?: ShownGraphs): Step[] {
  const list = stepsOf(state);
  const { filter, groupBy, done } = list;
  const problems = shown ? stepProblems(shown) : new Map<number, string>();
  const [filtered, grouped] = startLabels(filter, groupBy === "auto" ? (shown?.groupedBy ?? groupBy) : groupBy);
  return [
    firstStep(dataSet, "start"),
    { id: "start filter", text: filter === 0 ? "nothing hidden" : `≥ ${filter} %`, title: filtered },
    { id: "start group", text: grouped },
    ...list.steps.map(({ key, operation }, at): Step => {
      const problem = at < done ? problems.get(key) : undefined;
      return {
        ...{
          id: String(key),
          text: stepLabel(operation),
          title: shorten(operationText(operation), 1000),
          removable: true,
        },
        ...(at < done ? {} : { undone: true }),
        ...(problem === undefined ? {} : { problem: shorten(problem, 1000) }),
      };
    }),
  ];
}
