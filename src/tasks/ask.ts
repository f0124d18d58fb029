import fs from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { findBuild } from "../traced/build";
import { splitArguments } from "../traced/commandText";
import { type Build, tracedTask } from "../traced/definition";
import { cmakeProgramNames, madeProgramNames } from "../traced/programNames";
import { taskLabel } from "../traced/readyTasks";
import type { RunningProcess } from "../traced/runningProcesses";
import { type TaskEntry, tasksIn, withTask } from "../traced/tasksFile";
import { toolChoices } from "./toolChoices";

const SOURCES = "**/*.{c,cc,cpp,cxx,h,hpp,f90,F90}";
/** So many files are looked at for what they include. */
const MOST_LOOKED_AT = 300;

const MPI_SOURCE = /#\s*include\s*[<"]mpi\.h[">]|\buse\s+mpi(?:_f08)?\b/i;
const MARKED_SOURCE = /#\s*include\s*[<"]heatflow\/(?:tracker\.hpp|heatflow\.h)[">]/;

/**
 * Asks for what cannot be found out, and keeps the answers in tasks.json.
 *
 * @param canSample perf may measure on this machine
 * @returns undefined where the user went away
 */
export async function askForTask(
  folder: vscode.WorkspaceFolder,
  canSample: Promise<boolean>,
): Promise<TaskEntry | undefined> {
  const title = "Run Traced Build";
  const [maySample, hasMarks] = await Promise.all([canSample, hasSource(folder, MARKED_SOURCE)]);
  const chosen = await vscode.window.showQuickPick([...toolChoices(maySample, hasMarks)], {
    title,
    placeHolder: "Measure what?",
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  const { tool } = chosen;
  if (chosen.isRunning) return { type: "heatflow", label: "traced run of a running program", tool, process: "" };
  const build = findBuild(folder.uri.fsPath);
  const program = build === undefined ? await askForProgram(folder, title) : "";
  if (program === undefined) return undefined;
  const more =
    build === "make" || build === "cmake"
      ? await askForList(title, `Further arguments for ${build}`, exampleOf(build))
      : [];
  if (more === undefined) return undefined;
  const built = build === undefined ? "" : await askWhichOf(folder, build, title);
  if (built === undefined) return undefined;
  const args = await askForList(title, "Arguments of the program", "24 10 --verbose");
  if (args === undefined) return undefined;
  const ranks = (await hasSource(folder, MPI_SOURCE)) ? await askForRanks(title) : 0;
  if (ranks === undefined) return undefined;
  return {
    type: "heatflow",
    label: taskLabel(tool, program),
    tool,
    ...(build !== undefined && more.length > 0 ? { build: [build, ...more] } : {}),
    ...(program === "" && built === "" ? {} : { program: program || built }),
    ...(args.length > 0 ? { args } : {}),
    ...(ranks > 0 ? { ranks } : {}),
  };
}

/** Asks which of several programs that run already is meant. */
export async function chooseProcess(processes: readonly RunningProcess[]): Promise<RunningProcess | undefined> {
  const items = processes.map((process) => ({
    label: process.name,
    description: String(process.pid),
    detail: process.command,
    process,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Run Traced Build",
    placeHolder: "Which process is to be sampled?",
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return chosen?.process;
}

/** The tasks of a folder's tasks.json that are traced builds. */
export async function keptTasks(folder: vscode.WorkspaceFolder): Promise<TaskEntry[]> {
  return tasksIn(await tasksText(folder));
}

/** Puts a task into tasks.json, in the place of one that is called the same. @throws TaskError where the file cannot be read */
export async function keepTask(folder: vscode.WorkspaceFolder, task: TaskEntry): Promise<void> {
  const text = withTask(await tasksText(folder), task);
  await fs.mkdir(path.dirname(tasksFile(folder)), { recursive: true });
  await fs.writeFile(tasksFile(folder), text);
}

function tasksFile(folder: vscode.WorkspaceFolder): string {
  return path.join(folder.uri.fsPath, ".vscode", "tasks.json");
}

function tasksText(folder: vscode.WorkspaceFolder): Promise<string> {
  return fs.readFile(tasksFile(folder), "utf8").catch(() => "");
}

/** A source file or a program: without CMake and make there is nothing else that could be built. */
async function askForProgram(folder: vscode.WorkspaceFolder, title: string): Promise<string | undefined> {
  const pattern = new vscode.RelativePattern(folder, "*.{c,cc,cpp,cxx,f90,F90,cu}");
  const files = (await vscode.workspace.findFiles(pattern, null, 100)).map(({ fsPath }) =>
    path.relative(folder.uri.fsPath, fsPath),
  );
  const active = vscode.window.activeTextEditor?.document.uri.fsPath;
  files.sort(
    (a, b) => Number(path.join(folder.uri.fsPath, b) === active) - Number(path.join(folder.uri.fsPath, a) === active),
  );
  const other = "A program that is built already…";
  const chosen = await vscode.window.showQuickPick([...files, other], {
    title,
    placeHolder: "Which source file is the program?",
    ignoreFocusOut: true,
  });
  if (chosen !== other) return chosen;
  const [file] = (await vscode.window.showOpenDialog({ title, defaultUri: folder.uri })) ?? [];
  return file?.fsPath;
}

/**
 * Which of the programs that a build makes is meant, before anybody types arguments for it; nothing is asked where only the build can tell
 * that there are several.
 *
 * @returns empty: whatever the build makes
 */
async function askWhichOf(folder: vscode.WorkspaceFolder, build: Build, title: string): Promise<string | undefined> {
  const { fsPath } = folder.uri;
  const names =
    build === "cmake" ? await cmakeProgramNames(fsPath) : await madeProgramNames(tracedTask({}, fsPath).output);
  if (names.length < 2) return "";
  const other = { label: "Another one: asked when they are built", name: "" };
  const chosen = await vscode.window.showQuickPick([...names.map((name) => ({ ...programItem(name), name })), other], {
    title,
    placeHolder: "The build makes several programs: which one?",
    ignoreFocusOut: true,
  });
  return chosen?.name;
}

/** A program in a list, by its path in the build: the folder is said where there is one. */
export function programItem(relative: string): { readonly label: string; readonly description?: string } {
  const label = path.basename(relative);
  return relative === label ? { label } : { label, description: relative };
}

async function askForList(title: string, prompt: string, placeHolder: string): Promise<string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: `${prompt}; empty where there are none. Quotes keep spaces together, nothing else is special.`,
    placeHolder,
    ignoreFocusOut: true,
    validateInput: (typed) => (splitArguments(typed) === undefined ? "A quote is not closed." : undefined),
  });
  return text === undefined ? undefined : splitArguments(text);
}

function exampleOf(build: "make" | "cmake"): string {
  return build === "make" ? "MPI=1" : "-DUSE_MPI=ON";
}

async function askForRanks(title: string): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: "MPI processes; 0 runs the program without mpirun.",
    value: "4",
    ignoreFocusOut: true,
    validateInput: (typed) => (/^\d{1,5}$/.test(typed.trim()) ? undefined : "A whole number."),
  });
  return text === undefined ? undefined : Number(text);
}

/** Whether a source file of the folder has a text. */
async function hasSource(folder: vscode.WorkspaceFolder, wanted: RegExp): Promise<boolean> {
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, SOURCES), null, MOST_LOOKED_AT);
  for (const { fsPath } of files) {
    const text = await fs.readFile(fsPath, "utf8").catch(() => "");
    if (wanted.test(text)) return true;
  }
  return false;
}
