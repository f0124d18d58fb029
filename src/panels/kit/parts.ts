import type * as vscode from "vscode";
import type { Room } from "../../protocol/panel";
import type { Navigator, Session } from "../../session/session";

/** What every panel is made with. */
export interface PanelParts {
  readonly session: Session;
  readonly navigator: Navigator;
  readonly extensionUri: vscode.Uri;
  /** Of the panels that are in sight, as their pages say it. */
  readonly rooms: Map<vscode.WebviewPanel, Room>;
}
