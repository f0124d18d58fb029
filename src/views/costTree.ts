import * as vscode from "vscode";
import type { SourceLink, Target } from "../engine/api";
import { messageOf } from "../model/errors";
import type { Task } from "../model/task";
import { Latest, taskOfToken } from "../session/latest";
import type { Navigator, Selection, Session } from "../session/session";
import { dropController } from "./dropFiles";
import { notices } from "../session/notices";

/**
 * A native tree of costs: shown anew when the numbers change, it follows what is selected elsewhere, and a click on a row selects
 * it and opens its line. The latest of several clicks, and of several selections, wins.
 */
export abstract class CostTree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  protected readonly changeEmitter = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changeEmitter.event;
  protected readonly view: vscode.TreeView<Node>;
  protected readonly reveals = new Latest();
  private readonly navigations = new Latest();
  private readonly subscriptions: vscode.Disposable[];

  /** @param id of its view and commands, after `heatflow.`; the origin of what is selected in it */
  constructor(
    protected readonly session: Session,
    private readonly navigator: Navigator,
    private readonly log: vscode.LogOutputChannel,
    private readonly id: string,
    showCollapseAll = false,
  ) {
    this.view = vscode.window.createTreeView<Node>(`heatflow.${id}`, {
      treeDataProvider: this,
      dragAndDropController: dropController<Node>(),
      showCollapseAll,
    });
    const changed = () => this.refresh();
    this.subscriptions = [
      this.view,
      this.view.onDidChangeVisibility(({ visible }) => visible && this.follow(session.selection)),
      session.onDidChangeDataSets(changed),
      session.onDidChangeScope(changed),
      session.onDidChangeCosts(changed),
      session.onDidChangeTarget(changed),
      session.onDidSelect((selection) => this.follow(selection)),
    ];
  }

  abstract getTreeItem(node: Node): vscode.TreeItem | Promise<vscode.TreeItem>;
  abstract getParent(node: Node): Node | undefined;

  async getChildren(node?: Node): Promise<Node[]> {
    try {
      return await this.rowsOf(node);
    } catch (error) {
      this.log.warn(`${this.id}: ${String(error)}`);
      if (!node) this.view.message = messageOf(error);
      return [];
    }
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.navigations, this.reveals, this.changeEmitter]) part.dispose();
  }

  /** The rows below one; without it, the first ones. */
  protected abstract rowsOf(node: Node | undefined): Promise<Node[]>;

  /** Shows other numbers. */
  protected abstract refresh(): void;

  /** Reveals what is selected, where it was selected elsewhere and there is a row for it. */
  protected abstract follow(selection: Selection | undefined): void;

  /** Registers commands of the view by the last part of their names. */
  protected register(commands: Readonly<Record<string, (argument: never) => unknown>>): void {
    for (const [name, run] of Object.entries(commands))
      this.subscriptions.push(vscode.commands.registerCommand(`heatflow.${this.id}.${name}`, run));
  }

  /** Selects what a row stands for and opens its line. */
  protected async open(
    dataSet: number,
    target: Target,
    name: string,
    linkOf: (task: Task) => Promise<SourceLink>,
  ): Promise<void> {
    this.session.select({ dataSet, target, name, origin: this.id });
    await this.navigations
      .run(async (token) => {
        const link = await linkOf(taskOfToken(token));
        if (!token.isCancellationRequested) await this.navigator.go(link, { focus: false });
      })
      .catch((error: unknown) => {
        this.log.warn(`the line of ${name}: ${String(error)}`);
        void notices.showInformationMessage(`${name}: ${messageOf(error)}`);
      });
  }

  /** Opens a line that is known already. */
  protected async goTo(link: SourceLink): Promise<void> {
    await this.navigator.go(link, { focus: false });
  }

  protected reveal({ name }: Selection, find: () => Promise<Node | undefined>): void {
    void this.reveals
      .run(async (token) => {
        const node = await find();
        if (node && !token.isCancellationRequested) await this.view.reveal(node, { select: true, focus: false });
      })
      .catch((error: unknown) => this.log.debug(`revealing ${name}: ${String(error)}`));
  }
}
