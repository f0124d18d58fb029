/** Traced builds: a bundle of its own, loaded when the first task is asked for. It registers nothing with VS Code itself. */
import path from "node:path";
import * as vscode from "vscode";
import { CancelledError, messageOf } from "../model/errors";
import { formatValue } from "../model/units";
import type { Session, SessionDataSet } from "../session/session";
import { findBuild } from "../traced/build";
import { TaskError, type Tool, tracedTask } from "../traced/definition";
import { MissingProgram, thisMachine } from "../traced/machine";
import { deleteRun, listRuns, type Run } from "../traced/runs";
import { BuildFailed, type RunResult, tracedRun } from "../traced/tracedRun";
import type { TaskEntry } from "../traced/tasksFile";
import { askForTask, keepTask, keptTasks } from "./ask";
import type { TaskHost } from "./lazyTasks";
import { Problems } from "./problems";
import { RunTerminal, type TerminalHost } from "./runTerminal";

/** What the tasks are made with. */
export interface TaskParts {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  /** Folder of the tracker's header and sources. */
  readonly trackerFolder: string;
  showSuperGraph(dataSet: number): void;
}

export function openTasks(parts: TaskParts): TaskHost {
  return new Tasks(parts);
}

class Tasks implements TaskHost {
  private readonly problems = new Problems();
  /** That are open: what runs in them ends with the window. */
  private readonly terminals = new Set<RunTerminal>();

  constructor(private readonly parts: TaskParts) {}

  dispose(): void {
    for (const terminal of this.terminals) terminal.close();
    this.problems.dispose();
  }

  /** Ready tasks of folders that CMake or make builds. */
  provide(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      if (findBuild(folder.uri.fsPath) === undefined) return [];
      const ready: Tool[] = ["instrument", "callgrind"];
      return ready.map((tool) => this.task({ type: "heatflow", tool, label: `traced build: ${tool}` }, folder));
    });
  }

  /** A task of tasks.json, with what runs it. */
  resolve(task: vscode.Task): vscode.Task | undefined {
    const { scope } = task;
    const folder = typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.at(0);
    if (folder === undefined) return undefined;
    const execution = new vscode.CustomExecution(async (resolved) => this.terminal(resolved, folder));
    return new vscode.Task(task.definition, scope ?? folder, task.name, "heatflow", execution);
  }

  async runTracedBuild(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      const trust = "Manage Workspace Trust";
      const message = "A traced build runs programs of the workspace, which is not trusted.";
      if ((await vscode.window.showErrorMessage(message, trust)) === trust)
        await vscode.commands.executeCommand("workbench.trust.manage");
      return;
    }
    const folder = await chosenFolder();
    if (folder === undefined) return;
    const task = await this.choose(folder);
    if (task !== undefined) await vscode.tasks.executeTask(task);
  }

  /** Lists runs that were kept: opens them, compares with the one that is shown, or deletes them. */
  async showRuns(): Promise<void> {
    const folder = await chosenFolder();
    if (folder === undefined) return;
    const outputs = new Set([tracedTask({}, folder.uri.fsPath).output]);
    for (const one of await keptTasks(folder))
      try {
        outputs.add(tracedTask(one, folder.uri.fsPath).output);
      } catch (problem) {
        if (!(problem instanceof TaskError)) throw problem;
      }
    const pick = vscode.window.createQuickPick<RunItem>();
    const fill = async () => {
      const lists = await Promise.all(
        [...outputs].map(async (output) => (await listRuns(output)).map((run) => itemOf(run, output))),
      );
      pick.items = lists.flat().sort((a, b) => (a.run.facts.startedAt < b.run.facts.startedAt ? 1 : -1));
      pick.placeholder = pick.items.length === 0 ? "No traced build has run here yet" : "Which run is to be opened?";
    };
    pick.title = "Traced Runs";
    pick.matchOnDescription = pick.matchOnDetail = true;
    pick.onDidTriggerItemButton(({ item }) => void this.remove(item).then(fill));
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      pick.hide();
      if (chosen !== undefined) void this.parts.session.open([vscode.Uri.file(chosen.run.folder)]);
    });
    pick.onDidHide(() => pick.dispose());
    await fill();
    pick.show();
  }

  private async remove({ run, output, label }: RunItem): Promise<void> {
    const isSure = await vscode.window.showWarningMessage(
      `Delete the run ${label} with its recording?`,
      { modal: true },
      "Delete",
    );
    if (isSure === "Delete") await deleteRun(run, output);
  }

  /** A task of tasks.json, a ready one, or a new one for which the user is asked. */
  private async choose(folder: vscode.WorkspaceFolder): Promise<vscode.Task | undefined> {
    const known = await keptTasks(folder);
    if (known.length > 0) {
      const create = { label: "$(add) New Traced Build…", entry: undefined };
      const items = [
        ...known.map((entry) => ({ label: entry.label, description: entry.tool as string, entry })),
        create,
      ];
      const chosen = await vscode.window.showQuickPick(items, { title: "Run Traced Build", ignoreFocusOut: true });
      if (chosen === undefined) return undefined;
      if (chosen.entry !== undefined) return this.task(chosen.entry, folder);
    }
    const entry = await askForTask(folder);
    if (entry === undefined) return undefined;
    await keepTask(folder, entry);
    return this.task(entry, folder);
  }

  private task(entry: TaskEntry, folder: vscode.WorkspaceFolder): vscode.Task {
    const execution = new vscode.CustomExecution(async (resolved) => this.terminal(resolved, folder));
    const task = new vscode.Task(entry, folder, entry.label, "heatflow", execution);
    task.group = vscode.TaskGroup.Build;
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
    return task;
  }

  private terminal(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Pseudoterminal {
    const terminal = new RunTerminal(async (host) => {
      try {
        return await this.run(definition, folder, host);
      } finally {
        this.terminals.delete(terminal);
      }
    });
    this.terminals.add(terminal);
    return terminal;
  }

  /** @returns the task's exit code */
  private async run(
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder,
    host: TerminalHost,
  ): Promise<number> {
    try {
      if (!vscode.workspace.isTrusted) throw new TaskError("The workspace is not trusted: nothing of it is run.");
      const task = tracedTask(definition, folder.uri.fsPath);
      const before = (await listRuns(task.output)).find(({ facts }) => facts.tool === task.tool);
      const chosen = vscode.workspace.getConfiguration("heatflow").get<Record<string, string>>("programs", {});
      const result = await tracedRun(task, thisMachine(this.parts.trackerFolder, chosen), {
        ...host,
        compilerSaid: (messages) => this.problems.show(messages),
        choose: (programs, build) => chooseProgram(programs, build, definition, folder),
      });
      await this.show(result, before);
      return result.facts.exitCode ?? 1;
    } catch (problem) {
      if (host.signal.aborted || problem instanceof CancelledError) {
        host.say("stopped");
        return 1;
      }
      host.say(messageOf(problem));
      if (!(problem instanceof TaskError)) this.parts.log.error(problem instanceof Error ? problem : String(problem));
      void this.explain(problem, definition, folder);
      return 1;
    }
  }

  /** What went wrong, with what helps. */
  private async explain(
    problem: unknown,
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder,
  ): Promise<void> {
    if (problem instanceof BuildFailed) {
      const show = "Show Problems";
      if ((await vscode.window.showErrorMessage(`The build failed. ${problem.message}.`, show)) === show)
        await vscode.commands.executeCommand("workbench.actions.view.problems");
    } else if (problem instanceof MissingProgram && definition.tool !== "instrument") {
      const builtIn = "Use the Built-In Tracker";
      if ((await vscode.window.showErrorMessage(problem.message, builtIn)) === builtIn)
        await vscode.tasks.executeTask(
          this.task({ ...definition, type: "heatflow", tool: "instrument", label: "traced build: instrument" }, folder),
        );
    } else void vscode.window.showErrorMessage(messageOf(problem));
  }

  /** Opens what was recorded: its lines, its graph, and the way to the run before. */
  private async show({ recordings, facts, folder }: RunResult, before: Run | undefined): Promise<void> {
    const { session } = this.parts;
    const name = path.basename(facts.program);
    if (recordings.length === 0) {
      void vscode.window.showWarningMessage(
        `${name} has left no recording: its terminal shows what it said. Its folder is ${folder}.`,
      );
      return;
    }
    const [opened] = await session.open([vscode.Uri.file(folder)]);
    if (opened === undefined) return;
    session.setCurrent(opened.id);
    this.parts.showSuperGraph(opened.id);
    const [hottest, compare] = ["Go to Hottest Line", "Compare with the Last Run"];
    const how =
      facts.exitCode === 0
        ? "ran"
        : facts.signal === null
          ? `ended with exit code ${facts.exitCode} after`
          : `was ended by ${facts.signal} after`;
    const message = `${name} ${how} ${formatValue(facts.seconds, "s")}.`;
    const tell = facts.exitCode === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    // The terminal does not wait for an answer.
    void tell(message, hottest, ...(before === undefined ? [] : [compare])).then((choice) => {
      if (choice === hottest) void vscode.commands.executeCommand("heatflow.goToHottestLine");
      if (choice === compare && before !== undefined) void this.compare(before, opened);
    });
  }

  private async compare(before: Run, candidate: SessionDataSet): Promise<void> {
    const [baseline] = await this.parts.session.open([vscode.Uri.file(before.folder)]);
    if (baseline !== undefined) this.parts.session.compare({ baseline: baseline.id, candidate: candidate.id });
  }
}

interface RunItem extends vscode.QuickPickItem {
  readonly run: Run;
  readonly output: string;
}

function itemOf(run: Run, output: string): RunItem {
  const { program, args, tool, startedAt, seconds, commit, isDirty, exitCode, signal } = run.facts;
  const ended = exitCode === 0 ? "" : signal === null ? `, exit code ${exitCode}` : `, ended by ${signal}`;
  const source = commit === undefined ? "" : ` · ${commit.slice(0, 10)}${isDirty === true ? " with changes" : ""}`;
  return {
    label: `${new Date(startedAt).toLocaleString()} ${path.basename(program)}`,
    description: `${tool}, ${formatValue(seconds, "s")}${ended}${source}`,
    detail: args.join(" "),
    buttons: [{ iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete" }],
    run,
    output,
  };
}

async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1)
    return vscode.window.showWorkspaceFolderPick({ placeHolder: "Which folder has the program?" });
  if (folders.length === 0) void vscode.window.showErrorMessage("Open the folder of the program first.");
  return folders.at(0);
}

/** The program that the user means, which a task of tasks.json remembers. */
async function chooseProgram(
  programs: readonly string[],
  build: string,
  definition: vscode.TaskDefinition,
  folder: vscode.WorkspaceFolder,
): Promise<string | undefined> {
  const items = programs.map((file) => ({ label: path.basename(file), description: path.relative(build, file), file }));
  const placeHolder = "The build makes several programs: which one?";
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Run Traced Build",
    placeHolder,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  const same = (key: string) => (one: TaskEntry) => JSON.stringify(one[key]) === JSON.stringify(definition[key]);
  const isIt = (one: TaskEntry) => ["tool", "build", "program", "args", "ranks"].every((key) => same(key)(one));
  const kept = (await keptTasks(folder)).find(isIt);
  if (kept !== undefined) await keepTask(folder, { ...kept, program: chosen.description });
  return chosen.file;
}
