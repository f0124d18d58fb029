import * as vscode from "vscode";
import type { Target } from "../engine/api";
import { comparedPair } from "../session/comparedScopes";
import { contextsMessage } from "../session/notRecorded";
import type { Navigator, Selection, Session } from "../session/session";
import { shownScope, shownScopeText } from "../session/targetScope";
import { type Node, nodeTexts, nodeTooltip } from "./contextNodes";
import { UnfoldedTree } from "./contextTree";
import { CostTree } from "./costTree";
import { emptyWith } from "./dropFiles";

const ORIGIN = "callingContexts";
const NOTHING_OPEN = "Open performance data, or drop a recording here, to see its calling contexts.";

/** The calling context tree, top-down, or bottom-up by callers; a click selects a row and opens its line. */
export class CallingContextsView extends CostTree<Node> {
  private as: "callees" | "callers" = "callees";
  private tree: UnfoldedTree | undefined;

  constructor(session: Session, navigator: Navigator, log: vscode.LogOutputChannel) {
    super(session, navigator, log, ORIGIN, true);
    this.register({
      showCallers: () => this.show("callers"),
      showTopDown: () => this.show("callees"),
      more: (node: Node | undefined) => {
        this.tree?.showMore(node);
        this.changeEmitter.fire(node);
      },
      open: (node: Node) => this.openRow(node),
    });
    this.show("callees");
  }

  override getParent(node: Node): Node | undefined {
    return node.parent;
  }

  override async getTreeItem(node: Node): Promise<vscode.TreeItem> {
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
    item.tooltip = nodeTooltip(node, this.view.description ?? "", scale);
    item.command = { command: "heatflow.callingContexts.open", title: "Open Line", arguments: [node] };
    return item;
  }

  protected override async rowsOf(node: Node | undefined): Promise<Node[]> {
    const { current } = this.session;
    const message = current && contextsMessage(current);
    if (!this.tree || current?.contexts === 0) return emptyWith(this.view, message ?? NOTHING_OPEN);
    return this.tree.childrenOf(node);
  }

  private show(as: "callees" | "callers"): void {
    this.as = as;
    void vscode.commands.executeCommand("setContext", "heatflow.contextsAs", as);
    this.refresh();
  }

  protected override refresh(): void {
    const { session } = this;
    const scope = shownScope(session);
    const info = session.current;
    const direction = this.as === "callers" ? "callers" : "top-down";
    this.tree = scope && new UnfoldedTree(session, scope, this.as, comparedPair(session));
    this.view.description = scope && info ? `${direction} · ${shownScopeText(session, info, scope)}` : undefined;
    if (scope) this.view.message = info && contextsMessage(info);
    this.reveals.cancel();
    this.changeEmitter.fire(undefined);
  }

  private async openRow(node: Node): Promise<void> {
    const dataSet = this.tree?.scope.dataSet;
    const target = targetOf(node);
    if (dataSet === undefined || !target || node.kind === "more") return;
    await this.open(dataSet, target, node.row.name, (task) => this.session.engine.link({ dataSet, target }, task));
  }

  /** Reveals what another part has selected; in the tree of callers, the function itself. */
  protected override follow(selection: Selection | undefined): void {
    if (selection?.comesIntoSight && this.as === "callers") this.show("callees");
    const { tree } = this;
    if (!selection || selection.origin === ORIGIN || !tree || tree.scope.dataSet !== selection.dataSet) return;
    if (!this.view.visible && !selection.comesIntoSight) return;
    this.reveal(selection, () => this.nodeOf(tree, selection.target));
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
