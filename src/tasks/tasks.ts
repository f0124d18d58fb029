/** Traced builds: a bundle of its own, loaded when the first task is asked for. It registers nothing with VS Code itself. */
import path from "node:path";
import * as vscode from "vscode";
import { CancelledError, messageOf } from "../model/errors";
import { badgeText, isLargeCost } from "../model/recordingCost";
import { joined } from "../model/texts";
import { withEscapes } from "../model/unseen";
import type { Session, SessionDataSet } from "../session/session";
import { isInside, TaskError, tracedTask } from "../traced/definition";
import { type Machine, thisMachine, UnusableTool } from "../traced/machine";
import { canSample } from "../traced/perfPermission";
import { readyTasks, taskLabel } from "../traced/readyTasks";
import { isTaskOf, taskAgain } from "../traced/recordAgain";
import { listRuns, type Run, runIn } from "../traced/runs";
import { adviceOn, tookText } from "../traced/runTexts";
import { commandLine } from "../traced/steps";
import { BuildFailed, type RunResult, tracedRun } from "../traced/tracedRun";
import type { TaskEntry } from "../traced/tasksFile";
import { askForTask, chooseProcess, keepTask, keptTasks, programItem } from "./ask";
import type { TaskHost } from "./lazyTasks";
import { Problems } from "./problems";
import { compareRuns, openRun, showRunList } from "./runList";
import { RunTerminal, type TerminalHost } from "./runTerminal";
import { notices } from "../session/notices";

/** What the tasks are made with. */
export interface TaskParts {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  /** Folder of the tracker's header and sources. */
  readonly trackerFolder: string;
  /** Opens the page of a data set; the focus stays in the terminal. */
  showPage(dataSet: SessionDataSet): Thenable<unknown>;
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

  /** Ready tasks of folders that CMake or make builds, and of programs of one file. */
  async provide(): Promise<vscode.Task[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    let asked: Promise<boolean> | undefined;
    const maySample = () => (asked ??= this.canSample());
    const tasks = folders.map(async (folder) =>
      (await readyTasks(folder.uri.fsPath, maySample)).map((entry) => this.task(entry, folder)),
    );
    return (await Promise.all(tasks)).flat();
  }

  /** A task of tasks.json, with what runs it. */
  resolve(task: vscode.Task): vscode.Task | undefined {
    const { scope } = task;
    const folder = typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.at(0);
    if (folder === undefined) return undefined;
    const execution = new vscode.CustomExecution(async (resolved) => this.terminal(resolved, folder));
    return new vscode.Task(task.definition, scope ?? folder, task.name, "heatflow", execution);
  }

  async runTracedBuild(argument?: unknown): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      const trust = "Manage Workspace Trust";
      const message = "A traced build runs programs of the workspace, which is not trusted.";
      if ((await notices.showErrorMessage(message, trust)) === trust)
        await vscode.commands.executeCommand("workbench.trust.manage");
      return;
    }
    const again = recordedFile(argument);
    const run = again === undefined ? undefined : await runIn(path.dirname(again));
    const folder = (run && folderOf(run.facts.cwd)) ?? (await chosenFolder());
    if (folder === undefined) return;
    const task = run ? await this.again(run, folder) : await this.choose(folder);
    if (task !== undefined) await vscode.tasks.executeTask(task);
  }

  /**
   * The task that records a run again. The facts of a run that lies outside the workspace are another's: the user must agree to the program
   * that they name.
   *
   * @returns undefined if the user did not agree
   */
  private async again({ folder: at, facts }: Run, folder: vscode.WorkspaceFolder): Promise<vscode.Task | undefined> {
    const kept = await keptTasks(folder);
    const isKept = kept.some((entry) => isTaskOf(entry, facts));
    if (!isKept && folderOf(at) === undefined) {
      const command = withEscapes(commandLine({ command: facts.program, args: facts.args, env: {} }));
      const detail = `${command}\n\nThe recording names this program and comes from ${at}, which is outside the workspace.`;
      const question = "Run the program of this recording?";
      if ((await notices.showWarningMessage(question, { modal: true, detail }, "Run")) !== "Run") return undefined;
    }
    return this.task(taskAgain(facts, kept), folder);
  }

  /** Lists runs that were kept: opens them, compares two, or deletes them. */
  async showRuns(): Promise<void> {
    const folder = await chosenFolder();
    if (folder !== undefined) await showRunList(this.parts.session, folder);
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
    const entry = await askForTask(folder, this.canSample());
    if (entry === undefined) return undefined;
    await keepTask(folder, entry);
    return this.task(entry, folder);
  }

  private canSample(): Promise<boolean> {
    return canSample(this.machine(), new AbortController().signal);
  }

  private machine(): Machine {
    const chosen = vscode.workspace.getConfiguration("heatflow").get<Record<string, string>>("programs", {});
    return thisMachine(this.parts.trackerFolder, chosen);
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
      const usualStacks = vscode.workspace.getConfiguration("heatflow").get<unknown>("sample.stacks");
      const task = tracedTask(definition, folder.uri.fsPath, usualStacks);
      const before = (await listRuns(task.output)).find(({ facts }) => facts.tool === task.tool);
      const result = await tracedRun(task, this.machine(), {
        ...host,
        compilerSaid: (messages) => this.problems.show(messages),
        chooseProcess,
        choose: (programs, build) => chooseProgram(programs, build, definition, folder),
      });
      await this.show(result, before);
      return result.facts.exitCode ?? (result.facts.process === undefined ? 1 : 0);
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
    if (problem instanceof BuildFailed && problem.hasErrors) {
      const show = "Show Problems";
      if ((await notices.showErrorMessage(`The build failed. ${problem.message}.`, show)) === show)
        await vscode.commands.executeCommand("workbench.actions.view.problems");
    } else if (problem instanceof BuildFailed) {
      await sayWithTerminal("showErrorMessage", `The build failed. ${problem.message}: its terminal says why.`);
    } else if (
      problem instanceof UnusableTool &&
      definition.tool !== "instrument" &&
      definition.process === undefined
    ) {
      const builtIn = "Use the Built-In Tracker";
      if ((await notices.showErrorMessage(problem.message, builtIn)) === builtIn)
        await vscode.tasks.executeTask(
          this.task(
            { ...definition, type: "heatflow", tool: "instrument", label: taskLabel("instrument", "") },
            folder,
          ),
        );
    } else await sayWithTerminal("showErrorMessage", messageOf(problem));
  }

  /** Opens what was recorded: its lines, its page, and the way to the run before. */
  private async show({ recordings, facts, folder, missing, cause }: RunResult, before: Run | undefined): Promise<void> {
    const { session } = this.parts;
    const name = path.basename(facts.program);
    if (recordings.length === 0) {
      const message = joined([`${name} has left no recording.`, missing, cause, `Its folder is ${folder}.`], " ");
      void sayWithTerminal("showWarningMessage", message);
      return;
    }
    const opened = await openRun(session, { folder, facts });
    if (opened === undefined) return;
    session.setCurrent(opened.id);
    await this.parts.showPage(opened);
    const [hottest, compare] = ["Go to Hottest Line", "Compare with the Last Run"];
    const isWell = facts.exitCode === 0 || facts.process !== undefined;
    const how = isWell
      ? facts.process === undefined
        ? "ran"
        : `(process ${facts.process}) was sampled for`
      : facts.signal === null
        ? `ended with exit code ${facts.exitCode} after`
        : `was ended by ${facts.signal} after`;
    const { recordingCost } = opened;
    const cost = isLargeCost(recordingCost) ? `${badgeText(facts.tool, recordingCost)}.` : undefined;
    const message = joined([`${name} ${how} ${tookText(facts)}.${adviceOn(facts)}`, cost, cause], " ");
    const actions = {
      [hottest]: () => vscode.commands.executeCommand("heatflow.goToHottestLine"),
      ...(before === undefined ? {} : { [compare]: () => compareRuns(session, before, { folder, facts }) }),
    };
    session.announce([opened], { isPageShown: true, lead: { text: message, isWarning: !isWell, actions } });
  }
}

/** Says something whole: a message without a button shows no more than its first line. */
async function sayWithTerminal(say: "showErrorMessage" | "showWarningMessage", message: string): Promise<void> {
  const show = "Show Terminal";
  if ((await notices[say](message, show)) === show)
    await vscode.commands.executeCommand("workbench.action.terminal.focus");
}

/** The file whose recording is to be made again, of a command's argument. */
function recordedFile(argument: unknown): string | undefined {
  if (typeof argument !== "object" || argument === null || !("again" in argument)) return undefined;
  return typeof argument.again === "string" ? argument.again : undefined;
}

/** The workspace folder that a path lies in. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  return (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => isInside(file, uri.fsPath));
}

async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1)
    return vscode.window.showWorkspaceFolderPick({ placeHolder: "Which folder has the program?" });
  if (folders.length === 0) void notices.showErrorMessage("Open the folder of the program first.");
  return folders.at(0);
}

/** The program that the user means, which a task of tasks.json remembers. */
async function chooseProgram(
  programs: readonly string[],
  build: string,
  definition: vscode.TaskDefinition,
  folder: vscode.WorkspaceFolder,
): Promise<string | undefined> {
  const items = programs.map((file) => ({ ...programItem(path.relative(build, file)), file }));
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
  if (kept !== undefined) await keepTask(folder, { ...kept, program: path.relative(build, chosen.file) });
  return chosen.file;
}
