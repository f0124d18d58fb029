import * as vscode from "vscode";
import { groupWidths, textColumns } from "./textColumns";

/** Nothing tells that a side bar was opened or a border dragged: widths are looked at again when an editor is used, this much later. */
const PAUSE_MS = 200;

/** Columns that an editor surely shows where its width is not known: alone in a window of 1,400 pixels with a side bar, and beside another group. */
const COLUMNS_ALONE = 105;
const COLUMNS_BESIDE = 42;

/** How many columns of text the window's editors show. */
export class EditorWidths implements vscode.Disposable {
  private widths: readonly (number | undefined)[] = [];
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  private pause: ReturnType<typeof setTimeout> | undefined;
  readonly onDidChange = this.changeEmitter.event;

  constructor() {
    const soon = () => {
      this.pause ??= setTimeout(() => void this.look(), PAUSE_MS);
    };
    const now = () => void this.look();
    this.subscriptions = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabGroups(now),
      vscode.window.onDidChangeVisibleTextEditors(now),
      vscode.window.onDidChangeTextEditorVisibleRanges(soon),
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.onDidChangeActiveTextEditor(soon),
    );
    now();
  }

  columnsOf({ document, viewColumn }: vscode.TextEditor): number {
    const groups = vscode.window.tabGroups.all.length;
    const width = viewColumn !== undefined && this.widths.length === groups ? this.widths[viewColumn - 1] : undefined;
    if (width === undefined) return groups === 1 ? COLUMNS_ALONE : COLUMNS_BESIDE;
    const settings = vscode.workspace.getConfiguration("editor", document);
    return textColumns(width, {
      fontSize: settings.get("fontSize", 14),
      hasMinimap: settings.get("minimap.enabled", true),
      lines: document.lineCount,
    });
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.subscriptions.dispose();
    this.changeEmitter.dispose();
  }

  private async look(): Promise<void> {
    clearTimeout(this.pause);
    this.pause = undefined;
    const widths = groupWidths(await vscode.commands.executeCommand("vscode.getEditorLayout"));
    if (widths.length === this.widths.length && widths.every((width, at) => width === this.widths[at])) return;
    this.widths = widths;
    this.changeEmitter.fire();
  }
}
