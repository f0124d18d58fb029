import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/engine/api";
import type { EngineClient, EngineOptions } from "../../../src/engine/thread/client";
import { EngineHost, type Work } from "../../../src/session/engineHost";
import { stableEngine } from "../../../src/session/stableEngine";

/** An engine that writes down what it is asked, and whose answers the test gives. */
function recorder(calls: unknown[][]): EngineClient {
  const answer = (name: string) => (argument: unknown) => {
    calls.push([name, argument]);
    return Promise.resolve([]);
  };
  return new Proxy({} as EngineClient, { get: (_, name) => answer(String(name)) });
}

function setUp() {
  const calls: unknown[][] = [];
  const exits: EngineOptions["onExit"][] = [];
  const ended: string[] = [];
  const works: Work[] = [];
  const host = new EngineHost(
    (onExit) => {
      exits.push(onExit);
      return recorder(calls);
    },
    () => undefined,
    (reason, work) => {
      ended.push(reason);
      works.push(work);
    },
  );
  return { calls, exits, ended, works, host, engine: stableEngine(host) };
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
    await engine.hotFunctions({ scope, by: "exclusive", limit: 5 });
    await engine.pathOf({ dataSet: 7, context: 3 });
    await engine.superGraph(query);
    await engine.hotPlaces({ scope, target: { kind: "bar", query, bar: "a" }, limit: 1 });
    const own = { ...scope, dataSet: 42 };
    expect(calls).toEqual([
      ["hotFunctions", { scope: own, by: "exclusive", limit: 5 }],
      ["pathOf", { dataSet: 42, context: 3 }],
      ["superGraph", { ...query, scope: own }],
      ["hotPlaces", { scope: own, target: { kind: "bar", query: { ...query, scope: own }, bar: "a" }, limit: 1 }],
    ]);
  });

  it("knows both recordings of a graph that compares two", async () => {
    const { host, engine, calls } = setUp();
    host.replaced(7, 42);
    host.replaced(8, 43);
    const query = { scope, filter: 0, groupBy: "file", compared: { ...scope, dataSet: 8 } } as const;
    const own = { ...query, scope: { ...scope, dataSet: 42 }, compared: { ...scope, dataSet: 43 } };
    await engine.superGraph(query);
    await engine.barHistograms({ query, of: "exclusive", by: "rank", bins: 20 });
    await engine.hotPlaces({ scope, target: { kind: "bar", query, bar: "a" }, limit: 1 });
    await engine.spread({ scope, by: "rank", targets: [undefined, { kind: "bar", query, bar: "a" }] });
    await engine.flameDetails({ query: { scope, of: { kind: "bar", query, bar: "a" }, order: "left-heavy" }, node: 3 });
    expect(calls).toEqual([
      ["superGraph", own],
      ["barHistograms", { query: own, of: "exclusive", by: "rank", bins: 20 }],
      ["hotPlaces", { scope: own.scope, target: { kind: "bar", query: own, bar: "a" }, limit: 1 }],
      ["spread", { scope: own.scope, by: "rank", targets: [undefined, { kind: "bar", query: own, bar: "a" }] }],
      [
        "flameDetails",
        { query: { scope: own.scope, of: { kind: "bar", query: own, bar: "a" }, order: "left-heavy" }, node: 3 },
      ],
    ]);
  });

  it("goes on waiting when the worker ends again before the recording is open", async () => {
    const { host, engine, calls } = setUp();
    host.expect(7);
    const asked = engine.pathOf({ dataSet: 7, context: 3 });
    host.expect(7);
    host.replaced(7, 42);
    await asked;
    expect(calls).toEqual([["pathOf", { dataSet: 42, context: 3 }]]);
  });

  it("never asks a new worker under the number of an old one", async () => {
    const { host, engine, calls } = setUp();
    host.replaced(7, 1);
    host.failed(7, new Error("it stays closed"));
    await expect(engine.pathOf({ dataSet: 7, context: 3 })).rejects.toThrow("it stays closed");
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
    const asked = engine.hotFunctions({ scope, by: "exclusive", limit: 1 });
    await Promise.resolve();
    expect(calls).toEqual([]);
    host.opened(7, 2);
    await asked;
    expect(exits).toHaveLength(2);
    expect(calls).toEqual([["hotFunctions", { scope: { ...scope, dataSet: 2 }, by: "exclusive", limit: 1 }]]);
  });

  it("asks one worker, where the first one ended while another recording was waited for", async () => {
    const { host, engine, calls, exits } = setUp();
    host.engine();
    host.replaced(7, 1);
    host.expect(8);
    const asked = engine.superGraph({ scope, filter: 0, groupBy: "file", compared: { ...scope, dataSet: 8 } });
    await Promise.resolve();
    exits[0]("it crashed");
    host.expect(7);
    host.engine();
    host.opened(8, 1);
    await Promise.resolve();
    host.opened(7, 2);
    await asked;
    expect(calls).toMatchObject([["superGraph", { scope: { dataSet: 2 }, compared: { dataSet: 1 } }]]);
  });

  it("knows which recordings the worker was working on when it ended, not those that were waiting", async () => {
    const { host, engine, exits, works } = setUp();
    host.replaced(7, 1);
    host.replaced(8, 2);
    await Promise.all([engine.pathOf({ dataSet: 7, context: 1 }), engine.pathOf({ dataSet: 8, context: 2 })]);
    exits[0]("it crashed", { question: "pathOf", argument: { dataSet: 2, context: 2 } });
    host.engine();
    exits[1]("it crashed", { question: "open", argument: { paths: ["/a"] } });
    host.engine();
    exits[2]("it crashed");
    expect(works).toEqual([
      { dataSets: [8], reading: false },
      { dataSets: [], reading: true },
      { dataSets: [], reading: true },
    ]);
  });

  it("says that a closed data set is not open", async () => {
    const { host, engine } = setUp();
    await expect(engine.pathOf({ dataSet: 7, context: 0 })).rejects.toThrow("no longer open");
    host.expect(7);
    const asked = engine.pathOf({ dataSet: 7, context: 0 });
    host.forget(7);
    await expect(asked).rejects.toThrow("was closed");
  });

  it("is not notified of a worker that it ended itself", async () => {
    const { host, exits, ended } = setUp();
    host.engine();
    await host.dispose();
    exits[0]("ended");
    expect(ended).toEqual([]);
  });

  it("lets nobody open or close behind the session's back", async () => {
    const { engine } = setUp();
    await expect(engine.open({ paths: ["/a"] })).rejects.toThrow("through the session");
    await expect(engine.close({ dataSet: 7 })).rejects.toThrow("through the session");
  });
});
