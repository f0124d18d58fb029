import * as vscode from "vscode";
import type { Target } from "../engine/api";
import { messageOf } from "../model/errors";
import { Latest, taskOfToken } from "../session/latest";
import { contextsMessage } from "../session/notRecorded";
import { scopeText } from "../session/scopeChoice";
import type { Navigator, Selection, Session } from "../session/session";
import { type Node, nodeTexts } from "./contextNodes";
import { UnfoldedTree } from "./contextTree";
import { costTooltip } from "./costTexts";
import { dropController, emptyWith } from "./dropFiles";

const ORIGIN = "callingContexts";
const NOTHING_OPEN = "Open performance data, or drop a recording here, to see its calling contexts.";

/** The calling context tree, top-down, or bottom-up by callers; a click selects a row and opens its line. */
export class CallingContextsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly navigations = new Latest();
  private readonly reveals = new Latest();
  private as: "callees" | "callers" = "callees";
  private tree: UnfoldedTree | undefined;

  constructor(
    private readonly session: Session,
    private readonly navigator: Navigator,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.view = vscode.window.createTreeView<Node>("heatflow.callingContexts", {
      treeDataProvider: this,
      dragAndDropController: dropController<Node>(session),
      showCollapseAll: true,
    });
    const changed = () => this.refresh();
    const register = vscode.commands.registerCommand;
    this.subscriptions = [
      this.view,
      this.view.onDidChangeVisibility(({ visible }) => visible && this.follow(session.selection)),
      session.onDidChangeDataSets(changed),
      session.onDidChangeScope(changed),
      session.onDidChangeCosts(changed),
      session.onDidSelect((selection) => this.follow(selection)),
      register("heatflow.callingContexts.showCallers", () => this.show("callers")),
      register("heatflow.callingContexts.showTopDown", () => this.show("callees")),
      register("heatflow.callingContexts.more", (node: Node | undefined) => {
        this.tree?.showMore(node);
        this.changeEmitter.fire(node);
      }),
      register("heatflow.callingContexts.open", (node: Node) => this.open(node)),
    ];
    this.show("callees");
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const { current } = this.session;
    const message = current && contextsMessage(current);
    if (!this.tree || current?.contexts === 0) return emptyWith(this.view, message ?? NOTHING_OPEN);
    try {
      return await this.tree.childrenOf(node);
    } catch (error) {
      this.log.warn(`calling contexts: ${String(error)}`);
      if (!node) this.view.message = messageOf(error);
      return [];
    }
  }

  getParent(node: Node): Node | undefined {
    return node.parent;
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    const scale = (await this.tree?.costScale().catch(() => undefined)) ?? { unit: "1", total: undefined };
    const { label, description, icon, expandable } = nodeTexts(node, scale);
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, expandable ? Collapsed : None);
    item.id = `${this.tree?.scope.dataSet}/${node.key}`;
    item.description = description;
    if (icon) item.iconPath = new vscode.ThemeIcon(icon);
    if (node.kind === "more") {
      item.command = { command: "heatflow.callingContexts.more", title: "Show More", arguments: [node.parent] };
      return item;
    }
    item.contextValue = node.kind;
    item.tooltip = costTooltip(node.row, this.view.description ?? "", scale);
    item.command = { command: "heatflow.callingContexts.open", title: "Open Line", arguments: [node] };
    return item;
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.navigations, this.reveals, this.changeEmitter]) part.dispose();
  }

  private show(as: "callees" | "callers"): void {
    this.as = as;
    void vscode.commands.executeCommand("setContext", "heatflow.contextsAs", as);
    this.refresh();
  }

  private refresh(): void {
    const { session } = this;
    const scope = session.scope();
    const info = session.current;
    const direction = this.as === "callers" ? "callers" : "top-down";
    this.tree = scope && new UnfoldedTree(session, scope, this.as);
    this.view.description = scope && info ? `${direction} · ${scopeText(info, scope)}` : undefined;
    if (scope) this.view.message = info && contextsMessage(info);
    this.reveals.cancel();
    this.changeEmitter.fire(undefined);
  }

  private async open(node: Node): Promise<void> {
    const dataSet = this.tree?.scope.dataSet;
    const target = targetOf(node);
    if (dataSet === undefined || !target || node.kind === "more") return;
    this.session.select({ dataSet, target, name: node.row.name, origin: ORIGIN });
    await this.navigations
      .run(async (token) => {
        const link = await this.session.engine.link({ dataSet, target }, taskOfToken(token));
        if (!token.isCancellationRequested) await this.navigator.go(link, { focus: false });
      })
      .catch((error: unknown) => this.log.warn(`the line of ${node.row.name}: ${String(error)}`));
  }

  /** Reveals what another part has selected; in the tree of callers, the function itself. */
  private follow(selection: Selection | undefined): void {
    if (selection?.comesIntoSight && this.as === "callers") this.show("callees");
    const { tree } = this;
    if (!selection || selection.origin === ORIGIN || !tree || tree.scope.dataSet !== selection.dataSet) return;
    if (!this.view.visible && !selection.comesIntoSight) return;
    void this.reveals
      .run(async (token) => {
        const node = await this.nodeOf(tree, selection.target);
        if (node && !token.isCancellationRequested) await this.view.reveal(node, { select: true, focus: false });
      })
      .catch((error: unknown) => this.log.debug(`revealing ${selection.name}: ${String(error)}`));
  }

  private async nodeOf(tree: UnfoldedTree, target: Target): Promise<Node | undefined> {
    const place = async () => (await this.session.engine.hotPlaces({ scope: tree.scope, target, limit: 1 })).at(0);
    if (tree.as === "callees") {
      const context = target.kind === "context" ? target.context : (await place())?.context;
      return context === undefined ? undefined : tree.nodeOf(context, (node) => this.changeEmitter.fire(node));
    }
    const wanted = target.kind === "function" ? target.function : (await place())?.function;
    const roots = await tree.childrenOf(undefined);
    return roots.find((node) => node.kind === "caller" && node.row.path[0] === wanted);
  }
}

function targetOf(node: Node): Target | undefined {
  if (node.kind === "context") return { kind: "context", context: node.row.context };
  if (node.kind === "more") return undefined;
  const caller = node.row.path.at(-1);
  return caller === undefined ? undefined : { kind: "function", function: caller };
}
