import * as vscode from "vscode";
import type { FileSymbol, SymbolsOfFile } from "../engine/api";
import type { EngineClient } from "../engine/thread/client";
import { fileSymbols } from "./fileSymbols";

/** A language server that is starting has no answer yet: it is asked again after these pauses. */
const PAUSES_MS = [500, 2_000, 6_000];

/**
 * Asks language servers for the symbols of files that the engine has no grammar for (Fortran, Rust, …). Only for files that the engine
 * names, one after the other, and never before it names one.
 */
export class SymbolFeed implements vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly missedEmitter = new vscode.EventEmitter<void>();
  /** The engine knows more of the source now. */
  readonly onDidChange = this.changeEmitter.event;
  /** Extensions came or went, and some files had no language server before. */
  readonly onDidMiss = this.missedEmitter.event;
  /** A file without an answer was asked for. */
  private missed = false;
  private disposed = false;
  private readonly subscription = vscode.extensions.onDidChange(() => {
    if (!this.missed) return;
    this.missed = false;
    this.missedEmitter.fire();
  });

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Answers this engine until it ends. */
  async follow(engine: EngineClient): Promise<void> {
    try {
      while (!this.disposed) {
        const files = await engine.wantedSymbols();
        const found = await this.ask(files);
        if (this.disposed) return;
        await engine.setSymbols(found);
        this.changeEmitter.fire();
      }
    } catch (error) {
      if (!(error instanceof Error && error.name === "EngineGoneError")) this.log.warn(`symbols: ${String(error)}`);
    }
  }

  dispose(): void {
    this.disposed = true;
    for (const part of [this.subscription, this.changeEmitter, this.missedEmitter]) part.dispose();
  }

  private async ask(files: readonly string[]): Promise<SymbolsOfFile[]> {
    const found: SymbolsOfFile[] = [];
    // By ending: where one file has no answer after all pauses, the others of its language are asked once.
    const silent = new Set<string>();
    for (const file of files) {
      const ending = file.slice(file.lastIndexOf(".")).toLowerCase();
      const symbols = await this.symbolsOf(file, silent.has(ending) ? [] : PAUSES_MS);
      if (symbols === undefined) {
        silent.add(ending);
        this.missed = true;
      }
      found.push({ file, symbols });
    }
    return found;
  }

  private async symbolsOf(file: string, pauses: readonly number[]): Promise<FileSymbol[] | undefined> {
    try {
      // Opening it lets VS Code find its language, and so starts the extension that serves it.
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
      // What is not saved has other lines than the disk; saved, the file is asked for again.
      if (document.isDirty) return undefined;
      for (const pause of [...pauses, undefined]) {
        const answer: unknown = await vscode.commands.executeCommand(
          "vscode.executeDocumentSymbolProvider",
          document.uri,
        );
        const symbols = fileSymbols(answer);
        if (symbols.length > 0) return symbols;
        if (pause === undefined || this.disposed) break;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } catch (error) {
      this.log.warn(`symbols of ${file}: ${String(error)}`);
    }
    return undefined;
  }
}
