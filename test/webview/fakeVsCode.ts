import fs from "node:fs";
import path from "node:path";
import type * as vscode from "vscode";

/** The module `vscode`, as far as a panel's HTML needs it: `vi.mock("vscode", () => import("./fakeVsCode"))`. */
export const Uri = {
  file: uriOf,
  joinPath: (base: vscode.Uri, ...parts: string[]) => uriOf(path.posix.join(base.path, ...parts)),
};

export function uriOf(file: string): vscode.Uri {
  return { path: file, fsPath: file, toString: () => file } as vscode.Uri;
}

/** Every setting has its default. */
export const workspace = {
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  fs: {
    stat: (uri: vscode.Uri) => Promise.resolve({ size: fs.statSync(uri.path).size }),
    writeFile: (uri: vscode.Uri, bytes: Uint8Array) => {
      saved.files.set(uri.path, Buffer.from(bytes).toString("utf8"));
      return Promise.resolve();
    },
    readFile: (uri: vscode.Uri) => Promise.resolve(new Uint8Array(fs.readFileSync(uri.path))),
  },
};

/** Commands do nothing. */
export const commands = { executeCommand: () => Promise.resolve() };

export const QuickPickItemKind = { Separator: -1, Default: 0 };

/** Where somebody saves something, undefined: nowhere; what was suggested, written, and said. */
export const saved = {
  as: undefined as string | undefined,
  suggested: undefined as string | undefined,
  files: new Map<string, string>(),
  said: [] as string[],
};

/** Who chooses from a list; what was offered is its argument. */
export const picks = {
  choose: undefined as
    | ((
        items: readonly vscode.QuickPickItem[],
        options?: vscode.QuickPickOptions,
      ) => vscode.QuickPickItem[] | vscode.QuickPickItem | undefined)
    | undefined,
};

/** What is typed where a name is asked for, and what was offered there. Files of one process share it. */
export const typed = { name: undefined as string | undefined, offered: "", file: undefined as string | undefined };

export const window = {
  showInputBox: ({ value = "" }: { value?: string }) => {
    typed.offered = value;
    return Promise.resolve(typed.name);
  },
  showQuickPick: (items: readonly vscode.QuickPickItem[], options?: vscode.QuickPickOptions) =>
    Promise.resolve(picks.choose?.(items, options)),
  showSaveDialog: ({ defaultUri }: vscode.SaveDialogOptions) => {
    saved.suggested = defaultUri?.path;
    return Promise.resolve(saved.as === undefined ? undefined : uriOf(saved.as));
  },
  showInformationMessage: (message: string) => Promise.resolve(void saved.said.push(message)),
  showErrorMessage: (message: string) => Promise.resolve(void saved.said.push(message)),
  showOpenDialog: () => Promise.resolve(typed.file === undefined ? undefined : [uriOf(typed.file)]),
};

export const InputBoxValidationSeverity = { Info: 1 };

export class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  cancel = () => undefined;
  dispose = () => undefined;
}

export class EventEmitter {
  event = () => ({ dispose: () => undefined });
  fire = () => undefined;
  dispose = () => undefined;
}
