/** Ways to traced builds, registered without their code: that is a bundle of its own, loaded when the first task is asked for. */
import * as vscode from "vscode";

/** What the bundle gives. */
export interface TaskHost extends vscode.Disposable {
  provide(): Promise<vscode.Task[]>;
  resolve(task: vscode.Task): vscode.Task | undefined;
  /** @param argument `{ again: FILE }`: runs what recorded that file, with whole call stacks; anything else asks what is to be run */
  runTracedBuild(argument?: unknown): Promise<void>;
  showRuns(): Promise<void>;
}

export function registerTasks(load: () => TaskHost): vscode.Disposable {
  let loaded: TaskHost | undefined;
  const host = () => (loaded ??= load());
  return vscode.Disposable.from(
    vscode.tasks.registerTaskProvider("heatflow", {
      provideTasks: () => host().provide(),
      resolveTask: (task) => host().resolve(task),
    }),
    vscode.commands.registerCommand("heatflow.runTracedBuild", (argument: unknown) => host().runTracedBuild(argument)),
    vscode.commands.registerCommand("heatflow.showRuns", () => host().showRuns()),
    { dispose: () => loaded?.dispose() },
  );
}
