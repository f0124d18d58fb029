import * as vscode from "vscode";

const URI_LIST = "text/uri-list";

/** Files and folders that are dropped on a view of Heatflow are opened. */
export function dropController<T>(): vscode.TreeDragAndDropController<T> {
  return {
    dropMimeTypes: [URI_LIST, "files"],
    dragMimeTypes: [],
    async handleDrop(_target, data): Promise<void> {
      const uris = urisOf((await data.get(URI_LIST)?.asString()) ?? "");
      if (uris.length === 0) {
        data.forEach((item) => {
          const uri = item.asFile()?.uri;
          if (uri) uris.push(uri);
        });
      }
      if (uris.length > 0) await vscode.commands.executeCommand("heatflow.open", uris[0], uris);
    },
  };
}

/** Longer than the 200 ms for which VS Code gathers what changed in a view. */
const MESSAGE_ARRIVES_MS = 300;

/**
 * Shows a message in a view whose tree is empty, and keeps the tree as a drop target. VS Code hides the tree of a view that was
 * drawn before the extension was there, and shows it again only when a message arrives while it waits for the tree's rows.
 *
 * @returns the empty tree's rows
 */
export async function emptyWith(view: vscode.TreeView<unknown>, message: string): Promise<[]> {
  view.message = message;
  await new Promise((resolve) => setTimeout(resolve, MESSAGE_ARRIVES_MS));
  return [];
}

/** A list of URIs as the standard has it: one per line, comments begin with `#`. */
function urisOf(text: string): vscode.Uri[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => vscode.Uri.parse(line, true));
}
