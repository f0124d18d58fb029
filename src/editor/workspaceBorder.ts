import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { liesIn } from "./liesIn";
import { notices } from "../session/notices";

/** Nothing outside of the workspace is opened without asking: recordings and path maps come from others. */
export class WorkspaceBorder {
  private readonly allowed = new Set<string>();

  async mayOpen(file: string): Promise<boolean> {
    const real = await resolved(file);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    for (const { uri } of folders) if (liesIn(await resolved(uri.fsPath), real)) return true;
    if (this.allowed.has(real)) return true;
    const choice = await notices.showWarningMessage(
      `Open a file outside of this workspace?`,
      { modal: true, detail: real },
      "Open",
    );
    if (choice) this.allowed.add(real);
    return choice !== undefined;
  }
}

/** A link inside the workspace may lead out of it. */
async function resolved(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
