import * as vscode from "vscode";
import { Latest } from "../session/latest";
import type { DocumentCostSource } from "./documentCosts";
import { driftText } from "./driftTexts";

/** Says in the language status of the active editor that its file is not what was recorded. */
export class DriftStatus implements vscode.Disposable {
  private readonly latest = new Latest();
  private readonly subscriptions: vscode.Disposable[];
  private item: vscode.LanguageStatusItem | undefined;

  constructor(
    private readonly costs: DocumentCostSource,
    onDidShow: vscode.Event<vscode.Uri>,
  ) {
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      // Decorations are set whenever costs were asked for: then the answer is at hand.
      onDidShow((uri) => {
        if (uri.toString() === vscode.window.activeTextEditor?.document.uri.toString()) this.update();
      }),
    ];
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.latest]) part.dispose();
    this.item?.dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    void this.latest.run(async () => {
      const shown = document && (await this.costs.shownOf(document));
      const drift = (shown?.differences ?? shown?.costs)?.drift;
      const text = drift && driftText(drift);
      if (!document || !text) return this.hide();
      this.item?.dispose();
      // The pattern names this one file: the item stands for no other document of the language.
      const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, ".."), baseName(document.uri));
      this.item = vscode.languages.createLanguageStatusItem("heatflow.drift", { scheme: "file", pattern });
      this.item.name = "Heatflow";
      this.item.text = `Heatflow: ${text}`;
      this.item.severity = drift.newerThanRecording
        ? vscode.LanguageStatusSeverity.Warning
        : vscode.LanguageStatusSeverity.Information;
    });
  }

  private hide(): void {
    this.item?.dispose();
    this.item = undefined;
  }
}

function baseName(uri: vscode.Uri): string {
  // A name may hold what a glob gives a meaning: any character stands for such a one.
  return uri.path.slice(uri.path.lastIndexOf("/") + 1).replace(/[*?[\]{}]/g, "?");
}
