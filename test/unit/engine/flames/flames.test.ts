import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  FlameOf,
  FlameOrder,
  FlameQuery,
  Flames,
  FlameWindow,
  GraphQuery,
  Scope,
} from "../../../../src/engine/api";
import { ComparedSubject } from "../../../../src/engine/graphs/comparedSubject";
import { flameFlags } from "../../../../src/engine/flames/flameApi";
import { FlameGraphs } from "../../../../src/engine/flames/flames";
import { SingleSubject } from "../../../../src/engine/graphs/graphSubject";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import { Links } from "../../../../src/engine/lines/links";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { CancelledError } from "../../../../src/model/errors";
import { jointFunctions } from "../../../../src/model/jointFunctions";
import { quietTask, taskOf } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";
import { type Cost, costsOf, openRecording, recordingOf } from "../recordings";

const scope: Scope = { dataSet: 1, metric: 0, over: "sum" };
const path = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 7 });
const costsFrom = (least: number) =>
  fc.array(fc.tuple(path, fc.integer({ min: 0, max: 2 }), fc.integer({ min: least, max: 9 })), {
    minLength: 1,
    maxLength: 25,
  }) as fc.Arbitrary<Cost[]>;
const orders: FlameOrder[] = ["left-heavy", "call-order"];

function flamesOf(open: OpenDataSet): FlameGraphs {
  return new FlameGraphs(open, new Graphs(new SingleSubject(open, new Links(grammars))));
}

/** So wide that nothing is narrow. */
const everything: Omit<FlameWindow, "from" | "to"> = { width: 1e9, firstDepth: 0, endDepth: 1000 };

async function all(open: OpenDataSet, of: FlameOf, order: FlameOrder, own: Scope = scope): Promise<Flames> {
  return flamesOf(open).flames({ scope: own, of, order }, { from: -1, to: 1e6, ...everything }, quietTask);
}

interface Row {
  inclusive: number;
  exclusive: number;
}

/** Rectangles by their path of names. */
function rowsOf({ rectangles: { count, parent, name, inclusive, exclusive }, names }: Flames): Map<string, Row> {
  const paths: string[] = [];
  const rows = new Map<string, Row>();
  for (let at = 0; at < count; at++) {
    const above = parent[at] < 0 ? "" : `${paths[parent[at]]}/`;
    paths.push(above + names[name[at]]);
    rows.set(paths[at], { inclusive: inclusive[at], exclusive: exclusive[at] });
  }
  expect(rows.size).toBe(count);
  return rows;
}

/** The twin: every cost is added to all beginnings of its path; to the exclusive of those that `isOwn` names. */
function added(costs: readonly (readonly [path: readonly string[], cost: number])[], isOwn: "last" | boolean[]) {
  const rows = new Map<string, Row>();
  costs.forEach(([frames, cost], at) =>
    frames.forEach((_, step) => {
      const key = frames.slice(0, step + 1).join("/");
      const row = rows.get(key) ?? { inclusive: 0, exclusive: 0 };
      row.inclusive += cost;
      if (isOwn === "last" ? step === frames.length - 1 : isOwn[at]) row.exclusive += cost;
      rows.set(key, row);
    }),
  );
  for (const [key, { inclusive }] of rows) if (inclusive === 0) rows.delete(key);
  return rows;
}

function idOf(open: OpenDataSet, name: string): number {
  return Array.from({ length: open.functions.size }, (_, id) => id).findIndex((id) => open.functionName(id) === name);
}

const sorted = (rows: Map<string, Row>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

describe("a flame graph has the sums of its contexts", () => {
  it.each(orders)("of the whole recording, %s", async (order) => {
    await fc.assert(
      fc.asyncProperty(costsFrom(0), async (costs) => {
        const { open } = openRecording(costs);
        const expected = added(
          costs.map(([frames, , cost]) => [frames as string[], cost]),
          "last",
        );
        expect(sorted(rowsOf(await all(open, { kind: "recording" }, order)))).toEqual(sorted(expected));
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("of a sandwich: recursion counts once, and both halves have the function's inclusive", async () => {
    await fc.assert(
      fc.asyncProperty(costsFrom(0), fc.constantFrom("a", "b", "c"), async (costs, name) => {
        const { open } = openRecording(costs);
        const id = idOf(open, name);
        if (id < 0) return;
        const below = costs.filter(([frames]) => frames.includes(name));
        const callees = below.map(
          ([frames, , cost]) => [(frames as string[]).slice(frames.indexOf(name)), cost] as const,
        );
        const callers = below.map(
          ([frames, , cost]) => [(frames as string[]).slice(0, frames.indexOf(name) + 1).reverse(), cost] as const,
        );
        const isOwn = below.map(([frames]) => frames[frames.length - 1] === name);
        const down = await all(open, { kind: "callees", function: id }, "left-heavy");
        const up = await all(open, { kind: "callers", function: id }, "left-heavy");
        expect(sorted(rowsOf(down))).toEqual(sorted(added(callees, "last")));
        expect(sorted(rowsOf(up))).toEqual(sorted(added(callers, isOwn)));
        expect([up.width, down.width]).toEqual([open.numbers(scope).functionInclusive[id], up.width]);
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("whose lines and loops are part of their function, and by themselves in call order", async () => {
    const line = { name: "", kind: "line", file: "m.c", line: 7 } as const;
    const { open } = openRecording([
      [["main", line], 0, 2],
      [["main", line, "f"], 0, 3],
      [["main", "f"], 0, 4],
    ]);
    expect([...rowsOf(await all(open, { kind: "recording" }, "left-heavy"))]).toEqual([
      ["main", { inclusive: 9, exclusive: 2 }],
      ["main/f", { inclusive: 7, exclusive: 7 }],
    ]);
    expect(sorted(rowsOf(await all(open, { kind: "recording" }, "call-order"))).map(([key]) => key)).toEqual([
      "main",
      "main/f",
      "main/line 7",
      "main/line 7/f",
    ]);
  });
});

describe("rectangles", () => {
  const cuts = fc.record({
    width: fc.integer({ min: 1, max: 60 }),
    from: fc.double({ min: 0, max: 0.7, noNaN: true }),
  });

  it("never exceed what is above them, and a level's widths are the parent's less its own, however narrow", async () => {
    await fc.assert(
      fc.asyncProperty(costsFrom(-3), fc.constantFrom(...orders), cuts, async (costs, order, { width }) => {
        const { open } = openRecording(costs);
        const query: FlameQuery = { scope, of: { kind: "recording" }, order };
        const whole = await all(open, query.of, order);
        if (whole.width === 0) return;
        const flames = flamesOf(open);
        const { rectangles } = await flames.flames(
          query,
          { ...everything, from: 0, to: whole.width, width },
          quietTask,
        );
        const { count, parent, x, flags, together } = rectangles;
        const drawnOwn = new Map<number, number>();
        for (let at = 0; at < whole.rectangles.count; at++) {
          const { parent: above, width: wide, node } = whole.rectangles;
          drawnOwn.set(node[at], (drawnOwn.get(node[at]) ?? 0) + wide[at]);
          if (above[at] >= 0) drawnOwn.set(node[above[at]], (drawnOwn.get(node[above[at]]) ?? 0) - wide[at]);
        }
        let roots = 0;
        const children = new Float64Array(count);
        for (let at = 0; at < count; at++) {
          if (parent[at] < 0) roots += rectangles.width[at];
          else {
            const above = parent[at];
            children[above] += rectangles.width[at];
            expect(x[at]).toBeGreaterThanOrEqual(x[above]);
            expect(x[at] + rectangles.width[at]).toBeLessThanOrEqual(x[above] + rectangles.width[above]);
          }
        }
        expect(roots).toBe(whole.width);
        for (let at = 0; at < count; at++) {
          if ((flags[at] & flameFlags.narrow) !== 0 || together[at] > 1) expect(children[at]).toBe(0);
          else expect(children[at]).toBe(rectangles.width[at] - (drawnOwn.get(rectangles.node[at]) ?? NaN));
        }
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("in a part of the drawing are those of the whole that reach into it", async () => {
    await fc.assert(
      fc.asyncProperty(costsFrom(0), cuts, fc.integer({ min: 0, max: 3 }), async (costs, { from }, firstDepth) => {
        const { open } = openRecording(costs);
        const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
        const whole = await all(open, query.of, query.order);
        if (whole.width === 0) return;
        const sight = {
          from: from * whole.width,
          to: (from + 0.25) * whole.width,
          width: 1e9,
          firstDepth,
          endDepth: firstDepth + 2,
        };
        const { rectangles } = await flamesOf(open).flames(query, sight, quietTask);
        const all_ = whole.rectangles;
        const expected = Array.from(all_.node).filter(
          (_, at) =>
            all_.depth[at] >= firstDepth &&
            all_.depth[at] < firstDepth + 2 &&
            all_.x[at] < sight.to &&
            all_.x[at] + all_.width[at] > sight.from,
        );
        expect(Array.from(rectangles.node)).toEqual(expected);
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("narrower than a pixel are drawn together, and say how many they are", async () => {
    const { open } = openRecording([
      [["main", "big"], 0, 90],
      ...["u", "v", "w", "x", "y"].map((name): Cost => [["main", name], 0, 2]),
    ]);
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const { rectangles, names, width } = await flamesOf(open).flames(
      query,
      { ...everything, from: 0, to: 100, width: 40 },
      quietTask,
    );
    expect(width).toBe(100);
    expect(Array.from(rectangles.together)).toEqual([1, 1, 5]);
    expect(Array.from(rectangles.inclusive)).toEqual([100, 90, 10]);
    expect(names[rectangles.name[1]]).toBe("big");
  });

  it("are at most as many as asked for: what is laid together becomes wider, and that is said", async () => {
    const costs = Array.from({ length: 3000 }, (_, at): Cost => [
      ["main", `f${at}`, `g${at}`, `h${at}`],
      0,
      1 + (at % 3),
    ]);
    const { open } = openRecording(costs);
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const window = { from: 0, to: 5999, width: 20_000, firstDepth: 0, endDepth: 10, mostRectangles: 1000 };
    const { rectangles, notes } = await flamesOf(open).flames(query, window, quietTask);
    expect(rectangles.count).toBeLessThanOrEqual(1000);
    expect(notes.some((note) => /narrower than \d+ pixels/.test(note))).toBe(true);
  });
});

describe("what is said beside", () => {
  it("negative values are drawn as 0, and counted", async () => {
    const { open } = openRecording(`
        main -2
          f 5`);
    const flames = await all(open, { kind: "recording" }, "left-heavy");
    expect([...rowsOf(flames)]).toEqual([
      ["main", { inclusive: 3, exclusive: -2 }],
      ["main/f", { inclusive: 5, exclusive: 5 }],
    ]);
    expect(Array.from(flames.rectangles.width)).toEqual([5, 5]);
    expect(flames.notes).toContain("1 negative exclusive value is drawn as 0.");
  });

  it("what cost nothing is counted as not drawn, and has no row", async () => {
    const { open } = openRecording(`
        main 2
          f 0
          g 0`);
    const { notes, levels } = await all(open, { kind: "recording" }, "left-heavy");
    expect(levels).toBe(1);
    expect(notes).toContain("2 calls that cost nothing are not drawn.");
  });

  it("extremes are numbers of their own: the mean is drawn", async () => {
    const { open } = openRecording(`
        main
          f rank0=4
          g rank1=6`);
    const flames = await all(open, { kind: "recording" }, "left-heavy", { ...scope, over: "max" });
    expect(rowsOf(flames)).toEqual(
      new Map([
        ["main", { inclusive: 6, exclusive: 0 }],
        ["main/g", { inclusive: 6, exclusive: 6 }],
        ["main/f", { inclusive: 4, exclusive: 4 }],
      ]),
    );
    expect(Array.from(flames.rectangles.width)).toEqual([5, 3, 2]);
    expect(flames.notes.join()).toMatch(/do not add up/);
  });

  it("a search finds what is out of sight too, and counts what lies in another one once", async () => {
    const { open } = openRecording(`
        main 2
          solve 5
            solver 10
          halo
            solve 3`);
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const window = { ...everything, from: 0, to: 20, endDepth: 2, search: " SOLVE" };
    const { found, rectangles, names } = await flamesOf(open).flames(query, window, quietTask);
    expect(found).toMatchObject({ count: 3, width: 18 });
    expect(found?.places.map(({ width }) => width)).toEqual([15, 3]);
    const dimmed = Array.from(rectangles.flags, (flag, at) => [names[rectangles.name[at]], flag & flameFlags.found]);
    expect(dimmed).toEqual([
      ["main", 0],
      ["solve", 1],
      ["halo", 0],
    ]);
  });
});

describe("names", () => {
  it("are each function's own, with the load module where the tool knew no other name", async () => {
    const unknown = { name: "<unknown procedure>", kind: "function" } as const;
    const { open } = openRecording([
      [["main", { ...unknown, module: "/usr/lib64/libpsm.so.1", address: 16 }], 0, 4],
      [["main", "solve", { ...unknown, module: "/usr/lib64/libpsm.so.1", address: 16 }], 0, 3],
      [["main", { ...unknown, module: "/opt/libucp.so.0", address: 16 }], 0, 2],
    ]);
    const { rectangles, names, shown } = await all(open, { kind: "recording" }, "left-heavy");
    expect([...rectangles.name].sort().map((at) => `${names[at]}: ${shown[at]}`)).toEqual([
      "main: main",
      "<unknown procedure>: <unknown procedure> in libpsm.so.1",
      "<unknown procedure>: <unknown procedure> in libpsm.so.1",
      "solve: solve",
      "<unknown procedure>: <unknown procedure> in libucp.so.0",
    ]);
  });
});

describe("a rectangle leads back to contexts", () => {
  const costs = costsOf(`
      main
        f
          MPI 1
        g
          MPI 5
          f
            MPI 2`);

  it("and a context to its rectangle, in every mode", async () => {
    const { open, contextOf } = openRecording(costs);
    const flames = flamesOf(open);
    const context = contextOf(["main", "g", "MPI"]);
    for (const order of orders) {
      const query: FlameQuery = { scope, of: { kind: "recording" }, order };
      const place = await flames.place(query, { kind: "context", context }, quietTask);
      expect(place).toMatchObject({ depth: 2, width: 5 });
      const details = await flames.details(query, place?.node ?? -1, quietTask);
      expect(details).toMatchObject({ path: ["main", "g", "MPI"], pathBefore: 0, context, contexts: 1 });
    }
  });

  it("and a rectangle to the frames without a name that its context stands for", async () => {
    const { open, contextOf } = openRecording(costs);
    const context = contextOf(["main", "g", "MPI"]);
    const nameless = new Map([[context, { address: 0x7f12, frames: 3 }]]);
    const flames = flamesOf(new OpenDataSet(1, { ...open.dataSet, nameless }, 0));
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const detailsAt = async (at: number) => {
      const place = await flames.place(query, { kind: "context", context: at }, quietTask);
      return flames.details(query, place?.node ?? -1, quietTask);
    };
    expect((await detailsAt(context)).nameless).toEqual({ address: "0x7f12", frames: 3 });
    expect((await detailsAt(contextOf(["main", "g"]))).nameless).toBeUndefined();
  });

  it("of a caller: to its context in the heaviest call", async () => {
    const { open, contextOf } = openRecording(costs);
    const query: FlameQuery = { scope, of: { kind: "callers", function: idOf(open, "MPI") }, order: "left-heavy" };
    const flames = flamesOf(open);
    const { rectangles, names } = await flames.flames(query, { ...everything, from: 0, to: 8 }, quietTask);
    const rows = Array.from(rectangles.node, (node, at) => ({ node, name: names[rectangles.name[at]], at }));
    expect(rows.map(({ name, at }) => [name, rectangles.depth[at], rectangles.inclusive[at]])).toEqual([
      ["MPI", 0, 8],
      ["g", 1, 5],
      ["main", 2, 5],
      ["f", 1, 3],
      ["g", 2, 2],
      ["main", 3, 2],
      ["main", 2, 1],
    ]);
    expect(await flames.details(query, rows[3].node, quietTask)).toMatchObject({
      path: ["MPI", "f"],
      context: contextOf(["main", "g", "f"]),
      contexts: 2,
    });
    expect(await flames.place(query, { kind: "function", function: idOf(open, "g") }, quietTask)).toMatchObject({
      depth: 1,
      width: 5,
    });
  });
});

describe("the inside of a bar", () => {
  const functions = fc.constantFrom("lib::a", "lib::b", "app::c", "app::d", "e");
  const deep = fc.array(functions, { minLength: 1, maxLength: 7 });
  const input = fc.array(fc.tuple(deep, fc.constant(0), fc.integer({ min: 0, max: 9 })), {
    minLength: 1,
    maxLength: 20,
  }) as fc.Arbitrary<Cost[]>;
  const grouped = { groupBy: "map", map: { lib: ["lib::*"], app: ["app::*"] } } as const;

  /** Whether every bar of a graph has the inclusive, exclusive and hidden that its inside adds up to. */
  async function addsUp(flames: FlameGraphs, graphs: Graphs, query: GraphQuery, order: FlameOrder): Promise<void> {
    for (const bar of (await graphs.superGraph(query, quietTask)).bars) {
      const of: FlameOf = { kind: "bar", query, bar: bar.id };
      const window = { ...everything, from: -1, to: 1e6 };
      const inside = await flames.flames({ scope: query.scope, of, order }, window, quietTask);
      expect(inside.width).toBe(bar.inclusive);
      const { rectangles } = inside;
      const sum = (flag: number, values: Float64Array) =>
        values.reduce((all, value, at) => ((rectangles.flags[at] & flag) === flag ? all + value : all), 0);
      const others = flameFlags.outgoing | flameFlags.hidden;
      const own = rectangles.exclusive.reduce(
        (all, value, at) => ((rectangles.flags[at] & others) === 0 ? all + value : all),
        0,
      );
      expect(own).toBe(bar.exclusive);
      expect(sum(flameFlags.hidden, rectangles.width)).toBe(bar.hidden);
      expect(sum(flameFlags.outgoing, rectangles.width)).toBe(bar.inclusive - bar.exclusive - bar.hidden);
    }
  }

  it("has the bar's inclusive: its contexts, what they call out of it, what the filter hides", async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.constantFrom(0, 8), fc.constantFrom(...orders), async (costs, filter, order) => {
        const { open } = openRecording(costs);
        if (!(open.numbers(scope).total > 0)) return;
        const graphs = new Graphs(new SingleSubject(open, new Links(grammars)));
        await addsUp(new FlameGraphs(open, graphs), graphs, { scope, filter, ...grouped }, order);
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("has it in either recording of a comparison, whose bars neither may have by itself", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(input, input),
        fc.constantFrom(0, 8),
        fc.constantFrom(...orders),
        async (both, filter, order) => {
          const opened = both.map((costs, at) => new OpenDataSet(at + 1, recordingOf(costs), 0));
          const scopes = opened.map(({ id }) => ({ ...scope, dataSet: id }));
          if (!opened.every((open, at) => open.numbers(scopes[at]).total > 0)) return;
          const links = new Links(grammars);
          const joint = jointFunctions(opened.map(({ functions, dataSet: { frames } }) => ({ functions, frames })));
          const graphs = new Graphs(new ComparedSubject(opened, joint, links));
          for (const [at, open] of opened.entries()) {
            const world = { graphsOf: () => graphs, openOf: (dataSet: number) => opened[dataSet - 1] };
            const flames = new FlameGraphs(open, new Graphs(new SingleSubject(open, links)), world);
            const query = { scope: scopes[at], compared: scopes[1 - at], filter, ...grouped };
            await addsUp(flames, graphs, query, order);
          }
        },
      ),
      { numRuns: casesOf(200) },
    );
  });
});

describe("large trees", () => {
  it("a chain of 100,000 calls is walked without recursion, and its middle can be seen", async () => {
    const depth = 100_000;
    const { open } = openRecording([[Array.from({ length: depth }, (_, at) => `f${at % 7}`), 0, 1]]);
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const window = { from: 0, to: 1, width: 800, firstDepth: 50_000, endDepth: 50_040 };
    const { rectangles, levels, covering } = await flamesOf(open).flames(query, window, quietTask);
    expect(levels).toBe(depth);
    expect(rectangles.count).toBe(40);
    expect(covering).toHaveLength(8);
    const up = await all(open, { kind: "callers", function: idOf(open, "f3") }, "left-heavy");
    expect(up.levels).toBe(4);
  });

  it("can be cancelled", async () => {
    const { open } = openRecording(Array.from({ length: 30_000 }, (_, at): Cost => [["main", `f${at}`], 0, 1]));
    const cancelled = taskOf(
      () => true,
      () => undefined,
    );
    const query: FlameQuery = { scope, of: { kind: "recording" }, order: "left-heavy" };
    const asked = flamesOf(open).flames(query, { ...everything, from: 0, to: 1e6 }, cancelled);
    await expect(asked).rejects.toThrow(CancelledError);
  });
});
