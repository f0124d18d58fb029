/** Treemaps of many leaves, and frames of a topology while somebody zooms and moves it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { treemap } from "../../src/panels/treemap/definition";
import { placeTreemap } from "../../webviews/treemap/treemapLayout";
import { grammars } from "../unit/engine/miniheat";
import { headOf } from "../unit/formats/paje/writer";
import { viewOf } from "../webview/kit/samples";
import { openPage, sendSample } from "../webview/kit/showing";
import { PanelWindow } from "../webview/window";

const GROUP = 32;
const ROUNDS = 7;
const SIZE = { width: 1400, height: 900 };
const SCRIPT_MS = 5000;

/** @returns milliseconds of the processor until all rectangles have places: the middle of some rounds */
export function benchTreemap(leaves: number): number {
  const tree = generatedTree(leaves);
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = process.cpuUsage();
    const placed = placeTreemap(tree, { x: 0, y: 0, ...SIZE });
    const { user, system } = process.cpuUsage(begun);
    if (placed.length !== tree.nodes.parent.length) throw new Error(`${placed.length} nodes have a place`);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

/** Machines in racks in halls; few have most. */
function generatedTree(leaves: number) {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const [groups, racks] = [Math.ceil(leaves / GROUP), Math.ceil(leaves / GROUP ** 2)];
  const firstLeaf = 1 + racks + groups;
  const count = firstLeaf + leaves;
  const parent = Int32Array.from({ length: count }, (_, at) =>
    at === 0
      ? -1
      : at <= racks
        ? 0
        : at < firstLeaf
          ? 1 + Math.floor((at - 1 - racks) / GROUP)
          : 1 + racks + Math.floor((at - firstLeaf) / GROUP),
  );
  const isClosed = Int32Array.from({ length: count }, (_, at) => Number(at >= firstLeaf));
  const values = Float64Array.from({ length: count }, (_, at) => (at >= firstLeaf ? 0.01 + random() ** 3 : 0));
  for (let at = count - 1; at > 0; at--) values[parent[at]] += values[at];
  return { values, parts: ["time"], nodes: { parent, isClosed } };
}

export interface TopologyBench {
  readonly marks: number;
  readonly edges: number;
  /** Until marks are at rest, with all that is asked before. */
  readonly layoutMs: number;
  /** Between frames while zooming and moving: the middle, and the longest. */
  readonly frameMs: number;
  readonly slowestFrameMs: number;
  readonly frames: number;
}

/** @param hosts each with a link to the router of its site */
export async function benchTopology(hosts: number): Promise<TopologyBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-topology-"));
  const panels = await PanelWindow.start("treemap", "Treemap and Topology");
  try {
    const file = path.join(folder, "grid.trace");
    fs.writeFileSync(file, grid(hosts));
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [file] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const view = viewOf({ engine, info, scope }, { ...treemap.start, shows: "topology" as const, depth: 50 });
    const start = performance.now();
    const shown = await treemap.ask(view, quietTask, []);
    const layoutMs = performance.now() - start;
    const panel = await openPage(panels, SIZE);
    await sendSample(panel, treemap, { name: "", view, shown });
    const frames = (await panel.page.evaluate(zoomAndMove, SCRIPT_MS)).sort((a, b) => a - b);
    return {
      marks: shown.found.marks.length,
      edges: shown.found.edges.length,
      layoutMs,
      frameMs: frames[frames.length >> 1],
      slowestFrameMs: frames[frames.length - 1],
      frames: frames.length,
    };
  } finally {
    await panels.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Runs in the page: the wheel goes in and out again. @returns milliseconds between frames */
async function zoomAndMove(lasting: number): Promise<number[]> {
  const drawing = document.querySelector(".drawing");
  if (!drawing) throw new Error("there is no drawing");
  const { left, top } = drawing.getBoundingClientRect();
  const intervals: number[] = [];
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const begun = await nextFrame();
  for (let last = begun; last - begun < lasting;) {
    const deltaY = Math.floor((last - begun) / 1000) % 2 === 0 ? -20 : 20;
    const at = { clientX: left + 700 + 100 * Math.sin(last / 300), clientY: top + 400 };
    drawing.dispatchEvent(new WheelEvent("wheel", { deltaY, ...at, bubbles: true, cancelable: true }));
    const now = await nextFrame();
    intervals.push(now - last);
    last = now;
  }
  return intervals;
}

/** Sites of hosts, each with a link to its site's router; routers are in a chain. */
function grid(hosts: number): string {
  const perSite = 50;
  const sites = Math.ceil(hosts / perSite);
  const lines = [headOf(), "0 S 0 Site", "0 H S HOST", "0 L S LINK", "0 R S ROUTER", '1 P H power "1 0 0"'];
  lines.push('1 B L bandwidth "1 0 0"', "4 E 0 L H LH", "4 F 0 L R LR", "4 G 0 R R RR");
  lines.push('5 g E G "0 0 0"', '5 h F G "0 0 0"', '5 i G G "0 0 0"');
  const link = (type: string, value: string, from: string, to: string, key: string) =>
    lines.push(`15 0 ${type} 0 ${value} ${from} ${key}`, `16 0 ${type} 0 ${value} ${to} ${key}`);
  for (let site = 0; site < sites; site++)
    lines.push(`6 0 s${site} S 0 site${site}`, `6 0 r${site} R s${site} router${site}`);
  for (let at = 0; at < hosts; at++) {
    const site = Math.floor(at / perSite);
    lines.push(`6 0 h${at} H s${site} host${at}`, `6 0 l${at} L s${site} link${at}`);
    lines.push(`8 0 P h${at} ${100 + (at % 900)}`, `8 0 B l${at} 1000`);
    link("E", "g", `l${at}`, `h${at}`, `e${at}`);
    link("F", "h", `l${at}`, `r${site}`, `f${at}`);
  }
  for (let site = 1; site < sites; site++) link("G", "i", `r${site - 1}`, `r${site}`, `g${site}`);
  return `${lines.join("\n")}\n8 10 P h0 100\n`;
}
