import * as vscode from "vscode";
import type { GroupMap } from "../engine/api";
import { groupChoices, type GroupChoice } from "../protocol/superGraph";

/** Filter and grouping that a new panel starts with; "file" means by file with an honest way out (semantics 2.2). */
export function startValues(): { filter: number; groupBy: GroupChoice } {
  const settings = vscode.workspace.getConfiguration("heatflow.superGraph");
  const filter = Number(settings.get("filter", 0.1));
  const groupBy = groupChoices.find((choice) => choice === settings.get("groupBy")) ?? "auto";
  return {
    filter: Number.isFinite(filter) ? Math.min(100, Math.max(0, filter)) : 0.1,
    groupBy: groupBy === "file" ? "auto" : groupBy,
  };
}

/** The user's groups, without what is not a list of names. */
export function groupMap(): GroupMap {
  const groups = vscode.workspace.getConfiguration("heatflow").get<unknown>("groups");
  if (typeof groups !== "object" || groups === null) return {};
  const lists = Object.entries(groups).filter(
    (group): group is [string, string[]] =>
      Array.isArray(group[1]) && group[1].every((pattern) => typeof pattern === "string"),
  );
  return Object.fromEntries(lists);
}
