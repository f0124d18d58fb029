/** The numbers that the panel has of RAJAPerf's kernels by each parameter: against the files' text. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { formatValue } from "../../src/model/units";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import { type EnsembleRunsState, type Statistic, STATISTIC_NAMES, statistics } from "../../src/protocol/ensembleRuns";
import { pageOf } from "../../webviews/ensembleRuns/drawing";
import { averagesIn, globalsIn } from "../conformance/rajaperf";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

const shared = recordings() ?? "";
const folder = path.join(shared, "data/caliper/thicket/rajaperf");

const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

/** By linear interpolation between ascending values, as numpy's percentile and R's type 7 are. */
function percentile(ascending: readonly number[], share: number): number {
  const place = share * (ascending.length - 1);
  const below = Math.floor(place);
  return ascending[below] + (place - below) * ((ascending[below + 1] ?? ascending[below]) - ascending[below]);
}

function expected(values: readonly number[]): Record<Statistic, number> {
  const ascending = [...values].sort((a, b) => a - b);
  const mean = meanOf(values);
  return {
    mean,
    deviation: Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))),
    min: ascending[0],
    q1: percentile(ascending, 0.25),
    median: percentile(ascending, 0.5),
    q3: percentile(ascending, 0.75),
    p95: percentile(ascending, 0.95),
    max: ascending[ascending.length - 1],
  };
}

describe.skipIf(shared === "")("kernels of RAJAPerf by a parameter of its runs", () => {
  it.each([
    ["cluster", ["lassen", "quartz"]],
    ["variant", ["Base_CUDA", "Base_Seq"]],
    ["tuning", ["block_128", "block_256", "default"]],
    ["ProblemSizeRunParam", ["1048576.000000", "2097152.000000"]],
  ])("%s have the mean, deviation and quantiles of the averages that the files say", async (by, groups) => {
    const files = fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".cali"))
      .map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
    const runs = files.map((text) => ({ averages: averagesIn(text), group: globalsIn(text).get(by) }));
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [folder], ensemble: {} });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
    const state: Partial<EnsembleRunsState> = {
      view: "pivot",
      value: "inclusive",
      pivotColumns: by,
      statistics: [...statistics],
    };
    const view = viewOf({ engine, info, scope }, { ...ensembleRuns.start, ...state });
    const content = ensembleRuns.content(await ensembleRuns.ask(view, quietTask, []), view);
    if (content.view !== "pivot") throw new Error(content.view);
    expect(content.columns.map(Number)).toEqual(groups.map(Number));
    expect(content.columns.map((one, at) => (Number.isNaN(Number(one)) ? one : groups[at]))).toEqual(groups);
    const [table] = pageOf(content).tables(content, undefined);
    let compared = 0;
    for (const [row, name] of content.rows.entries()) {
      if (name === "(no region)") continue;
      for (const [column, group] of groups.entries()) {
        const own = runs.flatMap((run) => (run.group === group ? (run.averages.get(name) ?? []) : []));
        const cell = row * groups.length + column;
        expect([content.values[cell], content.runs[cell]], `${name} ${group}`).toEqual([
          own.length,
          runs.filter((run) => run.group === group).length,
        ]);
        if (own.length === 0) continue;
        const wanted = expected(own);
        for (const [at, statistic] of content.statistics.entries()) {
          const shown = content.numbers[cell * content.statistics.length + at];
          const largest = Math.max(...own);
          expect(Math.abs(shown - wanted[statistic]), `${name} ${group} ${statistic}`).toBeLessThanOrEqual(
            1e-9 * largest,
          );
          // And the page's table has it by that name.
          const title = `${by} ${content.columns[column]}: ${STATISTIC_NAMES[statistic]}`;
          const text = table.columns.find((one) => one.title === title)?.text(table.rows[row]);
          if (wanted[statistic] > 1e-6 * largest) expect(text, title).toBe(formatValue(shown, content.unit));
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(900);
  });
});
