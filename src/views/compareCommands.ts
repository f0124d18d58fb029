/** Ways to compare two recordings, and out of it. */
import * as vscode from "vscode";
import { pairOrWhyNot } from "../session/comparedScopes";
import { numberIn } from "../session/commandArguments";
import { pickComparison } from "../session/pickComparison";
import type { Session } from "../session/session";
import type { ShowSuperGraph } from "./selectByNumber";
import { notices } from "../session/notices";

/** "Compare Runs…", "End Comparison", "Swap Baseline and Candidate" and "Pair Renamed Functions…". */
export function registerCompareCommands(session: Session, showSuperGraph: ShowSuperGraph): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register("heatflow.compareRuns", (argument: unknown) => compare(session, showSuperGraph, argument)),
    register("heatflow.endComparison", () => session.compare(undefined)),
    register("heatflow.swapComparison", () => swap(session)),
    register("heatflow.pairFunctions", () => pairFunctions(session)),
  );
}

/** A recording (default: the current one) is set against a baseline: that of the argument, or the one that is picked; or it is the baseline of one that is opened. */
async function compare(session: Session, showSuperGraph: ShowSuperGraph, argument: unknown): Promise<void> {
  const wanted = numberIn(argument, "dataSet") ?? session.current?.id;
  const shown = session.dataSets.find(({ id }) => id === wanted);
  if (!shown) return;
  const given = session.dataSets.find(({ id }) => id === numberIn(argument, "baseline"));
  const comparison = given ? { baseline: given.id, candidate: shown.id } : await pickComparison(session, shown);
  if (!comparison) return;
  session.setCurrent(comparison.candidate);
  session.compare(comparison);
  showSuperGraph(comparison.candidate);
}

/** What was the candidate is the baseline, and its numbers give way to the other's. */
function swap(session: Session): void {
  const { comparison } = session;
  if (!comparison) return;
  const { baseline, candidate } = comparison;
  session.setCurrent(baseline);
  session.compare({ baseline: candidate, candidate: baseline });
}

/** Asks for a function that only the baseline has and one that only the candidate has: they are the same from then on. */
async function pairFunctions(session: Session): Promise<void> {
  const pair = pairOrWhyNot(session);
  if (typeof pair !== "object") {
    const why = pair ?? "Compare two recordings before you pair renamed functions.";
    void notices.showInformationMessage(why);
    return;
  }
  const { renamed, engine } = session;
  const { baseline, candidate } = pair;
  const sides = { baseline: [baseline], candidate: [candidate], renamed };
  const query = { ...sides, value: "exclusive", limit: Number.MAX_SAFE_INTEGER, linked: 0 } as const;
  const { rows } = await engine.comparison(query);
  const only = (side: "baseline" | "candidate") =>
    rows.filter((row) => row[side] === null).map(({ name }) => ({ label: name }));
  const [gone, fresh] = [only("candidate"), only("baseline")];
  const known = renamed.map((pair) => ({ label: `$(close) ${pair.join(" = ")}`, description: "end this pair", pair }));
  const before = await vscode.window.showQuickPick<vscode.QuickPickItem & { pair?: (typeof renamed)[number] }>(
    [...gone, ...known],
    { title: "Which function of the baseline was renamed?" },
  );
  if (!before) return;
  if (before.pair) return session.setRenamed(renamed.filter((pair) => pair !== before.pair));
  const after = await vscode.window.showQuickPick(fresh, { title: `What is ${before.label} called in the candidate?` });
  if (after) session.setRenamed([...renamed, [before.label, after.label]]);
}
