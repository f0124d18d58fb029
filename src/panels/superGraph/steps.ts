/** What people do to the steps of a super graph and to its bars: each gives another list of operations. */
import * as vscode from "vscode";
import type { GraphBar, GraphOperation, GroupRef, SuperGraph } from "../../engine/api";
import { operationText } from "../../engine/graphs/operations";
import type { KeptSteps, SuperGraphState } from "../../protocol/superGraph";
import type { Change, PanelHandle } from "../kit/definition";
import { shorten } from "../../model/texts";
import { askName } from "../kit/askName";
import { functionsIn, pickEntrySets, pickFunction, pickSaved } from "./graphPicks";
import {
  addStep,
  goToStep,
  type GraphSteps,
  MOST_STEPS,
  newSteps,
  operationsDone,
  redo,
  removeStep,
  replaceSteps,
  undo,
} from "./graphSteps";
import { settingsStart } from "./graphStart";
import { operationsOf, type SavedStepsStore } from "./savedSteps";
import type { ShownGraphs } from "./shownGraphs";
import { commandLine } from "./stepTexts";

export type GraphPanel = PanelHandle<SuperGraphState, ShownGraphs>;
/** A panel whose steps are these, whatever else it remembers. */
type StepsPanel = Pick<PanelHandle<Pick<SuperGraphState, "steps">, never>, "view" | "change" | "notice">;
type StepsChange = Change<Pick<SuperGraphState, "steps">>;

/** What changes that can be taken back are: nothing of it outlives the window. */
const alive = new WeakMap<KeptSteps, GraphSteps>();

/** The steps of a panel; of one that has none yet: the start that the settings give. */
export function stepsOf({ steps }: Pick<SuperGraphState, "steps">): GraphSteps {
  const known = steps && alive.get(steps);
  if (known) return known;
  if (steps) {
    const list = newSteps(steps, operationsOf(steps.operations) ?? [], steps.done);
    alive.set(steps, list);
    return list;
  }
  return newSteps(settingsStart());
}

/** What a panel remembers of its steps. */
export function keptSteps(list: GraphSteps): Pick<SuperGraphState, "steps"> {
  const { filter, groupBy, first, steps, done } = list;
  const kept = { filter, groupBy, first, operations: steps.map(({ operation }) => operationText(operation)), done };
  alive.set(kept, list);
  return { steps: kept };
}

/** Another list; undefined where it is the same. */
export function becomes(before: GraphSteps, list: GraphSteps): StepsChange {
  return list === before ? undefined : keptSteps(list);
}

/** Why steps cannot be done, by their keys, as far as the graph on screen says. */
export function stepProblems({ steps, asked }: ShownGraphs): ReadonlyMap<number, string> {
  return problemsOf(steps, asked.graphs[0].graph.skipped);
}

/** @param skipped operations that a graph does without */
export function problemsOf({ steps }: GraphSteps, skipped: SuperGraph["skipped"]): ReadonlyMap<number, string> {
  return new Map(skipped.flatMap(({ index, reason }) => (steps[index] ? [[steps[index].key, reason]] : [])));
}

/** Choices of a step, and of the tools of steps. */
export function chooseSteps(
  list: GraphSteps,
  id: string,
  value: string,
  panel: GraphPanel,
  saved: SavedStepsStore,
): StepsChange | Promise<StepsChange> {
  return id === "steps" ? act(value, list, panel, saved) : moveInSteps(list, id, value);
}

/** Back to a step, without one, undone or done again; undefined: it is none of these. */
export function moveInSteps(list: GraphSteps, id: string, value: string): StepsChange {
  switch (id) {
    case "step":
      return becomes(list, goToStep(list, Number(value) || 0));
    case "remove-step":
      return becomes(list, removeStep(list, Number(value)));
    case "undo":
      return becomes(list, undo(list));
    case "redo":
      return becomes(list, redo(list));
  }
  return undefined;
}

async function act(action: string, list: GraphSteps, panel: GraphPanel, saved: SavedStepsStore): Promise<StepsChange> {
  if (action === "clear") return becomes(list, list.steps.length === 0 ? list : (replaceSteps(list, []) ?? list));
  if (action === "save") await save(list, panel, saved);
  else if (action === "apply") await apply(panel, saved);
  else if (action === "copy") await copyCommand(list, panel);
  return undefined;
}

async function save(list: GraphSteps, panel: GraphPanel, store: SavedStepsStore): Promise<void> {
  const operations = operationsDone(list).map(operationText);
  if (operations.length === 0 || !panel.view) return panel.notice("There are no steps to save yet.");
  const prompt = `A name for ${operations.length === 1 ? "this step" : `these ${operations.length} steps`}`;
  const given = await askName({ title: "Save Steps", prompt }, store.all());
  if (given === undefined || !panel.view) return;
  const { filter, groupBy, first } = list;
  const dataSet = shorten(panel.view.dataSet.name, 4096);
  await store.save({ name: given, dataSet, filter, groupBy, first, operations });
  panel.notice(`Saved as ${given}.`);
}

async function apply(panel: GraphPanel, store: SavedStepsStore): Promise<void> {
  const chosen = await pickSaved(store);
  const operations = chosen && operationsOf(chosen.operations);
  if (!operations || !panel.view) return;
  const { filter, groupBy, first } = chosen;
  const applied = replaceSteps(stepsOf(panel.view.state), operations, { filter, groupBy, first });
  if (!applied) return;
  await panel.change(keptSteps(applied));
  // The graph may have failed, or others may have come after these: then nothing is known of them.
  const shown = panel.onScreen?.shown;
  if (shown?.steps !== applied) return;
  const left = stepProblems(shown).size;
  const all = operations.length;
  const steps = all === 1 ? "Its step" : left === 0 ? `All ${all} steps` : `${left} of ${all} steps`;
  const what = left > 0 ? "cannot be done on this recording." : all === 1 ? "is done." : "are done.";
  panel.notice(`Applied ${chosen.name}. ${steps} ${what}`);
}

/** Copies the command that gives the same graph. */
async function copyCommand(list: GraphSteps, panel: GraphPanel): Promise<void> {
  const { view } = panel;
  const shown = panel.onScreen?.shown;
  if (!view) return;
  const { filter, groupBy, steps, done } = list;
  const problems = shown ? stepProblems(shown) : new Map<number, string>();
  const possible = steps.slice(0, done).filter(({ key }) => !problems.has(key));
  const other = shown?.asked.graphs.at(1)?.planned;
  const kind = shown?.asked.plan.pair === "runs" ? "comparison with" : "graph of";
  const { text, missing } = commandLine({
    dataSet: view.dataSet,
    scope: view.scope,
    filter,
    groupBy,
    operations: possible.map(({ operation }) => operation),
    ...(other ? { other: `the ${kind} ${other.name}` } : {}),
    sources: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  });
  await vscode.env.clipboard.writeText(text);
  if (possible.length < done)
    missing.push(`${done - possible.length} of ${done} steps, which cannot be done, are left out`);
  panel.notice(missing.length === 0 ? "Copied." : `Copied: ${missing.join("; ")}.`);
}

/** Operations that a bar's menu offers, by their names in messages. */
export const barOperations = [
  "split-by-caller-group",
  "split-by-caller-function",
  "split-by-entry",
  "split-off",
  "reveal",
  "expand",
  "collapse",
  "hide",
] as const;
export type BarOperation = (typeof barOperations)[number];

/**
 * Does something to a bar. Operations are those of the structure: a bar of the lower graph means the same one above.
 *
 * @param bar index in the first graph
 * @param entry name of the entry function that it is about
 */
export async function operate(
  kind: BarOperation,
  { asked }: Pick<ShownGraphs, "asked">,
  { bar: index, entry }: { readonly bar: number; readonly entry?: string },
  panel: StepsPanel,
): Promise<void> {
  const [{ graph }] = asked.graphs;
  const bar = graph.bars.at(index);
  const operation = bar && (await operationOf(kind, asked, { bar, entry }, panel));
  const list = panel.view && stepsOf(panel.view.state);
  if (!operation || !list) return;
  const added = addStep(list, operation);
  if (added) return panel.change(keptSteps(added));
  panel.notice(`More steps than ${MOST_STEPS}, or longer ones, are not kept. Remove some first.`);
}

async function operationOf(
  kind: BarOperation,
  asked: ShownGraphs["asked"],
  { bar, entry }: { readonly bar: GraphBar; readonly entry: string | undefined },
  panel: StepsPanel,
): Promise<GraphOperation | undefined> {
  const [{ graph }] = asked.graphs;
  const target = targetOf(graph.bars, bar);
  switch (kind) {
    case "split-by-caller-group":
      return { kind: "split-by-caller", target, by: "group" };
    case "split-by-caller-function":
      return { kind: "split-by-caller", target, by: "function" };
    case "split-off":
      return entry === undefined ? undefined : { kind: "split-by-entry", target, sets: [[entry]] };
    case "split-by-entry": {
      const sets = await pickEntrySets(bar, graph);
      return sets && { kind, target, sets };
    }
    case "reveal": {
      const functions = panel.view && (await functionsIn(asked, bar.id, panel.view.session.engine));
      const name = functions && (await pickFunction(bar, graph, functions));
      return name === undefined ? undefined : { kind, function: name, target };
    }
    case "collapse":
      return bar.collapsesTo && { kind, target: bar.collapsesTo };
    case "expand":
    case "hide":
      return { kind, target };
  }
}

/** The group of a bar, or, where it has several, this one of them. */
function targetOf(bars: readonly GraphBar[], bar: GraphBar): GroupRef {
  const isOnly = bars.every((other) => other === bar || other.group !== bar.group);
  return isOnly ? { group: bar.group } : { group: bar.group, bar: bar.visit };
}
