import * as vscode from "vscode";
import type { Place, SourceLink } from "../engine/api";
import { messageOf } from "../model/errors";
import type { Navigator } from "../session/session";
import { columnFor, type Group } from "./columns";
import type { MissingSources } from "./missingSources";
import { WorkspaceBorder } from "./workspaceBorder";
import { notices } from "../session/notices";

/** Goes to lines; asks where there are several, and before it opens what lies outside of the workspace. */
export class LineNavigator implements Navigator {
  private readonly border = new WorkspaceBorder();
  private asked = 0;

  constructor(private readonly missing: MissingSources) {}

  async go(link: SourceLink, options: { focus: boolean; beside?: vscode.ViewColumn }): Promise<void> {
    if (link.places.length === 0) return this.sayWhyNone(link, options.focus);
    const place = link.places.length === 1 ? link.places[0] : await choosePlace(link);
    if (place) await this.show(place, options);
  }

  /** Shows one line. */
  async show(place: Place, options: { focus: boolean; beside?: vscode.ViewColumn }): Promise<void> {
    const asked = ++this.asked;
    if (!(await this.border.mayOpen(place.file))) return;
    const uri = vscode.Uri.file(place.file);
    const document = await openDocument(uri);
    // Of two quick clicks the second one says where to end.
    if (!document || asked !== this.asked) return;
    const line = Math.min(Math.max(place.line, 1), document.lineCount) - 1;
    const start = new vscode.Position(line, document.lineAt(line).firstNonWhitespaceCharacterIndex);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: columnOf(uri, options.beside),
      preview: true,
      preserveFocus: !options.focus,
      selection: new vscode.Range(start, start),
    });
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async sayWhyNone(link: SourceLink, asked: boolean): Promise<void> {
    const { missingFile, reason } = link;
    if (missingFile !== undefined) return this.missing.say({ ...link, missingFile }, asked);
    void notices.showInformationMessage(`No line is known for this. ${reason}`);
  }
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    void notices.showErrorMessage(`Could not open ${uri.fsPath}: ${messageOf(error)}`);
    return undefined;
  }
}

async function choosePlace(link: SourceLink): Promise<Place | undefined> {
  const items = link.places.map((place) => ({
    label: `${vscode.workspace.asRelativePath(place.file)}:${place.line}`,
    place,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: link.summary ?? `${items.length} places are equally likely`,
    placeHolder: link.reason,
  });
  return chosen?.place;
}

/** The editor group in which a file is shown, so that no panel is covered. @param beside the group that must not be */
export function columnOf(uri: vscode.Uri, beside: vscode.ViewColumn | undefined): vscode.ViewColumn {
  return columnFor(groups(uri), beside);
}

function groups(uri: vscode.Uri): Group[] {
  return vscode.window.tabGroups.all.map((group) => ({
    column: group.viewColumn,
    active: group.isActive,
    showsPanel: isPanel(group.activeTab?.input),
    showsPage: isPage(group.activeTab?.input),
    showsFile: group.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === uri.fsPath),
  }));
}

/** A panel of ours must stay in sight: what it opens goes elsewhere. */
function isPanel(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.includes("heatflow.");
}

function isPage(input: unknown): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith("heatflow.");
}
