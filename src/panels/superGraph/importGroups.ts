import { posix } from "node:path";
import * as vscode from "vscode";
import { type GroupFile, readGroupFile } from "../../engine/graphs/groupFile";
import { messageOf } from "../../model/errors";
import { importedText, startText } from "./importedGroups";
import { notices } from "../../session/notices";

/** Larger files are no lists of names. */
const LARGEST_FILE = 16e6;

/** "Import Groups…": reads a file of groups, CallFlow's too, into the setting `heatflow.groups`. @param argument the file; else one is asked for */
export async function importGroups(argument: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const file = argument instanceof vscode.Uri ? argument : await askFile();
  if (file === undefined) return;
  const name = posix.basename(file.path);
  try {
    await keepGroups(name, await readFile(file), log);
  } catch (error) {
    void notices.showErrorMessage(`${name}: ${messageOf(error)}`);
  }
}

async function askFile(): Promise<vscode.Uri | undefined> {
  // Else VS Code begins in the folder of what is open: of recordings, mostly.
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const files = await vscode.window.showOpenDialog({
    ...(folder ? { defaultUri: folder } : {}),
    title: "Import groups of functions",
    openLabel: "Import",
    filters: { "Groups, or a configuration of CallFlow": ["json"] },
  });
  return files?.[0];
}

async function readFile(file: vscode.Uri): Promise<GroupFile> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > LARGEST_FILE) throw new Error(`a file of ${Math.ceil(size / 1e6)} MB is no list of groups`);
  return readGroupFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
}

async function keepGroups(name: string, read: GroupFile, log: vscode.LogOutputChannel): Promise<void> {
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined || vscode.workspace.workspaceFile !== undefined;
  const target = hasWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const settings = hasWorkspace ? "workspace" : "user";
  const configuration = vscode.workspace.getConfiguration("heatflow");
  const inspected = configuration.inspect<unknown>("groups");
  const before = Object.keys((hasWorkspace ? inspected?.workspaceValue : inspected?.globalValue) ?? {});
  if (before.length > 0 && !(await mayReplace(before, settings))) return;
  // With a prototype: VS Code looks for one.
  await configuration.update("groups", Object.fromEntries(Object.entries(read.groups)), target);
  for (const what of read.notTaken) log.info(`${name}: not taken: ${what}`);
  const start = startText(read);
  if ((await notices.showInformationMessage(importedText(name, read, settings), start)) !== start) return;
  await configuration.update("superGraph.groupBy", read.groupBy ?? "map", target);
  if (read.filter !== undefined) await configuration.update("superGraph.filter", read.filter, target);
}

async function mayReplace(before: readonly string[], settings: string): Promise<boolean> {
  const groups = before.length === 1 ? "the group" : `the ${before.length} groups`;
  const detail = before.slice(0, 10).join(", ") + (before.length > 10 ? ", …" : "");
  const question = `Replace ${groups} in the ${settings} settings?`;
  const answer = await notices.showWarningMessage(question, { modal: true, detail }, "Replace");
  return answer === "Replace";
}
