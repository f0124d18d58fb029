/** All panels of one kind: one a data set, opened where there is room, restored after the window was reloaded. */
import * as vscode from "vscode";
import type { SessionDataSet } from "../../session/session";
import { type FilesState, hasFiles, type PanelParts } from "./dataSetPanel";
import { webviewOptions } from "./page";
import { roomForPanel } from "./room";

/** What the window needs of a panel. */
export interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  /** Of its data set; absent: that of exactly these files. */
  readonly dataSetKey: string | undefined;
  readonly files: readonly string[];
}

/** How panels of one kind come to be. */
export interface PanelFactory<Panel extends OpenPanel, State extends FilesState> {
  /** The kind's name for VS Code: `heatflow.superGraph`. */
  readonly viewType: string;
  readonly title: string;
  create(parts: PanelParts, panel: vscode.WebviewPanel, state: State): Panel;
  /** What a new panel begins with. */
  start(dataSet: SessionDataSet): State;
  /** What a view kept before the window was reloaded; undefined where it is no such state. */
  read(kept: unknown): State | undefined;
}

export class DataSetPanels<Panel extends OpenPanel, State extends FilesState>
  implements vscode.WebviewPanelSerializer, vscode.Disposable
{
  private readonly open = new Set<Panel>();

  constructor(
    private readonly parts: PanelParts,
    private readonly factory: PanelFactory<Panel, State>,
  ) {}

  /**
   * Shows the panel of a data set (default: the current one) and gives it the focus, a new one where there is room for it.
   *
   * @param argument of the command that opens it, with where it is opened from
   * @returns undefined where there is no such data set
   */
  async show(dataSet?: number, argument?: unknown): Promise<Panel | undefined> {
    const info = this.infoOf(dataSet);
    if (!info) return undefined;
    const column = await roomForPanel(argument, this.panelOf(info)?.panel);
    // Asked for twice at once, it was made meanwhile.
    const known = this.panelOf(info);
    if (!known) return this.create(info, column);
    known.panel.reveal(column);
    return known;
  }

  /** VS Code brings a panel back with what its view last kept. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = this.factory.read(kept);
    if (!state || state.files.length === 0) return panel.dispose();
    this.add(panel, state);
  }

  dispose(): void {
    for (const { panel } of this.open) panel.dispose();
  }

  private infoOf(dataSet: number | undefined): SessionDataSet | undefined {
    const { dataSets, current } = this.parts.session;
    return dataSet === undefined ? current : dataSets.find((candidate) => candidate.id === dataSet);
  }

  private panelOf(info: SessionDataSet): Panel | undefined {
    return [...this.open].find(({ dataSetKey, files }) =>
      dataSetKey === undefined ? hasFiles(info, files) : dataSetKey === info.key,
    );
  }

  private create(info: SessionDataSet, column: vscode.ViewColumn): Panel {
    const { viewType, title } = this.factory;
    const panel = vscode.window.createWebviewPanel(viewType, title, column, webviewOptions(this.parts.extensionUri));
    return this.add(panel, this.factory.start(info));
  }

  private add(panel: vscode.WebviewPanel, state: State): Panel {
    const added = this.factory.create(this.parts, panel, state);
    this.open.add(added);
    panel.onDidDispose(() => this.open.delete(added));
    return added;
  }
}
