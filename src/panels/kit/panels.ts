/** All panels of one kind: one a data set, opened where there is room, restored after the window was reloaded. */
import * as v from "valibot";
import * as vscode from "vscode";
import { nameIn, numberIn, targetIn } from "../../session/commandArguments";
import { parse } from "../../protocol/bounds";
import { comparedWith } from "../../session/comparedScopes";
import type { SessionDataSet } from "../../session/session";
import { type EditorGroup, editorGroupFor } from "./editorGroup";
import type { PanelDefinition } from "./definition";
import { Panel } from "./panel";
import type { PanelSource } from "./panelSource";
import type { PanelParts } from "./parts";
import { webviewOptions } from "./page";

const kept = v.object({ dataSet: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) });

/** Words in which VS Code names its first groups. */
const ordinals = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

export class Panels<State extends object, Shown, Content, ChosenPart, Part>
  implements vscode.WebviewPanelSerializer, vscode.Disposable
{
  private readonly open = new Set<Panel<State, Shown, Content, ChosenPart, Part>>();

  constructor(
    private readonly parts: PanelParts,
    private readonly definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>,
    /** Of a panel that there is one of, whatever recordings are open; absent: one for each data set. */
    private readonly source?: PanelSource,
  ) {}

  /**
   * Shows the panel of a data set (default: the current one) and gives it the focus, a new one where there is room for it. What
   * the argument names (a function, a row of a tree) is selected.
   *
   * @param argument of the command that opens it: anything
   * @returns undefined where there is no such data set
   */
  async show(
    argument?: unknown,
    dataSet = numberIn(argument, "dataSet"),
  ): Promise<Panel<State, Shown, Content, ChosenPart, Part> | undefined> {
    const { session } = this.parts;
    const info = dataSet === undefined ? session.current : session.dataSets.find(({ id }) => id === dataSet);
    if (!info) return undefined;
    const target = targetIn(argument);
    if (target) session.select({ dataSet: info.id, target, name: nameIn(argument) ?? "", origin: "command" });
    const beside = this.panelOf(info);
    const apart = beside && this.definition.apart?.open(argument, beside.state);
    if (apart) {
      const below = await newGroup(beside.panel.viewColumn ?? vscode.ViewColumn.One, "below");
      return this.create(info, below ?? vscode.ViewColumn.Beside, apart);
    }
    const column = await columnForPanel(this.parts, argument, this.panelOf(info)?.panel);
    // Asked for twice at once, it was made meanwhile.
    const known = this.panelOf(info);
    known?.panel.reveal(column);
    const panel = known ?? this.create(info, column);
    if (!known && column === vscode.ViewColumn.Beside) panel.besideOf = openedFrom(argument);
    panel.opened(argument);
    return panel;
  }

  /** VS Code brings a panel back with what its page last kept; what is no such state begins anew. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, restored: unknown): Promise<void> {
    const key = this.source ? "" : parse(kept, restored)?.dataSet;
    if (key === undefined || (this.source && this.open.size > 0)) return panel.dispose();
    this.add(panel, key, parse(this.definition.state, restored) ?? this.definition.start);
  }

  dispose(): void {
    for (const { panel } of this.open) panel.dispose();
  }

  /** Which panel draws both of two recordings may be another one now. */
  private openChanged(added?: object): void {
    for (const panel of this.open) if (panel !== added) panel.openChanged();
  }

  private get viewType(): string {
    return `heatflow.${this.definition.id}`;
  }

  /** Its own, else that of the recording it is compared with, where that shows it, too: a second one would show the same. */
  private panelOf({ id, key }: SessionDataSet): Panel<State, Shown, Content, ChosenPart, Part> | undefined {
    const open = [...this.open];
    if (this.source) return open.at(0);
    const own = open.find(({ dataSetKey, isApart }) => dataSetKey === key && !isApart);
    const drawer = own ? undefined : this.drawerOf(id);
    return own ?? (drawer?.concerns(id) ? drawer : undefined);
  }

  /**
   * The panel that draws both of the two recordings that are compared, of which this is one: that of the candidate, else of the
   * baseline. The other panel draws its own alone, so that no two show the same. Undefined: none is open that draws both.
   */
  private drawerOf(dataSet: number): Panel<State, Shown, Content, ChosenPart, Part> | undefined {
    const [baseline, candidate] = comparedWith(this.parts.session, dataSet) ?? [];
    const drawers = [...this.open].filter((panel) => !panel.isApart && panel.canDrawBoth);
    const of = (one = baseline) => drawers.find((panel) => panel.dataSet?.id === one?.info.id);
    return baseline && (of(candidate) ?? of(baseline));
  }

  private create(
    { key }: SessionDataSet,
    column: vscode.ViewColumn,
    state = this.definition.start,
  ): Panel<State, Shown, Content, ChosenPart, Part> {
    const options = webviewOptions(this.parts.extensionUri);
    const panel = vscode.window.createWebviewPanel(this.viewType, this.definition.title, column, options);
    return this.add(panel, key, state, true);
  }

  private add(
    panel: vscode.WebviewPanel,
    key: string,
    state: State,
    isNew = false,
  ): Panel<State, Shown, Content, ChosenPart, Part> {
    const added = new Panel(this.parts, panel, this.definition, this.source ?? key, state, isNew, (own) => {
      const drawer = own.dataSet && this.drawerOf(own.dataSet.id);
      return drawer !== undefined && drawer !== own;
    });
    this.open.add(added);
    panel.onDidDispose(() => {
      this.open.delete(added);
      this.openChanged();
    });
    this.openChanged(added);
    return added;
  }
}

/**
 * Finds the editor group that {@link editorGroupFor} chooses, and makes it where there is none yet.
 *
 * @param argument of the command that opens the panel, with where it is opened from
 * @param open the panel, where it is open already
 */
async function columnForPanel(
  { rooms }: PanelParts,
  argument: unknown,
  open?: vscode.WebviewPanel,
): Promise<vscode.ViewColumn> {
  const { all } = vscode.window.tabGroups;
  const groups = all.map(({ viewColumn, activeTab }): EditorGroup => {
    const room = [...rooms].find(([panel]) => panel.visible && panel.viewColumn === viewColumn)?.[1];
    return { column: viewColumn, showsPanel: showsPanel(activeTab), ...(room ? { room } : {}) };
  });
  const known = open?.viewColumn === undefined ? undefined : { column: open.viewColumn, isInSight: open.visible };
  const choice = editorGroupFor(groups, openedFrom(argument), known);
  if (choice.kind === "in") return choice.column;
  const column = choice.kind === "beside" ? undefined : await newGroup(choice.column, choice.kind);
  return column ?? vscode.ViewColumn.Beside;
}

/**
 * Makes an editor group next to another one. VS Code splits the group that has the focus, and gives it away once more after the
 * palette was closed: which group is new is therefore looked up, the panel never opens in "the active one".
 *
 * @returns its column; undefined where VS Code has no name for the group
 */
async function newGroup(beside: number, where: "below" | "right"): Promise<vscode.ViewColumn | undefined> {
  const ordinal = ordinals.at(beside - 1);
  if (ordinal === undefined) return undefined;
  const before = new Set(vscode.window.tabGroups.all);
  await vscode.commands.executeCommand(`workbench.action.focus${ordinal}EditorGroup`);
  await vscode.commands.executeCommand(`workbench.action.newGroup${where === "below" ? "Below" : "Right"}`);
  return vscode.window.tabGroups.all.find((group) => !before.has(group))?.viewColumn;
}

/** The group in which a panel's command was given. */
function openedFrom(argument: unknown): number {
  return numberIn(argument, "from") ?? vscode.window.tabGroups.activeTabGroup.viewColumn;
}

function showsPanel(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.includes("heatflow.");
}
