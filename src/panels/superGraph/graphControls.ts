/** The toolbar and the steps of a super graph: what they offer, and what a choice makes of the state. */
import * as vscode from "vscode";
import {
  type ColourChoice,
  colourChoices,
  groupChoices,
  groupNames,
  type HistogramChoice,
  histogramChoices,
  type SuperGraphState,
} from "../../protocol/superGraph";
import type { ChosenStart } from "../../engine/api";
import type { Control, SelectControl, Step, ToolControl } from "../../protocol/frame";
import { currentSettings } from "../../session/sourceFeed";
import { comparedNames, comparedWith } from "../../session/comparedScopes";
import { pickComparison } from "../../session/pickComparison";
import type { PanelHandle } from "../kit/definition";
import { shorten } from "../../model/texts";
import { firstStep } from "../kit/frameMessage";
import { breakable } from "./brokenBars";
import { canRedo, canUndo, type GraphSteps, setStart } from "./graphSteps";
import { firstText, regrouped, shownFilter } from "./graphStart";
import { filterLabel, groupByLabel, stepLabel } from "./stepTexts";
import { histogramUnit, type SplitPlan } from "./splitPlan";
import type { SavedStepsStore } from "./savedSteps";
import type { ShownGraphs } from "./shownGraphs";
import { becomes, chooseSteps, stepProblems, stepsOf } from "./steps";
import { operationText } from "../../engine/graphs/operations";
import { colourOf, type GraphView, planOf, type SuperGraphDefinition } from "./graphView";

/** Names the control of groupings, also where a step opens it. */
export const GROUP_CONTROL = "groupBy";

/** @param shown undefined: there is no graph yet */
export function controls(view: GraphView, shown?: ShownGraphs): Control[] {
  const list = stepsOf(view.state);
  const plan = planOf(view);
  const below: ToolControl = {
    kind: "tool",
    id: "below",
    icon: "split-vertical",
    on: isBelow(plan),
    group: "graphs",
    leaves: 7,
    name: plan.pair === "runs" ? "Two graphs, else one by difference" : "Others below",
  };
  const both = comparedWith(view.session, view.dataSet.id);
  const names = comparedNames(view.session) ?? [];
  const other = names[both?.findIndex(({ info }) => info.id !== view.dataSet.id) ?? -1];
  const compare: ToolControl = {
    kind: "tool",
    id: "compare",
    icon: "git-compare",
    group: "graphs",
    leaves: 6,
    on: both !== undefined,
    name: both ? `Compared with ${shorten(other ?? "", 200)}` : "Compare with another recording…",
  };
  return [
    groupControl(view, list, chosenIn(shown)),
    {
      kind: "threshold",
      id: "filter",
      name: "Hide functions below",
      value: shownFilter(list, chosenIn(shown)),
      ...(shown ? { says: saysOf(shown) } : {}),
    },
    ...undoTools(list),
    stepsTool(list.done > 0, list.steps.length > 0),
    ...(plan.pair ? [below] : []),
    compare,
    breakTool(view, shown),
    lookTool(view, plan),
  ];
}

/** The first picture that the graph on screen begins with. */
function chosenIn(shown: ShownGraphs | undefined): ChosenStart | undefined {
  return shown?.asked.graphs[0].graph.chosen;
}

/** @param chosen the first picture that the graph on screen begins with */
export function groupControl(
  { dataSet }: Pick<GraphView, "dataSet">,
  { groupBy }: Pick<GraphSteps, "groupBy">,
  chosen: ChosenStart | undefined,
): SelectControl {
  const hasMap = Object.keys(currentSettings().groups).length > 0;
  const groupings = groupChoices.filter((choice) => choice !== "map" || hasMap);
  return {
    kind: "select",
    id: GROUP_CONTROL,
    name: "Group by",
    value: groupBy,
    choices: groupings.map((value) => ({
      value,
      label: groupByLabel(value),
      short: groupNames[value],
      ...(value === "first" ? { text: firstText(chosen) } : {}),
      ...(value === "module" && !dataSet.hasModules ? { disabled: "no load modules were recorded" } : {}),
    })),
  };
}

export function undoTools(list: GraphSteps): ToolControl[] {
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
  return [
    { ...undo, ...(canUndo(list) ? {} : { disabled: "nothing was done" }) },
    { ...redo, ...(canRedo(list) ? {} : { disabled: "nothing was undone" }) },
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
    kind: "tool",
    id: "steps",
    name: "Steps: save, apply, copy",
    icon: "list-tree",
    tucked: true,
    leaves: 9,
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
    kind: "tool",
    id: "broken",
    name: "Break the bar that fills the height",
    icon: "fold",
    tucked: true,
    leaves: 8,
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
    kind: "tool",
    id: "look",
    name: "Histograms and colour of bars",
    icon: "graph",
    tucked: true,
    leaves: 8,
    menu: [
      ...histogramChoices.map((of) => ({
        value: `histograms ${of}`,
        label: of === "off" ? "no histograms" : `histograms of ${of}`,
        group: "histograms",
        checked: state.histograms === of,
        ...none,
      })),
      ...colours.map((of) => ({
        value: `colour ${of}`,
        label: `colour: ${of}`,
        group: "colour",
        checked: colourOf(view) === of,
      })),
    ],
  };
}

/** @returns what becomes of the state; undefined: nothing. @param saved steps by name, of the workspace */
export function choose(
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
    case GROUP_CONTROL:
      return chooseGroups(list, value, chosenIn(panel.onScreen?.shown));
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

/** Another grouping. @param chosen the first picture that the graph on screen begins with */
export function chooseGroups(
  list: GraphSteps,
  value: string,
  chosen: ChosenStart | undefined,
): ReturnType<typeof becomes> {
  const groupBy = groupChoices.find((choice) => choice === value);
  const start = groupBy && regrouped(list, groupBy, chosen);
  return start && becomes(list, setStart(list, { ...start, first: undefined }));
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
  // What was opened for this has put its page in front; the candidate's panel, where it is open, draws both.
  if (comparison.baseline === dataSet.id)
    await vscode.commands.executeCommand("heatflow.showSuperGraph", { dataSet: comparison.candidate });
}

/** Recording, filter, grouping, then what was done, and what was undone. */
export function steps({ dataSet, state }: GraphView, shown?: ShownGraphs): Step[] {
  const problems = shown ? stepProblems(shown) : new Map<number, string>();
  return stepRow(dataSet, stepsOf(state), problems, chosenIn(shown));
}

/**
 * @param problems by steps' keys
 * @param chosen the first picture that the graph on screen begins with
 */
export function stepRow(
  dataSet: { readonly name: string },
  list: GraphSteps,
  problems: ReadonlyMap<number, string>,
  chosen: ChosenStart | undefined,
): Step[] {
  const { groupBy, steps, done } = list;
  const filter = shownFilter(list, chosen);
  return [
    firstStep(dataSet, "start"),
    {
      id: "start filter",
      text: filter === 0 ? "nothing hidden" : `≥ ${filter} %`,
      title: filterLabel(filter),
    },
    {
      id: "start group",
      text: groupByLabel(groupBy),
      ...(groupBy === "first" && chosen ? { title: shorten(`${firstText(chosen)}. ${chosen.why}`, 4000) } : {}),
      // The last step in effect leads to other groupings, an earlier one back to it.
      ...(done === 0 ? { opens: GROUP_CONTROL } : {}),
    },
    ...steps.map(({ key, operation }, at): Step => {
      const problem = at < done ? problems.get(key) : undefined;
      return {
        id: String(key),
        text: stepLabel(operation),
        title: shorten(operationText(operation), 1000),
        removable: true,
        ...(at < done ? {} : { undone: true }),
        ...(problem === undefined ? {} : { problem: shorten(problem, 1000) }),
      };
    }),
  ];
}
