import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensemble } from "../../src/panels/ensemble/definition";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { miniheat } from "../recordings";
import { rowsOf, table } from "../unit/cli/ensembleTable";
import { grammars } from "../unit/engine/miniheat";
import { saved } from "./fakeVsCode";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

const runs = path.join(miniheat, "profiles/ensemble");
const file = "/tmp/runs.csv";

const world = (async () => {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [runs], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return { engine, info, scope };
})();

type RunsPanel = Parameters<typeof ensembleRuns.choose>[3];

/** Chooses an entry of the runs' panel's menu. @param members runs that a restriction leaves */
async function save(choice: string, state: Partial<EnsembleRunsState> = {}, members?: readonly string[]) {
  const view = viewOf(await world, { ...ensembleRuns.start, ...state });
  const own = members ? { ...view, scope: { ...view.scope, chosen: { by: "run", members } as const } } : view;
  const shown = await ensembleRuns.ask(own, quietTask, []);
  const panel = { onScreen: { shown, revision: 1 } } as unknown as RunsPanel;
  expect(await ensembleRuns.choose(own, "runsCsv", choice, panel)).toBeUndefined();
  const text = saved.files.get(file);
  return text === undefined ? undefined : rowsOf(text);
}

afterEach(() => {
  saved.files.clear();
  saved.said.splice(0);
  saved.as = saved.suggested = undefined;
});

describe("the table of runs that a panel saves", () => {
  it.each([
    ["contexts exclusive", ["--rows", "contexts", "--value", "exclusive"], {}],
    ["contexts inclusive", ["--rows", "contexts", "--value", "inclusive"], { view: "runs" }],
    ["functions exclusive", ["--rows", "functions", "--over", "max"], { view: "runs", over: "max" }],
    ["functions inclusive", ["--rows", "functions", "--value", "inclusive"], {}],
  ] as const)("is that of the command line: %s", async (choice, args, state) => {
    saved.as = file;
    const rows = await save(choice, state);
    expect(rows).toEqual((await table(runs, ...args)).rows);
    const [what] = choice.split(" ");
    expect(saved.said).toEqual([`Saved ${rows?.length} ${what} × 18 runs as ${file}.`]);
    expect(path.basename(saved.suggested ?? "")).toBe(`18 runs of ensemble-${choice.replace(" ", "-")}.csv`);
  });

  it("has the runs that stay, and the functions that are chosen by the runs that have them", async () => {
    saved.as = file;
    const some = ["0", "17"];
    const rows = await save("functions exclusive", { missingIn: [{ parameter: "ranks", value: "1" }] }, some);
    const ofBoth = await table(path.join(runs, "np1-r1.cali"), path.join(runs, "np8-r3.cali"), "--rows", "functions", "--missing-in", "np1-*"); // prettier-ignore
    const named = ({ function: name, "np1-r1": one, "np8-r3": eight }: Readonly<Record<string, string>>) => [name, one, eight]; // prettier-ignore
    expect(rows?.map(named).sort()).toEqual(ofBoth.rows.map(named).sort());
    expect(Object.keys(rows?.[0] ?? {})).toEqual(["function", "file", "line", "metric", "unit", "value", "np1-r1", "np8-r3"]); // prettier-ignore
    expect(saved.said).toEqual([`Saved ${rows?.length} functions × 2 runs, missing in ranks 1, as ${file}.`]);
    // A filter that is of another view, and not to be seen, chooses nothing.
    const all = await save("functions exclusive", { view: "runs", missingIn: [{ parameter: "ranks", value: "1" }] });
    expect(all?.length).toBe((await table(runs, "--rows", "functions")).rows.length);
  });

  it("is written nowhere where nobody says where to", async () => {
    expect(await save("contexts exclusive")).toBeUndefined();
    expect(saved.said).toEqual([]);
  });

  it("says why there is none", async () => {
    const known = await world;
    const engine = { ...known.engine, ensembleCsv: () => Promise.reject(new Error("No room.")) };
    const view = viewOf({ ...known, engine }, ensembleRuns.start);
    const panel = { onScreen: undefined } as unknown as RunsPanel;
    await ensembleRuns.choose(view, "runsCsv", "contexts exclusive", panel);
    expect(saved.said).toEqual(["Could not save the table of runs. No room."]);
  });

  it("can be saved from the ensemble as well", async () => {
    saved.as = file;
    const view = viewOf(await world, ensemble.start);
    const panel = {} as unknown as Parameters<typeof ensemble.choose>[3];
    expect(ensemble.controls(view).map(({ id }) => id)).toContain("runsCsv");
    await ensemble.choose(view, "runsCsv", "contexts inclusive", panel);
    expect(rowsOf(saved.files.get(file) ?? "")).toEqual((await table(runs, "--value", "inclusive")).rows);
  });
});
