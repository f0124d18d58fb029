import * as vscode from "vscode";
import type { TimeWindow } from "../engine/api";
import type { ShownWindows } from "./session";

/** The {@link ShownWindows} of a window of VS Code; they last as long as it does. */
export class MovedWindows implements ShownWindows, vscode.Disposable {
  private readonly windows = new Map<number, TimeWindow>();
  private readonly emitter = new vscode.EventEmitter<{ dataSet: number; by: object | undefined }>();
  readonly onDidShow = this.emitter.event;

  of(dataSet: number): TimeWindow | undefined {
    return this.windows.get(dataSet);
  }

  show(dataSet: number, window: TimeWindow | undefined, by?: object): void {
    const before = this.windows.get(dataSet);
    if (before?.from === window?.from && before?.to === window?.to) return;
    if (window) this.windows.set(dataSet, window);
    else this.windows.delete(dataSet);
    this.emitter.fire({ dataSet, by });
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
