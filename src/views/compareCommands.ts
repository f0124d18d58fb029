/** Ways to compare two recordings, and out of it. */
import * as vscode from "vscode";
import { pairOrWhyNot } from "../session/comparedScopes";
import { numberIn } from "../session/commandArguments";
import { pickBaseline } from "../session/pickBaseline";
import type { Session } from "../session/session";
import type { ShowSuperGraph } from "./selectByNumber";

/** "Compare Runs…", "End Comparison" and "Pair Renamed Functions…". */
export function registerCompareCommands(session: Session, showSuperGraph: ShowSuperGraph): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register("heatflow.compareRuns", (argument: unknown) => compare(session, showSuperGraph, argument)),
    register("heatflow.endComparison", () => session.compare(undefined)),
    register("heatflow.pairFunctions", () => pairFunctions(session)),
  );
}

/** A recording (default: the current one) is set against a baseline: that of the argument, the only other one, or the one that is picked. */
async function compare(session: Session, showSuperGraph: ShowSuperGraph, argument: unknown): Promise<void> {
  const wanted = numberIn(argument, "dataSet") ?? session.current?.id;
  const candidate = session.dataSets.find(({ id }) => id === wanted);
  if (!candidate) return;
  const given = session.dataSets.find(({ id }) => id === numberIn(argument, "baseline"));
  const baseline = given ?? (await pickBaseline(session, candidate));
  if (!baseline) return;
  session.setCurrent(candidate.id);
  session.compare({ baseline: baseline.id, candidate: candidate.id });
  showSuperGraph(candidate.id);
}

/** Asks for a function that only the baseline has and one that only the candidate has: they are the same from then on. */
async function pairFunctions(session: Session): Promise<void> {
  const pair = pairOrWhyNot(session);
  if (typeof pair !== "object") {
    const why = pair ?? "Compare two recordings first: then renamed functions can be paired.";
    void vscode.window.showInformationMessage(why);
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
