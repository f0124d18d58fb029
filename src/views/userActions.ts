import * as vscode from "vscode";

/** Notices whether the user goes to another text, or on in the same one, while something takes its time. */
export class UserActions implements vscode.Disposable {
  private hasActed = false;
  private readonly subscriptions: vscode.Disposable;

  constructor() {
    const acted = () => void (this.hasActed = true);
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && acted()),
      vscode.window.onDidChangeTextEditorSelection(acted),
    );
  }

  get any(): boolean {
    return this.hasActed;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
