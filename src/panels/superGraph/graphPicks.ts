/** What a panel asks in VS Code's own lists, before an operation is done. */
import * as vscode from "vscode";
import type { Engine, FunctionRow, GraphBar, SuperGraph } from "../../engine/api";
import { formatValue } from "../../model/units";
import { shownUnit } from "../../session/scopeChoice";
import type { SavedSteps, SavedStepsStore } from "./savedSteps";
import { shorten } from "../../model/texts";
import { groupRefName, startLabels } from "./stepTexts";
import type { AskedGraphs } from "./askedGraphs";

interface NamedItem extends vscode.QuickPickItem {
  readonly name: string;
}

/** More sets than that are not asked for one after the other. */
const MOST_SETS = 20;
const MOST_LABEL = 200;

/**
 * Asks for entry functions, set after set, until no further one is chosen. One list asks for all of them: where one closed
 * and the next one opened, the focus went back to the panel in between, and could close the next one as it came.
 *
 * @returns undefined where the user went back
 */
export function pickEntrySets(bar: GraphBar, graph: SuperGraph): Promise<string[][] | undefined> {
  if (bar.entries.length === 0) return Promise.resolve(undefined);
  const sets: string[][] = [];
  const pick = vscode.window.createQuickPick<NamedItem>();
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  const ask = (left: readonly NamedItem[]) => {
    pick.value = "";
    pick.items = left;
    pick.selectedItems = [];
    pick.title = `Split ${barTitle(bar)} by Entry Function: Set ${sets.length + 1}`;
    pick.placeholder =
      sets.length === 0
        ? "Entry functions that become a bar of their own"
        : "Entry functions of another bar; none to finish";
  };
  return new Promise((resolve) => {
    let isDone = false;
    pick.onDidAccept(() => {
      // The list closes some time after `hide`.
      if (isDone) return;
      const { selectedItems, items } = pick;
      if (selectedItems.length > 0) sets.push(selectedItems.map(({ name }) => name));
      const left = items.filter((item) => !selectedItems.includes(item));
      if (selectedItems.length > 0 && left.length > 0 && sets.length < MOST_SETS) return ask(left);
      isDone = true;
      resolve(sets.length > 0 ? sets : undefined);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    ask(itemsOf(bar.entries, graph));
    pick.show();
  });
}

/** What can be revealed of a bar, heaviest exclusive first; of two recordings then what only the other one has there. */
export async function functionsIn(
  { plan, graphs: [{ query }, other] }: AskedGraphs,
  bar: string,
  engine: Pick<Engine, "barFunctions">,
): Promise<FunctionRow[]> {
  const own = await engine.barFunctions({ query, bar });
  if (plan.pair !== "runs" || !other) return own;
  const known = new Set(own.map(({ name }) => name));
  const more = (await engine.barFunctions({ query: other.query, bar })).filter(({ name }) => !known.has(name));
  const only = `only in ${shorten(other.planned.name, 100)}`;
  return [
    ...own,
    ...more.map((row) => {
      const detail = row.detail === "" ? only : `${row.detail} · ${only}`;
      return { ...row, exclusive: 0, inclusive: 0, contexts: 0, detail };
    }),
  ];
}

/** Asks for one of the functions inside a bar, heaviest first. @returns its recorded name */
export async function pickFunction(
  bar: GraphBar,
  graph: SuperGraph,
  rows: readonly FunctionRow[],
): Promise<string | undefined> {
  const chosen = await vscode.window.showQuickPick(itemsOf(rows, graph), {
    matchOnDescription: true,
    matchOnDetail: true,
    title: `Reveal a Function of ${barTitle(bar)}`,
    placeHolder: rows.length === 1 ? "1 function" : `${rows.length} functions, heaviest exclusive first`,
  });
  return chosen?.name;
}

/** Asks for saved steps, and lets them be deleted there. */
export function pickSaved(store: SavedStepsStore): Promise<SavedSteps | undefined> {
  const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete" };
  const items = () =>
    store.all().map((saved) => ({
      label: saved.name,
      description: `${saved.operations.length} step${saved.operations.length === 1 ? "" : "s"}, saved on ${shorten(saved.dataSet, MOST_LABEL)}`,
      detail: shorten([...startLabels(saved), ...saved.operations].join(" → "), 1000),
      buttons: [remove],
      saved,
    }));
  const pick = vscode.window.createQuickPick<ReturnType<typeof items>[number]>();
  pick.title = "Apply Saved Steps";
  pick.matchOnDetail = true;
  pick.items = items();
  pick.placeholder =
    pick.items.length === 0
      ? "No steps have been saved in this workspace."
      : "The steps of this panel make way for them";
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.at(0)?.saved);
      pick.hide();
    });
    pick.onDidTriggerItemButton(async ({ item }) => {
      await store.remove(item.saved.name);
      pick.items = items();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Of several of one name the first stands for all: an operation means them all. */
function itemsOf(
  rows: readonly { name: string; exclusive: number; inclusive: number; detail?: string }[],
  graph: SuperGraph,
): NamedItem[] {
  const byName = new Map<string, { exclusive: number; inclusive: number; detail?: string }>();
  for (const { name, exclusive, inclusive, detail } of rows) {
    const known = byName.get(name);
    byName.set(name, {
      exclusive: exclusive + (known?.exclusive ?? 0),
      inclusive: inclusive + (known?.inclusive ?? 0),
      detail: known ? known.detail : detail,
    });
  }
  const unit = shownUnit({ name: graph.metric, unit: graph.unit });
  return [...byName].map(([name, { exclusive, inclusive, detail }]) => ({
    name,
    // Icons are written so in labels: a name is only ever shown as it is.
    label: shorten(name, MOST_LABEL).replaceAll("$(", "$\u200b("),
    description: `exclusive ${formatValue(exclusive, unit)}, inclusive ${formatValue(inclusive, unit)}`,
    ...(detail ? { detail: shorten(detail, MOST_LABEL).replaceAll("$(", "$\u200b(") } : {}),
  }));
}

function barTitle({ group, visit }: GraphBar): string {
  return shorten(groupRefName({ group, bar: visit }), 80);
}
