import path from "node:path";
import { vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { RunsView } from "../../src/panels/ensembleRuns/asked";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { draw } from "../../webviews/ensembleRuns/drawing";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { panelLaws } from "./kit/panelLaws";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

let opened: Promise<RunsView> | undefined;

/** The sample program's 18 runs, on 1 to 27 ranks. */
async function measured(state: Partial<EnsembleRunsState> = {}) {
  const view = await (opened ??= open([path.join(miniheat, "profiles/ensemble")]));
  const own = { ...view, state: { ...view.state, ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

async function open(paths: readonly string[]): Promise<RunsView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths, ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return viewOf({ engine, info, scope }, ensembleRuns.start);
}

panelLaws({
  definition: ensembleRuns,
  draw,
  async samples() {
    const isPictured = true;
    return [
      { name: "target", ...(await measured({ target: "np16-r2" })) },
      { name: "scaling", isPictured, ...(await measured({ view: "scaling" })) },
      { name: "projection", isPictured, ...(await measured({ view: "projection" })) },
      { name: "runs", isPictured, ...(await measured({ view: "runs", groupBy: "ranks", target: "np16-r2" })) },
    ];
  },
});
