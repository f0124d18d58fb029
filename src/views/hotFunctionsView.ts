import * as vscode from "vscode";
import type { FunctionRow, Scope, Target } from "../engine/api";
import { messageOf } from "../model/errors";
import { Latest, taskOfToken } from "../session/latest";
import { functionsMessage } from "../session/notRecorded";
import { scopeText } from "../session/scopeChoice";
import type { Navigator, Selection, Session } from "../session/session";
import { type CostScale, costTooltip, functionDescription } from "./costTexts";
import { dropController, emptyWith } from "./dropFiles";
import { scaleOf } from "./scale";

/** Functions shown at first, and further ones with each click on the last row. */
const PAGE = 100;
const ORIGIN = "hotFunctions";
const NOTHING_OPEN = "Open performance data, or drop a recording here, to see its hot functions.";

type Row = FunctionRow | "more";
type By = "exclusive" | "inclusive";

/** Functions by exclusive or inclusive cost; a click selects one and opens its hot line. */
export class HotFunctionsView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly navigations = new Latest();
  private readonly reveals = new Latest();
  private rows: readonly FunctionRow[] = [];
  private scale: CostScale = { unit: "1", total: undefined };
  private by: By = "exclusive";
  private limit = PAGE;

  constructor(
    private readonly session: Session,
    private readonly navigator: Navigator,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.view = vscode.window.createTreeView<Row>("heatflow.hotFunctions", {
      treeDataProvider: this,
      dragAndDropController: dropController<Row>(session),
    });
    const changed = () => this.refresh();
    const register = vscode.commands.registerCommand;
    this.subscriptions = [
      this.view,
      session.onDidChangeDataSets(changed),
      session.onDidChangeScope(changed),
      session.onDidChangeCosts(changed),
      session.onDidSelect((selection) => this.follow(selection)),
      this.view.onDidChangeVisibility(({ visible }) => visible && this.follow(session.selection)),
      register("heatflow.hotFunctions.byInclusive", () => this.sortBy("inclusive")),
      register("heatflow.hotFunctions.byExclusive", () => this.sortBy("exclusive")),
      register("heatflow.hotFunctions.more", () => this.showMore()),
      register("heatflow.hotFunctions.open", (id: unknown) => this.openRow(id)),
    ];
    this.sortBy("exclusive");
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) return [];
    const scope = this.session.scope();
    this.say(scope);
    const { current } = this.session;
    const nothing = current && functionsMessage(current);
    if (!scope || nothing !== undefined) return emptyWith(this.view, nothing ?? NOTHING_OPEN);
    try {
      const rows = await this.session.engine.hotFunctions({ scope, by: this.by, limit: this.limit + 1 });
      this.scale = await scaleOf(this.session, scope);
      this.rows = rows.slice(0, this.limit);
      return rows.length > this.limit ? [...this.rows, "more"] : [...this.rows];
    } catch (error) {
      this.log.warn(`hot functions: ${String(error)}`);
      this.view.message = messageOf(error);
      return [];
    }
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if (row === "more") {
      const item = new vscode.TreeItem("More…");
      item.command = { command: "heatflow.hotFunctions.more", title: "Show More" };
      return item;
    }
    const item = new vscode.TreeItem(row.name);
    item.id = `${this.session.current?.id}/${row.function}`;
    item.description = functionDescription(row, this.by, this.scale);
    item.tooltip = costTooltip(row, this.view.description ?? "", this.scale);
    item.iconPath = new vscode.ThemeIcon("symbol-function");
    item.contextValue = "function";
    item.command = { command: "heatflow.hotFunctions.open", title: "Open Hot Line", arguments: [row.function] };
    return item;
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.navigations, this.reveals, this.changeEmitter]) part.dispose();
  }

  private refresh(): void {
    this.limit = PAGE;
    this.changeEmitter.fire();
  }

  private sortBy(by: By): void {
    this.by = by;
    void vscode.commands.executeCommand("setContext", "heatflow.hotFunctionsBy", by);
    this.refresh();
  }

  private showMore(): void {
    this.limit += PAGE * 5;
    this.changeEmitter.fire();
  }

  private say(scope: Scope | undefined): void {
    const info = this.session.current;
    this.view.description = scope && info ? scopeText(info, scope) : undefined;
    if (scope) this.view.message = undefined;
  }

  private async openRow(id: unknown): Promise<void> {
    const scope = this.session.scope();
    const row = this.rows.find((candidate) => candidate.function === id);
    if (!scope || !row) return;
    const target = { kind: "function", function: row.function } as const;
    this.session.select({ dataSet: scope.dataSet, target, name: row.name, origin: ORIGIN });
    await this.navigations
      .run(async (token) => {
        const task = taskOfToken(token);
        const [place] = await this.session.engine.hotPlaces({ scope, target, limit: 1 }, task);
        const link =
          place && place.link.places.length > 0
            ? place.link
            : await this.session.engine.link({ dataSet: scope.dataSet, target }, task);
        if (!token.isCancellationRequested) await this.navigator.go(link, { focus: false });
      })
      .catch((error: unknown) => this.log.warn(`the line of ${row.name}: ${String(error)}`));
  }

  private follow(selection: Selection | undefined): void {
    const scope = this.session.scope();
    if (!selection || selection.origin === ORIGIN || !this.view.visible || scope?.dataSet !== selection.dataSet) return;
    void this.reveals
      .run(async (token) => {
        const wanted = await this.functionOf(selection.target, scope);
        const row = this.rows.find((candidate) => candidate.function === wanted);
        if (row && !token.isCancellationRequested) await this.view.reveal(row, { select: true, focus: false });
      })
      .catch((error: unknown) => this.log.debug(`revealing ${selection.name}: ${String(error)}`));
  }

  private async functionOf(target: Target, scope: Scope): Promise<number | undefined> {
    if (target.kind === "function") return target.function;
    const { engine } = this.session;
    if (target.kind === "context") return (await engine.describeContext({ scope, context: target.context })).function;
    return (await engine.hotPlaces({ scope, target, limit: 1 })).at(0)?.function;
  }
}
