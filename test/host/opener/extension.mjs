/**
 * Opens the recording that HEATFLOW_START_RECORDING names, once the window of HEATFLOW_START_FOLDER is there. A file that the
 * window's address names would open before the window knows any extension, and so as text.
 */
import fs from "node:fs";
import * as vscode from "vscode";

export async function activate() {
  const { HEATFLOW_START_FOLDER: folder, HEATFLOW_START_RECORDING: recording } = process.env;
  // After a reload the window has its own tabs back.
  const hasTabs = vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
  const isAskedFor = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder);
  if (!recording || hasTabs || !isAskedFor) return;
  const uri = vscode.Uri.file(recording);
  // Only a file has an editor.
  if (fs.statSync(recording).isDirectory()) await vscode.commands.executeCommand("heatflow.open", uri);
  else await vscode.commands.executeCommand("vscode.openWith", uri, "heatflow.recording");
}
