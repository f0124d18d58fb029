import { basename } from "node:path";
import * as vscode from "vscode";
import { ruleFor } from "./sourceRule";
import { notices } from "../session/notices";

/** "Locate…": the user shows where a recorded file is, and the rule that follows is kept in `heatflow.sourceMap`. */
export class SourceLocator {
  /** @param recorded the file as the recording names it */
  async locate(recorded: string): Promise<void> {
    const start = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = await vscode.window.showOpenDialog({
      title: `Where is ${recorded}?`,
      openLabel: "This File",
      canSelectMany: false,
      ...(start ? { defaultUri: start } : {}),
    });
    const file = chosen?.[0];
    if (!file) return;
    const name = basename(recorded.replaceAll("\\", "/"));
    if (basename(file.fsPath) !== name) {
      const choice = await notices.showWarningMessage(
        `${basename(file.fsPath)} has another name than ${name}. Use it all the same?`,
        { modal: true },
        "Use It",
      );
      if (!choice) return;
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    await this.write(ruleFor(recorded, file.fsPath, folders));
  }

  private async write(rule: { from: string; to: string }): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("heatflow");
    const inWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const known = configuration.inspect<Record<string, string>>("sourceMap");
    const before = (inWorkspace ? known?.workspaceValue : known?.globalValue) ?? {};
    await configuration.update("sourceMap", { ...before, [rule.from]: rule.to }, target);
    const restricted = inWorkspace && !vscode.workspace.isTrusted;
    void notices.showInformationMessage(
      `${rule.from} is now looked for in ${rule.to || "the workspace"} (setting heatflow.sourceMap).` +
        (restricted ? " It takes effect once you trust this workspace." : ""),
    );
  }
}
