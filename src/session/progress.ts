import * as vscode from "vscode";
import type { Task } from "../model/task";
import { taskOfToken } from "./latest";
import { withoutLinks } from "./notices";

/** Work that is done sooner shows no progress: a notification that flashes by is not read. */
const SHOW_AFTER_MS = 400;

/** Percent that the bar has at most while work goes on: a full one says that it has ended. */
const FULLEST = 95;

/**
 * Runs long work with a progress notification that has a cancel button.
 *
 * @param title what is being done, without dots
 * @param work ends with a CancelledError when the button was pressed
 * @param heard is told of all progress, too
 * @param started gets what cancels the work, as the button does
 */
export async function withCancellableProgress<T>(
  title: string,
  work: (task: Task) => Promise<T>,
  heard?: Task["progress"],
  started?: (cancel: () => void) => void,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  started?.(() => source.cancel());
  let report: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let reported = 0;
  let last: { fraction: number | undefined; message?: string } | undefined;
  const show = (fraction: number | undefined, message?: string) => {
    last = { fraction, message };
    heard?.(fraction, message);
    if (!report) return;
    const percent = fraction === undefined ? reported : Math.min(FULLEST, Math.max(reported, fraction * 100));
    report.report({ message: message && withoutLinks(message), increment: percent - reported });
    reported = percent;
  };
  const running = work(taskOfToken(source.token, show));
  const shown = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
      async (progress, token) => {
        token.onCancellationRequested(() => source.cancel());
        report = progress;
        if (last) show(last.fraction, last.message);
        await running.catch(() => undefined); // the caller gets the error
      },
    );
  }, SHOW_AFTER_MS);
  try {
    return await running;
  } finally {
    clearTimeout(shown);
    source.dispose();
  }
}
