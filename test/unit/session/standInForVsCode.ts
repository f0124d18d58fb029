/** A stand-in for VS Code that writes down what it is given: for tests of the session and of composition. */
import type * as vscode from "vscode";

export interface Heard {
  readonly commands: string[];
  readonly trees: string[];
  readonly customEditors: string[];
  readonly messages: string[];
  /** Questions of quick picks. */
  readonly questions?: string[];
  /** Picks an item of a quick pick by its label; undefined: Escape. */
  choose?: () => string | undefined;
}

export function heardNothing(): Heard {
  return { commands: [], trees: [], customEditors: [], messages: [] };
}

const nothing = { dispose: () => undefined };

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

class Source {
  private readonly emitter = new Emitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose(): void {
    this.emitter.dispose();
  }
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
  const message = (text: string) => {
    heard.messages.push(text);
    return Promise.resolve(undefined);
  };
  return {
    tasks: lenient({}),
    commands: lenient({
      registerCommand: (name: string) => (heard.commands.push(name), nothing),
      executeCommand: () => Promise.resolve(),
    }),
    window: lenient({
      showQuickPick: (items: { label: string }[], options: { placeHolder?: string }) => {
        heard.questions?.push(options.placeHolder ?? "");
        return Promise.resolve(items.find(({ label }) => label === heard.choose?.()));
      },
      visibleTextEditors: [],
      tabGroups: lenient({ all: [] }),
      createOutputChannel: item,
      createStatusBarItem: item,
      createTreeView: (name: string) => (heard.trees.push(name), item()),
      registerCustomEditorProvider: (name: string) => (heard.customEditors.push(name), nothing),
      showErrorMessage: message,
      showWarningMessage: message,
      showInformationMessage: message,
    }),
    extensions: lenient({}),
    workspace: lenient({
      textDocuments: [],
      workspaceFolders: [],
      getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    }),
    languages: lenient({}),
    EventEmitter: Emitter,
    CancellationTokenSource: Source,
    Disposable: { from: () => nothing },
    ThemeColor: class {},
    ThemeIcon: class {},
    Uri: { joinPath: () => ({}), file: (fsPath: string) => ({ scheme: "file", fsPath }) },
    StatusBarAlignment: {},
    DecorationRangeBehavior: {},
    OverviewRulerLane: {},
    ProgressLocation: {},
    TreeItemCollapsibleState: {},
    ViewColumn: {},
  };
}

/** State of a workspace, kept as JSON as VS Code keeps it. */
export function memento(): vscode.Memento {
  const kept = new Map<string, string>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string) => {
      const text = kept.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    update: (key: string, value: unknown) => {
      kept.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  } as vscode.Memento;
}

export function contextOfExtension(): vscode.ExtensionContext {
  return {
    extensionPath: "/extension",
    extensionUri: {},
    globalStorageUri: { fsPath: "/storage" },
    subscriptions: [],
    workspaceState: memento(),
    extension: { id: "heatflow.heatflow" },
  } as unknown as vscode.ExtensionContext;
}
