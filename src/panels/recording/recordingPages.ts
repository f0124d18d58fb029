/** The custom editors of recordings: opening a file opens its data set, and shows what that is. */
import * as vscode from "vscode";
import type { DataSetInfo } from "../../engine/api";
import { RecordingPanel } from "./recordingPanel";
import { webviewOptions } from "../kit/page";
import type { PanelParts } from "../kit/dataSetPanel";

export const RECORDING = "heatflow.recording";
/** The same page for files whose names say little (`*.json`, `*.xml`): offered by "Reopen Editor With…", never the default. */
export const OTHER_RECORDING = "heatflow.otherRecording";

/** Opens a data set's page. */
export function showPage({ files }: DataSetInfo): Thenable<unknown> {
  return vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(files[0]), RECORDING);
}

export interface RecordingParts extends PanelParts {
  /** Shows the super graph of a data set. */
  showSuperGraph(dataSet: number): void;
}

export class RecordingPages implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  private readonly registration: vscode.Disposable;

  constructor(private readonly parts: RecordingParts) {
    const options = { supportsMultipleEditorsPerDocument: true };
    this.registration = vscode.Disposable.from(
      vscode.window.registerCustomEditorProvider(RECORDING, this, options),
      vscode.window.registerCustomEditorProvider(OTHER_RECORDING, this, options),
    );
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    // The engine reads the file; there is nothing here to be let go of.
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    panel.webview.options = webviewOptions(this.parts.extensionUri);
    new RecordingPanel(this.parts, panel, uri);
  }

  dispose(): void {
    this.registration.dispose();
  }
}
