/** Contexts or functions × runs as a file: the table of `heatflow ensemble --csv`, of what a panel shows. */
import * as vscode from "vscode";
import type { EnsembleScope, RunPresence, RunsCsvQuery } from "../../engine/api";
import { counted } from "../../model/texts";
import type { ToolControl } from "../../protocol/frame";
import { withCancellableProgress } from "../../session/progress";
import type { Session, SessionDataSet } from "../../session/session";
import { askTarget, problemOf } from "../shared";
import { notices } from "../../session/notices";

type Kind = Pick<RunsCsvQuery, "rows" | "value">;

const kinds: readonly (Kind & { readonly id: string })[] = (["contexts", "functions"] as const).flatMap((rows) =>
  (["exclusive", "inclusive"] as const).map((value) => ({ id: `${rows} ${value}`, rows, value })),
);

/** @param over how each run's value is combined over its ranks */
export function csvTool(over: string): ToolControl {
  return {
    kind: "tool",
    id: "runsCsv",
    name: "Save runs as a table (CSV)",
    icon: "table",
    tucked: true,
    leaves: 9,
    menu: kinds.map(({ id, rows, value }) => ({
      value: id,
      label: `${rows} × runs, ${value}`,
      group: rows,
      title: `A row for each of the ${rows}, a column for each run: ${value}, ${over} over ranks`,
    })),
  };
}

/**
 * Asks where to, and writes the runs that stay.
 *
 * @param choice an entry of the tool's menu
 * @param which rows are wanted, where these are not all, and how that is said
 */
export async function saveRunsCsv(
  { session, dataSet }: { readonly session: Session; readonly dataSet: SessionDataSet },
  choice: string,
  scope: EnsembleScope,
  which?: { readonly presence: RunPresence; readonly said: string },
): Promise<void> {
  const kind = kinds.find(({ id }) => id === choice);
  if (!kind) return;
  const { rows, value } = kind;
  try {
    const query = { scope, rows, value, ...(which ? { presence: which.presence } : {}) };
    // Before the question where to: of what is too much nobody has to choose a file.
    const { bytes, ...size } = await withCancellableProgress("Writing the table of runs", (task) =>
      session.engine.ensembleCsv(query, task),
    );
    const what = { title: "Table of Runs", saved: `${rows}-${value}` };
    const target = await askTarget(dataSet, what, "Table (CSV)", "csv");
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, bytes);
    const count = `${counted(size.rows, rows.slice(0, -1))} × ${counted(size.runs, "run")}`;
    const chosen = which ? `, ${which.said},` : "";
    void notices.showInformationMessage(`Saved ${count}${chosen} as ${target.fsPath}.`);
  } catch (error) {
    const { kind: problem, message } = problemOf(error);
    if (problem !== "cancelled") void notices.showErrorMessage(`Could not save the table of runs. ${message}`);
  }
}
