/** Operations of the super graph from the click to the redraw: query, layout, message, drawing. */
import fs from "node:fs";
import path from "node:path";
import type { GraphOperation, GraphQuery } from "../../src/engine/api";
import { Graphs } from "../../src/engine/graphs";
import { SingleSubject } from "../../src/engine/graphSubject";
import type { Method } from "../../src/engine/calls";
import { Links } from "../../src/engine/links";
import { OpenDataSet } from "../../src/engine/openDataSet";
import { packedAnswer, packedCall, unpackedAnswer, unpackedCall } from "../../src/engine/packing";
import { quietTask } from "../../src/model/task";
import { shapeOf } from "../../src/panels/graphHalves";
import { graphMessage } from "../../src/panels/graphMessage";
import { type DrawnBefore, nearLayout, transition } from "../../src/panels/graphTransition";
import { layoutSize } from "../../src/panels/layoutSize";
import { grammarsInPackages } from "../../src/source/grammar";
import { layoutGraph } from "../../src/supergraph/layout";
import { operationText } from "../../src/supergraph/operationText";
import { type PanelPage, PanelWindow } from "../webview/window";
import { generateRecording, writeSources } from "./generatedRecording";

export const CONTEXTS = 100_000;
export const RANKS = 512;
const RUNS = 3;
const SIZE = { width: 1400, height: 700 };

/** One operation; times in milliseconds, medians of the runs. */
export interface OperationRow {
  readonly what: string;
  readonly queryMs: number;
  readonly layoutMs: number;
  /** Across the thread, and into the page as text. */
  readonly messageMs: number;
  readonly drawMs: number;
  readonly totalMs: number;
  /** Of the processor for query, layout and message: what remains where others have the machine meanwhile. */
  readonly cpuMs: number;
  readonly messageBytes: number;
  readonly bars: number;
}

interface Step {
  readonly what: string;
  /** What was done before the click. */
  readonly before: readonly GraphOperation[];
  readonly after: readonly GraphOperation[];
  readonly over?: "max";
}

export async function benchOperations(): Promise<OperationRow[]> {
  const folder = writeSources();
  const links = new Links(grammarsInPackages(path.resolve("node_modules")));
  links.configure({ folders: [folder], sourceMap: {} });
  const open = new OpenDataSet(1, generateRecording(CONTEXTS, RANKS), 0);
  const graphs = new Graphs(new SingleSubject(open, links));
  const panels = await PanelWindow.start("superGraph", "Super Graph");
  try {
    // Movement that a person asks not to see is no part of a redraw.
    const page = await panels.open({ width: SIZE.width, height: 900, reducedMotion: true });
    const rows: OperationRow[] = [];
    for (const step of await stepsOf(graphs)) rows.push(await measured(graphs, page, step));
    return rows;
  } finally {
    await panels.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

function queryOf(operations: readonly GraphOperation[], over: "mean" | "max" = "mean"): GraphQuery {
  return { scope: { dataSet: 1, metric: 0, over }, filter: 0.1, groupBy: "file", operations, lenient: true };
}

/** Every operation, on the heaviest bar that has several entries. */
async function stepsOf(graphs: Graphs): Promise<Step[]> {
  const { bars } = await graphs.superGraph(queryOf([]), quietTask);
  const heavy = [...bars].sort((a, b) => b.inclusive - a.inclusive).find(({ entries }) => entries.length > 3);
  if (!heavy) throw new Error("no bar of the generated recording has several entries");
  const target = { group: heavy.group };
  const [first, second, third] = heavy.entries.map(({ name }) => name);
  const done: GraphOperation[] = [
    { kind: "filter", percent: 1 },
    { kind: "filter", percent: 0 },
    { kind: "group-by", groupBy: "function" },
    { kind: "group-by", groupBy: "folder" },
    { kind: "split-by-entry", target, sets: [[first, second], [third]] },
    { kind: "split-by-caller", target, by: "group" },
    { kind: "split-by-caller", target, by: "function" },
    { kind: "reveal", function: first },
    { kind: "expand", target },
    { kind: "hide", target },
  ];
  const expanded: GraphOperation = { kind: "expand", target };
  return [
    ...done.map((one): Step => ({ what: operationText(one), before: [], after: [one] })),
    { what: "collapse", before: [expanded], after: [expanded, { kind: "collapse", target }] },
    { what: "undo", before: [expanded], after: [] },
    { what: "hide, as maximum over ranks", before: [], after: [{ kind: "hide", target }], over: "max" },
  ];
}

async function measured(graphs: Graphs, page: PanelPage, { what, before, after, over }: Step): Promise<OperationRow> {
  const runs: Omit<OperationRow, "what">[] = [];
  for (let run = 0; run < RUNS; run++) {
    graphs.forgetStructures();
    if (what === "undo") await graphs.superGraph(queryOf(after), quietTask);
    const { shown } = await redraw(graphs, page, queryOf(before, over));
    runs.push((await redraw(graphs, page, queryOf(after, over), shown)).times);
  }
  const median = (of: (run: Omit<OperationRow, "what">) => number) => {
    const sorted = runs.map(of).sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  };
  return {
    what,
    queryMs: median((run) => run.queryMs),
    layoutMs: median((run) => run.layoutMs),
    messageMs: median((run) => run.messageMs),
    drawMs: median((run) => run.drawMs),
    totalMs: median((run) => run.totalMs),
    cpuMs: median((run) => run.cpuMs),
    messageBytes: Math.max(...runs.map((run) => run.messageBytes)),
    bars: runs[0].bars,
  };
}

/** As it comes out of the worker. */
function answered<Value>(method: Method, value: Value): Value {
  return unpackedAnswer(method, structuredClone(packedAnswer(method, value))) as Value;
}

let revision = 0;

interface Redrawn {
  readonly times: Omit<OperationRow, "what">;
  readonly shown: DrawnBefore & { readonly query: GraphQuery };
}

/** @param before what was on screen, and is to be found again */
async function redraw(graphs: Graphs, page: PanelPage, query: GraphQuery, before?: Redrawn["shown"]): Promise<Redrawn> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const answer = await graphs.superGraph(query, quietTask);
  const isExtreme = query.scope.over === "max";
  const heights = isExtreme
    ? await graphs.superGraph({ ...query, scope: { ...query.scope, over: "mean" }, barsOnly: true }, quietTask)
    : answer;
  const origins = before && (await graphs.origins(before.query, query, quietTask));
  const queried = performance.now();
  const near = before && origins && nearLayout(before, heights, origins);
  const layout = layoutGraph(heights, { ...layoutSize(SIZE), near });
  const laidOut = performance.now();
  // Out of the worker, back into it to be laid out, and the geometry out again.
  const graph = answered("superGraph", answer);
  unpackedCall("layout", structuredClone(packedCall("layout", [shapeOf(graph), { ...layoutSize(SIZE), near }])));
  const drawn = {
    graph,
    heights: graph,
    layout: answered("layout", layout),
    transition: before && origins && transition(before, origins),
  };
  const message = graphMessage(drawn, ++revision, "mean over 512 ranks");
  const text = JSON.stringify(message);
  const sent = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const drawMs = await drawIn(page, text);
  const times = {
    queryMs: queried - start,
    layoutMs: laidOut - queried,
    messageMs: sent - laidOut,
    drawMs,
    totalMs: sent - start + drawMs,
    cpuMs: (user + system) / 1000,
    messageBytes: Buffer.byteLength(text),
    bars: graph.bars.length,
  };
  return { times, shown: { query, graph, layout, revision } };
}

/**
 * Milliseconds from the message's arrival until the next frame begins after the one that shows the drawing: by then the page
 * has laid it out, painted it and handed it over.
 */
function drawIn({ page }: PanelPage, text: string): Promise<number> {
  return page.evaluate(
    (message) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const done = () => resolve(performance.now() - start);
        // The page's own listener was there first: when this one is called, the page has drawn.
        const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
        window.addEventListener("message", drawn, { once: true });
        window.postMessage(JSON.parse(message), "*");
      }),
    text,
  );
}
