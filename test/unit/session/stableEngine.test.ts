import { describe, expect, it } from "vitest";
import type { Engine, Scope } from "../../../src/engine/api";
import type { EngineClient } from "../../../src/engine/thread/client";
import { EngineHost } from "../../../src/session/engineHost";
import { StableEngine } from "../../../src/session/stableEngine";

/** An engine that writes down what it is asked, and whose answers the test gives. */
function recorder(calls: unknown[][]): EngineClient {
  const answer =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve([]);
    };
  return new Proxy({} as EngineClient, { get: (_, name) => answer(String(name)) });
}

function setUp() {
  const calls: unknown[][] = [];
  const exits: ((reason: string) => void)[] = [];
  const ended: string[] = [];
  const host = new EngineHost(
    (onExit) => {
      exits.push(onExit);
      return recorder(calls);
    },
    () => undefined,
    (reason) => ended.push(reason),
  );
  return { calls, exits, ended, host, engine: new StableEngine(host) as Engine };
}

const scope: Scope = { dataSet: 7, metric: 0, over: "sum" };

describe("the engine under stable numbers", () => {
  it("starts no worker before it is asked for one", () => {
    const { host, exits } = setUp();
    host.expect(7);
    expect(exits).toHaveLength(0);
    expect(host.running).toBeUndefined();
  });

  it("asks under the worker's own number, in scopes, queries and targets", async () => {
    const { host, engine, calls } = setUp();
    host.replaced(7, 42);
    const query = { scope, filter: 0, groupBy: "file" } as const;
    await engine.hotFunctions(scope, "exclusive", 5);
    await engine.pathOf(7, 3);
    await engine.superGraph(query);
    await engine.hotPlaces(scope, { kind: "bar", query, bar: "a" }, 1);
    const own = { ...scope, dataSet: 42 };
    expect(calls).toEqual([
      ["hotFunctions", own, "exclusive", 5],
      ["pathOf", 42, 3],
      ["superGraph", { ...query, scope: own }, undefined],
      ["hotPlaces", own, { kind: "bar", query: { ...query, scope: own }, bar: "a" }, 1, undefined],
    ]);
  });

  it("knows both recordings of a graph that compares two", async () => {
    const { host, engine, calls } = setUp();
    host.replaced(7, 42);
    host.replaced(8, 43);
    const query = { scope, filter: 0, groupBy: "file", compared: { ...scope, dataSet: 8 } } as const;
    const own = { ...query, scope: { ...scope, dataSet: 42 }, compared: { ...scope, dataSet: 43 } };
    await engine.superGraph(query);
    await engine.barHistograms(query, { of: "exclusive", by: "rank", bins: 20 });
    await engine.hotPlaces(scope, { kind: "bar", query, bar: "a" }, 1);
    await engine.spread(scope, "rank", [undefined, { kind: "bar", query, bar: "a" }]);
    await engine.flameDetails({ scope, of: { kind: "bar", query, bar: "a" }, order: "left-heavy" }, 3);
    expect(calls).toEqual([
      ["superGraph", own, undefined],
      ["barHistograms", own, { of: "exclusive", by: "rank", bins: 20 }, undefined],
      ["hotPlaces", own.scope, { kind: "bar", query: own, bar: "a" }, 1, undefined],
      ["spread", own.scope, "rank", [undefined, { kind: "bar", query: own, bar: "a" }], undefined],
      [
        "flameDetails",
        { scope: own.scope, of: { kind: "bar", query: own, bar: "a" }, order: "left-heavy" },
        3,
        undefined,
      ],
    ]);
  });

  it("goes on waiting when the worker ends again before the recording is open", async () => {
    const { host, engine, calls } = setUp();
    host.expect(7);
    const asked = engine.pathOf(7, 3);
    host.expect(7);
    host.replaced(7, 42);
    await asked;
    expect(calls).toEqual([["pathOf", 42, 3]]);
  });

  it("never asks a new worker under the number of an old one", async () => {
    const { host, engine, calls } = setUp();
    host.replaced(7, 1);
    host.failed(7, new Error("it stays closed"));
    await expect(engine.pathOf(7, 3)).rejects.toThrow("it stays closed");
    expect(calls).toEqual([]);
  });

  it("waits while a recording is being reopened by a new worker", async () => {
    const { host, engine, calls, exits, ended } = setUp();
    host.engine();
    host.replaced(7, 1);
    exits[0]("it crashed");
    expect(ended).toEqual(["it crashed"]);
    expect(host.running).toBeUndefined();
    host.expect(7);
    const asked = engine.hotFunctions(scope, "exclusive", 1);
    await Promise.resolve();
    expect(calls).toEqual([]);
    host.opened(7, 2);
    await asked;
    expect(exits).toHaveLength(2);
    expect(calls).toEqual([["hotFunctions", { ...scope, dataSet: 2 }, "exclusive", 1]]);
  });

  it("knows what the worker is busy with, and no longer when it is done", async () => {
    const { host, engine } = setUp();
    host.replaced(7, 1);
    const asked = [engine.pathOf(7, 1), engine.pathOf(7, 2)];
    await Promise.resolve();
    await Promise.resolve();
    expect([...host.busy.keys()]).toEqual([7]);
    await Promise.all(asked);
    expect(host.busy.size).toBe(0);
  });

  it("says that a closed data set is not open", async () => {
    const { host, engine } = setUp();
    await expect(engine.pathOf(7, 0)).rejects.toThrow("not open");
    host.expect(7);
    const asked = engine.pathOf(7, 0);
    host.forget(7);
    await expect(asked).rejects.toThrow("was closed");
  });

  it("hears nothing of a worker that it ended itself", async () => {
    const { host, exits, ended } = setUp();
    host.engine();
    await host.dispose();
    exits[0]("ended");
    expect(ended).toEqual([]);
  });

  it("lets nobody open or close behind the session's back", async () => {
    const { engine } = setUp();
    await expect(engine.open({ paths: ["/a"] })).rejects.toThrow("through the session");
    await expect(engine.close(7)).rejects.toThrow("through the session");
  });
});
