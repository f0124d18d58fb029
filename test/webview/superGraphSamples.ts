/** Super graphs of the sample program's recordings as a panel shows them, computed by the engine as the window does. */
import path from "node:path";
import type { DataSetInfo, GraphLayout, GraphOperation, OverRanks, SuperGraph } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import type { OnScreen, View } from "../../src/panels/kit/definition";
import { type AskedGraphs, heightsOf, type LaidOut, shapeOf } from "../../src/panels/superGraph/askedGraphs";
import { graphContent } from "../../src/panels/superGraph/content";
import { superGraph as definitionOf } from "../../src/panels/superGraph/definition";
import { newSteps } from "../../src/panels/superGraph/graphSteps";
import { lastNames, layoutPart, layoutSize } from "../../src/panels/superGraph/layoutPart";
import type { SavedStepsStore } from "../../src/panels/superGraph/savedSteps";
import type { ShownGraphs } from "../../src/panels/superGraph/shownGraphs";
import { thinFlows } from "../../src/panels/superGraph/thinFlows";
import { keptSteps } from "../../src/panels/superGraph/steps";
import type { GroupChoice, SuperGraphContent, SuperGraphPart, SuperGraphState } from "../../src/protocol/superGraph";
import type { Session } from "../../src/session/session";
import { layoutGraph, layoutStacked } from "../../src/supergraph/layout";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

export const definition = definitionOf({} as SavedStepsStore);

export interface SampleQuery {
  readonly groupBy?: GroupChoice;
  readonly filter?: number;
  readonly over?: OverRanks;
  /** Chosen ranks. */
  readonly ranks?: readonly number[];
  readonly operations?: readonly GraphOperation[];
  /** One run of an ensemble against another. */
  readonly runs?: boolean;
  readonly state?: Partial<SuperGraphState>;
  /** What was on screen before. */
  readonly before?: readonly OnScreen<ShownGraphs>[];
}

export interface Sample {
  readonly view: View<SuperGraphState>;
  readonly shown: ShownGraphs;
  /** The first graph. */
  readonly graph: SuperGraph;
}

interface Opened {
  readonly session: Session;
  readonly infos: readonly DataSetInfo[];
}

let opened: Promise<Opened> | undefined;

async function open(folders: readonly string[], files: readonly string[]): Promise<Opened> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [...folders], sourceMap: {} });
  const infos: DataSetInfo[] = [];
  for (const file of files) infos.push(...(await engine.open({ paths: [file] })));
  const dataSets = infos.map((info) => ({ ...info, key: `key ${info.id}` }));
  const scope = (id: number) => ({ dataSet: id, metric: infos[0].defaultMetric, over: "mean" as const });
  return { session: { engine, dataSets, scope, renamed: [] } as unknown as Session, infos };
}

function openMiniheat(): Promise<Opened> {
  const names = ["profile-8ranks", "ensemble/np8-r1", "ensemble/np8-r2"];
  return open(
    [path.join(miniheat, "src")],
    names.map((name) => path.join(miniheat, `profiles/${name}.cali`)),
  );
}

/** The profile of 8 ranks, or what else the query says. @param size of the drawing */
export async function sampleGraph(query: SampleQuery = {}, size = { width: 1000, height: 600 }): Promise<Sample> {
  return sampleOf(await (opened ??= openMiniheat()), query, size);
}

/** The graph of any recording, without its sources; the first of several. @throws where it is none */
export async function recordedGraph(file: string, query: SampleQuery, size: View<unknown>["size"]): Promise<Sample> {
  return sampleOf(await open([], [file]), query, size);
}

/** The first picture of any recording, without its sources (semantics 2.7). */
export function firstPicture(file: string, size: View<unknown>["size"]): Promise<Sample> {
  return recordedGraph(file, { groupBy: "first", state: { histograms: "off" } }, size);
}

async function sampleOf({ session, infos }: Opened, query: SampleQuery, size: View<unknown>["size"]): Promise<Sample> {
  const { groupBy = "file", over = "mean", ranks, operations = [], runs, state, before = [] } = query;
  const { filter = groupBy === "first" ? undefined : 0.1 } = query;
  const info = infos[runs ? 1 : 0];
  const dataSet = session.dataSets.find(({ id }) => id === info.id) ?? session.dataSets[0];
  const chosen = ranks ? { chosen: chosenRanks(ranks) } : {};
  const view: View<SuperGraphState> = {
    session: runs ? { ...session, comparison: { baseline: infos[1].id, candidate: infos[2].id } } : session,
    dataSet,
    size,
    metric: info.metrics[info.defaultMetric],
    selection: undefined,
    scope: { dataSet: info.id, metric: info.defaultMetric, over, ...chosen },
    state: {
      ...definition.start,
      ...keptSteps(newSteps({ filter, groupBy }, operations)),
      ...state,
    },
  };
  const shown = await definition.ask(view, quietTask, before);
  return { view, shown, graph: shown.asked.graphs[0].graph };
}

/** A graph that was made by hand, as a panel would show it. */
export function shownOf(graph: SuperGraph, planned: Sample): ShownGraphs {
  const { plan, graphs } = planned.shown.asked;
  const asked: AskedGraphs = { plan, graphs: [{ ...graphs[0], graph, heights: graph }] };
  return { ...planned.shown, asked, content: graphContent(asked) };
}

/** The layout as the engine makes it, at once. */
export function layoutOf(shown: ShownGraphs, size: { width: number; height: number }): SuperGraphPart {
  return layoutPart(shown.asked, laidOut(shown.asked, size));
}

function laidOut(asked: AskedGraphs, drawing: { width: number; height: number }): LaidOut {
  const graphs = heightsOf(asked);
  const isThin = thinFlows(asked);
  const shapes = graphs.map((graph) => ({ ...shapeOf(graph), isThin }));
  const size = layoutSize(drawing, lastNames(asked));
  if (asked.graphs.length > 1) {
    const stacked = layoutStacked(shapes, asked.plan.merged ? size : { ...size, heading: 24 });
    return { ...stacked, ...(asked.plan.merged ? {} : { headings: stacked.parts.map(({ top }) => top) }) };
  }
  const layout: GraphLayout = layoutGraph(shapes[0], size);
  return { width: layout.width, height: layout.height, parts: [layout] };
}

/** The index of a bar in messages. */
export function indexOf({ graph }: Pick<Sample, "graph">, id: string): number {
  return graph.bars.findIndex((candidate) => candidate.id === id);
}

/** The mark of a bar's entry. */
export function entryMark({ bars }: SuperGraphContent, bar: number, entry: number): number {
  return bars.group.length + bars.firstEntry[bar] + entry;
}
