import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Application, ApplicationNode } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { application } from "../../src/panels/application/definition";
import type { View } from "../../src/panels/kit/definition";
import { type ApplicationContent, type ApplicationState, eventKinds } from "../../src/protocol/application";
import { foldedText, nodeFacts, summary } from "../../webviews/application/describe";
import { draw } from "../../webviews/application/drawing";
import { treeOf } from "../../webviews/application/layout";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { casesOf } from "../unit/randomCases";
import type { DrawView, Shape } from "../../webviews/kit/stage/scene";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { sampleWorld, viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

let opened: Promise<View<ApplicationState>> | undefined;

/** The sample program's events on 8 ranks, of which a part of the run is shown. */
function measuredView(): Promise<View<ApplicationState>> {
  return (opened ??= open());
}

async function open(): Promise<View<ApplicationState>> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const files = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/events-${rank}.cali`));
  const [info] = await engine.open({ paths: files });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  return { ...viewOf({ engine, info, scope }, application.start), window: { from: 0.02, to: 0.03 } };
}

const asked = (view: View<ApplicationState>) => application.ask(view, quietTask, []);

/** A tree in which each context calls so many, down to a depth. */
function wideTree(callees: number, depth: number): Application {
  const nodes: ApplicationNode[] = [];
  const add = (parent: number, level: number, value: number) => {
    const at = nodes.push({
      context: nodes.length,
      parent,
      name: `namespace::function_${nodes.length}`,
      kind: nodes.length % 7,
      closed: false,
      inclusive: value,
      exclusive: value / 10,
      folded: { contexts: level === 0 ? 127 : 0, value: level === 0 ? value / 30 : 0 },
    });
    for (let one = 0; level > 0 && one < callees; one++) add(at - 1, level - 1, (value * 0.9) / callees);
  };
  add(NONE, depth, 12);
  return { nodes, folded: { contexts: 0, value: 0 }, total: 12, contexts: nodes.length, run: undefined };
}

panelLaws({
  definition: application,
  draw,
  async samples() {
    const view = await measuredView();
    const world = await sampleWorld();
    const plain = viewOf(world, application.start);
    const one: ApplicationNode = { ...wideTree(0, 0).nodes[0], name: HOSTILE_NAME };
    return [
      { name: "measured", view, shown: await asked(view) },
      { name: "without events", view: plain, shown: await asked(plain), isPictured: true },
      { name: "three hundred", view: plain, shown: wideTree(6, 3), isPictured: true },
      {
        name: "hostile names",
        view: plain,
        shown: { ...wideTree(0, 0), nodes: [one, { ...one, context: 1, parent: 0 }] },
      },
    ];
  },
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

/** Trees of up to 25 contexts, whose callees have parts of their caller's value. */
const anyTree = fc
  .array(
    fc.record({ caller: fc.nat(), part: fc.integer({ min: 1, max: 9 }), length: fc.integer({ min: 1, max: 40 }) }),
    {
      maxLength: 24,
    },
  )
  .map((given): Application => {
    const parents = given.map(({ caller }, at) => caller % (at + 1));
    const value = [1000];
    const left = [1000];
    given.forEach(({ part }, at) => {
      const own = (left[parents[at]] * part) / 10;
      left[parents[at]] -= own;
      value.push(own);
      left.push(own);
    });
    // In preorder, callers first.
    const order: number[] = [];
    const pending = [0];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      order.push(next);
      parents.forEach((parent, at) => parent === next && pending.push(at + 1));
    }
    const place = new Map(order.map((one, at) => [one, at]));
    const nodes = order.map((one, at): ApplicationNode => ({
      context: at,
      parent: one === 0 ? NONE : (place.get(parents[one - 1]) ?? NONE),
      kind: 0,
      closed: false,
      name: one === 0 ? "main" : `f${one}_${"x".repeat(given[one - 1].length)}`,
      inclusive: value[one],
      exclusive: left[one],
      folded: { contexts: 0, value: 0 },
    }));
    return { nodes, folded: { contexts: 0, value: 0 }, total: 1000, contexts: nodes.length, run: undefined };
  });

type Text = Extract<Shape, { readonly kind: "text" }>;

/** The last context of a chain, which has its label: from one only callee with 98 % of its caller to the next. */
function lastOfChain({ nodes }: ApplicationContent, from: number): number {
  for (let at = from; ;) {
    const callees = nodes.flatMap(({ parent }, one) => (parent === at ? [one] : []));
    const isChain =
      callees.length === 1 &&
      nodes[at].folded.contexts === 0 &&
      nodes[callees[0]].inclusive >= 0.98 * nodes[at].inclusive;
    if (!isChain) return at;
    at = callees[0];
  }
}

/** Checks the law of labels. */
function expectLabels(content: ApplicationContent, view: DrawView, label: string): void {
  const { above } = draw(content, view);
  const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
  const boxOf = ({ at, text, size }: Text) => ({ x: at.x, y: at.y - 9, width: view.measure(size)(text), height: 11 });
  texts.forEach((one, at) => {
    const a = boxOf(one);
    for (const other of texts.slice(0, at)) {
      const b = boxOf(other);
      const meets = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      expect(meets, `${label}: ${one.text} and ${other.text}`).toBe(false);
    }
  });
  content.nodes.forEach(({ inclusive, name }, at) => {
    const last = lastOfChain(content, at);
    const own = texts.filter(({ of }) => of === last);
    const share = inclusive / content.total;
    if (share >= 0.02)
      expect(
        own.some(({ title }) => title?.split(" › ").includes(name)),
        `${label}: name of ${name}`,
      ).toBe(true);
    if (share >= 0.01)
      expect(
        own.some(({ text }) => / · .*%$/.test(text)),
        `${label}: value of ${name}`,
      ).toBe(true);
  });
}

describe("the application tree", () => {
  it("has the time of each context in the window and in the run, and when it was active", async () => {
    const view = await measuredView();
    const shown = await asked(view);
    const content = application.content(shown, view);
    const { engine } = view.session;
    for (const node of shown.nodes.slice(0, 12)) {
      const restricted = { ...view.scope, window: { from: 0.02, to: 0.03 } };
      const { inclusive } = await engine.describeContext({ scope: restricted, context: node.context });
      expect(node.time?.windowSeconds).toBeCloseTo(inclusive, 9);
      const { inclusive: whole } = await engine.describeContext({ scope: view.scope, context: node.context });
      if (node.name !== "(no region)") expect(node.time?.runSeconds).toBeCloseTo(whole, 6);
    }
    const facts = nodeFacts(content, 0).map(([what]) => what);
    expect(facts).toContain("in the window");
    expect(summary(content)[1]).toMatch(/^20\.0 – 30\.0 ms · 10\.0 ms of \d+ ms · \d+ of \d+ contexts$/);
  });

  it("has names on a ground that lines do not show through, above underscores and between words", async () => {
    const view = await measuredView();
    const content = application.content(await asked(view), view);
    const { above } = draw(content, wide);
    const names = above.flatMap((shape, at) =>
      shape.kind === "text" && shape.title !== undefined ? [{ shape, before: above[at - 1] }] : [],
    );
    expect(names.length).toBeGreaterThan(8);
    for (const { shape, before } of names) {
      expect(before).toMatchObject({ kind: "box", of: shape.of, fill: plainTheme.background });
      if (before.kind !== "box") continue;
      expect(before.box).toMatchObject({ x: shape.at.x, width: wide.measure(shape.size)(shape.text) });
      expect(before.box.y + before.box.height).toBe(shape.at.y);
    }
  });

  it("names the heaviest contexts in narrow panels, too", async () => {
    const view = await measuredView();
    const content = application.content(await asked(view), view);
    const heavy = [...content.nodes.keys()].filter((at) => content.nodes[at].inclusive >= 0.3 * content.total);
    expect(heavy.map((at) => content.nodes[at].name)).toContain("MPI_Allreduce");
    for (const width of [400, 600, 1400]) {
      const named = new Set(
        draw(content, { ...wide, width }).above.flatMap((shape) => (shape.kind === "text" ? [shape.of] : [])),
      );
      expect(
        heavy.filter((at) => !named.has(lastOfChain(content, at))).map((at) => `${content.nodes[at].name} at ${width}`),
      ).toEqual([]);
    }
  });

  it("names all contexts from 2 % on, has values from 1 % on, and no two texts overlap", async () => {
    const events = await measuredView();
    const profile = viewOf(await sampleWorld(), application.start);
    for (const view of [events, profile]) {
      const content = application.content(await asked(view), view);
      for (const size of [
        { width: 600, height: 720 },
        { width: 1400, height: 660 },
      ]) {
        const label = `${content.nodes.length} contexts at ${size.width}`;
        expectLabels(content, { ...wide, ...size }, label);
      }
    }
    await fc.assert(
      fc.asyncProperty(anyTree, fc.constantFrom(600, 1400), async (shown, width) => {
        const content = application.content(shown, profile);
        expectLabels(content, { ...wide, width, height: 720 }, `${width}`);
      }),
      { numRuns: casesOf(150) },
    );
  });

  it("has one label for a chain, which names all of it or says how many callers it holds", async () => {
    const top = { ...wideTree(0, 0).nodes[0], folded: { contexts: 0, value: 0 } };
    const names = ["main", "run", "solve"];
    const nodes = names.map((name, at) => ({ ...top, context: at, parent: at - 1, name, inclusive: 12 - at / 100 }));
    const leaf = { ...top, context: 3, parent: 2, name: "leaf", inclusive: 5 };
    const tree = { ...wideTree(0, 0), nodes: [...nodes, leaf] };
    const view = viewOf(await sampleWorld(), application.start);
    const textsOf = (shown: Application) =>
      draw(application.content(shown, view), wide).above.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
    expect(textsOf(tree).map(({ text }) => text)).toContain("main › run › solve");
    const long = (name: string) => ({
      ...tree,
      nodes: tree.nodes.map((node) => ({ ...node, name: node.name + name })),
    });
    const held = textsOf(long("_of_a_grid_of_the_machine"));
    expect(held.map(({ text }) => text)).toContain("solve_of_a_grid_of_the_machine with 2 callers");
    const whole = names.map((name) => `${name}_of_a_grid_of_the_machine`).join(" › ");
    expect(held.map(({ title }) => title)).toContain(whole);
    // A caller with work of its own is none of it.
    const busy = { ...tree, nodes: tree.nodes.map((node, at) => (at === 0 ? { ...node, inclusive: 14 } : node)) };
    expect(textsOf(busy).map(({ text }) => text)).toEqual(expect.arrayContaining(["main", "run › solve"]));
  });

  it("has leaders that cross few circles: a label goes where its line is clear", async () => {
    const profile = viewOf(await sampleWorld(), application.start);
    const events = await measuredView();
    const measured = [
      application.content(await asked(events), events),
      application.content(await asked(profile), profile),
    ];
    let [leaders, crossed] = [0, 0];
    for (const content of [...measured, ...[2, 3].map((many) => application.content(wideTree(many, 4), profile))])
      for (const size of [{ width: 600, height: 720 }, wide]) {
        const { above, marks } = draw(content, { ...wide, ...size });
        for (const shape of above) {
          if (shape.kind !== "path" || shape.strokeWidth !== 0.75) continue;
          const [x1, y1, x2, y2] = shape.d.split(/[ML,]/).slice(1).map(Number);
          const isCrossed = marks.some(({ id, box }) => {
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
            const at = Math.min(1, Math.max(0, along));
            return id !== shape.of && Math.hypot(x1 + at * (x2 - x1) - x, y1 + at * (y2 - y1) - y) < box.width / 2;
          });
          leaders++;
          if (isCrossed) crossed++;
        }
      }
    expect(leaders).toBeGreaterThan(4);
    expect(crossed / leaders, `${crossed} of ${leaders}`).toBeLessThanOrEqual(0.3);
  });

  it("has circles with areas and links with widths in proportion, and uses the whole width", async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, async (shown) => {
        const content = application.content(shown, viewOf(await sampleWorld(), application.start));
        const { marks, below } = draw(content, { ...wide, height: 2000 });
        for (const [at, { box }] of marks.entries()) {
          const share = content.nodes[at].inclusive / content.total;
          expect(box.width).toBeLessThanOrEqual(Math.max(4, 24 * Math.sqrt(share)) + 1e-9);
          expect(box.width).toBeGreaterThanOrEqual(4 - 1e-9);
        }
        expect(marks[0].box.width).toBeCloseTo(24, 9);
        for (const shape of below) {
          if (shape.kind !== "path" || shape.of === undefined || shape.fill !== undefined) continue;
          expect(shape.strokeWidth).toBeGreaterThanOrEqual(0.75);
          expect(shape.strokeWidth).toBeLessThanOrEqual(12);
        }
        const columns = new Set(marks.map(({ box }) => Math.round(box.x + box.width / 2)));
        if (columns.size > 1) expect(Math.max(...columns)).toBeGreaterThan(700);
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("has one small circle for what is below 0.1 % of a caller", async () => {
    const view = viewOf(await sampleWorld(), application.start);
    const shown = await asked(view);
    const tree = {
      ...shown,
      nodes: shown.nodes.slice(0, 1).map((node) => ({ ...node, folded: { contexts: 12, value: shown.total * 0.004 } })),
    };
    const content = application.content(tree, view);
    const scene = draw(content, wide);
    const words = scene.above.flatMap((shape) => (shape.kind === "text" ? [shape.text.replaceAll("\u00a0", " ")] : []));
    expect(words).toContain("12 more · 0.400 %");
    expect(scene.signs?.some(({ mark, does }) => mark === 0 && does === "toggle")).toBe(true);
    // The engine folds what is lighter, of any recording.
    const all = await view.session.engine.application({ scope: view.scope, most: 10_000 });
    const light = all.nodes.filter(({ inclusive }) => inclusive < all.total / 1000);
    expect(light.length).toBeGreaterThan(0);
    expect(shown.nodes.every(({ inclusive }) => inclusive >= shown.total / 1000)).toBe(true);
  });

  it("draws bars clear of the underscores of the name above them", async () => {
    const view = await measuredView();
    const { below, above } = draw(application.content(await asked(view), view), wide);
    const shapes = [...below, ...above];
    const bars = shapes.flatMap((one) =>
      one.kind === "box" && one.of !== undefined && one.box.height === 4 ? one : [],
    );
    const names = shapes.flatMap((one) => (one.kind === "text" && one.title !== undefined ? one : []));
    const under = names.flatMap(({ of, at, size }) => {
      const tops = bars.filter((bar) => bar.of === of).map(({ box }) => box.y - 0.5);
      return tops.length === 0 ? [] : [Math.min(...tops) - (at.y + 0.25 * size)];
    });
    expect(under.length).toBeGreaterThan(5);
    expect(Math.min(...under)).toBeGreaterThanOrEqual(0);
  });

  it("says that nothing is known of times without events, and draws no rings and bars", async () => {
    const plain = viewOf(await sampleWorld(), application.start);
    const shown = await asked(plain);
    expect(application.notes?.(shown, plain)).toEqual([
      "No events were recorded: when contexts were active is not known.",
    ]);
    const content = application.content(shown, plain);
    expect(content.nodes.every(({ time }) => time === undefined)).toBe(true);
    // A link per call, and one with a circle for what is folded.
    const folded = content.nodes.filter(({ folded: { contexts } }) => contexts > 0).length;
    expect(draw(content, wide).below).toHaveLength(
      content.nodes.filter(({ parent }) => parent >= 0).length + 2 * folded,
    );
  });

  it("counts what is folded, and draws it when that is wanted", async () => {
    const view = await measuredView();
    const closed = { ...view, state: { ...view.state, closed: [(await asked(view)).nodes[0].context] } };
    const shown = await asked(closed);
    const content = application.content(shown, closed);
    expect(foldedText(content, content.nodes[0])).toMatch(/^\+ \d+ contexts, [\d.]+ %$/);
    const changes: Partial<ApplicationState>[] = [];
    const panel = { view: closed, change: (change: object) => changes.push(change), notice: () => undefined } as never;
    await application.actions?.toggle(shown, 0, panel);
    expect(changes).toEqual([{ closed: [], opened: [shown.nodes[0].context] }]);
  });

  it("draws what is selected elsewhere, however light it is", async () => {
    const view = await measuredView();
    const all = await view.session.engine.application({ scope: view.scope, most: 10_000 });
    const lightest = all.nodes[all.nodes.length - 1];
    const selection = {
      dataSet: 1,
      target: { kind: "context", context: lightest.context },
      name: "",
      origin: "tree",
    } as const;
    const change = application.followed?.(selection as never, view);
    expect(change).toEqual({ reveal: selection.target });
    const few = await view.session.engine.application({ scope: view.scope, most: 2, reveal: selection.target });
    expect(few.nodes.some(({ context }) => context === lightest.context)).toBe(true);
    expect(application.followed?.({ ...selection, origin: "application" } as never, view)).toBeUndefined();
  });

  it("has callers in the middle of what they call, and no two contexts in one place", () => {
    const { nodes } = wideTree(4, 3);
    const { spots, rows } = treeOf(nodes);
    expect(rows).toBe(64);
    const places = new Set(spots.map(({ column, row }) => `${column} ${row}`));
    expect(places.size).toBe(nodes.length);
    nodes.forEach((_, at) => {
      const callees = nodes.flatMap(({ parent }, one) => (parent === at ? [spots[one].row] : []));
      if (callees.length > 0) expect(spots[at].row).toBe((Math.min(...callees) + Math.max(...callees)) / 2);
    });
  });

  it("has contexts of other kinds stand back for the kind that is highlighted", async () => {
    const view = await measuredView();
    const content = application.content(await asked(view), view);
    const highlighted = { name: "", places: new Set<never>(), kinds: new Set(["communication"] as const) };
    const pale = draw(content, { ...wide, highlighted }).marks.filter(({ paint }) => (paint.fillOpacity ?? 1) < 1);
    const others = content.nodes.filter(({ kind }) => eventKinds[kind] !== "communication");
    expect(pale.map(({ name }) => name)).toEqual(others.map(({ name }) => name));
    expect(others.length).toBeLessThan(content.nodes.length);
  });
});
