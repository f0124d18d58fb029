/** First pictures of every HPCToolkit and callgrind recording: what all of them keep (semantics 2, rules 4 and 7). */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const data = path.join(shared ?? "", "data");

/** Databases and files that can be opened, below a folder. */
function openable(folder: string): string[] {
  if (!shared) return [];
  return fs
    .readdirSync(path.join(data, folder), { withFileTypes: true, recursive: true })
    .filter(({ name }) => /^(experiment\.xml|meta\.db)$|^callgrind\./.test(name))
    .map(({ parentPath, name }) => (name.startsWith("callgrind") ? path.join(parentPath, name) : parentPath))
    .map((file) => path.relative(data, file))
    .sort();
}

describe.runIf(shared)("the first picture", () => {
  const files = ["hpctoolkit-v2", "hpctoolkit-v4", "other/callgrind"].flatMap(openable);

  it.each(files)("of %s is small, adds up, and is the same from its choice", async (file) => {
    const [engine, another] = [localEngine(grammars), localEngine(grammars)];
    const paths = [path.join(data, file)];
    await another.open({ paths });
    for (const { id: dataSet, defaultMetric: metric, metrics } of await engine.open({ paths })) {
      if (metric < 0 || !(metrics[metric].total > 0)) continue;
      const query = { scope: { dataSet, metric, over: "sum" }, filter: 0, groupBy: "first" } as const;
      const graph = await engine.superGraph(query);
      const { first, bars, filtered, total } = graph;
      if (!first) throw new Error("it is no first picture");
      expect(bars.length).toBeLessThanOrEqual(30);
      expect(first.drawn.length).toBeLessThanOrEqual(60);
      expect(Math.max(...bars.map(({ level }) => level))).toBeLessThan(12);
      // The filter alone may hide up to 90 % of a flat profile, while nothing is opened.
      expect(filtered.exclusive / total).toBeLessThanOrEqual(first.opened.length > 0 ? 0.21 : 0.9);
      const sum = bars.reduce((all, { exclusive, hidden }) => all + exclusive + hidden, graph.hidden);
      expect(Math.abs(sum - total)).toBeLessThanOrEqual(1e-9 * total);
      // In an engine that has chosen nothing.
      expect(await another.superGraph({ ...query, first: first.choice })).toMatchObject({
        bars,
        edges: graph.edges,
        total,
        filter: graph.filter,
      });
    }
  });

  it("is there for as many recordings as there are", () => expect(files.length).toBeGreaterThan(20));
});
