import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LayoutGraph, NearLayout, QuestionName } from "../../../../src/engine/api";
import {
  type EngineClient,
  EngineGoneError,
  type EngineOptions,
  type QuestionAtWork,
  startEngine,
} from "../../../../src/engine/thread/client";
import { askByName } from "../../../../src/engine/askingEngine";
import { localEngine } from "../../../../src/engine/localEngine";
import { newCacheFolder } from "../../../../src/engine/traces/traceCache";
import { CancelledError, FormatError, RequestError } from "../../../../src/model/errors";
import type { Task } from "../../../../src/model/task";
import { shapeOf } from "../../../../src/panels/superGraph/askedGraphs";
import { miniheat } from "../../../recordings";
import { bundleWorker } from "../../../workerBundle";
import { everything, grammars } from "../miniheat";

const recording = path.join(miniheat, "profiles/profile-8ranks.cali");
let folder: string;
const clients: EngineClient[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-worker-"));
  await bundleWorker(path.join(folder, "worker.js"));
  for (const file of Object.values(grammars)) fs.copyFileSync(file, path.join(folder, path.basename(file)));
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  fs.rmSync(folder, { recursive: true });
});

function start(
  onExit: EngineOptions["onExit"] = () => undefined,
  memoryLimitMegabytes = 1024,
  cacheFolder?: string,
  ownFolder = folder,
): EngineClient {
  const cache = { cacheFolder, cacheMemoryBytes: 1000 };
  const files = { workerFile: path.join(ownFolder, "worker.js"), wasmFolder: ownFolder };
  const client = startEngine({ ...files, memoryLimitMegabytes, ...cache, onExit });
  clients.push(client);
  return client;
}

/** A task that is cancelled from outside, and remembers what it was told. */
function watched(): { task: Task; cancel: () => void; heard: (number | undefined)[] } {
  const listeners: (() => void)[] = [];
  const heard: (number | undefined)[] = [];
  return {
    heard,
    cancel: () => listeners.forEach((listener) => listener()),
    task: {
      check: () => undefined,
      progress: (fraction) => heard.push(fraction),
      onCancel: (listener) => listeners.push(listener),
    },
  };
}

/** A recording whose super graph by function takes long: functions that call each other at random. */
function tangled(contexts = 60_000): string {
  const lines = ["__rec=node,id=12,attr=10,data=276,parent=3", "__rec=node,id=13,attr=8,data=region,parent=12"];
  lines.push("__rec=node,id=14,attr=10,data=2113,parent=5", "__rec=node,id=15,attr=8,data=sum#time.duration,parent=14");
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let id = 20; id < 20 + contexts; id++) {
    const parent = id === 20 ? "" : `,parent=${20 + random(id - 20)}`;
    lines.push(`__rec=node,id=${id},attr=13,data=f${random(3000)}${parent}`, `__rec=ctx,ref=${id},attr=15,data=1.5`);
  }
  const file = path.join(folder, `tangled-${contexts}.cali`);
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Some bars and flows were there before, some were not, some only begin there. */
function nearSome({ level, source, target }: LayoutGraph): NearLayout {
  const passed = Int32Array.from(source, (from, at) => (at % 4 === 3 ? 0 : level[target[at]] - level[from] - 1));
  const first = new Int32Array(source.length + 1);
  passed.forEach((count, at) => (first[at + 1] = first[at] + count));
  return {
    y: Float64Array.from(level, (_, at) => (at % 5 === 4 ? NaN : 0.9 - at / 100)),
    stays: Uint8Array.from(level, (_, at) => Number(at % 3 !== 0)),
    first,
    tops: new Float64Array(first[source.length]).fill(0.5),
  };
}

describe("the engine in a worker", () => {
  it("is no promise: it can be handed through one", async () => {
    const engine = start();
    expect(await Promise.resolve(engine)).toBe(engine);
  });

  it("fails where no such question is known", async () => {
    const engine = start();
    await expect(askByName(engine, "weather" as QuestionName, {})).rejects.toThrow();
    expect((await engine.open({ paths: [recording] })).length).toBe(1);
    // Flags of V8 are those of the whole process: the window's thread has what it had.
    expect(vm.runInNewContext("typeof gc")).toBe("undefined");
  });

  it("answers as the engine in this thread does", async () => {
    const local = localEngine(grammars);
    const remote = start();
    const settings = { folders: [path.join(miniheat, "src")], sourceMap: {} };
    const answers = await Promise.all(
      [local, remote].map(async (engine) => {
        await engine.configure(settings);
        const [info] = await engine.open({ paths: [recording] });
        const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
        const graph = await engine.superGraph(everything(scope, "file"));
        const shape = shapeOf(graph);
        return {
          info: { ...info, seconds: 0 },
          graph,
          layout: await engine.layout({ graph: shape, size: { width: 800, height: 600 } }),
          near: await engine.layout({ graph: shape, size: { width: 800, height: 600, near: nearSome(shape) } }),
          stacked: await engine.layoutStacked({
            graphs: [shape, shape],
            size: { width: 800, height: 600, heading: 20 },
          }),
          hot: await engine.hotFunctions({ scope, by: "exclusive", limit: 10 }),
          roots: await engine.contexts({ scope, limit: 10 }),
          details: await engine.lineDetails({
            scope,
            document: { file: path.join(miniheat, "src/physics.cpp") },
            line: 34,
          }),
          places: await engine.hotPlaces({ scope, limit: 5 }),
        };
      }),
    );
    expect(answers[1]).toEqual(structuredClone(answers[0]));
  });

  it("brings errors back as what they are", async () => {
    const engine = start();
    const empty = path.join(folder, "empty.cali");
    fs.writeFileSync(empty, "");
    await expect(engine.open({ paths: [empty] })).rejects.toThrow(FormatError);
    await expect(
      engine.hotFunctions({ scope: { dataSet: 99, metric: 0, over: "sum" }, by: "exclusive", limit: 1 }),
    ).rejects.toThrow(RequestError);
    const [info] = await engine.open({ paths: [recording] });
    expect(info.ranks.length).toBe(8);
  });

  it("stops in the middle of a computation, and goes on working", async () => {
    const engine = start();
    const reading = watched();
    const [info] = await engine.open({ paths: [tangled()] }, reading.task);
    expect(reading.heard.length).toBeGreaterThan(0);
    const drawing = watched();
    const graph = engine.superGraph(
      everything({ dataSet: info.id, metric: info.defaultMetric, over: "sum" }, "function"),
      drawing.task,
    );
    drawing.cancel();
    await expect(graph).rejects.toThrow(CancelledError);
    expect((await engine.open({ paths: [recording] })).length).toBe(1);
  });

  it("says that it is gone to everyone who waits when it is killed", async () => {
    const reasons: string[] = [];
    const engine = start((reason) => reasons.push(reason));
    await engine.open({ paths: [recording] });
    const waiting = engine.open({ paths: [tangled()] });
    const rejected = expect(waiting).rejects.toThrow(EngineGoneError);
    await engine.kill();
    await rejected;
    await expect(engine.open({ paths: [recording] })).rejects.toThrow(EngineGoneError);
    expect(reasons.length).toBe(1);
  });

  it("reports which question it was working on when it ended: no other is to blame", async () => {
    const ends: (QuestionAtWork | undefined)[] = [];
    for (const busy of [true, false]) {
      const engine = start((_, atWork) => ends.push(atWork));
      const [{ id: dataSet }] = await engine.open({ paths: [tangled()] });
      const [{ id: other }] = await engine.open({ paths: [recording] });
      const scope = { dataSet, metric: 0, over: "sum" as const };
      const progress = watched();
      const waiting: Promise<unknown>[] = [];
      if (busy) {
        waiting.push(engine.superGraph({ scope, filter: 0, groupBy: "function" }, progress.task));
        // It is deep in the graph when the others come.
        while (progress.heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        waiting.push(engine.total({ ...scope, dataSet: other }));
      }
      const gone = Promise.allSettled(waiting);
      await engine.kill();
      expect((await gone).every(({ status }) => status === "rejected")).toBe(true);
    }
    expect(ends).toEqual([expect.objectContaining({ question: "superGraph" }), undefined]);
  });

  it("refuses what needs more memory than it may take, and lives on", async () => {
    const engine = start(undefined, 48);
    await expect(engine.open({ paths: [tangled(400_000)] })).rejects.toThrow(
      /more memory than Heatflow may take.*heatflow\.limits\.memory/,
    );
    expect((await engine.open({ paths: [recording] })).length).toBe(1);
  });

  it("counts what reading threads have handed over", async () => {
    const files = Array.from({ length: 6 }, (_, rank) => path.join(folder, `large-${rank}.cali`));
    for (const file of files) {
      fs.copyFileSync(recording, file);
      // With holes, so large that threads pay.
      fs.truncateSync(file, 50e6);
    }
    const ownFolder = path.join(folder, "handedOver");
    fs.mkdirSync(ownFolder);
    for (const name of fs.readdirSync(folder).filter((one) => /worker\.js$|\.wasm$/.test(one)))
      fs.copyFileSync(path.join(folder, name), path.join(ownFolder, name));
    // Hands 40 MB over for each file.
    fs.writeFileSync(
      path.join(ownFolder, "reader.js"),
      `const { parentPort } = require("node:worker_threads");
      parentPort.on("message", ({ index }) => setTimeout(() => {
        const root = new Uint8Array(40e6);
        const result = { root, instances: [], classOf: new Uint8Array() };
        parentPort.postMessage({ kind: "read", index, opened: [], result }, [root.buffer]);
      }, 100));`,
    );
    const engine = start(undefined, 100, undefined, ownFolder);
    await expect(engine.open({ paths: files })).rejects.toThrow(/more memory than Heatflow may take/);
    expect((await engine.open({ paths: [recording] })).length).toBe(1);
  });

  it("leaves no columns of traces on disk, ended or killed, and removes those of dead processes", async () => {
    const cacheFolder = path.join(folder, "traces");
    const events = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/events-${rank}.cali`));
    const dead = path.join(cacheFolder, path.basename(newCacheFolder("")).replace(/-\d+-\d+-/, "-99999999-1-"));
    fs.mkdirSync(dead, { recursive: true });
    for (const end of ["dispose", "kill"] as const) {
      const engine = start(undefined, undefined, cacheFolder);
      const [info] = await engine.open({ paths: events });
      expect((await engine.lanes({ dataSet: info.id, limit: 100 })).rows).toHaveLength(8);
      expect(fs.existsSync(dead)).toBe(false);
      expect(fs.readdirSync(cacheFolder)).toHaveLength(1);
      await engine[end]();
      expect(fs.readdirSync(cacheFolder)).toEqual([]);
    }
  });
});
