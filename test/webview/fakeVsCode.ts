import fs from "node:fs";
import path from "node:path";
import type * as vscode from "vscode";

/** The module `vscode`, as far as a panel's HTML needs it: `vi.mock("vscode", () => import("./fakeVsCode"))`. */
export const Uri = {
  joinPath: (base: vscode.Uri, ...parts: string[]) => uriOf(path.posix.join(base.path, ...parts)),
};

export function uriOf(file: string): vscode.Uri {
  return { path: file, toString: () => file } as vscode.Uri;
}

/** Every setting has its default. */
export const workspace = {
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  fs: {
    stat: (uri: vscode.Uri) => Promise.resolve({ size: fs.statSync(uri.path).size }),
    readFile: (uri: vscode.Uri) => Promise.resolve(new Uint8Array(fs.readFileSync(uri.path))),
  },
};

export const QuickPickItemKind = { Separator: -1, Default: 0 };

/** Who chooses from a list; what was offered is its argument. */
export const picks = {
  choose: undefined as
    | ((items: readonly vscode.QuickPickItem[]) => vscode.QuickPickItem[] | vscode.QuickPickItem | undefined)
    | undefined,
};

/** What is typed where a name is asked for, and what was offered there. Files of one process share it. */
export const typed = { name: undefined as string | undefined, offered: "", file: undefined as string | undefined };

export const window = {
  showInputBox: ({ value = "" }: { value?: string }) => {
    typed.offered = value;
    return Promise.resolve(typed.name);
  },
  showQuickPick: (items: readonly vscode.QuickPickItem[]) => Promise.resolve(picks.choose?.(items)),
  showOpenDialog: () => Promise.resolve(typed.file === undefined ? undefined : [uriOf(typed.file)]),
};

export const InputBoxValidationSeverity = { Info: 1 };

export class EventEmitter {
  event = () => ({ dispose: () => undefined });
  fire = () => undefined;
  dispose = () => undefined;
}
