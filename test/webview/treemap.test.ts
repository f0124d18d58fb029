import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { hierarchy, type HierarchyRectangularNode, treemap as d3Treemap } from "d3-hierarchy";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { formatValue } from "../../src/model/units";
import type { View } from "../../src/panels/kit/definition";
import { treemap, type TreemapShown } from "../../src/panels/treemap/definition";
import type { EventKind } from "../../src/model/eventKinds";
import { edgeKinds, TOPOLOGY, type TreemapContent, type TreemapState } from "../../src/protocol/treemap";
import { between } from "../../webviews/treemap/between";
import { details, markFacts, markName, nodeFacts, summary, totalOf } from "../../webviews/treemap/describe";
import { areasOf } from "../../webviews/treemap/areas";
import { draw } from "../../webviews/treemap/drawing";
import { nextWindow } from "../../webviews/treemap/playing";
import { treemapSight } from "../../webviews/treemap/sight";
import { HEADING, placeTreemap } from "../../webviews/treemap/treemapLayout";
import type { Box } from "../../webviews/kit/stage/scene";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { headOf } from "../unit/formats/paje/writer";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { fonts } from "./labelLaw";
import { openPage, type PanelSample, sendSample } from "./kit/showing";
import { miniheatMessages } from "./useTimeline";
import { PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

type Sample = PanelSample<TreemapState, TreemapShown>;

/** Two sites, each with hosts and links to its router; routers are linked. The first host of a site used half of its power for half of the time. */
function grid(hosts: number): string {
  const lines = [headOf(), "0 S 0 Site", "0 H S HOST", "0 L S LINK", "0 R S ROUTER"];
  lines.push(
    '1 P H power "1 0 0"',
    '1 PU H power_used "1 0 0"',
    '1 B L bandwidth "1 0 0"',
    '1 BU L bandwidth_used "1 0 0"',
  );
  lines.push("4 E 0 L H LH", "4 F 0 L R LR", "4 G 0 R R RR", '5 g E G "0 0 0"', '5 h F G "0 0 0"', '5 i G G "0 0 0"');
  const link = (type: string, from: string, to: string, key: string) =>
    lines.push(`15 0 ${type} 0 g ${from} ${key}`, `16 0 ${type} 0 g ${to} ${key}`);
  for (const site of ["a", "b"]) {
    lines.push(`6 0 ${site} S 0 site_${site}`, `6 0 r${site} R ${site} router_${site}`);
    for (let at = 0; at < hosts; at++) {
      const [host, line] = [`h${site}${at}`, `l${site}${at}`];
      lines.push(`6 0 ${host} H ${site} host_${site}${at}`, `6 0 ${line} L ${site} link_${site}${at}`);
      lines.push(`8 0 P ${host} ${100 * (at + 1)}`, `8 0 B ${line} 1000`, `8 0 PU ${host} 0`, `8 0 BU ${line} 250`);
    }
  }
  for (const site of ["a", "b"])
    for (let at = 0; at < hosts; at++) {
      link("E", `l${site}${at}`, `h${site}${at}`, `e${site}${at}`);
      link("F", `l${site}${at}`, `r${site}`, `f${site}${at}`);
    }
  link("G", "ra", "rb", "g");
  lines.push("8 4 PU ha0 50", "8 4 PU hb0 50", "8 8 PU ha0 0", "8 8 PU hb0 0");
  return `${lines.join("\n")}\n`;
}

let folder: string;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "treemap-"))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function sampleOf(
  name: string,
  paths: readonly string[],
  state: Partial<TreemapState> = {},
  more: Partial<View<TreemapState>> & { readonly isPictured?: boolean } = {},
): Promise<Sample> {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [...paths] });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  const plain = viewOf({ engine, info, scope }, { ...treemap.start, ...state });
  const { isPictured, ...view } = { ...plain, ...more };
  return { name, view, shown: await treemap.ask(view, quietTask, []), isPictured };
}

async function gridSample(state: Partial<TreemapState> = {}, hosts = 4): Promise<Sample> {
  const file = path.join(fs.mkdtempSync(path.join(folder, "grid-")), "grid.trace");
  fs.writeFileSync(file, grid(hosts));
  return sampleOf("a grid", [file], state);
}

/** Ranks in a ring, each with a counter and a thread, all of one name, in which it computes; messages are said of ranks. */
async function ranksWithThreads(state: Partial<TreemapState> = {}): Promise<Sample> {
  const lines = [headOf(), "0 P 0 RANK", "0 T P THREAD", "2 S T STATE", '1 M P memory "1 0 0"', "4 L 0 P P MESSAGE"];
  const ranks = [0, 1, 2];
  for (const rank of ranks) lines.push(`6 0 p${rank} P 0 rank-${rank}`, `6 0 t${rank} T p${rank} thread`);
  for (const rank of ranks) lines.push(`8 0 M p${rank} ${rank + 5}`, `11 0 S t${rank} computing`);
  for (const rank of ranks) lines.push(`15 1 L 0 m p${rank} k${rank}`, `16 2 L 0 m p${(rank + 1) % 3} k${rank}`);
  for (const rank of ranks) lines.push(`7 3 T t${rank}`, `7 3 P p${rank}`);
  const file = path.join(fs.mkdtempSync(path.join(folder, "ranks-")), "ranks.trace");
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return sampleOf("ranks with threads", [file], state);
}

/** As many ranks as are asked for, all alike: each sends to its neighbour and to one far away. */
async function equalRanks(count: number, state: Partial<TreemapState> = {}): Promise<Sample> {
  const lines = [headOf(), "0 P 0 RANK", "2 S P STATE", "4 L 0 P P MESSAGE"];
  const ranks = Array.from({ length: count }, (_, rank) => rank);
  for (const rank of ranks) lines.push(`6 0 p${rank} P 0 rank-${rank}`, `11 0 S p${rank} computing`);
  for (const rank of ranks)
    for (const to of [(rank + 1) % count, (rank * 7 + 3) % count].filter((one) => one !== rank))
      lines.push(`15 1 L 0 m p${rank} k${rank}-${to}`, `16 2 L 0 m p${to} k${rank}-${to}`);
  for (const rank of ranks) lines.push(`7 3 P p${rank}`);
  const file = path.join(fs.mkdtempSync(path.join(folder, "equal-")), "equal.trace");
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return sampleOf("equal ranks", [file], { narrow: "topology", ...state });
}

/** Names that must be nothing but text, at every place where there is one. */
async function hostile(): Promise<Sample> {
  const { shown, ...sample } = await gridSample();
  const { found } = shown;
  const named = <Named extends { readonly name: string }>(all: readonly Named[]) =>
    all.map((one) => ({ ...one, name: HOSTILE_NAME }));
  const nodes = found.nodes.map((one) => ({ ...one, name: HOSTILE_NAME, type: HOSTILE_NAME }));
  return {
    ...sample,
    name: "hostile names",
    shown: { ...shown, found: { ...found, nodes, parts: named(found.parts) } },
  };
}

panelLaws({
  definition: treemap,
  draw,
  async samples() {
    const ranks = await sampleOf("ranks", miniheatMessages, { every: 4 }, { window: { from: 0.0617, to: 0.07 } });
    const shared = recordings();
    const trace = (name: string) => path.join(shared ?? "", "data/paje/traces", `${name}.trace`);
    const pictured = shared
      ? [
          await sampleOf(
            "network",
            [trace("smpi-cg64") + ".gz"],
            { every: 8 },
            { window: { from: 3.04, to: 3.59 }, isPictured: true },
          ),
          await sampleOf(
            "network groups",
            [trace("smpi-cg64") + ".gz"],
            { every: 8, depth: 1 },
            { window: { from: 3.04, to: 3.59 }, isPictured: true },
          ),
          await sampleOf("ms", [trace("ms")], {}, { window: { from: 1, to: 3 }, isPictured: true }),
          await sampleOf("g5k", [trace("g5k")], {}, { isPictured: true }),
        ]
      : [];
    return [ranks, await gridSample(), ...pictured, await hostile()];
  },
});

interface Item {
  readonly of: string;
  readonly isGroup: boolean;
  readonly value: number;
  readonly children: readonly Item[];
}

/** The same by d3's own hierarchy: groups have headings and are farther apart. */
function placedByD3({ values, parts, nodes: { parent, isClosed } }: Parameters<typeof placeTreemap>[0], area: Box) {
  const itemOf = (node: number): Item => {
    const own = parts.map((_, part) => values[node * parts.length + part]);
    const isGroup = isClosed[node] === 0;
    const inside = isGroup
      ? [...parent.keys()].filter((one) => parent[one] === node).map(itemOf)
      : own.map((value, part): Item => ({ of: `${node} ${part}`, isGroup: false, value, children: [] }));
    const sum = own.reduce((all, one) => all + one, 0);
    return { of: `${node}`, isGroup, value: sum, children: inside.filter(({ value }) => value > 0) };
  };
  const root = itemOf(0);
  if (!(root.value > 0)) return [];
  const headingOf = ({ data, depth, x0, x1, y0, y1 }: HierarchyRectangularNode<Item>) =>
    depth > 0 && data.isGroup && y1 - y0 >= 44 && x1 - x0 >= 40 ? HEADING : 0;
  const placed = d3Treemap<Item>()
    .size([area.width, area.height])
    .paddingInner(({ data }) => (!data.isGroup ? 0 : data.children.some(({ isGroup }) => isGroup) ? 6 : 2))
    .paddingTop(headingOf)(
    hierarchy(root, ({ children }) => [...children])
      .sum(({ children, value }) => (children.length === 0 ? value : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0)),
  );
  const rows: { of: string; box: Box; heading: number }[] = [];
  placed.eachBefore((one) => {
    const { x0, y0, x1, y1, data } = one;
    const box = { x: area.x + x0, y: area.y + y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) };
    rows.push({ of: data.of, box, heading: headingOf(one) });
  });
  return rows;
}

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

function contentOf({ shown, view }: Sample): TreemapContent {
  return treemap.content(shown, view);
}

describe("a topology of thousands of marks", () => {
  it("is painted as its marks are: filled from below as far as they are used, with nothing where they are not", async () => {
    // 400 hosts and links each: 1,602 marks with two routers, which are painted together.
    const sample = await gridSample({ shows: "topology", depth: 50 }, 400);
    const window = await PanelWindow.start("treemap", "Treemap and Topology");
    const panel = await openPage(window, { width: 1400, height: 1000 });
    await sendSample(panel, treemap, sample);
    const size = (await panel.page.locator(".stage").boundingBox()) ?? expect.fail();
    const content = contentOf(sample);
    const scene = draw(content, { ...wide, width: Math.round(size.width), height: Math.round(size.height) });
    expect(scene.paintMarks).toBeDefined();
    const wholes = scene.marks.filter(({ within }) => within === undefined);
    expect(wholes).toHaveLength(1602);
    // Links of 1,000 have 250 in use: the lower quarter; of the diamond's height that is a half of its own width at its top.
    const links = wholes.filter(({ id }) => content.marks.shape[id - TOPOLOGY] === 1);
    expect(links).toHaveLength(800);
    const points = links.flatMap(({ box: { x, y, width, height } }) =>
      [0.86, 0.5].map((share): [number, number] => [x + width / 2, y + share * height]),
    );
    const colors = await panel.page.evaluate((all) => {
      const canvas = document.querySelector<HTMLCanvasElement>(".stage > canvas");
      const context = canvas?.getContext("2d");
      return all.map(([x, y]) => [...(context?.getImageData(Math.floor(x), Math.floor(y), 1, 1).data ?? [])]);
    }, points);
    const [filled, empty] = [0, 1].map((odd) => colors.filter((_, at) => at % 2 === odd));
    const apart = (a: readonly number[], b: readonly number[]) =>
      Math.max(...a.map((one, at) => Math.abs(one - b[at])));
    // A link is a few pixels wide: its lower quarter is mixed with its edge, its middle with nothing.
    expect(Math.max(...empty.map((one) => apart(one, empty[0])))).toBeLessThan(4);
    expect(Math.min(...filled.map((one) => apart(one, empty[0])))).toBeGreaterThan(40);
    // Hosts that have a power and no use are not filled; two are used half of the time.
    const fills = scene.marks.filter(({ within }) => within !== undefined);
    expect(fills).toHaveLength(802);
    await window.stop();
  });

  it("has marks that are hit, framed and named as those of a small one are", async () => {
    const [few, many] = [
      await gridSample({ shows: "topology", depth: 50 }),
      await gridSample({ shows: "topology", depth: 50 }, 400),
    ];
    const nameOf = (mark: { readonly name: string }) => mark.name;
    const [small, large] = [few, many].map((sample) => draw(contentOf(sample), wide).marks);
    const twin = new Map(large.filter(({ within }) => within === undefined).map((mark) => [nameOf(mark), mark]));
    for (const mark of small.filter(({ within }) => within === undefined)) {
      const other = twin.get(mark.name) ?? expect.fail(mark.name);
      // A router of more hosts has more links.
      const told = ({ key, isRound = false, facts }: typeof mark) => [
        key.replace(/\d+/, ""),
        isRound,
        facts().filter(([what]) => what !== "connected to"),
      ];
      expect(told(other)).toEqual(told(mark));
      // The outline of the one, moved and scaled to the box of the other.
      const { box } = mark;
      const scale = other.box.width / box.width;
      const numbers = (path: string | undefined) => (path ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
      const isDiamond = mark.outline !== undefined;
      expect(other.outline !== undefined).toBe(isDiamond);
      if (isDiamond)
        numbers(other.d).forEach((value, at) => {
          const [from, to] = at % 2 === 0 ? [box.x, other.box.x] : [box.y, other.box.y];
          expect(value).toBeCloseTo(to + (numbers(mark.d)[at] - from) * scale, 1);
        });
      for (const [x, y] of [
        [0.5, 0.5],
        [0.05, 0.05],
        [0.9, 0.5],
      ])
        expect(
          other.outline?.has({ x: other.box.x + x * other.box.width, y: other.box.y + y * other.box.height }),
        ).toBe(mark.outline?.has({ x: box.x + x * box.width, y: box.y + y * box.height }));
    }
  });
});

describe("treemap and topology", () => {
  it("have what is selected highlighted at its lanes, a closed group at those of all that is in it", async () => {
    const sample = await sampleOf("ranks", miniheatMessages, { every: 4, depth: 1 });
    const { nodes } = sample.shown.found;
    const at = nodes.findIndex(({ isClosed, leaves }) => isClosed && leaves === 4);
    const subject = await treemap.subject?.(sample.shown, at, sample.view, quietTask);
    expect(subject).toMatchObject({ target: undefined, name: nodes[at].name, at: { lanes: [0, 1, 2, 3] } });
    expect(await treemap.subject?.(sample.shown, undefined, sample.view, quietTask)).toBeUndefined();
    const grid = await gridSample();
    expect(await treemap.subject?.(grid.shown, 1, grid.view, quietTask)).toBeUndefined();
  });

  it("frame what is highlighted at their lanes, in both drawings, and have other kinds of work stand back", async () => {
    const sample = await sampleOf("ranks", miniheatMessages, { every: 4, depth: 1, shows: "both" });
    const { nodes, marks } = sample.shown.found;
    const at = nodes.findIndex(({ lanes }) => lanes.includes(2));
    const highlight = { dataSet: 1, lanes: [2, 3], kinds: [], name: "ranks 2, 3" };
    const places = (await treemap.highlighted?.(sample.shown, highlight, sample.view)) ?? [];
    const own = marks.flatMap(({ node }, mark) => (node === at ? [TOPOLOGY + mark] : []));
    expect(own.length).toBeGreaterThan(0);
    expect(places).toEqual([at, ...own]);
    const content = contentOf(sample);
    const theme = { ...plainTheme, faded: (fill: string, share: number) => `${fill} ${share}` };
    const drawnWith = (of: readonly number[], kinds: readonly EventKind[] = []) =>
      draw(content, { ...wide, theme, highlighted: { name: "", places: new Set(of), kinds: new Set(kinds) } });
    const frames = drawnWith(places).above.flatMap((shape) => (shape.kind === "path" && shape.dash ? [shape.d] : []));
    const boxes = drawnWith([]).marks.filter(({ id }) => places.includes(id));
    expect(frames).toEqual(
      boxes.map(({ box: { x, y } }) => expect.stringMatching(`^M${x - 1.5},${y - 1.5}h`) as string),
    );
    expect(drawnWith([]).above.some(({ dash }) => dash !== undefined)).toBe(false);
    const fills = (kinds: readonly EventKind[]) => drawnWith([], kinds).marks.map(({ paint }) => paint.fill ?? "");
    const [plain, computing] = [fills([]), fills(["computing"])];
    // Each is as it was, or stands back.
    for (const [mark, fill] of computing.entries()) expect([plain[mark], `${plain[mark]} 0.4`]).toContain(fill);
    expect(new Set(computing.map((fill, mark) => fill === plain[mark]))).toEqual(new Set([true, false]));
  });

  it("have a square for the hosts and a diamond for the links of a closed group, with what these have together", async () => {
    const content = contentOf(await gridSample({ depth: 1 }));
    expect(Array.from(content.marks.shape)).toEqual([0, 1, 0, 1]);
    // 100 + 200 + 300 + 400; the first used 50 for 4 of the 8 seconds.
    expect(markFacts(content, 0).slice(0, 2)).toEqual([
      ["power", "1.00 kflop/s"],
      ["power_used", "25 flop/s", "2.50 %"],
    ]);
    expect(markFacts(content, 1).slice(0, 2)).toEqual([
      ["bandwidth", "4.00 kB/s"],
      ["bandwidth_used", "1.00 kB/s", "25.0 %"],
    ]);
    // Four links of hosts in each site; those to the router are between diamond and square, as the routers are part of it.
    expect(Array.from(content.edges.together)).toEqual([8, 1, 8]);
  });

  it("tell threads of one name apart by their ranks, and lead a rank's messages to its thread, where its time is", async () => {
    const content = contentOf(await ranksWithThreads());
    const names = Array.from(content.marks.node, (_, mark) => markName(content, mark));
    expect(names.filter((name) => name.includes("thread"))).toEqual([
      "rank-0, thread",
      "rank-1, thread",
      "rank-2, thread",
    ]);
    const { from, to } = content.edges;
    expect(Array.from(from, (mark, at) => [names[mark], names[to[at]]])).toEqual([
      ["rank-0, thread", "rank-1, thread"],
      ["rank-0, thread", "rank-2, thread"],
      ["rank-1, thread", "rank-2, thread"],
    ]);
  });

  it("have the parts of a machine filled as its own view has them, and what was copied between its GPU and it", async () => {
    const recorded = path.resolve("tracker/test/recordings/h100");
    const file = path.join(fs.mkdtempSync(path.join(folder, "h100-")), "h100.json");
    fs.writeFileSync(file, gunzipSync(fs.readFileSync(`${recorded}.json.gz`)));
    const { shown, view } = await sampleOf("a GPU", [file]);
    const content = contentOf({ name: "", shown, view });
    const names = Array.from(content.marks.node, (_, mark) => markName(content, mark));
    const { elements } = await view.session.engine.hardware({ scope: view.scope }, quietTask);
    // What lanes run on is as large as their time; of all else that was seen to be used the machine's view says how much.
    const used = elements.filter(({ name, share }) => share >= 0 && name !== "GPU 0");
    expect(used.length).toBeGreaterThan(30);
    const shares = new Map(names.map((name, mark) => [name.replace(/^Core \d+, /, ""), content.marks.share[mark]]));
    expect(used.map(({ name }) => [name, shares.get(name)])).toEqual(used.map(({ name, share }) => [name, share]));
    // Closed, the machine is one mark, and its share still what that view says of it, which is no mean of its cores'.
    const closed = contentOf(await sampleOf("a closed machine", [file], { depth: 1 }));
    const machine = Array.from(closed.marks.node, (_, mark) => markName(closed, mark)).indexOf("vm");
    expect(closed.marks.share[machine]).toBe(elements.find(({ name }) => name === "vm")?.share);
    // What the program says that it copied, and what unified memory moved there and back.
    const said = new Map(
      fs
        .readFileSync(`${recorded}.txt`, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(" ") as [string, string]),
    );
    const bytes = ["HtoD", "DtoH", "managed", "managed"].reduce((sum, name) => sum + Number(said.get(name)), 0);
    const { from, to, of } = content.edges;
    const moved = [...of.keys()].filter((at) => edgeKinds[of[at]] === "messages");
    // Both ways together, so neither end comes first.
    const ends = (at: number) => [names[from[at]], names[to[at]]].sort();
    expect(moved.map((at) => [...ends(at), content.edges.bytes[at]])).toEqual([["GPU 0", "vm", bytes]]);
  });

  it("area is the sum of what is inside, whatever the cut is", async () => {
    const quantity = "variable power";
    const totals = await Promise.all(
      [0, 1, 2].map(async (depth) => {
        const content = contentOf(await gridSample({ depth, quantity }));
        const area = { x: 0, y: 0, width: 800, height: 600 };
        const placed = placeTreemap(content, area);
        const leaves = placed.filter(({ node }) => content.nodes.isClosed[node] === 1);
        expect(leaves.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(totalOf(content, 0), 9);
        // No two of them have a point in common.
        leaves.forEach(({ box: a }, at) =>
          leaves.slice(at + 1).forEach(({ box: b }) => {
            const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
            const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
            expect(Math.min(across, down)).toBeLessThanOrEqual(1e-9);
          }),
        );
        return totalOf(content, 0);
      }),
    );
    // 2 sites × 1,000 for 8 seconds.
    expect(totals).toEqual([16_000, 16_000, 16_000]);
  });

  it("has rectangles where d3's treemap has them, in trees of any shape", () => {
    for (let seed = 1; seed <= 15; seed++) {
      let state = seed * 7919;
      const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
      const count = 1 + Math.floor(random() * 200);
      const parts = ["a", "b", "c"].slice(0, 1 + Math.floor(random() * 3));
      const parent = Int32Array.from({ length: count }, (_, at) => (at === 0 ? -1 : Math.floor(random() ** 2 * at)));
      const isClosed = Int32Array.from({ length: count }, (_, at) => Number(!parent.includes(at)));
      const values = Float64Array.from({ length: count * parts.length }, () => (random() < 0.3 ? 0 : random()));
      for (let at = count - 1; at >= 0; at--)
        for (let part = 0; part < parts.length; part++) {
          const own = at * parts.length + part;
          if (isClosed[at] === 0) values[own] = 0;
          for (let of = at + 1; isClosed[at] === 0 && of < count; of++)
            if (parent[of] === at) values[own] += values[of * parts.length + part];
        }
      const tree = { values, parts, nodes: { parent, isClosed } };
      const area = { x: 12, y: 10, width: 20 + 900 * random(), height: 20 + 600 * random() };
      const rows = placeTreemap(tree, area).flatMap(({ node, box, heading, parts: own }) => [
        { of: `${node}`, box, heading },
        ...own.map((one) => ({ of: `${node} ${one.part}`, box: one.box, heading: 0 })),
      ]);
      const theirs = placedByD3(tree, area);
      expect(rows.map(({ of, heading }) => [of, heading])).toEqual(theirs.map(({ of, heading }) => [of, heading]));
      rows.forEach(({ of, box }, at) => {
        for (const side of ["x", "y", "width", "height"] as const)
          expect(box[side], of).toBeCloseTo(theirs[at].box[side], 6);
      });
    }
  });

  it("opens and closes a branch, and says the window and the cut", async () => {
    const sample = await gridSample({ depth: 1 });
    const [a] = sample.shown.found.nodes.filter(({ name }) => name === "site_a");
    const opened = await gridSample({ depth: 1, opened: [a.key] });
    const content = contentOf(opened);
    expect(content.nodes.names).toEqual([
      "all",
      "site_a",
      "router_a",
      ...[0, 1, 2, 3].flatMap((at) => [`host_a${at}`, `link_a${at}`]),
      "site_b",
    ]);
    expect(summary(content)[0]).toContain("whole run · 8.00 s · depth 1 of 2 · 10 of 18 resources");
    // However little room there is, what is left is the window.
    expect(summary(content).slice(-2)).toEqual(["whole run · 8.00 s", "whole run"]);
    const part = summary({ ...content, window: { from: 2, to: 4 } });
    expect(part.map((text) => text.startsWith("2.0 – 4.0 s"))).toEqual(part.map(() => true));
    const threads = await ranksWithThreads();
    const [area] = treemap.controls(threads.view, threads.shown);
    const integral = area.kind === "select" ? area.choices.filter(({ label }) => label.endsWith(" × s")) : [];
    expect(integral.length).toBeGreaterThan(0);
    for (const { label, short } of integral) expect(`${short} × s`).toBe(label);
    expect(details(content, 11)?.actions.map(({ name }) => name)).toEqual(["Open this group", "Close all"]);
    expect(nodeFacts(content, 11).at(-2)).toEqual(["holds", "9 resources"]);
  });

  it("a mark stays where it was dragged, and the treemap does not move", async () => {
    const content = contentOf(await gridSample());
    const { topology } = areasOf(content, wide);
    const boxOf = (seen: Parameters<typeof draw>[2]) =>
      draw(content, wide, seen).marks.find(({ id }) => id === TOPOLOGY + 3)?.box;
    const before = boxOf(undefined);
    if (!topology || !before) throw new Error("no topology");
    const at = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    let seen = treemapSight.moved(content, undefined, { kind: "pan", at, dx: -20, dy: 10 }, wide);
    seen = treemapSight.moved(content, seen, { kind: "pan", at, dx: -10, dy: 0 }, wide);
    expect(boxOf(seen)?.x).toBeCloseTo(before.x + 30, 6);
    expect(boxOf(seen)?.y).toBeCloseTo(before.y - 10, 6);
    expect(treemapSight.moved(content, seen, { kind: "pan", at: { x: 5, y: 5 }, dx: 9, dy: 9 }, wide)).toBe(seen);
  });

  it("what both contents have lies between them on the way", async () => {
    const before = contentOf(await gridSample({ depth: 1, quantity: "variable power" }));
    const after = { ...before, values: before.values.map((value) => 3 * value) };
    expect(between(before, after, 0.25).values).toEqual(before.values.map((value) => 1.5 * value));
    expect(between(before, after, 1).values).toEqual(after.values);
  });

  it("plays through the run in windows that leave nothing out", () => {
    const run = { from: 2, to: 10 };
    let window = nextWindow({ run, window: { from: 4, to: 7 } }, false);
    expect(window).toEqual({ from: 7, to: 10 });
    window = nextWindow({ run, window: { from: 7, to: 10 } }, false);
    expect(window).toBeUndefined();
    expect(nextWindow({ run, window: run }, true)).toEqual({ from: 2, to: 2 + 8 / 12 });
  });
});

it.each([
  [8, 600],
  [8, 1400],
  [13, 600],
  [64, 600],
  [64, 1400],
])("has %i equal ranks on a ring, each with its name, at %i pixels", async (count, width) => {
  const content = contentOf(await equalRanks(count));
  const view = { ...wide, width, height: width === 600 ? 644 : 584, measure: fonts.usual };
  const scene = draw(content, view);
  const boxes = scene.marks.flatMap(({ id, box }) => (id >= TOPOLOGY && id < TOPOLOGY + count ? [box] : []));
  expect(boxes).toHaveLength(count);
  const overlaps = (a: Box, b: Box) =>
    Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) &&
    Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y);
  boxes.forEach((box, at) => expect(boxes.slice(at + 1).filter((other) => overlaps(box, other))).toEqual([]));
  // Clockwise from the top, all as far from the middle.
  const middle = scene.edges?.bend ?? expect.fail("no ring");
  const angles = boxes.map(({ x, y, width: side }) => Math.atan2(x + side / 2 - middle.x, middle.y - y - side / 2));
  const turn = 2 * Math.PI;
  expect(angles.map((one) => (one + turn) % turn)).toEqual(
    angles.map((_, at) => expect.closeTo((turn * (at + 0.5)) / count, 6) as number),
  );
  const texts = scene.above.flatMap((shape) => (shape.kind === "text" && (shape.of ?? 0) >= TOPOLOGY ? [shape] : []));
  const room = ({ at, text, size, anchor }: (typeof texts)[number]): Box => {
    const length = view.measure(size, 600)(text);
    return {
      x: at.x - (anchor === "end" ? length : anchor === "middle" ? length / 2 : 0),
      y: at.y - 9,
      width: length,
      height: 11,
    };
  };
  texts.forEach((text, at) => {
    for (const other of texts.slice(at + 1))
      expect(overlaps(room(text), room(other)), `${text.text} on ${other.text}`).toBe(false);
    for (const box of boxes) expect(overlaps(room(text), box), `${text.text} on a mark`).toBe(false);
  });
  const named = texts.flatMap(({ of, weight }) => (weight === 600 ? [of] : []));
  expect(boxes.map((_, at) => at).filter((at) => !named.includes(TOPOLOGY + at))).toEqual([]);
});

it("frames groups by the messages that stay within, none of which is lost", async () => {
  const plain = contentOf(await equalRanks(16));
  const grouped = contentOf(await equalRanks(16, { every: 4, depth: 1 }));
  const sum = ({ edges, marks }: TreemapContent) =>
    [...edges.together, ...marks.within].reduce((all, one) => all + one, 0);
  expect(sum(grouped)).toBe(sum(plain));
  expect(plain.marks.within.every((one) => one === 0)).toBe(true);
  expect(grouped.marks.within.every((one) => one > 0)).toBe(true);
  const frames = ({ above }: ReturnType<typeof draw>) => above.filter((shape) => shape.kind === "box");
  expect([plain, grouped].map((content) => frames(draw(content, wide)).length)).toEqual([0, 4]);
});

it("writes what an amount without a unit is of", async () => {
  const content = contentOf(await ranksWithThreads({ quantity: "variable memory", size: "memory" }));
  expect([content.quantity, content.unit, content.sizeUnits[0]]).toEqual(["memory × s", "memory × s", "memory"]);
  expect(formatValue(1.05e12, content.unit).replaceAll("\u00a0", " ")).toBe("1.05 T memory × s");
  const texts = draw(content, wide).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
  // Capacities are written with what they are of, in the treemap and beside the marks.
  expect(texts).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\d+ memory × s/), expect.stringMatching(/^\d+(\.\d+)? memory$/)]),
  );
});
