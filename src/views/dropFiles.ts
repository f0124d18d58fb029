import * as vscode from "vscode";
import type { Session } from "../session/session";

const URI_LIST = "text/uri-list";

/** Files and folders that are dropped on a view of Heatflow are opened. */
export function dropController<T>(session: Session): vscode.TreeDragAndDropController<T> {
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
      if (uris.length > 0) await session.open(uris);
    },
  };
}

/** A list of URIs as the standard has it: one a line, comments begin with `#`. */
function urisOf(text: string): vscode.Uri[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => vscode.Uri.parse(line, true));
}
