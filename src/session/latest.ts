import * as vscode from "vscode";
import { CancelledError } from "../model/errors";
import type { Task } from "../model/task";

/** Work of which only the newest matters: starting the next cancels the one before. */
export class Latest implements vscode.Disposable {
  private source: vscode.CancellationTokenSource | undefined;

  /**
   * @param work gets a token that is cancelled as soon as newer work starts
   * @returns what the work gives, or undefined when newer work overtook it
   */
  async run<T>(work: (token: vscode.CancellationToken) => Promise<T>): Promise<T | undefined> {
    this.source?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.source = source;
    try {
      const result = await work(source.token);
      return source.token.isCancellationRequested ? undefined : result;
    } catch (error) {
      if (source.token.isCancellationRequested || error instanceof CancelledError) return undefined;
      throw error;
    } finally {
      if (this.source === source) this.source = undefined;
      source.dispose();
    }
  }

  cancel(): void {
    this.source?.cancel();
  }

  dispose(): void {
    this.cancel();
  }
}

/** A {@link Task} that ends when a token is cancelled. */
export function taskOfToken(
  token: vscode.CancellationToken,
  onProgress: (fraction: number | undefined, message?: string) => void = () => undefined,
): Task {
  const check = () => {
    if (token.isCancellationRequested) throw new CancelledError();
  };
  return {
    check,
    progress(fraction, message) {
      check();
      onProgress(fraction, message);
    },
    onCancel: (listener) => {
      token.onCancellationRequested(listener);
    },
  };
}
