/** All panels of one kind: one a data set, opened beside the editor, restored after the window was reloaded. */
import * as vscode from "vscode";
import type { DataSetInfo } from "../engine/api";
import { type FilesState, hasFiles, type PanelParts } from "./dataSetPanel";
import { webviewOptions } from "./page";

/** What the window needs of a panel. */
export interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly files: readonly string[];
}

/** How panels of one kind come to be. */
export interface PanelFactory<Panel extends OpenPanel, State extends FilesState> {
  /** The kind's name for VS Code: `heatflow.superGraph`. */
  readonly viewType: string;
  readonly title: string;
  create(parts: PanelParts, panel: vscode.WebviewPanel, state: State): Panel;
  /** What a new panel begins with. */
  start(dataSet: DataSetInfo): State;
  /** What a view kept before the window was reloaded; undefined where it is no such state. */
  read(kept: unknown): State | undefined;
}

export class DataSetPanels<Panel extends OpenPanel, State extends FilesState>
  implements vscode.WebviewPanelSerializer, vscode.Disposable
{
  private readonly open = new Set<Panel>();
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly parts: PanelParts,
    private readonly factory: PanelFactory<Panel, State>,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(factory.viewType, this);
  }

  /**
   * Shows the panel of a data set (default: the current one) and gives it the focus; a new one opens beside the editor.
   *
   * @returns undefined where there is no such data set
   */
  show(dataSet?: number, column: vscode.ViewColumn = vscode.ViewColumn.Beside): Panel | undefined {
    const known = this.reveal(dataSet);
    const info = this.infoOf(dataSet);
    if (known || !info) return known;
    const { viewType, title } = this.factory;
    const panel = vscode.window.createWebviewPanel(viewType, title, column, webviewOptions(this.parts.extensionUri));
    return this.add(panel, this.factory.start(info));
  }

  /** Brings the panel of a data set (default: the current one) to the front, where it has one. */
  reveal(dataSet?: number): Panel | undefined {
    const info = this.infoOf(dataSet);
    for (const known of this.open) {
      if (!info || !hasFiles(info, known.files)) continue;
      known.panel.reveal(known.panel.viewColumn);
      return known;
    }
    return undefined;
  }

  /** VS Code brings a panel back with what its view last kept. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = this.factory.read(kept);
    if (!state || state.files.length === 0) return panel.dispose();
    this.add(panel, state);
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private infoOf(dataSet: number | undefined): DataSetInfo | undefined {
    const { dataSets, current } = this.parts.session;
    return dataSet === undefined ? current : dataSets.find((candidate) => candidate.id === dataSet);
  }

  private add(panel: vscode.WebviewPanel, state: State): Panel {
    const added = this.factory.create(this.parts, panel, state);
    this.open.add(added);
    panel.onDidDispose(() => this.open.delete(added));
    return added;
  }
}
