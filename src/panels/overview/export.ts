/** All partitions of an overview as a file that programs read (semantics 11). */
import * as vscode from "vscode";
import { overviewJson, THRESHOLD } from "../../engine/overview/overviewJson";
import type { OverviewState } from "../../protocol/overview";
import type { View } from "../kit/definition";
import { askTarget } from "../kit/save";
import { startedQuery } from "./query";

/** As `heatflow overview --json` prints it; nothing where the user went back. */
export async function exportJson(view: View<OverviewState>): Promise<undefined> {
  const target = await askTarget(view.dataSet, { title: "Overview", saved: "overview" }, "JSON", "json");
  if (!target) return;
  const query = await startedQuery(view);
  const text = overviewJson(await view.session.engine.overview(query), {
    ...query,
    metric: query.variable === undefined ? query.metric : `variable=${query.variable}`,
    threshold: THRESHOLD,
  });
  await vscode.workspace.fs.writeFile(target, Buffer.from(text));
}
