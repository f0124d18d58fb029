/** The operations of one super graph panel: what the user does to bars becomes steps, and the list is told to the view. */
import type { DrawnQuery, OtherGraph } from "./superGraphDrawing";
import * as vscode from "vscode";
import type { DataSetInfo, GraphOperation, GraphQuery, GroupBy, GroupRef, SuperGraph } from "../../engine/api";
import type { BarOperationKind, FromSteps, KeptSteps, StepsAction, StepsMessage } from "../../protocol/graphSteps";
import type { GroupChoice } from "../../protocol/superGraph";
import type { Session } from "../../session/session";
import { operationText } from "../../engine/graphs/operations";
import { functionsIn, pickEntrySets, pickFunction, pickSaved } from "./graphPicks";
import {
  addStep,
  canRedo,
  canUndo,
  goToStep,
  type GraphSteps,
  MOST_STEPS,
  newSteps,
  operationsDone,
  redo,
  removeStep,
  replaceSteps,
  setStart,
  undo,
} from "./graphSteps";
import { operationsOf, type SavedStepsStore } from "./savedSteps";
import { shorten } from "../kit/shorten";
import { commandLine, startLabels, stepLabel } from "./stepTexts";

export interface StepsHost {
  readonly session: Session;
  readonly saved: SavedStepsStore;
  /** The data set of the panel, while it is open. */
  dataSet(): DataSetInfo | undefined;
  /** The graph of this revision, the one on screen or one of the last before it. */
  drawn(revision: number): DrawnQuery | undefined;
  /** The second graph on screen, where there are two. */
  other(): OtherGraph | undefined;
  /** The list is another one: what is on screen is to be asked for anew. */
  changed(): Promise<void>;
  post(message: StepsMessage): void;
  notice(text: string): void;
}

/** What a panel keeps of its list. */
export interface StepsState {
  readonly filter: number;
  readonly groupBy: GroupChoice;
  readonly steps?: KeptSteps;
}

export class SuperGraphSteps {
  private list: GraphSteps;
  /** Why steps are left out, by their key, as far as it is known. */
  private problems: ReadonlyMap<number, string> = new Map();
  /** The list that these were learned of. */
  private answered: GraphSteps | undefined;
  /** What the graph on screen begins with, where that was left open. */
  private grouping: GroupBy | undefined;

  constructor(
    private readonly host: StepsHost,
    { filter, groupBy, steps }: StepsState,
  ) {
    this.list = newSteps(filter, groupBy, operationsOf(steps?.operations ?? []) ?? [], steps?.done);
  }

  get state(): StepsState {
    const { filter, groupBy, steps, done } = this.list;
    return {
      ...{ filter, groupBy },
      ...(steps.length === 0
        ? {}
        : { steps: { operations: steps.map(({ operation }) => operationText(operation)), done } }),
    };
  }

  /** What is asked for: operations that cannot be done are left out, and said. */
  get query(): Pick<GraphQuery, "filter" | "groupBy" | "operations" | "lenient"> {
    const { filter, groupBy, done } = this.list;
    return { filter, groupBy, ...(done > 0 ? { operations: operationsDone(this.list), lenient: true } : {}) };
  }

  /** Tells the view what the list is; what cannot be done is known when the graph is there. */
  tell(answer?: { readonly query: GraphQuery; readonly graph: SuperGraph }): void {
    const { list } = this;
    const { filter, groupBy, steps, done } = list;
    if (answer) {
      this.grouping = firstGrouping(answer);
      // The graph's operations are those of the list, unless the list has changed since: then another answer comes.
      const { skipped } = answer.graph;
      this.answered = list;
      this.problems = new Map(
        skipped.flatMap(({ index, reason }) => (steps[index] ? [[steps[index].key, reason]] : [])),
      );
    }
    this.host.post({
      type: "steps",
      start: startLabels(filter, groupBy === "auto" ? (this.grouping ?? groupBy) : groupBy),
      steps: steps.map(({ key, operation }, at) => {
        const problem = at < done ? this.problems.get(key) : undefined;
        return {
          key,
          label: stepLabel(operation),
          text: shorten(operationText(operation), 1000),
          done: at < done,
          ...(problem === undefined ? {} : { problem: shorten(problem, 1000) }),
        };
      }),
      canUndo: canUndo(list),
      canRedo: canRedo(list),
    });
  }

  setFilter(filter: number): Promise<void> {
    return this.become(setStart(this.list, { filter }));
  }

  setGroupBy(groupBy: GroupChoice): Promise<void> {
    return this.become(setStart(this.list, { groupBy }));
  }

  async answer(message: FromSteps): Promise<void> {
    switch (message.type) {
      case "operate":
        return this.operate(message.kind, message.revision, message.bar);
      case "split-off": {
        const entry = this.host.drawn(message.revision)?.graph.bars.at(message.bar)?.entries.at(message.entry);
        const target = this.targetOf(message.revision, message.bar);
        if (entry && target) await this.add({ kind: "split-by-entry", target, sets: [[entry.name]] });
        return;
      }
      case "go-to-step":
        return this.become(goToStep(this.list, message.key));
      case "remove-step":
        return this.become(removeStep(this.list, message.key));
      case "steps-action":
        return this.act(message.action);
    }
  }

  private async operate(kind: BarOperationKind, revision: number, index: number): Promise<void> {
    const drawn = this.host.drawn(revision);
    const bar = drawn?.graph.bars.at(index);
    const target = this.targetOf(revision, index);
    if (!drawn || !bar || !target) return;
    switch (kind) {
      case "split-by-caller-group":
      case "split-by-caller-function":
        return this.add({
          kind: "split-by-caller",
          target,
          by: kind === "split-by-caller-group" ? "group" : "function",
        });
      case "split-by-entry": {
        const sets = await pickEntrySets(bar, drawn.graph);
        if (sets) await this.add({ kind, target, sets });
        return;
      }
      case "reveal": {
        const name = await pickFunction(bar, drawn.graph, await functionsIn(drawn, bar.id, this.host.session.engine));
        if (name !== undefined) await this.add({ kind, function: name, target });
        return;
      }
      case "collapse":
        if (bar.collapsesTo) await this.add({ kind, target: bar.collapsesTo });
        return;
      default:
        return this.add({ kind, target });
    }
  }

  /** The group of a bar, or, where it has several, this one of them. */
  private targetOf(revision: number, index: number): GroupRef | undefined {
    const graph = this.host.drawn(revision)?.graph;
    const bar = graph?.bars.at(index);
    if (!graph || !bar) return undefined;
    const isOnly = graph.bars.every((other) => other === bar || other.group !== bar.group);
    return isOnly ? { group: bar.group } : { group: bar.group, bar: bar.visit };
  }

  private async act(action: StepsAction): Promise<void> {
    switch (action) {
      case "undo":
        return this.become(undo(this.list));
      case "redo":
        return this.become(redo(this.list));
      case "clear":
        return this.become(this.list.steps.length === 0 ? this.list : (replaceSteps(this.list, []) ?? this.list));
      case "save":
        return this.save();
      case "apply":
        return this.apply();
      case "copy":
        return this.copy();
    }
  }

  private add(operation: GraphOperation): Promise<void> {
    const list = addStep(this.list, operation);
    if (list) return this.become(list);
    this.host.notice(`More steps than ${MOST_STEPS}, or longer ones, are not kept. Remove some first.`);
    return Promise.resolve();
  }

  private async become(list: GraphSteps): Promise<void> {
    if (list === this.list) return;
    this.list = list;
    await this.host.changed();
  }

  private async save(): Promise<void> {
    const operations = operationsDone(this.list).map(operationText);
    const dataSet = this.host.dataSet();
    if (operations.length === 0 || !dataSet) return this.host.notice("There are no steps to save yet.");
    const known = this.host.saved.all();
    const name = await vscode.window.showInputBox({
      title: "Save Steps",
      prompt: `A name for ${operations.length === 1 ? "this step" : `these ${operations.length} steps`}`,
      validateInput: (text) =>
        known.some((saved) => saved.name === text.trim())
          ? { message: "Takes the place of what has this name.", severity: vscode.InputBoxValidationSeverity.Info }
          : text.length > 200
            ? "At most 200 characters."
            : undefined,
    });
    const given = name?.trim();
    if (!given) return;
    const { filter, groupBy } = this.list;
    await this.host.saved.save({ name: given, dataSet: shorten(dataSet.name, 4096), filter, groupBy, operations });
    this.host.notice(`Saved as ${given}.`);
  }

  private async apply(): Promise<void> {
    const chosen = await pickSaved(this.host.saved);
    const operations = chosen && operationsOf(chosen.operations);
    if (!chosen || !operations) return;
    const { filter, groupBy } = chosen;
    const list = replaceSteps(this.list, operations, { filter, groupBy });
    if (!list) return;
    await this.become(list);
    // The graph may have failed, or others may have come after these: then nothing is known of them.
    if (this.answered !== list) return;
    const left = this.problems.size;
    const all = operations.length;
    const steps = all === 1 ? "Its step" : left === 0 ? `All ${all} steps` : `${left} of ${all} steps`;
    const what = left > 0 ? "cannot be done on this recording." : all === 1 ? "is done." : "are done.";
    this.host.notice(`Applied ${chosen.name}. ${steps} ${what}`);
  }

  /** Copies the command that gives the same graph. */
  private async copy(): Promise<void> {
    const dataSet = this.host.dataSet();
    const scope = dataSet && this.host.session.scope(dataSet.id);
    if (!scope) return;
    const { filter, groupBy, steps, done } = this.list;
    const possible = steps.slice(0, done).filter(({ key }) => !this.problems.has(key));
    const other = this.host.other();
    const { text, missing } = commandLine({
      dataSet,
      scope,
      filter,
      groupBy: groupBy === "auto" ? (this.grouping ?? "file") : groupBy,
      operations: possible.map(({ operation }) => operation),
      ...(other ? { other: `the ${other.kind === "runs" ? "comparison with" : "graph of"} ${other.name}` } : {}),
      sources: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    });
    await vscode.env.clipboard.writeText(text);
    if (possible.length < done)
      missing.push(`${done - possible.length} of ${done} steps, which cannot be done, are left out`);
    this.host.notice(missing.length === 0 ? "Copied." : `Copied: ${missing.join("; ")}.`);
  }
}

/** What a graph was grouped by at first, where no step has grouped it anew. */
function firstGrouping({ query, graph }: { query: GraphQuery; graph: SuperGraph }): GroupBy | undefined {
  return query.operations?.some(({ kind }) => kind === "group-by") === true ? undefined : graph.groupBy;
}
