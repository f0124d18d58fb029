import * as vscode from "vscode";
import { messageOf } from "../model/errors";
import { shortName } from "../model/shortName";
import { joined } from "../model/texts";
import type { Session } from "../session/session";
import type { Row } from "./row";
import { dataSetRows } from "./dataSetRows";
import { dropController } from "./dropFiles";
import { RecordedContent } from "./recordedContent";

/** Characters of a row, and of what stands beside it: names of recordings may have any length. */
const MOST_LABEL = 400;
const MOST_TOOLTIP = 4000;

/** For longer a user does not sit and wait. */
const MAX_AWAITED_MS = 1000;
/** Each takes a message to VS Code's window and back, as asking for rows does; the last one comes after 2.5 s. */
const MAX_LATER_TRIES = 7;
const FIRST_PAUSE_MS = 20;

/** What is open: runs, ranks, metrics (a click selects), lanes, messages, where it came from, metadata, warnings. */
export class DataSetsView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly content: RecordedContent;
  /** The data set that the list was last brought to. */
  private followed: number | undefined;

  constructor(
    private readonly session: Session,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.content = new RecordedContent(session);
    this.view = vscode.window.createTreeView("heatflow.dataSets", {
      treeDataProvider: this,
      dragAndDropController: dropController<Row>(),
      showCollapseAll: true,
    });
    const changed = () => this.changeEmitter.fire();
    this.subscriptions = [
      session.onDidChangeDataSets(() => {
        changed();
        this.follow();
      }),
      session.onDidChangeScope(() => {
        changed();
        this.follow();
      }),
      this.view.onDidChangeVisibility(() => this.follow()),
      vscode.commands.registerCommand("heatflow.dataSets.more", (dataSet: number, key: string) => {
        this.content.showMore(dataSet, key);
        changed();
      }),
      this.view,
    ];
  }

  getChildren(row?: Row): Row[] | Promise<Row[]> {
    if (row?.content)
      return this.content.childrenOf(row, row.content).catch((error: unknown) => this.failed(row, error));
    if (row) return [...(row.children ?? [])];
    return this.rows();
  }

  /** Only rows of data sets are revealed, which stand in no other. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(shortName(row.label, MOST_LABEL), collapsible(row));
    item.id = row.key;
    item.description = row.description && shortName(row.description, MOST_LABEL);
    item.tooltip = row.tooltip && shortName(row.tooltip, MOST_TOOLTIP);
    item.contextValue = row.context;
    // Without it, a tooltip would be read out in place of the row.
    const label = joined([row.label, row.description], ", ");
    item.accessibilityInformation = { label: shortName(label, MOST_TOOLTIP) };
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
    if (row.continues !== undefined) {
      item.command = {
        command: "heatflow.dataSets.more",
        title: "Show More",
        arguments: [row.dataSet, row.continues],
      };
    }
    return item;
  }

  /**
   * Leads to the row of a data set that a user asked to open.
   *
   * @param waitedMs after a longer wait the user may be at a palette or in a text, which would lose the focus: then the side bar
   *   stays, and the row is selected if it is in sight
   */
  async show(dataSet: number, waitedMs: number): Promise<void> {
    const row = this.rows().find((candidate) => candidate.dataSet === dataSet);
    const isAwaited = waitedMs < MAX_AWAITED_MS;
    if (!row || !(isAwaited || this.view.visible)) return;
    if (!this.view.visible) await vscode.commands.executeCommand("heatflow.dataSets.focus");
    await this.reveal(row, isAwaited);
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.changeEmitter]) part.dispose();
  }

  private rows(): Row[] {
    const { session } = this;
    return dataSetRows(
      session.dataSets,
      session.closedRecordings,
      (dataSet) => session.scope(dataSet),
      session.current?.id,
    );
  }

  /** The selection goes to the data set that is shown, whoever chose it, where the list is in sight: the side bar is not switched. */
  private follow(): void {
    const current = this.session.current?.id;
    if (current === this.followed || !this.view.visible) return;
    this.followed = current;
    if (this.view.selection.some(({ dataSet }) => dataSet === current)) return;
    const row = this.rows().find(({ dataSet }) => dataSet === current);
    if (current !== undefined && row) void this.reveal(row, false);
  }

  /** Reveals a row. Ends after the first try: a page that comes next does not wait for a list, which then takes no focus from it. */
  private async reveal(row: Row, focus: boolean): Promise<void> {
    const before = this.selected();
    const isDone = () =>
      this.selected() !== before || this.view.selection.some(({ dataSet }) => dataSet === row.dataSet);
    await this.tryReveal(row, focus);
    if (!isDone()) void this.revealLater(row, isDone);
  }

  /**
   * Reveals again, ever later, while the row is not selected: a list that came back into sight does not know new rows until it has
   * asked for them, which takes time on a busy machine. Ends when something else is selected.
   */
  private async revealLater(row: Row, isDone: () => boolean): Promise<void> {
    for (let tries = 0; tries < MAX_LATER_TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries));
      if (isDone()) return;
      await this.tryReveal(row, false);
      if (isDone()) return;
    }
  }

  private async tryReveal(row: Row, focus: boolean): Promise<void> {
    try {
      await this.view.reveal(row, { select: true, focus });
    } catch (error) {
      this.log.debug(`not shown in the list: ${String(error)}`);
    }
  }

  private selected(): string {
    return this.view.selection.map(({ key }) => key).join("\n");
  }

  private failed(row: Row, error: unknown): Row[] {
    this.log.warn(`${row.label}: ${String(error)}`);
    const label = messageOf(error);
    return [{ key: `${row.key}/failed`, dataSet: row.dataSet, label, icon: "error" }];
  }
}

function collapsible(row: Row): vscode.TreeItemCollapsibleState {
  if (!row.content && (!row.children || row.children.length === 0)) return vscode.TreeItemCollapsibleState.None;
  return row.expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}
