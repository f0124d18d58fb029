import * as vscode from "vscode";
import { shortName } from "../model/shortName";
import { joined } from "../model/texts";
import { overText, shownUnit } from "../session/scopeChoice";
import type { Session } from "../session/session";
import { currentSettings } from "../session/sourceFeed";
import type { DocumentCostSource } from "./documentCosts";
import { driftText } from "./driftTexts";
import { lensName, lensTitle, linesOfOne, shownLenses } from "./lensTexts";

/** CodeLenses above functions with data: inclusive, exclusive, share, imbalance (semantics 4); a click selects the bar. */
export class CostLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changeEmitter.event;
  private readonly subscriptions: vscode.Disposable[];
  /** By document: what the numbers of its lenses are of. */
  private readonly shown = new WeakMap<vscode.TextDocument, string>();

  constructor(
    private readonly session: Session,
    private readonly costs: DocumentCostSource,
  ) {
    this.subscriptions = [
      vscode.languages.registerCodeLensProvider({ scheme: "file" }, this),
      costs.onDidChange(() => this.changeEmitter.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("heatflow")) this.changeEmitter.fire();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { codeLensEnabled, minimumShare } = currentSettings();
    const scope = this.session.scope();
    const info = this.session.current;
    if (!codeLensEnabled || !scope || !info) return [];
    const { scopeKey } = this.costs;
    const { costs, late } = await this.costs.soon(document, this.shown.get(document));
    void late?.then((found) => found && this.changeEmitter.fire());
    if (!costs) return [];
    this.shown.set(document, scopeKey);
    const unit = shownUnit(info.metrics[scope.metric]);
    const alone = linesOfOne(costs.functions);
    const { dataSets } = this.session;
    // First: the end of a long lens is not seen in a narrow editor.
    const name = dataSets.length > 1 ? lensName(info.name) : undefined;
    const over = overText(info, scope);
    const lenses = shownLenses(costs.functions, minimumShare).map(
      (cost) =>
        new vscode.CodeLens(rangeOf(document, cost.line), {
          title: joined([name, lensTitle(cost, unit, over, alone.has(cost.line))], " · "),
          tooltip: `Select ${shortName(cost.name)} in the super graph`,
          command: "heatflow.showSuperGraph",
          arguments: [{ dataSet: scope.dataSet, function: cost.function }],
        }),
    );
    const drift = costs.drift.newerThanRecording ? driftText(costs.drift) : undefined;
    if (drift && lenses.length + costs.lines.length > 0)
      lenses.unshift(
        new vscode.CodeLens(rangeOf(document, 1), { title: `$(warning) Heatflow: ${drift}`, command: "" }),
      );
    return lenses;
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.changeEmitter]) part.dispose();
  }
}

function rangeOf(document: vscode.TextDocument, line: number): vscode.Range {
  return document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1).range;
}
