import * as vscode from "vscode";
import { CancelledError } from "../model/errors";
import { taskOfToken } from "../session/latest";
import { overText, shownUnit } from "../session/scopeChoice";
import type { Session } from "../session/session";
import { comparedNames, comparedPair, comparedRuns } from "../session/comparedScopes";
import { type DocumentCostSource, textOf } from "./documentCosts";
import { differenceHover } from "./differenceTexts";
import { foreignHover, hoverText } from "./hoverText";
import { hoverCommands } from "./markdown";
import { targetHover } from "./targetTexts";

/** The hover of a line with cost. */
export class CostHover implements vscode.HoverProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerHoverProvider({ scheme: "file" }, this);

  constructor(
    private readonly session: Session,
    private readonly costs: DocumentCostSource,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const scope = this.session.scope();
    const info = this.session.current;
    if (!scope || !info) return undefined;
    const line = position.line + 1;
    try {
      const compared = (await this.differences(document, line)) ?? (await this.target(document, line, token));
      const asked = textOf(document);
      const [costs, { found: movement }, details, calls] = await Promise.all([
        this.costs.of(document),
        this.costs.movementSoon(document),
        this.session.engine.lineDetails({ scope, document: asked, line }, taskOfToken(token)),
        this.session.engine.lineCalls({ scope, document: asked, line }, taskOfToken(token)),
      ]);
      const moved = movement?.lines.filter((one) => one.line === line) ?? [];
      const said = details.length + calls.length + moved.length;
      if (token.isCancellationRequested) return undefined;
      if (said === 0 && compared === undefined) return await this.foreign(document, position, scope.dataSet, token);
      const metric = info.metrics[scope.metric];
      const pair = comparedPair(this.session);
      if (said === 0) return new vscode.Hover(new vscode.MarkdownString(compared));
      const markdown = new vscode.MarkdownString(
        hoverText(
          details,
          {
            dataSet: scope.dataSet,
            dataSetName: info.name,
            metric: metric.name,
            unit: shownUnit(metric),
            over: overText(info, scope),
            estimated: info.estimated,
            line,
            ...(pair && !comparedRuns(this.session)
              ? { side: pair.candidate.dataSet === scope.dataSet ? "candidate" : "baseline" }
              : {}),
            costs: costs?.lines.filter((cost) => cost.line === line) ?? [],
            moved,
          },
          calls,
        ),
      );
      markdown.isTrusted = { enabledCommands: hoverCommands };
      const contents = compared === undefined ? [markdown] : [new vscode.MarkdownString(compared), markdown];
      return new vscode.Hover(contents, document.lineAt(position.line).range);
    } catch (error) {
      if (!(error instanceof CancelledError))
        this.log.warn(`hover of ${document.uri.fsPath}:${line}: ${String(error)}`);
      return undefined;
    }
  }

  /** Reason why a function's name has no cost although a recording of another program has a function of that name. */
  private async foreign(
    document: vscode.TextDocument,
    position: vscode.Position,
    dataSet: number,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const range = document.getWordRangeAtPosition(position, /[A-Za-z_]\w*/);
    const info = this.session.current;
    if (!range || !info) return undefined;
    const name = document.getText(range);
    const clause = await this.session.engine.foreignName({ dataSet, name }, taskOfToken(token));
    if (clause === undefined || token.isCancellationRequested) return undefined;
    const markdown = new vscode.MarkdownString(foreignHover(name, info.name, clause));
    markdown.isTrusted = { enabledCommands: hoverCommands };
    return new vscode.Hover([markdown], range);
  }

  /** What a comparison says of the line. */
  private async differences(document: vscode.TextDocument, line: number): Promise<string | undefined> {
    const differences = await this.costs.differencesOf(document);
    const scope = this.session.scope();
    const metric = scope && this.session.current?.metrics[scope.metric];
    const names = comparedRuns(this.session)?.names ?? comparedNames(this.session);
    return differences && names && metric && differenceHover(differences, line, names, shownUnit(metric));
  }

  /** What an ensemble's target has on the line, beside all runs. */
  private async target(
    document: vscode.TextDocument,
    line: number,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    const { session } = this;
    const target = this.costs.targetName;
    const scope = session.scope();
    const metric = scope && session.current?.metrics[scope.metric];
    if (target === undefined || !metric || this.costs.compared) return undefined;
    const query = { scope, target, document: textOf(document), line };
    const costs = await session.engine.targetCosts(query, taskOfToken(token));
    return costs && targetHover(costs, shownUnit(metric));
  }

  dispose(): void {
    this.registration.dispose();
  }
}
