/** Rows of the page of a recording without a metric: states, kernels, copies, counters (semantics 16). */
import type { CounterFact, HotStates, OverviewFinding, TransferRow } from "../../engine/api";
import type { Task } from "../../model/task";
import { overviewMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";
import { OVERVIEW_START, startedQuery } from "../overview/query";

/** A recorded counter over the whole run, in the unit of its fact. */
export interface CounterChange {
  readonly fact: Pick<CounterFact, "name" | "unit" | "shows">;
  /** Resource that it was recorded of; empty if it was recorded of no resource. */
  readonly of: string;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Standard deviation divided by the mean. */
  readonly change: number;
}

export interface OverTime {
  /** undefined if no events were recorded. */
  readonly states?: HotStates;
  readonly transfers: readonly TransferRow[];
  /** Largest relative change first. */
  readonly counters: readonly CounterChange[];
  /** First finding of the overview; undefined until it was asked for, "none" if all resources are alike. */
  readonly finding?: Pick<OverviewFinding, "when" | "what"> | "none";
}

export async function askOverTime({ session, dataSet }: View<object>, task: Task): Promise<OverTime | undefined> {
  const { trace, id } = dataSet;
  const { engine } = session;
  if (!trace) return undefined;
  const { categories } = currentSettings();
  const found = {
    transfers: trace.transfers.count > 0 ? await engine.transfers({ dataSet: id }, task) : [],
    counters: trace.counters > 0 ? await countersIn({ session, dataSet }, task) : [],
  };
  return trace.events > 0 ? { ...found, states: await engine.hotStates({ dataSet: id, categories }, task) } : found;
}

async function countersIn(
  { session: { engine }, dataSet }: Pick<View<object>, "session" | "dataSet">,
  task: Task,
): Promise<CounterChange[]> {
  const of = { dataSet: dataSet.id, recordedOnly: true };
  const { rows, resources, startSeconds, endSeconds } = await engine.counterFacts(of, task);
  const sums = await engine.counterSums({ ...of, fromSeconds: startSeconds, toSeconds: endSeconds }, task);
  const counters = rows.map((fact, at): CounterChange => ({
    fact,
    of: fact.resource < 0 ? "" : resources[fact.resource].name,
    mean: sums.mean[at],
    min: sums.least[at],
    max: sums.most[at],
    change: Math.sqrt(sums.variance[at]),
  }));
  return counters.filter(({ mean }) => !Number.isNaN(mean)).sort((a, b) => b.change - a.change);
}

/** Finds what is unlike the rest, as the overview starts. */
export async function withFinding(overTime: OverTime, view: View<object>, task: Task): Promise<OverTime> {
  if (overviewMessage(view.dataSet) !== undefined) return { ...overTime, finding: "none" };
  const query = await startedQuery({ ...view, state: OVERVIEW_START }, task);
  const { unlike } = await view.session.engine.overviewFacts(query, task);
  return { ...overTime, finding: unlike.at(0) ?? "none" };
}
