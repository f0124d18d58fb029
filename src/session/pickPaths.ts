/** Asks for files or a folder of recordings. */
import { homedir } from "node:os";
import { resolve as resolvePath } from "node:path";
import * as vscode from "vscode";

/** Files, or a folder: not every platform's dialog offers both at once, so it is asked. */
export interface PathKind extends vscode.QuickPickItem {
  readonly folder: boolean;
}

interface TypedPath extends vscode.QuickPickItem {
  readonly path: string;
}

/** Asks by a list of kinds, in which a path may be typed, and a dialog. @returns nothing if there was no answer */
export async function pickPaths(title: string, kinds: readonly PathKind[]): Promise<readonly vscode.Uri[]> {
  const kind = await pickOrType(title, kinds);
  if (!kind) return [];
  if ("path" in kind) return [vscode.Uri.file(absolutePath(kind.path))];
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel: "Open",
    canSelectFiles: !kind.folder,
    canSelectFolders: kind.folder,
    canSelectMany: true,
  });
  return chosen ?? [];
}

async function pickOrType(title: string, kinds: readonly PathKind[]): Promise<PathKind | TypedPath | undefined> {
  const pick = vscode.window.createQuickPick<PathKind | TypedPath>();
  pick.title = title;
  pick.placeholder = "Choose, or type a path";
  pick.items = kinds;
  pick.onDidChangeValue((text) => {
    const path = text.trim();
    const typed = { label: `$(go-to-file) ${path}`, detail: "Open this path", path, alwaysShow: true };
    pick.items = /[/\\~.]/.test(path) ? [typed] : kinds;
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.at(0) ?? pick.activeItems.at(0));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Resolves `~` to the home folder, and what is relative in the first folder of the workspace. */
function absolutePath(typed: string): string {
  const path = typed.replace(/^~(?=$|[/\\])/, homedir());
  return resolvePath(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir(), path);
}
