import * as vscode from "vscode";
import type { DocumentText, SourceSettings } from "../engine/api";
import { type Settings, readSettings } from "./settings";

/** Milliseconds without typing after which edits go to the engine. */
const EDIT_PAUSE_MS = 150;

/** What only the window knows about source code: folders, path map, and texts that are not saved yet. */
export class SourceFeed implements vscode.Disposable {
  private readonly settingsEmitter = new vscode.EventEmitter<void>();
  private readonly textsEmitter = new vscode.EventEmitter<void>();
  private readonly savedEmitter = new vscode.EventEmitter<string>();
  /** Folders or path map changed: links may lead elsewhere. */
  readonly onDidChangeSettings = this.settingsEmitter.event;
  /** Unsaved texts changed, a moment ago. */
  readonly onDidChangeTexts = this.textsEmitter.event;
  /** A file was saved: unsaved texts and the disk changed. */
  readonly onDidSave = this.savedEmitter.event;
  private readonly subscriptions: vscode.Disposable[];
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** @param storage where baselines of edited files are kept */
  constructor(private readonly storage: string | undefined) {
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (["heatflow.sourceMap", "heatflow.limits.source"].some((name) => change.affectsConfiguration(name)))
          this.settingsEmitter.fire();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.settingsEmitter.fire()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.settingsEmitter.fire()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.edited(document)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme !== "file") return;
        clearTimeout(this.pause);
        this.savedEmitter.fire(uri.fsPath);
      }),
    ];
  }

  sourceSettings(): SourceSettings {
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ uri }) => uri.fsPath);
    // A workspace that sets rules of its own may lead to its own files, never outside them.
    const rules = vscode.workspace.getConfiguration("heatflow").inspect("sourceMap");
    const sourceMapTrusted = rules?.workspaceValue === undefined && rules?.workspaceFolderValue === undefined;
    const { sourceMap, sourceLimitMegabytes } = currentSettings();
    const { storage } = this;
    return { folders, sourceMap: { ...sourceMap }, sourceMapTrusted, storage, sourceLimitMegabytes };
  }

  unsavedTexts(): DocumentText[] {
    return vscode.workspace.textDocuments
      .filter((document) => document.isDirty && document.uri.scheme === "file")
      .map((document) => ({ file: document.uri.fsPath, text: document.getText() }));
  }

  dispose(): void {
    clearTimeout(this.pause);
    for (const part of [...this.subscriptions, this.settingsEmitter, this.textsEmitter, this.savedEmitter])
      part.dispose();
  }

  private edited(document: vscode.TextDocument): void {
    if (document.uri.scheme !== "file") return;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.textsEmitter.fire(), EDIT_PAUSE_MS);
  }
}

/** The settings as they are now. */
export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration("heatflow");
  return readSettings((name) => configuration.get(name));
}
