/** First pictures as views ask for them. */
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { FirstChoice } from "../../../../src/engine/api";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import { SingleSubject } from "../../../../src/engine/graphs/graphSubject";
import type { Links } from "../../../../src/engine/lines/links";
import { localEngine } from "../../../../src/engine/localEngine";
import { CancelledError } from "../../../../src/model/errors";
import * as firstBases from "../../../../src/supergraph/first/firstBasis";
import { quietTask } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";
import { openRecording } from "../recordings";

const profile = (name: string) => path.join(miniheat, "profiles", name);

async function opened(...files: string[]) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const infos = [];
  for (const file of files) infos.push(...(await engine.open({ paths: [profile(file)] })));
  return { engine, infos };
}

describe("the first picture of a recording", () => {
  it("comes with all that a panel shows, and is the same from its choice", async () => {
    const { engine, infos } = await opened("profile-8ranks.cali");
    const scope = { dataSet: infos[0].id, metric: infos[0].defaultMetric, over: "mean" } as const;
    const graph = await engine.superGraph({ scope, filter: 0.1, groupBy: "first" });
    const { first } = graph;
    expect(graph.groupBy).toBe("first");
    expect(first?.bars).toHaveLength(graph.bars.length);
    expect([...(first?.names ?? [])].sort()).toEqual(graph.bars.map(({ id }) => id).sort());
    expect(first?.drawn.every((edge) => graph.edges[edge] !== undefined)).toBe(true);
    const again = await engine.superGraph({ scope, filter: 0.1, groupBy: "first", first: first?.choice });
    expect(again).toEqual(graph);
  });

  it("is chosen on sums: other ranks and ways to combine them change numbers only", async () => {
    const { engine, infos } = await opened("profile-8ranks.cali");
    const of = { dataSet: infos[0].id, metric: infos[0].defaultMetric };
    const sum = await engine.superGraph({ scope: { ...of, over: "sum" }, filter: 0, groupBy: "first" });
    for (const over of ["mean", "max", { rank: 3 }] as const) {
      const other = await engine.superGraph({ scope: { ...of, over }, filter: 0, groupBy: "first" });
      expect(other.bars.map(({ id }) => id)).toEqual(sum.bars.map(({ id }) => id));
      expect({ ...other.first, bars: [] }).toEqual({ ...sum.first, bars: [] });
      const inside = (graph: typeof sum) => graph.first?.bars.map((bar) => bar.inside.map(([name]) => name));
      expect(inside(other)).toEqual(inside(sum));
    }
  });

  it("of two that are compared is one for both", async () => {
    const { engine, infos } = await opened("ensemble/np8-r1.cali", "ensemble/np27-r1.cali");
    const [one, two] = infos.map(({ id, defaultMetric }) => ({
      dataSet: id,
      metric: defaultMetric,
      over: "mean" as const,
    }));
    const a = await engine.superGraph({ scope: one, compared: two, filter: 0, groupBy: "first" });
    const b = await engine.superGraph({ scope: two, compared: one, filter: 0, groupBy: "first" });
    expect(a.bars.map(({ id, level }) => [id, level])).toEqual(b.bars.map(({ id, level }) => [id, level]));
    expect(a.first?.choice).toEqual(b.first?.choice);
    expect(a.first?.drawn).toEqual(b.first?.drawn);
  });

  it("takes steps from there, by the names on screen", async () => {
    const { engine, infos } = await opened("profile-8ranks.cali");
    const scope = { dataSet: infos[0].id, metric: infos[0].defaultMetric, over: "sum" } as const;
    const graph = await engine.superGraph({ scope, filter: 0, groupBy: "first" });
    const query = { scope, filter: 0, groupBy: "first", first: graph.first?.choice } as const;
    const open = graph.bars.find(({ finer }) => finer !== undefined);
    if (!open) throw new Error("nothing can be expanded");
    const target = { group: open.group };
    const expanded = await engine.superGraph({ ...query, operations: [{ kind: "expand", target }] });
    expect(expanded.bars.length).toBeGreaterThan(graph.bars.length);
    expect(expanded.first).toBeUndefined();
    expect(expanded.bars.some(({ collapsesTo }) => collapsesTo?.group === open.group)).toBe(true);
    const byFile = await engine.superGraph({ ...query, operations: [{ kind: "group-by", groupBy: "file" }] });
    expect(byFile.groupBy).toBe("file");
    const hidden = await engine.superGraph({ ...query, operations: [{ kind: "hide", target }] });
    expect(hidden.bars.map(({ group }) => group)).not.toContain(open.group);
  });

  /** Graphs of 700 functions, each of a load module of its own. @param linked called when entries are linked */
  function graphsOfMany(linked: () => void = () => undefined): Graphs {
    const frame = (at: number) => ({ name: `f${at}`, kind: "function", module: `/home/a/lib${at}` }) as const;
    const { open } = openRecording(Array.from({ length: 700 }, (_, at) => [["main", frame(at)], 0, 700 - at] as const));
    const links = {
      linksOf: async (_: unknown, contexts: readonly number[]) => {
        linked();
        return contexts.map(() => ({ places: [], rule: "unknown", reason: "", considered: [] }));
      },
      definitions: async () => new Map(),
      notes: () => [],
    } as unknown as Links;
    return new Graphs(new SingleSubject(open, links));
  }

  it("lets other questions come between the steps of its choice, and is chosen once for two who ask at once", async () => {
    // Each look at the clock finds that a stretch of work is over.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
    try {
      const order: string[] = [];
      const graphs = graphsOfMany(() => order.push("linked"));
      const isChoosing = (message: string | undefined) => message === "Choosing the first picture";
      const ask = () =>
        graphs.superGraph(
          { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "first" },
          {
            check: () => undefined,
            progress: (_, message) => {
              if (!isChoosing(message)) return;
              order.push("choosing");
              setImmediate(() => order.push("another question"));
            },
          },
        );
      const bases = vi.spyOn(firstBases, "firstBasis");
      const [one, two] = await Promise.all([ask(), ask()]);
      expect(order.slice(0, 5)).toEqual(["choosing", "choosing", "another question", "another question", "linked"]);
      expect(two).toEqual(one);
      expect(bases).toHaveBeenCalledTimes(1);
    } finally {
      clock.mockRestore();
    }
  });

  it("is chosen by another question after the one that chose was cancelled", async () => {
    const graphs = graphsOfMany();
    const scope = { dataSet: 1, metric: 0, over: "sum" } as const;
    const query = { scope, filter: 0, groupBy: "first" } as const;
    let isCancelled = false;
    const cancelled = graphs.superGraph(query, {
      check: () => {
        if (isCancelled) throw new CancelledError();
      },
      progress: () => (isCancelled = true),
    });
    const after = graphs.superGraph(query, quietTask);
    await expect(cancelled).rejects.toThrow(CancelledError);
    expect((await after).first?.bars.length).toBeGreaterThan(0);
    expect(await graphs.superGraph(query, quietTask)).toEqual(await after);
  });

  it("says that a filter was raised only where another one was asked for", async () => {
    const graphs = graphsOfMany();
    const scope = { dataSet: 1, metric: 0, over: "sum" } as const;
    const asked = (first: FirstChoice) => graphs.superGraph({ scope, filter: 0, groupBy: "first", first }, quietTask);
    const choice = { filter: 0, opened: [], alone: [] };
    const raised = await asked(choice);
    expect(raised.filter).toBeGreaterThan(0);
    expect(raised.notes).toHaveLength(1);
    // Whether or not the graph is known.
    for (let at = 0; at < 2; at++)
      expect(await asked({ ...choice, filter: raised.filter })).toEqual({ ...raised, notes: [] });
    expect(await asked(choice)).toEqual(raised);
  });
});
