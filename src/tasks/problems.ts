import * as vscode from "vscode";
import type { CompilerMessage } from "../traced/messages";

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/**
 * Messages of compilers in the Problems view. Not by a problem matcher of the task: these read a terminal that may close before its last
 * lines were looked at, and know no folder but the workspace's.
 */
export class Problems implements vscode.Disposable {
  private readonly shown = vscode.languages.createDiagnosticCollection("heatflow");

  show(messages: readonly CompilerMessage[]): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const { file, line, column, severity, text } of messages) {
      const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
      const diagnostic = new vscode.Diagnostic(new vscode.Range(at, at), text, SEVERITIES[severity]);
      diagnostic.source = "traced build";
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    this.shown.clear();
    for (const [file, diagnostics] of byFile) this.shown.set(vscode.Uri.file(file), diagnostics);
  }

  dispose(): void {
    this.shown.dispose();
  }
}
