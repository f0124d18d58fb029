import * as vscode from "vscode";
import { numberIn } from "../../session/commandArguments";
import { type GroupInWindow, placeForPanel } from "./panelPlace";

/** Words in which VS Code names its first groups. */
const ordinals = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/**
 * Makes room for a panel where {@link placeForPanel} says.
 *
 * @param argument of the command that opens it, with where it is opened from
 * @param open the panel, where it is open already
 */
export async function roomForPanel(argument: unknown, open?: vscode.WebviewPanel): Promise<vscode.ViewColumn> {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const groups = all.map((group): GroupInWindow => ({ column: group.viewColumn, showsPanel: showsPanel(group) }));
  const known = open?.viewColumn === undefined ? undefined : { column: open.viewColumn, isInSight: open.visible };
  const place = placeForPanel(groups, numberIn(argument, "from") ?? activeTabGroup.viewColumn, known);
  if (place.kind === "in") return place.column;
  const ordinal = place.kind === "below" ? ordinals.at(place.column - 1) : undefined;
  if (ordinal === undefined) return vscode.ViewColumn.Beside;
  await vscode.commands.executeCommand(`workbench.action.focus${ordinal}EditorGroup`);
  await vscode.commands.executeCommand("workbench.action.newGroupBelow");
  return vscode.ViewColumn.Active;
}

function showsPanel({ activeTab }: vscode.TabGroup): boolean {
  const input = activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.includes("heatflow.");
}
