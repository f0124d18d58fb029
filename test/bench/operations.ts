/** Operations of the super graph from the click to the redraw: query, layout, message, drawing. */
import type { JSHandle, Page } from "playwright-core";
import type { DataSetInfo, GraphOperation, GraphQuery } from "../../src/engine/api";
import type { EngineClient } from "../../src/engine/thread/client";
import { quietTask } from "../../src/model/task";
import { messageSize } from "../../src/panels/kit/messageSize";
import { askGraphs, heightsOf, layOut } from "../../src/panels/superGraph/askedGraphs";
import { graphContent } from "../../src/panels/superGraph/content";
import { type DrawnBefore, nearLayout, transition } from "../../src/panels/superGraph/graphTransition";
import { layoutPart, layoutSize } from "../../src/panels/superGraph/layoutPart";
import { planSplit } from "../../src/panels/superGraph/splitPlan";
import { operationText } from "../../src/supergraph/operationText";
import { type PanelPage, PanelWindow } from "../webview/window";
import { type GeneratedEngine, startGeneratedEngine } from "./generatedEngine";

const RUNS = 5;
const SIZE = { width: 1400, height: 700 };

/** One operation; times in milliseconds, medians of the runs. */
export interface OperationRow {
  readonly what: string;
  /** Until the graph has come out of the engine's thread, until its layout has, and until the page has taken in the one and can be given the other. */
  readonly queryMs: number;
  readonly layoutMs: number;
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
  const generated = await startGeneratedEngine();
  const panels = await PanelWindow.start("superGraph", "Super Graph");
  try {
    // Movement that a person asks not to see is no part of a redraw.
    const page = await panels.open({ width: SIZE.width, height: 900, reducedMotion: true });
    const rows: OperationRow[] = [];
    for (const step of await stepsOf(generated)) rows.push(await measured(generated, page, step));
    return rows;
  } finally {
    await panels.stop();
    await generated.stop();
  }
}

type Asked = Omit<GraphQuery, "scope">;

function asked(operations: readonly GraphOperation[], filter = 0.1): Asked {
  return { filter, groupBy: "file", operations, lenient: true };
}

function scopeOf({ id }: DataSetInfo, over: "mean" | "max" = "mean") {
  return { dataSet: id, metric: 0, over };
}

/** Every operation, on the heaviest bar that has several entries. */
async function stepsOf({ engine, info }: GeneratedEngine): Promise<Step[]> {
  const { bars } = await engine.superGraph({ ...asked([]), scope: scopeOf(info) });
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

async function measured(
  { engine, info }: GeneratedEngine,
  page: PanelPage,
  { what, before, after, over }: Step,
): Promise<OperationRow> {
  const runs: Omit<OperationRow, "what">[] = [];
  for (let run = 0; run < RUNS; run++) {
    await forgetGraphs(engine, info);
    if (what === "undo") await engine.superGraph({ ...asked(after), scope: scopeOf(info) });
    const { shown } = await redraw(engine, info, page, asked(before), over);
    runs.push((await redraw(engine, info, page, asked(after), over, shown)).times);
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

/** The engine keeps the graphs that were asked for last, and more of what filters leave: others take their place. */
async function forgetGraphs(engine: EngineClient, info: DataSetInfo): Promise<void> {
  for (const filter of [40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50])
    await engine.superGraph({ ...asked([], filter), scope: scopeOf(info) });
}

let revision = 0;

interface Redrawn {
  readonly times: Omit<OperationRow, "what">;
  readonly shown: DrawnBefore & { readonly query: GraphQuery };
}

/**
 * What a panel does between a click and the drawing.
 *
 * @param before what was on screen, and is to be found again
 */
async function redraw(
  engine: EngineClient,
  info: DataSetInfo,
  page: PanelPage,
  common: Asked,
  over: Step["over"],
  before?: Redrawn["shown"],
): Promise<Redrawn> {
  const plan = planSplit({ info, scope: scopeOf(info, over) }, undefined, {});
  const cpu = process.cpuUsage();
  const start = performance.now();
  const all = await askGraphs(engine, common, plan, quietTask);
  const queried = performance.now();
  const [{ query, graph }] = all.graphs;
  const [heights] = heightsOf(all);
  const origins = before && (await engine.barOrigins({ before: before.query, after: query }, quietTask));
  const near = before && origins && nearLayout(before, heights, origins);
  const coming = layOut(engine, all, { ...layoutSize(SIZE), near });
  const from = before && origins && transition(before, origins);
  const content = { type: "content", revision: ++revision, content: graphContent(all, from) };
  const taken = give(page, content);
  const laid = await coming;
  const laidOut = performance.now();
  const part = { type: "part", revision, part: layoutPart(all, laid) };
  await taken;
  const sent = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const drawMs = await drawIn(page, part);
  const times = {
    queryMs: queried - start,
    layoutMs: laidOut - queried,
    messageMs: sent - laidOut,
    drawMs,
    totalMs: sent - start + drawMs,
    cpuMs: (user + system) / 1000,
    messageBytes: messageSize(content) + messageSize(part),
    bars: graph.bars.length,
  };
  const { width, height, parts } = laid;
  return { times, shown: { query, graph, layout: { width, height, ...parts[0] }, revision } };
}

/** Resolves when the page has taken in what is coming, which shows nothing yet. */
async function give({ page }: PanelPage, content: unknown): Promise<void> {
  const message = await unpacked(page, content);
  await message.evaluate(
    (data) =>
      new Promise<void>((resolve) => {
        // The page's own listener was there first.
        window.addEventListener("message", () => resolve(), { once: true });
        window.postMessage(data, "*");
      }),
  );
}

/**
 * Milliseconds from the message's arrival until the next frame begins after the one that shows the drawing: by then the page
 * has laid it out, painted it and handed it over.
 */
async function drawIn({ page }: PanelPage, part: unknown): Promise<number> {
  const message = await unpacked(page, part);
  return message.evaluate(
    (data) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const done = () => resolve(performance.now() - start);
        // The page's own listener was there first: when this one is called, the page has drawn.
        const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
        window.addEventListener("message", drawn, { once: true });
        window.postMessage(data, "*");
      }),
  );
}

/**
 * A message in the page. Columns go there as one text each: VS Code hands their buffers over, and what the driver of the browser takes for
 * each number of an array, fifty times as long, is no part of a redraw.
 */
function unpacked(page: Page, message: unknown): Promise<JSHandle<unknown>> {
  const packed = JSON.stringify(message, (_, value: unknown) =>
    ArrayBuffer.isView(value)
      ? {
          column: value.constructor.name,
          bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64"),
        }
      : value,
  );
  return page.evaluateHandle((text) => {
    const kinds: Record<string, new (buffer: ArrayBuffer) => unknown> = {
      Float64Array,
      Float32Array,
      Int32Array,
      Uint32Array,
      Int16Array,
      Uint16Array,
      Int8Array,
      Uint8Array,
    };
    return JSON.parse(text, (_, value: { column?: string; bytes?: string } | null) => {
      if (typeof value?.column !== "string" || typeof value.bytes !== "string") return value;
      const letters = atob(value.bytes);
      // In a tenth of the time of `Uint8Array.from`, which would be measured as the message's.
      const bytes = new Uint8Array(letters.length);
      for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
      return new kinds[value.column](bytes.buffer);
    }) as unknown;
  }, packed);
}
