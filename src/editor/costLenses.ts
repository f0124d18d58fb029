import * as vscode from "vscode";
import type { DocumentCosts, DocumentDifferences, DocumentMovement, TargetCosts } from "../engine/api";
import { shortName } from "../model/shortName";
import { overText, shownUnit } from "../session/scopeChoice";
import { whyNotCompared } from "../session/comparedScopes";
import type { Session } from "../session/session";
import { currentSettings } from "../session/sourceFeed";
import type { DocumentCostSource, ShownCosts } from "./documentCosts";
import { differenceLensTitle } from "./differenceTexts";
import { driftText } from "./driftTexts";
import { placesText } from "./heat";
import { lensTitle, linesOfOne, shownLenses } from "./lensTexts";
import { targetLenses, targetLensTitle } from "./targetTexts";
import { bytesMoved, movementLensTitle } from "./movementTexts";

/** How long VS Code may take to ask again after a change, at first and at most: it waits longer where answers took long. */
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [1000, 16_000];

/** CodeLenses above functions with data: inclusive, exclusive, share, imbalance (semantics 4); a click selects the bar. */
export class CostLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changeEmitter.event;
  private readonly subscriptions: vscode.Disposable[];
  /** By document: what the numbers of its lenses are of. */
  private readonly shown = new WeakMap<vscode.TextDocument, string>();
  /** Documents in sight whose lenses are of before the last change. */
  private outdated = new Set<vscode.TextDocument>();
  private isDisposed = false;
  private reminder: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: Session,
    private readonly costs: DocumentCostSource,
  ) {
    this.subscriptions = [
      vscode.languages.registerCodeLensProvider({ scheme: "file" }, this),
      costs.onDidChange(() => this.changed()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("heatflow")) this.changed();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    this.outdated.delete(document);
    const { codeLensEnabled, minimumShare } = currentSettings();
    const scope = this.session.scope();
    const info = this.session.current;
    if (!codeLensEnabled || !scope || !info) return [];
    const { scopeKey } = this.costs;
    const { version } = document;
    const { found, late } = await this.costs.soon(document, this.shown.get(document));
    void late?.then((costs) => costs && this.changed());
    // VS Code asks again about the text as it is now.
    if (!found || document.version !== version) return [];
    this.shown.set(document, scopeKey);
    if (found.differences)
      return differenceLenses(document, found, shownUnit(info.metrics[scope.metric]), minimumShare);
    if (found.target)
      return targetLensesOf(document, found.target, scope.dataSet, shownUnit(info.metrics[scope.metric]), minimumShare);
    const { costs } = found;
    const unit = shownUnit(info.metrics[scope.metric]);
    const alone = linesOfOne(costs.functions);
    const { dataSets } = this.session;
    const name = dataSets.length > 1 ? info.name : undefined;
    const over = overText(info, scope);
    const lenses = shownLenses(costs.functions, minimumShare).map(
      (cost) =>
        new vscode.CodeLens(rangeOf(document, cost.line), {
          title: lensTitle(cost, unit, over, alone.has(cost.line), name),
          tooltip: `Select ${shortName(cost.name)} in the super graph`,
          command: "heatflow.showSuperGraph",
          arguments: [{ dataSet: scope.dataSet, function: cost.function }],
        }),
    );
    const movement = await this.costs.movementSoon(document);
    void movement.late?.then((moved) => moved && this.changed());
    if (document.version !== version) return [];
    const why = whyNotCompared(this.session);
    const notCompared = why === undefined || lenses.length === 0 ? [] : [infoLens(document, why)];
    const ofMovement = movement.found ? movementLenses(document, movement.found, minimumShare) : [];
    return [...newerLens(document, costs, lenses.length), ...notCompared, ...lenses, ...ofMovement];
  }

  private changed(): void {
    if (this.isDisposed) return;
    this.outdated = documentsInSight();
    this.askAgain(FIRST_WAIT_MS);
  }

  /**
   * VS Code drops what it was to ask when an editor loses the focus in that moment, as to a panel that opens with a recording: the
   * numbers of another recording would stay. So it is told again until it has asked.
   */
  private askAgain(waitMs: number): void {
    clearTimeout(this.reminder);
    this.changeEmitter.fire();
    if (waitMs > LAST_WAIT_MS) return;
    this.reminder = setTimeout(() => {
      const inSight = documentsInSight();
      if ([...this.outdated].some((document) => inSight.has(document))) this.askAgain(2 * waitMs);
    }, waitMs);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.reminder);
    for (const part of [...this.subscriptions, this.changeEmitter]) part.dispose();
  }
}

/** Those that have lenses. */
function documentsInSight(): Set<vscode.TextDocument> {
  const all = vscode.window.visibleTextEditors.map(({ document }) => document);
  return new Set(all.filter(({ uri }) => uri.scheme === "file"));
}

function rangeOf(document: vscode.TextDocument, line: number): vscode.Range {
  return document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1).range;
}

/** Beside what a function costs; a click shows who moved how much to whom. */
function movementLenses(
  document: vscode.TextDocument,
  moved: DocumentMovement,
  minimumShare: number,
): vscode.CodeLens[] {
  const total = bytesMoved(moved.total);
  return moved.functions.flatMap((one) => {
    const title = movementLensTitle(one, moved);
    if (title === undefined || (total > 0 && bytesMoved(one) / total < minimumShare)) return [];
    const command = { title: `${title}${placesText(one.oneOf)}`, command: "heatflow.showCommunication" };
    return [new vscode.CodeLens(rangeOf(document, one.line), command)];
  });
}

/** Above the first line. */
function infoLens(document: vscode.TextDocument, said: string): vscode.CodeLens {
  return new vscode.CodeLens(rangeOf(document, 1), { title: `$(info) Heatflow: ${said}`, command: "" });
}

/** Above the first line: all costs may be those of older code. @param lenses how many others there are */
function newerLens(
  document: vscode.TextDocument,
  { drift, lines }: Pick<DocumentCosts | DocumentDifferences, "drift" | "lines">,
  lenses: number,
): vscode.CodeLens[] {
  if (!drift.newerThanRecording || lenses + lines.length === 0) return [];
  const title = `$(warning) Heatflow: ${driftText(drift) ?? ""}`;
  return [new vscode.CodeLens(rangeOf(document, 1), { title, command: "" })];
}

/** Of an ensemble's run, beside all of them. */
function targetLensesOf(
  document: vscode.TextDocument,
  target: TargetCosts,
  dataSet: number,
  unit: string,
  minimumShare: number,
): vscode.CodeLens[] {
  const alone = linesOfOne(target.functions);
  const lenses = targetLenses(target, minimumShare).map(
    (one) =>
      new vscode.CodeLens(rangeOf(document, one.line), {
        title: targetLensTitle(one, target, unit, alone.has(one.line)),
        tooltip: `Select ${shortName(one.name)} in the super graph`,
        command: "heatflow.showSuperGraph",
        arguments: [{ dataSet, function: one.function }],
      }),
  );
  return [...newerLens(document, target.costs, lenses.length), ...lenses];
}

function differenceLenses(
  document: vscode.TextDocument,
  { differences, compared }: Extract<ShownCosts, { compared: unknown }>,
  unit: string,
  minimumShare: number,
): vscode.CodeLens[] {
  const alone = linesOfOne(differences.functions);
  const shown = differences.functions.filter(({ share }) => share > 0 && share >= minimumShare);
  const lenses = shown.map((one) => {
    const { dataSet } = compared[one.side];
    return new vscode.CodeLens(rangeOf(document, one.line), {
      title: differenceLensTitle(one, unit, alone.has(one.line)),
      tooltip: `Select ${shortName(one.name)} in the super graph`,
      command: "heatflow.showSuperGraph",
      arguments: [{ dataSet, function: one.function }],
    });
  });
  const { functionsOnly } = differences;
  if (functionsOnly !== undefined && lenses.length > 0)
    lenses.unshift(infoLens(document, `functions are compared, not lines. ${functionsOnly}`));
  return [...newerLens(document, differences, lenses.length), ...lenses];
}
