/** The extension as tests inside VS Code reach it, and waiting for what it does. */
import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import type { DataSetInfo } from "../../src/engine/api";
import type { HeatflowApi } from "../../src/extension";

const LIMIT_MS = 20_000;

export async function heatflow(): Promise<HeatflowApi> {
  const extension = vscode.extensions.getExtension<HeatflowApi>("heatflow.heatflow");
  assert.ok(extension, "VS Code knows the extension");
  return extension.activate();
}

/** A file of the workspace, which is a copy of the sample program. */
export function file(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "a folder is open");
  return vscode.Uri.file(path.join(folder.uri.fsPath, name));
}

/** Waits for a state: asks again until the answer is there. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${LIMIT_MS / 1000} s in vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The 8-rank profile, opened as the Explorer's context menu opens it; all others are closed. */
export async function openProfile(): Promise<DataSetInfo> {
  const { session } = await heatflow();
  await session.restored;
  await vscode.commands.executeCommand("heatflow.open", file("profiles/profile-8ranks.cali"));
  const profile = session.dataSets.find(({ files }) => files.some((name) => name.endsWith("profile-8ranks.cali")));
  assert.ok(profile, "the profile is open");
  for (const { id } of session.dataSets) if (id !== profile.id) await session.close(id);
  session.setCurrent(profile.id);
  return profile;
}

/** Shows a source file of the sample program in the first editor group. */
export async function showSource(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(file(`src/${name}`));
  return vscode.window.showTextDocument(document, vscode.ViewColumn.One);
}

export async function closeAllEditors(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}
