/** The sample program's runs in the views of an ensemble's runs, for several test files. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { EnsembleOptions } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { openRecordings } from "../../src/formats/registry";
import type { RunsView } from "../../src/panels/ensembleRuns/shown";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { miniheat } from "../recordings";
import { type MeasuredHistory, measuredHistory } from "../unit/engine/history/measuredHistory";
import { writeRuns } from "../unit/engine/ensembles/runsWithGlobals";
import { grammars } from "../unit/engine/miniheat";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";

let opened: Promise<RunsView> | undefined;

/** The sample program's 18 runs, on 1 to 27 ranks. */
export async function measured(state: Partial<EnsembleRunsState> = {}) {
  const view = await (opened ??= open([path.join(miniheat, "profiles/ensemble")]));
  const own = { ...view, state: { ...view.state, ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

/** The same runs, of which their names say ranks and the number of the repeat. */
export const pattern = "np{ranks}-r{repeat}.cali";
let openedByName: Promise<RunsView> | undefined;

export async function byParameters(state: Partial<EnsembleRunsState> = {}) {
  const view = await (openedByName ??= open([path.join(miniheat, "profiles/ensemble")], undefined, { pattern }));
  const own: RunsView = { ...view, state: { ...view.state, view: "pivot", ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

export async function open(
  paths: readonly string[],
  sources = path.join(miniheat, "src"),
  ensemble: EnsembleOptions = {},
): Promise<RunsView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [sources], sourceMap: {} });
  const [info] = await engine.open({ paths, ensemble });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return viewOf({ engine, info, scope }, ensembleRuns.start);
}

let openedSizes: Promise<RunsView> | undefined;

/** Runs on 1 to 16 ranks, and one on 27 of another size and with fewer iterations. */
export async function otherSizes(state: Partial<EnsembleRunsState> = {}, runs?: readonly number[]) {
  const view = await (openedSizes ??= openSizes());
  const chosen = runs && ({ by: "run", members: runs.map(String) } as const);
  const scope = chosen ? { ...view.scope, chosen } : view.scope;
  const own: RunsView = { ...view, scope, state: { ...view.state, view: "scaling", ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

async function openSizes(): Promise<RunsView> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-sizes-"));
  const runs = [1, 2, 4, 8, 16, 27].map((ranks) => ({
    ranks,
    globals: { problem_size: ranks === 27 ? 6 : 10, iterations: ranks === 27 ? 10 : 20, elapsed: ranks },
  }));
  const paths = writeRuns(folder, runs);
  const view = await open(paths);
  fs.rmSync(folder, { recursive: true });
  return view;
}

let ofCommits: Promise<RunsView> | undefined;
export let history: MeasuredHistory;

/** Runs of four commits. */
export async function alongHistory() {
  const view = await (ofCommits ??= openHistory());
  return { view, shown: await ensembleRuns.ask(view, quietTask, []) };
}

async function openHistory(): Promise<RunsView> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-history-"));
  history = measuredHistory(folder);
  const view = await open([history.manifest], folder);
  const session = { ...view.session, trustedFolders: [folder] };
  return { ...view, session, state: { ...view.state, view: "commits" } };
}

/** Runs along a history are there until the end of a test file. */
export function endHistory(): void {
  afterAll(() => {
    if (ofCommits) fs.rmSync(path.dirname(history.manifest), { recursive: true });
    ofCommits = undefined;
  });
}

export const plain = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};
export const runNames = [1, 16, 2, 27, 4, 8].flatMap((ranks) => [1, 2, 3].map((repeat) => `np${ranks}-r${repeat}`));

/** Exclusive of a function on every rank of a run that has it, as its file has them. */
export async function ranksOf(run: string, name: string): Promise<number[]> {
  const file = path.join(miniheat, `profiles/ensemble/${run}.cali`);
  const [{ tree, frames, locations, values }] = await openRecordings([file], {}, quietTask);
  const contexts = [...tree.parent.keys()].filter((context) => frames.nameOf(tree.frame[context]) === name);
  if (contexts.length === 0) return [];
  const [{ rowStart, column, value }] = values;
  const byRank = new Map<number, number>();
  for (const { rank } of locations) if (rank !== undefined) byRank.set(rank, 0);
  for (const context of contexts)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) {
      const { rank } = locations[column[cell]];
      if (rank !== undefined) byRank.set(rank, (byRank.get(rank) ?? 0) + value[cell]);
    }
  return [...byRank.values()];
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** R's type 7. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (at - Math.floor(at)) * (high - low);
}

export const middle = ({ x, width }: { x: number; width: number }) => x + width / 2;
