import path from "node:path";
import { vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensemble } from "../../src/panels/ensemble/definition";
import type { EnsembleView } from "../../src/panels/ensemble/query";
import type { ShownEnsemble } from "../../src/panels/ensemble/shown";
import type { EnsembleState } from "../../src/protocol/ensemble";
import { draw } from "../../webviews/ensemble/drawing";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { panelLaws } from "./kit/panelLaws";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

let opened: Promise<EnsembleView> | undefined;

/** The sample program's 18 runs, on 1 to 27 ranks. */
function measuredView(): Promise<EnsembleView> {
  return (opened ??= open([path.join(miniheat, "profiles/ensemble")]));
}

async function open(paths: readonly string[]): Promise<EnsembleView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths, ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return viewOf({ engine, info, scope }, ensemble.start);
}

const shownOf = (view: EnsembleView): Promise<ShownEnsemble> => ensemble.ask(view, quietTask, []);

const withState = (view: EnsembleView, state: Partial<EnsembleState>): EnsembleView => ({
  ...view,
  state: { ...view.state, ...state },
});

panelLaws({
  definition: ensemble,
  draw,
  async samples() {
    const all = await measuredView();
    const target = withState(all, { mode: "target", target: "np16-r2" });
    const difference = withState(all, { mode: "difference", target: "np27-r3", baseline: "np27-r1" });
    const few: EnsembleView = {
      ...target,
      scope: { ...target.scope, chosen: { by: "run", members: ["3", "4", "5", "6"] } },
    };
    const sample = async (name: string, view: EnsembleView, isPictured = true) => ({
      name,
      view,
      shown: await shownOf(view),
      isPictured,
    });
    return [
      await sample("all runs", all),
      await sample("target", target),
      await sample("difference", difference),
      await sample("some runs", few),
    ];
  },
});
