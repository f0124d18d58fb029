/**
 * Opens the recording that HEATFLOW_START_RECORDING names, once its folder's window is there. A file that the window's address
 * names would open before the window knows any extension, and so as text.
 */
import * as vscode from "vscode";

export async function activate() {
  const recording = vscode.Uri.file(process.env.HEATFLOW_START_RECORDING);
  // After a reload the window has its own tabs back.
  const hasTabs = vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
  if (!hasTabs && vscode.workspace.getWorkspaceFolder(recording))
    await vscode.commands.executeCommand("vscode.openWith", recording, "heatflow.recording");
}
