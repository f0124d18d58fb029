import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import type { EnsembleOptions } from "../../src/engine/api";
import { quietTask } from "../../src/model/task";
import { ensembleRunsContent } from "../../src/protocol/ensembleRuns";
import { problemOf } from "../../src/panels/kit/problems";
import { frameMessage } from "../../src/panels/kit/frameMessage";
import { MESSAGE_LIMIT } from "../../src/protocol/bounds";
import type { RunsView, ShownRuns } from "../../src/panels/ensembleRuns/shown";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { draw } from "../../webviews/ensembleRuns/drawing";
import { miniheat } from "../recordings";
import { HOSTILE_NAME, panelLaws, sizeOf } from "./kit/panelLaws";
import {
  measured,
  byParameters,
  endHistory,
  open,
  otherSizes,
  history,
  alongHistory,
  plain,
  runNames,
  mean,
  quantile,
} from "./useEnsembleRuns";

vi.mock("vscode", () => import("./fakeVsCode"));

endHistory();

panelLaws({
  definition: ensembleRuns,
  draw,
  async samples() {
    const isPictured = true;
    const sites = await measured({ target: "np16-r2" });
    if (sites.shown.view !== "callSites") throw new Error(sites.shown.view);
    const names = sites.shown.sites.map((site) => ({ ...site, name: HOSTILE_NAME, shown: undefined }));
    return [
      { name: "target", ...sites },
      { name: "missing in some", ...(await measured({ missingIn: [{ parameter: "ranks", value: "1" }] })) },
      { name: "runs' distribution", ...(await measured({ view: "distribution", target: "np16-r2" })) },
      {
        name: "ranks' distribution",
        isPictured,
        ...(await measured({ view: "distribution", counted: "ranks", target: "np16-r2" })),
      },
      { name: "call sites' distribution", ...(await measured({ view: "distribution", counted: "callSites" })) },
      { name: "correlation", isPictured, ...(await measured({ view: "correlation", target: "np16-r2" })) },
      { name: "inside", isPictured, ...(await measured({ view: "hierarchy", target: "np1-r1" })) },
      { name: "scaling", isPictured, ...(await measured({ view: "scaling" })) },
      { name: "scaling of other sizes, too", isPictured, ...(await otherSizes()) },
      { name: "projection", isPictured, ...(await measured({ view: "projection" })) },
      { name: "runs", isPictured, ...(await measured({ view: "runs", groupBy: "ranks", target: "np16-r2" })) },
      { name: "functions by ranks", isPictured, ...(await byParameters()) },
      { name: "totals by two", ...(await byParameters({ pivotRows: "ranks", pivotColumns: "repeat" })) },
      { name: "over commits", isPictured, ...(await alongHistory()) },
      { name: "hostile names", view: sites.view, shown: { ...sites.shown, sites: names } },
    ];
  },
});

describe("runs", () => {
  it("are chosen in the plane, by what the engine numbers them", async () => {
    const { view, shown } = await measured({ view: "projection" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "projection") throw new Error(content.view);
    expect(content.names).toEqual(runNames);
    expect(ensembleRuns.members?.of(shown, [4, 3])).toEqual({ by: "run", members: ["3", "4"] });
    expect(ensembleRuns.members?.part(shown, { by: "run", members: ["4", "17"] })).toEqual({
      marks: Int32Array.of(4, 17),
    });
    // What is drawn are distances: one scale for both axes.
    const { marks } = draw(content, plain);
    const at = (run: number) => marks.find(({ id }) => id === run)?.box ?? expect.fail();
    const [a, b] = [at(0), at(9)];
    const perX = (b.x - a.x) / (content.x[9] - content.x[0]);
    for (const run of [3, 7, 12]) {
      expect(at(run).x - a.x).toBeCloseTo((content.x[run] - content.x[0]) * perX, 0);
      expect(a.y - at(run).y).toBeCloseTo((content.y[run] - content.y[0]) * perX, 0);
    }
  });

  it("have groups with mean and deviation of their totals, and say which are outlying", async () => {
    const { view, shown } = await measured({ view: "runs", groupBy: "ranks" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "runs" || !content.groups) throw new Error(content.view);
    const { groups, totals } = content;
    expect(groups.values).toEqual(["1", "2", "4", "8", "16", "27"]);
    const of16 = [3, 4, 5].map((run) => totals[run]);
    expect(groups.mean[4]).toBeCloseTo(mean(of16), 12);
    expect(groups.deviation[4]).toBeCloseTo(Math.sqrt(mean(of16.map((value) => (value - mean(of16)) ** 2))), 12);
    const median = quantile([...totals], 0.5);
    const deviation =
      1.4826 *
      quantile(
        [...totals].map((value) => Math.abs(value - median)),
        0.5,
      );
    const outlying = runNames.filter((_, run) => Math.abs(totals[run] - median) > 3 * deviation);
    expect(runNames.filter((_, run) => content.isOutlying[run] === 1)).toEqual(outlying);
    expect(outlying.length).toBeGreaterThan(0);
  });
});

describe("runs of which little is known", () => {
  const repeats = [1, 2, 3].map((repeat) => path.join(miniheat, `profiles/ensemble/np1-r${repeat}.cali`));

  async function asking(
    state: Partial<EnsembleRunsState>,
    {
      paths = repeats,
      ensemble = {},
      folders = [],
    }: { paths?: string[]; ensemble?: EnsembleOptions; folders?: string[] },
  ) {
    const view = await open(paths, undefined, ensemble);
    const session = { ...view.session, trustedFolders: folders };
    const own: RunsView = { ...view, session, state: { ...view.state, ...state } };
    return { view: own, shown: ensembleRuns.ask(own, quietTask, []) };
  }

  it.each(["scaling", "pivot"] as const)("%s says how parameters become known, and opens the setting", async (what) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-unknown-"));
    const paths = [5, 7].map((dur) => path.join(folder, `run-${dur}.json`));
    for (const [at, file] of paths.entries())
      fs.writeFileSync(file, `[{"ph":"X","name":"solve","pid":1,"tid":1,"ts":0,"dur":${at + 5}}]`);
    const { view, shown } = await asking({ view: what }, { paths });
    const error: unknown = await shown.catch((reason: unknown) => reason);
    fs.rmSync(folder, { recursive: true });
    const problem = problemOf(error);
    expect(problem).toMatchObject({ kind: "empty", link: { id: "pattern" } });
    expect(problem.advice).toContain("heatflow.ensemble.pattern");
    expect(Object.keys(ensembleRuns.links ?? {})).toContain(problem.link?.id);
    const empty = ensembleRuns.controls(view).filter((one) => one.kind === "select" && one.choices.length === 0);
    expect(empty).toEqual([]);
  });

  it("scale over what their names say, though it is another value in each", async () => {
    const { shown } = await asking({ view: "scaling" }, { ensemble: { pattern: "np1-r{n}.cali" } });
    const scaling = await shown;
    if (scaling.view !== "scaling") throw new Error(scaling.view);
    expect(scaling.scaling.parameter).toBe("n");
    expect([...scaling.scaling.n]).toEqual([1, 2, 3]);
  });

  it("scale over no time when they began until it is chosen, from the end of the menu", async () => {
    // Caliper's starttime.sec is the same in two of them.
    const { view, shown } = await asking({ view: "scaling" }, {});
    const content = ensembleRuns.content(await shown, view);
    if (content.view !== "unchosen") throw new Error(content.view);
    const { above } = draw(content, plain);
    expect(above.map((shape) => (shape.kind === "text" ? shape.text : ""))).toEqual([
      "No parameter chosen for scaling. Choose one in the toolbar.",
    ]);
    const menu = ensembleRuns.controls(view, await shown).find(({ id }) => id === "parameter");
    if (menu?.kind !== "select") throw new Error(menu?.kind);
    expect(menu.value).toBe("");
    expect(menu.choices.map(({ label, group }) => [label, group])).toEqual([
      ["choose a parameter", undefined],
      ["starttime.nsec", "outputs"],
      ["starttime.sec", "outputs"],
    ]);
    const chosen = await asking({ view: "scaling", parameter: "starttime.sec" }, {});
    expect(await chosen.shown).toMatchObject({ view: "scaling", scaling: { parameter: "starttime.sec" } });
  });

  it("are grouped by no time when they began until it is chosen", async () => {
    const { view, shown } = await asking({ view: "pivot" }, {});
    expect(await shown).toMatchObject({
      view: "unchosen",
      message: "No parameter chosen to group by. Choose one in the toolbar.",
    });
    const menu = ensembleRuns.controls(view, await shown).find(({ id }) => id === "pivotColumns");
    expect(menu).toMatchObject({ value: "", choices: [{ value: "" }, { value: "starttime.sec", group: "outputs" }] });
    const chosen = await asking({ view: "pivot", pivotColumns: "starttime.sec" }, {});
    expect(await chosen.shown).toMatchObject({ view: "pivot", pivot: { columnsBy: "starttime.sec" } });
  });

  it("explain nothing by what is the same in all of them", async () => {
    const { view, shown } = await asking({ view: "projection" }, {});
    const content = ensembleRuns.content(await shown, view);
    if (content.view !== "projection") throw new Error(content.view);
    // All three are of one machine and one executable.
    const { metadata } = (await view.session.engine.ensembleRuns(view.scope, quietTask)).runs[0];
    expect(Object.keys(metadata)).toContain("ranks");
    expect(content.parameters).not.toContain("ranks");
  });

  it("say that they are of no commit of the open folder", async () => {
    await alongHistory();
    const { shown } = await asking({ view: "commits" }, { folders: [path.dirname(history.manifest)] });
    const problem = problemOf(await shown.catch((reason: unknown) => reason));
    expect(problem).toMatchObject({ kind: "empty", message: expect.stringContaining("No run is of a commit") });
  });
});

describe("ten thousand runs with long names", () => {
  it("fit into a message, whichever view shows them; of more it is said what to do", async () => {
    for (const view of ["runs", "projection", "scaling", "distribution", "correlation"] as const) {
      const { shown, view: own } = await measured({ view });
      const many = manyRuns(shown, 10_000);
      const content = ensembleRuns.content(many, own);
      expect(v.safeParse(ensembleRunsContent, content).success).toBe(true);
      const frame = frameMessage(ensembleRuns, "a-key", own, many);
      expect(sizeOf(content) + sizeOf(frame), view).toBeLessThanOrEqual(MESSAGE_LIMIT);
    }
    const { view } = await measured();
    const info = { ...view.dataSet, locations: 10_001 };
    expect(ensembleRuns.unmeasured?.(info)).toContain("10,001 runs, and at most 10,000 are drawn. Open fewer of them");
    expect(ensembleRuns.unmeasured?.({ ...info, locations: 10_000 })).toBeUndefined();
  });

  /** The same answer with each run many times, and names of 500 characters. */
  function manyRuns(shown: ShownRuns, count: number): ShownRuns {
    const at = (column: ArrayLike<number>) => Float64Array.from({ length: count }, (_, run) => column[run % 18]);
    const whole = (column: ArrayLike<number>) => Int32Array.from({ length: count }, (_, run) => column[run % 18]);
    const own = Int32Array.from({ length: count }, (_, run) => run);
    const runs = shown.runs.runs;
    const all = {
      ...shown.runs,
      runs: Array.from({ length: count }, (_, run) => ({
        ...runs[run % 18],
        name: `${"run ü of a study ".repeat(30)}${run}`,
      })),
    };
    switch (shown.view) {
      case "projection": {
        const { x, y, cluster } = shown.projection;
        return {
          ...shown,
          runs: all,
          projection: { ...shown.projection, runs: own, x: at(x), y: at(y), cluster: whole(cluster) },
        };
      }
      case "scaling": {
        const { parameters, functions } = shown.scaling;
        const repeated = functions.map((one) => ({ ...one, values: at(one.values) }));
        return {
          ...shown,
          runs: all,
          scaling: { ...shown.scaling, runs: own, parameters: at(parameters), functions: repeated },
        };
      }
      case "distribution": {
        const { values, binOf } = shown.distribution;
        return {
          ...shown,
          runs: all,
          distribution: { ...shown.distribution, runs: own, values: at(values), binOf: whole(binOf) },
        };
      }
      default:
        return { ...shown, runs: all };
    }
  }
});
