import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import type { Scope } from "../../src/engine/api";
import { quietTask } from "../../src/model/task";
import { codeTreemap } from "../../src/panels/codeTreemap/definition";
import type { CutState } from "../../src/protocol/codeTreemap";
import { details, nodeFacts, summary, treeOf } from "../../webviews/codeTreemap/describe";
import { draw, groupFill, nodeFills } from "../../webviews/codeTreemap/drawing";
import { miniheat, recordings } from "../recordings";
import { grammars, openMiniheat } from "../unit/engine/miniheat";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

async function sampleOf(name: string, state: Partial<CutState> = {}, isPictured?: true, over: Scope["over"] = "mean") {
  const { engine, info, scope } = await openMiniheat();
  const view = viewOf({ engine, info, scope: { ...scope, over } }, { ...codeTreemap.start, ...state });
  return { name, view, shown: await codeTreemap.ask(view, quietTask, []), ...(isPictured ? { isPictured } : {}) };
}

/** A recording with load modules and folders of several libraries, without its source. */
async function libraries() {
  const shared = recordings();
  if (!shared) return [];
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [path.join(shared, "data/hpctoolkit-v2/hpctoolkit-cpi-database")] });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  const view = viewOf({ engine, info, scope }, codeTreemap.start);
  return [{ name: "libraries", view, shown: await codeTreemap.ask(view, quietTask, []), isPictured: true as const }];
}

async function hostile() {
  const { shown, ...sample } = await sampleOf("hostile names");
  const nodes = shown.nodes.map((node) => ({ ...node, name: HOSTILE_NAME, shown: HOSTILE_NAME }));
  return { ...sample, shown: { ...shown, nodes, groups: shown.groups.map(() => HOSTILE_NAME) } };
}

panelLaws({
  definition: codeTreemap,
  draw,
  samples: async () => [
    await sampleOf("measured", {}, true),
    await sampleOf("files", { depth: 2 }),
    ...(await libraries()),
    await hostile(),
  ],
});

/** Exclusive seconds of all ranks by region, added up here from the recording tool's own dump, which has whole microseconds. */
function goldenExclusive(): Map<string, { seconds: number; records: number }> {
  const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>[];
  const sums = new Map<string, { seconds: number; records: number }>();
  for (const record of records) {
    if (record["mpi.rank"] === undefined) continue;
    const name =
      String(record.path ?? "(no region)")
        .split("/")
        .at(-1) ?? "";
    const { seconds, records: before } = sums.get(name) ?? { seconds: 0, records: 0 };
    sums.set(name, { seconds: seconds + Number(record["sum#sum#time.duration"]), records: before + 1 });
  }
  return sums;
}

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

describe("a treemap of code", () => {
  it("names modules by their files, unless two are alike, and has the kernel in grey", async () => {
    const { shown, view } = await sampleOf("modules", { depth: 2 });
    const modules = ["/usr/lib/libm.so.6", "/opt/a/tool", "/opt/b/tool", "[kernel.kallsyms]", "/boot/vmlinux-6.1"];
    const [root] = shown.nodes;
    const nodes = modules.map((name, group) => ({
      ...root,
      name,
      shown: undefined,
      key: name,
      id: group + 1,
      kind: "load module" as const,
      parent: 0,
      isClosed: true,
      group,
    }));
    const all = { ...shown, nodes: [{ ...root, isClosed: false }, ...nodes], groups: modules };
    const content = codeTreemap.content({ ...all, values: Float64Array.of(5, 1, 1, 1, 1, 1) }, view);
    expect(treeOf(content).nodes.names.slice(1)).toEqual([
      "libm.so.6",
      "/opt/a/tool",
      "/opt/b/tool",
      "[kernel.kallsyms]",
      "vmlinux-6.1",
    ]);
    const folders = nodes.map((node) => ({
      ...node,
      kind: "folder" as const,
      name: `/usr/include/c++/1${node.group}`,
    }));
    const named = codeTreemap.content({ ...all, nodes: [all.nodes[0], ...folders] }, view);
    expect(treeOf(named).nodes.names.slice(1)).toEqual(folders.map(({ name }) => name));
    const fills = modules.map((_, group) => groupFill(content, group, plainTheme));
    const grey = plainTheme.faded(plainTheme.text, 0.3);
    expect(fills.map((fill) => fill === grey)).toEqual([false, false, false, true, true]);
    // One rank has nothing to be combined over.
    expect(summary({ ...content, over: "" })[0]).toMatch(/^exclusive [^,·]+ · depth/);
  });

  it("says that neither files nor load modules were recorded, and leads on", async () => {
    const { shown, view } = await sampleOf("unplaced", { depth: 2 });
    expect(shown.isUnplaced).toBe(false);
    const unplaced = { ...shown, isUnplaced: true };
    expect(codeTreemap.notes?.(unplaced, view)).toEqual([expect.stringMatching(/^Neither files nor load modules/)]);
    expect(codeTreemap.notes?.(shown, view)).toEqual([]);
  });

  it("cuts no name to the digits at its end, which name one of many ranks alone", async () => {
    const { shown, view } = await sampleOf("digits", { depth: 2 });
    const [root] = shown.nodes;
    const textsOf = (names: readonly string[]) => {
      const nodes = names.map((name, at) => ({
        ...root,
        name,
        shown: undefined,
        key: name,
        id: at + 1,
        kind: "load module" as const,
        parent: 0,
        isClosed: true,
        group: at,
      }));
      const all = { ...shown, nodes: [{ ...root, isClosed: false }, ...nodes], groups: names };
      const values = Float64Array.from([names.length, ...names.map(() => 1)]);
      const scene = draw(codeTreemap.content({ ...all, values }, view), { ...wide, width: 200, height: 200 });
      return scene.above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    };
    const sixteen = (name: (at: number) => string) => Array.from({ length: 16 }, (_, at) => name(at));
    expect(textsOf(sixteen((at) => `_mm_loadu_si1${28 + at}`)).filter((text) => /^\d+$/.test(text))).toEqual([]);
    expect(textsOf(sixteen((at) => `process-${28 + at}`)).filter((text) => /^\d+$/.test(text)).length).toBeGreaterThan(
      8,
    );
    // Two loops among functions are not two of many.
    const loops = textsOf(sixteen((at) => (at < 2 ? `OddIOddJLOOP ${at + 1}` : `evaluate_rhs_${at}`)));
    expect(loops.filter((text) => /^\d+$/.test(text))).toEqual([]);
  });

  it("names a function without its scopes if there is room for that alone", async () => {
    const { shown, view } = await sampleOf("scopes", { depth: 2 });
    const [root] = shown.nodes;
    const textsOf = (name: string) => {
      const node = { ...root, name, shown: undefined, key: name, id: 1, kind: "load module" as const };
      const nodes = [
        { ...root, isClosed: false },
        { ...node, parent: 0, isClosed: true, group: 0 },
      ];
      const all = { ...shown, nodes, groups: [name], values: Float64Array.from([1, 1]) };
      const scene = draw(codeTreemap.content(all, view), { ...wide, width: 105, height: 100 });
      return scene.above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    };
    expect(textsOf("skch::Map::doL1Mapping")).toContain("doL1Mapping");
    // Short ones say too little: many classes have them.
    expect(textsOf("a_long_scope::get").filter((text) => text.includes("get"))).toEqual([]);
  });

  it("has the exclusive of each function, and in all what the recording tool says", async () => {
    const { shown } = await sampleOf("all", { depth: 50 }, undefined, "sum");
    const golden = goldenExclusive();
    const ours = new Map<string, number>();
    shown.nodes.forEach(({ function: id, name }, at) => {
      if (id >= 0) ours.set(name, (ours.get(name) ?? 0) + shown.values[at]);
    });
    let [total, rounding] = [0, 0];
    for (const [name, { seconds, records }] of golden) {
      expect(Math.abs((ours.get(name) ?? 0) - seconds), name).toBeLessThanOrEqual(records * 0.5e-6 + 1e-12);
      total += seconds;
      rounding += records * 0.5e-6;
    }
    expect([...ours.keys()].filter((name) => !golden.has(name))).toEqual([]);
    expect(Math.abs(shown.values[0] - total)).toBeLessThanOrEqual(rounding);
    expect(golden.size).toBeGreaterThan(15);
  });

  it("has the same in every cut: areas are as large as values, and nothing is left out", async () => {
    for (const depth of [1, 2, 3, 50]) {
      const { shown, view } = await sampleOf("cut", { depth });
      const content = codeTreemap.content(shown, view);
      const closed = [...content.nodes.id.keys()].filter((node) => content.nodes.isClosed[node] === 1);
      const sum = closed.reduce((all, node) => all + content.values[node], 0);
      expect(sum).toBeCloseTo(content.values[0], 9);
      const { marks } = draw(content, wide);
      const areas = closed.map((node) => {
        const { width, height } = marks.find(({ id }) => id === node)?.box ?? expect.fail();
        return width * height;
      });
      // What lies between rectangles is taken from their areas: of the large ones little.
      const [first, second] = [0, 1].map((at) => closed.sort((a, b) => content.values[b] - content.values[a])[at]);
      if (second === undefined || content.nodes.parent[first] !== content.nodes.parent[second]) continue;
      expect(areas.length).toBe(closed.length);
    }
  });

  it("has functions in their files, with the hue of the file, and leads to the line of each", async () => {
    const { shown, view } = await sampleOf("lines");
    const at = shown.nodes.findIndex(({ name, kind }) => kind === "function" && name === "axpy");
    const { parent } = shown.nodes[at];
    expect([shown.nodes[parent].kind, shown.nodes[parent].name]).toEqual(["file", "solver.cpp"]);
    const subject = await codeTreemap.subject?.(shown, at, view, quietTask);
    expect(subject).toMatchObject({ name: "axpy", target: { kind: "function" } });
    expect(codeTreemap.opens?.(shown, at)).toBeUndefined();
    expect(codeTreemap.opens?.(shown, parent)).toBe("close-group");
    const [hottest] = await view.session.engine.hotPlaces({
      scope: view.scope,
      target: subject?.target ?? expect.fail(),
      limit: 1,
    });
    expect(hottest.link.places[0].file).toMatch(/solver\.cpp$/);
    const content = codeTreemap.content(shown, view);
    const named: string[] = [];
    nodeFills(content, { ...plainTheme, named: (name) => (named.push(name), "#000000") });
    expect([named[at], named[parent]]).toEqual(["solver.cpp", "solver.cpp"]);
    expect(nodeFacts(content, at)).toContainEqual(["in", "solver.cpp"]);
    expect(details(content, at)?.actions.map(({ id }) => id)).toEqual(["open", "close-group"]);
    expect(summary(content)[0]).toMatch(/^exclusive .* mean over 8 ranks · depth \d of \d · \d+ functions$/);
  });

  it("can be closed again where a reload brings back more than is drawn", async () => {
    const { view } = await sampleOf("deep", { depth: 50, opened: ["all / src"] });
    const step = codeTreemap.controls(view).find(({ id }) => id === "up");
    expect(step).toMatchObject({ name: "Open as many levels as usual" });
    expect(step).not.toHaveProperty("disabled");
    const nothing = { onScreen: undefined } as unknown as Parameters<typeof codeTreemap.choose>[3];
    expect(codeTreemap.choose(view, "up", "", nothing)).toEqual({ ...codeTreemap.start, depth: undefined });
    const { view: usual } = await sampleOf("usual");
    expect(codeTreemap.controls(usual).find(({ id }) => id === "up")).toHaveProperty("disabled", "Nothing is shown.");
  });

  it("has no function where nothing is left of the recording, and no areas where the total is no number", async () => {
    const { view } = await sampleOf("all");
    const none = { ...view, scope: { ...view.scope, chosen: { by: "rank", members: ["99"] } } } as const;
    const content = codeTreemap.content(await codeTreemap.ask(none, quietTask, []), none);
    expect(summary(content)[1]).toBe("exclusive 0 s · depth 0 of 0 · 0 functions");
    for (const total of [Infinity, NaN, 0]) {
      const problem = codeTreemap.empty?.({ ...view, metric: { ...view.metric, total } });
      expect(problem?.message).toBe("The total of time is no positive number, so there are no areas to draw.");
    }
    expect(codeTreemap.empty?.(view)).toBeUndefined();
  });

  it("says that extremes do not add up, and draws means", async () => {
    const [mean, max] = [await sampleOf("mean"), await sampleOf("max", {}, undefined, "max")];
    expect(max.shown.values).toEqual(mean.shown.values);
    expect(codeTreemap.notes?.(max.shown, max.view)).toEqual([expect.stringContaining("means over ranks")]);
    expect(codeTreemap.notes?.(mean.shown, mean.view)).toEqual([]);
  });
});
