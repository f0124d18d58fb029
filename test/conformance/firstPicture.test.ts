/** The first picture of every HPCToolkit and callgrind recording (semantics 2.2), against functions and files counted here once more. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import type { DataSet } from "../../src/model/dataSet";
import { isFunctionKind } from "../../src/model/frames";
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

const UNNAMED = "";

/** A context's function, where it is defined and what it was loaded from: those of the nearest function around it. */
function functionsOf({ tree, frames }: DataSet) {
  const text = (index: number) => (index < 0 ? UNNAMED : frames.strings.get(index));
  const all: { name: string; file: string; module: string }[] = [];
  tree.frame.forEach((frame, context) => {
    const own = { name: frames.nameOf(frame), file: text(frames.file[frame]), module: text(frames.moduleIndex(frame)) };
    const above = tree.parent[context];
    all.push(isFunctionKind(frames.kindOf(frame)) || above < 0 ? own : all[above]);
  });
  return all;
}

/** Names of the functions that have at least 0.1 % of the total, with the exclusive of their contexts by file and by module. */
function counted(dataSet: DataSet, metric: number) {
  const { tree } = dataSet;
  const { rowStart, value } = dataSet.values[metric];
  const own = Array.from(tree.frame, (_, context) =>
    value.slice(rowStart[context], rowStart[context + 1]).reduce((sum, one) => sum + one, 0),
  );
  const total = own.reduce((sum, one) => sum + one, 0);
  const functions = functionsOf(dataSet);
  const keys = functions.map((one) => JSON.stringify(one));
  const inclusive = new Map<string, number>();
  own.forEach((one, context) => {
    const through = new Set<string>();
    for (let at = context; at >= 0; at = tree.parent[at]) through.add(keys[at]);
    for (const key of through) inclusive.set(key, (inclusive.get(key) ?? 0) + one);
  });
  const kept = new Set([...inclusive].filter(([, sum]) => sum >= 0.001 * total * (1 + 1e-9)).map(([key]) => key));
  const shares = (of: "file" | "module") => {
    const sums = new Map<string, number>();
    functions.forEach((one, context) => {
      const isMpi = /^P?MPI_/.test(one.name);
      if (kept.has(keys[context]) && !isMpi && one[of] !== UNNAMED)
        sums.set(one[of], (sums.get(one[of]) ?? 0) + own[context] / total);
    });
    return sums;
  };
  return { names: new Set([...kept].map((key) => (JSON.parse(key) as { name: string }).name)), shares };
}

describe.runIf(shared)("the first picture", () => {
  const files = ["hpctoolkit-v2", "hpctoolkit-v4", "other/callgrind"].flatMap(openable);

  it.each(files)(
    "of %s has four bars where there are four functions, and no file or module with most of it",
    async (file) => {
      const engine = localEngine(grammars);
      for (const { id: dataSet, defaultMetric: metric, metrics } of await engine.open({
        paths: [path.join(data, file)],
      })) {
        if (metric < 0 || !(metrics[metric].total > 0)) continue;
        const scope = { dataSet, metric, over: "mean" } as const;
        const { bars, groupBy } = await engine.superGraph({ scope, filter: 0.1, groupBy: "adaptive" });
        const { names, shares } = counted(engine.dataSet(dataSet), metric);
        expect(bars.length, groupBy).toBeGreaterThanOrEqual(Math.min(4, names.size));
        if (groupBy !== "file" && groupBy !== "module") continue;
        for (const [group, share] of shares(groupBy)) expect(share, group).toBeLessThanOrEqual(0.7 + 1e-9);
      }
    },
  );

  it("is there for as many recordings as there are", () => expect(files.length).toBeGreaterThan(20));
});
