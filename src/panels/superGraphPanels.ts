/** All super graph panels: one a data set, opened beside the editor, restored after the window was reloaded. */
import * as vscode from "vscode";
import { parse } from "../protocol/bounds";
import { groupChoices, type GroupChoice, superGraphState } from "../protocol/superGraph";
import { currentSettings } from "../session/sourceFeed";
import { webviewOptions } from "./page";
import { hasFiles, type PanelParts, type PanelState, SuperGraphPanel } from "./superGraphPanel";

export const SUPER_GRAPH = "heatflow.superGraph";

export class SuperGraphPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly open = new Set<SuperGraphPanel>();
  private readonly registration: vscode.Disposable;

  constructor(private readonly parts: PanelParts) {
    this.registration = vscode.window.registerWebviewPanelSerializer(SUPER_GRAPH, this);
  }

  /**
   * Shows the panel of a data set (default: the current one) and gives it the focus; a new one opens beside the editor.
   * It highlights the session's selection.
   */
  show(dataSet?: number): void {
    const { session, extensionUri } = this.parts;
    const info =
      dataSet === undefined ? session.current : session.dataSets.find((candidate) => candidate.id === dataSet);
    if (!info) return;
    for (const { panel, files } of this.open) {
      if (hasFiles(info, files)) return panel.reveal(panel.viewColumn);
    }
    const panel = vscode.window.createWebviewPanel(
      SUPER_GRAPH,
      "Super Graph",
      vscode.ViewColumn.Beside,
      webviewOptions(extensionUri),
    );
    this.add(panel, { files: info.files.slice(), ...startValues() });
  }

  /** VS Code brings a panel back with what its view last kept. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = parse(superGraphState, kept);
    if (!state || state.files.length === 0) return panel.dispose();
    this.add(panel, { files: state.files, filter: state.filter, groupBy: state.groupBy });
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private add(panel: vscode.WebviewPanel, state: PanelState): void {
    const added = new SuperGraphPanel(this.parts, panel, state);
    this.open.add(added);
    panel.onDidDispose(() => this.open.delete(added));
  }
}

/** Filter and grouping that a new panel starts with; "file" means by file with an honest way out (semantics 2.2). */
function startValues(): { filter: number; groupBy: GroupChoice } {
  const { superGraphFilterPercent, superGraphGroupBy } = currentSettings();
  const groupBy = groupChoices.find((choice) => choice === superGraphGroupBy) ?? "auto";
  return { filter: superGraphFilterPercent, groupBy: groupBy === "file" ? "auto" : groupBy };
}
