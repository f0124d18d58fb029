import * as vscode from "vscode";
import type { Target } from "../engine/api";
import { numberIn } from "../session/commandArguments";
import type { Session } from "../session/session";

/** Shows the super graph of a data set. */
export type ShowSuperGraph = (dataSet: number | undefined) => void;

/** Commands that CodeLenses, hovers and rows run with the numbers of what is meant. */
export function registerSelectCommands(session: Session, showSuperGraph: ShowSuperGraph): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register("heatflow.showSuperGraph", async (argument: unknown) => {
      // The title of a recording's page passes the file.
      const dataSet = argument instanceof vscode.Uri ? ofFile(session, argument) : numberIn(argument, "dataSet");
      const id = numberIn(argument, "function");
      showSuperGraph(dataSet);
      if (dataSet !== undefined && id !== undefined)
        await select(session, dataSet, { kind: "function", function: id }, "codeLens");
    }),
    register("heatflow.revealContext", async (argument: unknown) => {
      const dataSet = numberIn(argument, "dataSet");
      const context = numberIn(argument, "context");
      if (dataSet === undefined || context === undefined) return;
      await vscode.commands.executeCommand("heatflow.callingContexts.showTopDown");
      await vscode.commands.executeCommand("heatflow.callingContexts.focus");
      await select(session, dataSet, { kind: "context", context }, "hover");
    }),
  );
}

/** @param origin the part that selects */
async function select(session: Session, dataSet: number, target: Target, origin: string): Promise<void> {
  const scope = session.scope(dataSet);
  if (!scope) return;
  const name =
    target.kind === "context"
      ? (await session.engine.describeContext({ scope, context: target.context })).name
      : (await session.engine.hotPlaces({ scope, target, limit: 1 })).at(0)?.name;
  session.select({ dataSet, target, name: name ?? "", origin });
}

function ofFile(session: Session, { fsPath }: vscode.Uri): number | undefined {
  return session.dataSets.find(({ files }) => files.includes(fsPath))?.id;
}
