/**
 * Messages of the window. Their text comes from recordings, programs and files of others, in which VS Code would take
 * `[text](command:…)` for a link that runs a command.
 */
import * as vscode from "vscode";

type Show = typeof vscode.window.showInformationMessage;

/** The functions of `vscode.window` with the same names, without links in the text. */
export const notices = {
  showInformationMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showInformationMessage(withoutLinks(message), ...rest)) as Show,
  showWarningMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showWarningMessage(withoutLinks(message), ...rest)) as Show,
  showErrorMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showErrorMessage(withoutLinks(message), ...rest)) as Show,
};

/** Shows a message with buttons, of which the pressed one's action runs. */
export function offer(show: Show, message: string, actions: ReadonlyMap<string, () => unknown>): void {
  const chosen = Reflect.apply(show, undefined, [message, ...actions.keys()]) as ReturnType<Show>;
  void chosen.then((choice) => choice !== undefined && actions.get(String(choice))?.());
}

/** Text that VS Code shows as it is, but for a space between the brackets of a link. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
