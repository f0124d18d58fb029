/** Numbers of windows of time (semantics 9): those of the whole run are the profile's, those of its parts add up to them. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Scope, TimeWindow } from "../../src/engine/api";
import { localEngine, type LocalEngine } from "../../src/engine/localEngine";
import { eventKinds } from "../../src/model/eventKinds";
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
          dataSet: info.id,
          metric,
          over,
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

  it.each(RECORDINGS)("of all kinds of work, one by one, adds up to the profile's numbers: %s", async (_, paths) => {
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths });
    const metric = info.metrics.findIndex(({ ofEvents }) => ofEvents);
    if (metric >= 0) {
      const scope: Scope = { dataSet: info.id, metric, over: "sum" };
      const sums = new Map<string, number>();
      for (const kind of eventKinds)
        for (const [key, value] of await numbers(engine, { ...scope, kinds: { of: [kind] } }))
          sums.set(key, (sums.get(key) ?? 0) + value);
      expectClose(sums, await numbers(engine, scope));
    }
    await engine.dispose();
  });

  it("of communication has what another program says of MPI, of each rank, in lists, graph and flames alike", async () => {
    const golden = JSON.parse(fs.readFileSync(at("miniapp/profiles/golden/events.mpi-functions.json"), "utf8")) as {
      readonly path?: string;
      readonly "mpi.rank": number;
      readonly ns: number;
    }[];
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: below("miniapp/profiles/trace", /^events-/) });
    const metric = info.metrics.findIndex(({ ofEvents }) => ofEvents);
    for (const ranks of [[0], [3, 5], [0, 1, 2, 3, 4, 5, 6, 7]]) {
      const chosen = { by: "rank", members: ranks.map(String) } as const;
      const scope: Scope = { dataSet: info.id, metric, over: "sum", chosen, kinds: { of: ["communication"] } };
      const own = golden.filter((one) => one.path !== undefined && ranks.includes(one["mpi.rank"]));
      const expected = own.reduce((sum, { ns }) => sum + ns, 0) * 1e-9;
      const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 100 });
      const spent = rows.filter(({ exclusive }) => exclusive > 0);
      expect(new Set(spent.map(({ name }) => name))).toEqual(new Set(own.map(({ path: name }) => name)));
      for (const { name, exclusive } of spent) {
        const ns = own.filter(({ path: one }) => one === name).reduce((sum, one) => sum + one.ns, 0);
        expect(Math.abs(exclusive - ns * 1e-9), name).toBeLessThan(1e-9 * Math.max(1, ns * 1e-9));
      }
      const { bars, hidden } = await engine.superGraph({ scope, filter: 0, groupBy: "function" });
      const inBars = bars.reduce((sum, bar) => sum + bar.exclusive + bar.hidden, hidden);
      expect(inBars).toBeCloseTo(expected, 9);
      const { total } = await engine.flames({
        query: { scope, of: { kind: "recording" }, order: "left-heavy" },
        window: { from: 0, to: 1, asShares: true, width: 600, firstDepth: 0, endDepth: 50 },
      });
      expect(total).toBeCloseTo(expected, 9);
    }
    await engine.dispose();
  });

  it("is refused for what was not recorded over time", async () => {
    const engine = localEngine(grammars);
    const [{ id, metrics }] = await engine.open({ paths: [at("miniapp/profiles/profile-8ranks.cali")] });
    const scope = { dataSet: id, metric: 0, over: "sum", window: { from: 0, to: 1 } } as const;
    await expect(engine.contexts({ scope, limit: 1 })).rejects.toThrow(`${metrics[0].name} is not recorded over time`);
    await engine.dispose();
  });
});
