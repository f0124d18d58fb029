import * as vscode from "vscode";
import type { Session } from "../session/session";
import { dataSetRows, type Row } from "./dataSetRows";
import { dropController } from "./dropFiles";

/** What is open: runs, ranks, metrics (a click selects), where it came from, metadata, warnings. */
export class DataSetsView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly session: Session) {
    this.view = vscode.window.createTreeView("heatflow.dataSets", {
      treeDataProvider: this,
      dragAndDropController: dropController<Row>(session),
      showCollapseAll: true,
    });
    const changed = () => this.changeEmitter.fire();
    this.subscriptions = [session.onDidChangeDataSets(changed), session.onDidChangeScope(changed), this.view];
  }

  getChildren(row?: Row): Row[] {
    if (row) return [...(row.children ?? [])];
    const { session } = this;
    return dataSetRows(
      session.dataSets,
      session.closedRecordings,
      (dataSet) => session.scope(dataSet),
      session.current?.id,
    );
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, collapsible(row));
    item.id = row.key;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.contextValue = row.context;
    if (row.icon) item.iconPath = new vscode.ThemeIcon(row.icon);
    if (row.metric !== undefined) {
      item.command = {
        command: "heatflow.selectMetric",
        title: "Show This Metric",
        arguments: [{ dataSet: row.dataSet, metric: row.metric }],
      };
    }
    if (row.switchesHierarchy) {
      item.command = {
        command: "heatflow.switchHierarchy",
        title: "Switch What Makes the Calling Contexts",
        arguments: [{ dataSet: row.dataSet }],
      };
    }
    return item;
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.changeEmitter]) part.dispose();
  }
}

function collapsible(row: Row): vscode.TreeItemCollapsibleState {
  if (!row.children || row.children.length === 0) return vscode.TreeItemCollapsibleState.None;
  return row.expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}
