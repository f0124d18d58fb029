/** What changed in a file between two commits, in VS Code's own diff editor. */
import * as vscode from "vscode";
import { shortCommits } from "../model/commitNames";
import { messageOf } from "../model/errors";
import { numberIn, textIn } from "../session/commandArguments";
import type { Session } from "../session/session";
import { columnOf } from "./navigator";
import { notices } from "../session/notices";

/** Of texts as they were in a commit: the path is the file's, the query the commit's name. */
const SCHEME = "heatflow-commit";
type Asking = Pick<Session, "engine" | "trustedFolders">;

export function registerCommitDiff(session: Asking): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: async (uri) => (await textOf(session, uri)) ?? "",
    }),
    vscode.commands.registerCommand("heatflow.openCommitDiff", (argument) => openDiff(session, argument)),
  );
}

/** @throws RequestError where the workspace is not trusted, the file is in none of its repositories, or that is no commit */
function textOf({ engine, trustedFolders: folders }: Asking, { fsPath, query }: vscode.Uri) {
  return engine.textAtCommit({ folders, file: fsPath, commit: query });
}

async function openDiff(session: Asking, argument: unknown): Promise<void> {
  const [file, before, after] = ["file", "before", "after"].map((name) => textIn(argument, name));
  if (file === undefined || before === undefined || after === undefined) return;
  const uris = [before, after].map((query) => vscode.Uri.file(file).with({ scheme: SCHEME, query }));
  try {
    const texts = await Promise.all(uris.map((uri) => textOf(session, uri)));
    const name = vscode.workspace.asRelativePath(file);
    const commits = shortCommits([before, after]);
    if (texts.every((text) => text === undefined))
      return void notices.showInformationMessage(`${name} is in neither of the commits ${commits.join(" and ")}.`);
    await vscode.commands.executeCommand("vscode.diff", uris[0], uris[1], `${name} (${commits.join(" ↔ ")})`, {
      viewColumn: columnOf(uris[1], numberIn(argument, "from")),
      preview: true,
    });
  } catch (error) {
    void notices.showErrorMessage(`The two commits cannot be compared. ${messageOf(error)}`);
  }
}
