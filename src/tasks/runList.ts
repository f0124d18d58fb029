import * as vscode from "vscode";
import { scopeText } from "../session/scopeChoice";
import type { Session, SessionDataSet } from "../session/session";
import { isInside, TaskError, tracedTask } from "../traced/definition";
import { deleteRun, keepFacts, listRuns, type Run } from "../traced/runs";
import { runTexts } from "../traced/runTexts";
import { keptTasks } from "./ask";
import { notices } from "../session/notices";

/** A run, and the output folder that it is kept in. */
interface KeptRun extends Run {
  readonly output: string;
}

interface RunItem extends vscode.QuickPickItem {
  readonly run: KeptRun;
}

const COMPARE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("git-compare"),
  tooltip: "Compare with Another Run…",
};
const DELETE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete" };

/** Lists the runs of a folder: opens them, compares two, or deletes them. */
export async function showRunList(session: Session, folder: vscode.WorkspaceFolder): Promise<void> {
  const outputs = await outputsOf(folder);
  const pick = vscode.window.createQuickPick<RunItem>();
  const fill = async () => {
    pick.items = (await runsIn(outputs)).map((run) => itemOf(run, [COMPARE, DELETE]));
    pick.placeholder = pick.items.length === 0 ? "No traced build has run here yet" : "Which run is to be opened?";
  };
  pick.title = "Traced Runs";
  // The question whether a run is to be deleted takes the focus.
  pick.ignoreFocusOut = pick.matchOnDescription = pick.matchOnDetail = true;
  pick.onDidTriggerItemButton(({ item, button }) => {
    if (button === DELETE) return void remove(session, item).then(fill);
    const others = pick.items.filter((one) => one !== item);
    pick.hide();
    void compareWithOther(session, item.run, others);
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen !== undefined) void openRun(session, chosen.run).then((opened) => opened && session.announce([opened]));
  });
  pick.onDidHide(() => pick.dispose());
  await fill();
  pick.show();
}

/** Opens a run quietly, and keeps its total with it, for the list. */
export async function openRun(session: Session, run: Run): Promise<SessionDataSet | undefined> {
  const [opened] = await session.open([vscode.Uri.file(run.folder)], undefined, { quietly: true });
  const scope = opened && session.scope(opened.id);
  const metric = opened?.metrics.at(opened.defaultMetric);
  if (scope === undefined || metric === undefined || opened.defaultMetric < 0) return opened;
  const whole = { dataSet: opened.id, metric: opened.defaultMetric, over: scope.over };
  const { total: value } = await session.engine.runTotals(whole);
  const total = { of: scopeText(opened, whole), unit: metric.unit, value };
  if (JSON.stringify(total) !== JSON.stringify(run.facts.total)) await keepFacts(run.folder, { ...run.facts, total });
  return opened;
}

/** Shows what differs between two runs, the earlier one as the baseline. */
export async function compareRuns(session: Session, one: Run, other: Run): Promise<void> {
  const [before, after] = one.facts.startedAt < other.facts.startedAt ? [one, other] : [other, one];
  const baseline = await openRun(session, before);
  const candidate = await openRun(session, after);
  session.announce([baseline, candidate].filter((opened) => opened !== undefined));
  if (baseline !== undefined && candidate !== undefined)
    session.compare({ baseline: baseline.id, candidate: candidate.id });
}

async function compareWithOther(session: Session, run: KeptRun, others: readonly RunItem[]): Promise<void> {
  // Runs of the same program by the same tool are what is meant mostly.
  const alike = ({ run: { facts } }: RunItem) => facts.program === run.facts.program && facts.tool === run.facts.tool;
  const items = [...others.filter(alike), ...others.filter((one) => !alike(one))].map((one) => itemOf(one.run, []));
  const chosen = await vscode.window.showQuickPick(items, {
    title: `Compare ${runTexts(run.facts).label}`,
    placeHolder: items.length === 0 ? "There is no other run" : "With which run?",
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen !== undefined) await compareRuns(session, run, chosen.run);
}

async function remove(session: Session, { run, label }: RunItem): Promise<void> {
  const question = `Delete the run ${label} with its recording?`;
  if ((await notices.showWarningMessage(question, { modal: true }, "Delete")) !== "Delete") return;
  const shown = session.dataSets.filter(({ files }) => files.some((file) => isInside(file, run.folder)));
  for (const { id } of shown) await session.close(id);
  await deleteRun(run, run.output);
}

/** Where the tasks of a folder keep their runs, and those that tasks.json does not have. */
async function outputsOf(folder: vscode.WorkspaceFolder): Promise<Set<string>> {
  const outputs = new Set([tracedTask({}, folder.uri.fsPath).output]);
  for (const one of await keptTasks(folder))
    try {
      outputs.add(tracedTask(one, folder.uri.fsPath).output);
    } catch (problem) {
      if (!(problem instanceof TaskError)) throw problem;
    }
  return outputs;
}

async function runsIn(outputs: ReadonlySet<string>): Promise<KeptRun[]> {
  const lists = await Promise.all(
    [...outputs].map(async (output) => (await listRuns(output)).map((run) => ({ ...run, output }))),
  );
  return lists.flat().sort((a, b) => (a.facts.startedAt < b.facts.startedAt ? 1 : -1));
}

function itemOf(run: KeptRun, buttons: readonly vscode.QuickInputButton[]): RunItem {
  return { ...runTexts(run.facts), buttons, run };
}
