import * as vscode from "vscode";

/** Words in which VS Code names its first groups. */
const ordinals = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/**
 * Where a new panel opens, so that none of ours is covered by it (semantics 3): beside the editor, except where a panel of
 * ours is there or is what it is opened from; then in a new group below that one.
 */
export async function roomForPanel(): Promise<vscode.ViewColumn> {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const column = activeTabGroup.viewColumn;
  const inTheWay =
    all.find((group) => group.viewColumn === column && showsPanel(group)) ??
    all.find((group) => group.viewColumn === column + 1 && showsPanel(group));
  if (!inTheWay) return vscode.ViewColumn.Beside;
  const ordinal = ordinals.at(inTheWay.viewColumn - 1);
  if (ordinal === undefined) return vscode.ViewColumn.Beside;
  await vscode.commands.executeCommand(`workbench.action.focus${ordinal}EditorGroup`);
  await vscode.commands.executeCommand("workbench.action.newGroupBelow");
  return vscode.ViewColumn.Active;
}

function showsPanel({ activeTab }: vscode.TabGroup): boolean {
  const input = activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.includes("heatflow.");
}
