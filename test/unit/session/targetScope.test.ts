/** What trees and commands show of an ensemble's target: against the run opened by itself. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Engine, HotPlace } from "../../../src/engine/api";
import { localEngine } from "../../../src/engine/localEngine";
import type { Session } from "../../../src/session/session";
import { shownScope, shownScopeText } from "../../../src/session/targetScope";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";

const folder = path.join(miniheat, "profiles/ensemble");

async function opened(paths: readonly string[], ensemble?: object) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths, ...(ensemble ? { ensemble } : {}) });
  return { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const };
}

/** A session whose scope is a method of it, as the window's own is. */
const sessionOf = ({ info, scope }: Awaited<ReturnType<typeof opened>>, run?: string) =>
  ({
    dataSets: [info],
    current: info,
    known: scope,
    scope(this: { readonly known: typeof scope }) {
      return this.known;
    },
    ...(run === undefined ? {} : { ensembleTarget: { dataSet: info.id, run } }),
  }) as unknown as Session;

/** Functions, roots and hottest line. */
async function numbers(engine: Engine, scope: NonNullable<ReturnType<typeof shownScope>>) {
  const functions = await engine.hotFunctions({ scope, by: "exclusive", limit: 1000 });
  const { rows } = await engine.contexts({ scope, limit: 1000 });
  const place: HotPlace | undefined = (await engine.hotPlaces({ scope, limit: 1 })).at(0);
  const costs = [...functions, ...rows].filter(({ inclusive }) => inclusive > 0);
  return {
    costs: new Map(costs.map(({ name, exclusive, inclusive }) => [name, [exclusive, inclusive]])),
    line: place?.link.places[0].line,
    total: await engine.total(scope),
  };
}

it.each(["np16-r2", "np1-r1", "np27-r3"])("trees show of the target %s what it has by itself", async (run) => {
  const all = await opened([folder], {});
  const session = sessionOf(all, run);
  const scope = shownScope(session);
  const one = await opened([path.join(folder, `${run}.cali`)]);
  if (!scope) throw new Error("no scope");
  const [found, own] = [await numbers(all.engine, scope), await numbers(one.engine, one.scope)];
  expect([...found.costs.keys()].sort()).toEqual([...own.costs.keys()].sort());
  for (const [name, values] of own.costs)
    values.forEach((value, at) => expect(found.costs.get(name)?.[at], name).toBeCloseTo(value, 12));
  expect(found.total).toBeCloseTo(own.total, 12);
  expect(found.line).toBe(own.line);
  expect(shownScopeText(session, all.info, scope)).toBe(`time · run ${run}`);
});

it("an ensemble says what its runs are called; without a target all of them are shown", async () => {
  const all = await opened([folder], {});
  const names = fs.readdirSync(folder).map((file) => path.basename(file, ".cali"));
  expect(all.info.ensemble?.names).toEqual(names.sort());
  expect(all.info.ensemble?.lacking).toEqual(all.info.metrics.map(() => []));
  for (const run of [undefined, "np9-r9"]) expect(shownScope(sessionOf(all, run))).toBe(all.scope);
});
