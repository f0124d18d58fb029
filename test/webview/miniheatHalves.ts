/** Two graphs of the sample program's recordings as messages, made as the window makes them. */
import path from "node:path";
import type { DataSetInfo, Scope } from "../../src/engine/api";
import { localEngine, type LocalEngine } from "../../src/engine/localEngine";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import { type HalvesState, planHalves, type ScopedDataSet } from "../../src/panels/superGraph/halvesPlan";
import { layoutSize } from "../../src/panels/superGraph/layoutSize";
import {
  askGraphs,
  askHistograms,
  type GraphHalves,
  layOut,
  onScreen,
} from "../../src/panels/superGraph/superGraphDrawing";
import type { HalvesControls, HistogramsMessage } from "../../src/protocol/graphHalves";
import type { Controls } from "../../src/protocol/superGraph";
import { overText } from "../../src/session/scopeChoice";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { type WholeGraph, wholeGraph } from "../wholeGraph";
import { sampleControls } from "./miniheatGraph";

export interface HalvesSample {
  readonly all: GraphHalves;
  readonly controls: Controls;
  readonly message: WholeGraph;
  readonly histograms: HistogramsMessage;
}

interface Opened {
  readonly engine: LocalEngine;
  readonly infos: readonly DataSetInfo[];
}

let opened: Promise<Opened> | undefined;

async function open(): Promise<Opened> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const infos: DataSetInfo[] = [];
  for (const name of ["profile-8ranks", "ensemble/np8-r1", "ensemble/np8-r2"])
    infos.push(...(await engine.open({ paths: [path.join(miniheat, `profiles/${name}.cali`)] })));
  return { engine, infos };
}

/**
 * @param what ranks 0 and 4 chosen of the profile, or one run of the ensemble against another
 */
export async function sampleHalves(
  size: { width: number; height: number },
  what: "ranks" | "runs" | "all",
  state: HalvesState = {},
  filter = 0.1,
): Promise<HalvesSample> {
  const { engine, infos } = await (opened ??= open());
  const scoped = (at: number, more: Partial<Scope> = {}): ScopedDataSet => ({
    info: infos[at],
    scope: { dataSet: infos[at].id, metric: infos[at].defaultMetric, over: "mean", ...more },
  });
  const own = what === "runs" ? scoped(1) : scoped(0, what === "ranks" ? { chosen: chosenRanks([0, 4]) } : {});
  const plan = planHalves(own, what === "runs" ? scoped(2) : undefined, state);
  const all = await askGraphs(engine, { filter, groupBy: "file" }, plan, quietTask);
  const screen = onScreen(all);
  const layout = await layOut(engine, all, screen, layoutSize(size));
  const { histograms = "exclusive", colour = "exclusive", below = true } = state;
  const asked = await askHistograms(
    engine,
    all,
    { of: histograms === "off" ? "exclusive" : histograms, by: "rank" },
    quietTask,
  );
  const halves: HalvesControls = {
    ...{ histograms, colour, below },
    ...(plan.pair ? { pair: plan.pair } : {}),
    ...(what === "runs" ? { compared: "compared with np8-r2.cali" } : {}),
  };
  return {
    all,
    controls: { ...sampleControls, halves, ...(what === "ranks" ? { restriction: "ranks 0, 4" } : {}) },
    message: wholeGraph({ ...screen, layout }, 1, overText(own.info, own.scope)),
    histograms: { type: "histograms", revision: 1, ...asked },
  };
}
