/** Numbers of windows of time (semantics 9): those of the whole run are the profile's, those of its parts add up to them. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Scope, TimeWindow } from "../../src/engine/api";
import { localEngine, type LocalEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const at = (...parts: string[]) => path.join(shared ?? "", ...parts);
const below = (folder: string, pattern: RegExp) =>
  shared ? fs.readdirSync(at(folder)).flatMap((name) => (pattern.test(name) ? [at(folder, name)] : [])) : [];

/** Time that no event has: from a thread's start to its first region, between regions, behind the last one. */
const OUTSIDE = "(no region)";

/** Whose profile is made from the same events. */
const RECORDINGS: readonly (readonly [string, readonly string[]])[] = [
  ["Caliper's events", below("miniapp/profiles/trace", /^events-/)],
  ["Caliper's messages", below("miniapp/profiles/trace", /^messages-/)],
  ["Kineto", [at("data/other/kineto/resnet50_worker0.pt.trace.json.gz")]],
  ...below("data/other/chrome-trace", /^(?:simple|multiprocess|invalid-x|out-of-order|x-events).*json$/).map(
    (file) => [path.basename(file), [file]] as const,
  ),
];

async function numbers(engine: LocalEngine, scope: Scope): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const walk = async (parent?: number): Promise<void> => {
    const { rows } = await engine.contexts({ scope, limit: 1e6, ...(parent === undefined ? {} : { parent }) });
    for (const { context, name, exclusive, inclusive } of rows) {
      if (name === OUTSIDE) continue;
      found.set(`${context} exclusive`, exclusive);
      found.set(`${context} inclusive`, inclusive);
      await walk(context);
    }
  };
  await walk();
  return found;
}

function expectClose(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, value] of expected)
    expect(Math.abs((found.get(key) ?? 0) - value), key).toBeLessThanOrEqual(1e-9 * value);
}

describe.runIf(shared)("a window of time", () => {
  it.each(RECORDINGS)(
    "of the whole run has the profile's numbers, and its parts add up to them: %s",
    async (_, paths) => {
      const engine = localEngine(grammars);
      const [info] = await engine.open({ paths });
      const metric = info.metrics.findIndex(({ ofEvents }) => ofEvents);
      // Where there are samples, "time" is theirs.
      if (metric < 0) expect(info.metrics.map(({ name }) => name)).toContain("samples");
      else {
        const { startSeconds: start, endSeconds: end } = info.trace ?? { startSeconds: 0, endSeconds: 0 };
        const scope = (over: Scope["over"], window?: TimeWindow): Scope => ({
          ...{ dataSet: info.id, metric, over },
          ...(window === undefined ? {} : { window }),
        });
        for (const over of ["sum", "mean", "max"] as const)
          expectClose(await numbers(engine, scope(over, { from: start, to: end })), await numbers(engine, scope(over)));
        const cuts = [start, ...[0.1, 0.34, 0.35, 0.8].map((part) => start + part * (end - start)), end];
        const sums = new Map<string, number>();
        for (let part = 0; part + 1 < cuts.length; part++)
          for (const [key, value] of await numbers(engine, scope("sum", { from: cuts[part], to: cuts[part + 1] })))
            sums.set(key, (sums.get(key) ?? 0) + value);
        expectClose(sums, await numbers(engine, scope("sum")));
      }
      await engine.dispose();
    },
  );

  it("is refused for what was not recorded over time", async () => {
    const engine = localEngine(grammars);
    const [{ id, metrics }] = await engine.open({ paths: [at("miniapp/profiles/profile-8ranks.cali")] });
    const scope = { dataSet: id, metric: 0, over: "sum", window: { from: 0, to: 1 } } as const;
    await expect(engine.contexts({ scope, limit: 1 })).rejects.toThrow(`${metrics[0].name} is not recorded over time`);
    await engine.dispose();
  });
});
