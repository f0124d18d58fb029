/** A stand-in for VS Code that only writes down what is registered: for tests of composition, not of behaviour. */
import type * as vscode from "vscode";

export interface Heard {
  readonly commands: string[];
  readonly trees: string[];
  readonly customEditors: string[];
}

const nothing = { dispose: () => undefined };

class Emitter {
  readonly event = () => nothing;
  fire(): void {}
  dispose(): void {}
}

class Source {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => nothing };
  cancel(): void {}
  dispose(): void {}
}

/** Anything that is asked for and not listed: a function that gives something disposable. */
function lenient(known: Record<string, unknown>): Record<string, unknown> {
  return new Proxy(known, {
    get: (target, name) => (name in target ? target[String(name)] : name === "then" ? undefined : () => nothing),
    has: () => true,
  });
}

export function standIn(heard: Heard): Record<string, unknown> {
  const item = () => lenient({ show: () => undefined, hide: () => undefined });
  return {
    commands: lenient({
      registerCommand: (name: string) => (heard.commands.push(name), nothing),
      executeCommand: () => Promise.resolve(),
    }),
    window: lenient({
      visibleTextEditors: [],
      createOutputChannel: item,
      createStatusBarItem: item,
      createTreeView: (name: string) => (heard.trees.push(name), item()),
      registerCustomEditorProvider: (name: string) => (heard.customEditors.push(name), nothing),
    }),
    workspace: lenient({
      textDocuments: [],
      workspaceFolders: [],
      getConfiguration: () => ({ get: () => undefined }),
    }),
    languages: lenient({}),
    EventEmitter: Emitter,
    CancellationTokenSource: Source,
    Disposable: { from: () => nothing },
    ThemeColor: class {},
    ThemeIcon: class {},
    Uri: { joinPath: () => ({}), file: () => ({}) },
    StatusBarAlignment: {},
    DecorationRangeBehavior: {},
    OverviewRulerLane: {},
    ProgressLocation: {},
    TreeItemCollapsibleState: {},
    ViewColumn: {},
  };
}

export function contextOfExtension(): vscode.ExtensionContext {
  return {
    extensionPath: "/extension",
    extensionUri: {},
    globalStorageUri: { fsPath: "/storage" },
    subscriptions: [],
    workspaceState: { get: () => undefined, update: () => Promise.resolve() },
    extension: { id: "heatflow.heatflow" },
  } as unknown as vscode.ExtensionContext;
}
