import type * as vscode from "vscode";
import type { Navigator, Session } from "../../session/session";

/** What every panel is made with. */
export interface PanelParts {
  readonly session: Session;
  readonly navigator: Navigator;
  readonly extensionUri: vscode.Uri;
}
