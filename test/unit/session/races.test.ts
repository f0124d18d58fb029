/** Openings, closings and ends of the worker in every order: reads end when the test says so. */
import type * as vscode from "vscode";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ArgumentOf, OpenRequest } from "../../../src/engine/api";
import { type EngineClient, EngineGoneError } from "../../../src/engine/thread/client";
import { FormatError } from "../../../src/model/errors";
import type { Task } from "../../../src/model/task";
import type { SourceFeed } from "../../../src/session/sourceFeed";
import { WindowSession } from "../../../src/session/windowSession";
import { seeds } from "../randomCases";
import { seeded } from "../supergraph/random";
import { dataSetInfo } from "./sampleInfo";
import { type Heard, memento } from "./standInForVsCode";

const heard = vi.hoisted(() => ({ commands: [], trees: [], customEditors: [], messages: [] }) as Heard);
vi.mock("vscode", async () => (await import("./standInForVsCode")).standIn(heard));
// No path exists, and that is known at once.
vi.mock("node:fs/promises", () => ({ default: { stat: () => Promise.reject(new Error("not there")) } }));

interface Read {
  readonly paths: readonly string[];
  readonly succeed: () => void;
  readonly fail: (error: Error) => void;
  isCancelled: boolean;
}

/** Files of a path. A folder has the file that another path names. */
const filesOf = (path: string) => (path === "/folder" ? ["/a"] : [path]);

/** A worker whose reads end when they are told to. */
class SlowWorker {
  readonly reads: Read[] = [];
  /** Files of each open data set, by its number. */
  readonly open = new Map<number, readonly string[]>();
  private isGone = false;
  private lastId = 0;

  constructor(
    private readonly number: number,
    private readonly onExit: (reason: string) => void,
  ) {}

  get client(): EngineClient {
    const quiet = () => this.answer(() => undefined);
    return {
      configure: quiet,
      setOpenTexts: quiet,
      dispose: quiet,
      wantedSymbols: () => new Promise(() => undefined),
      open: (request: OpenRequest, task: Task) => this.read(request.paths, task),
      close: ({ dataSet }: ArgumentOf<"close">) => this.answer(() => this.open.delete(dataSet)),
      // Its answer names the files that the worker has under this number.
      timelineFacts: ({ dataSet }: { dataSet: number }) => this.answer(() => this.open.get(dataSet)),
    } as unknown as EngineClient;
  }

  private answer<T>(work: () => T): Promise<T> {
    return this.isGone ? Promise.reject(new EngineGoneError("it ended")) : Promise.resolve().then(work);
  }

  private read(paths: readonly string[], task: Task): Promise<unknown> {
    if (this.isGone) return Promise.reject(new EngineGoneError("it ended"));
    return new Promise((resolve, reject) => {
      const end = () => this.reads.splice(this.reads.indexOf(read), 1);
      const read: Read = {
        paths,
        isCancelled: false,
        succeed: () => {
          end();
          const infos = paths.map((path) => {
            const id = this.number * 100 + ++this.lastId;
            this.open.set(id, filesOf(path));
            return dataSetInfo({ id, name: `recording ${path}`, files: filesOf(path) });
          });
          resolve(infos);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      task.onCancel?.(() => (read.isCancelled = true));
      this.reads.push(read);
    });
  }

  crash(): void {
    this.isGone = true;
    this.open.clear();
    for (const read of Array.from(this.reads)) read.fail(new EngineGoneError("it ended"));
    this.onExit("it ended");
  }
}

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), debug: vi.fn(), show: vi.fn() };
const nothing = () => ({ dispose: () => undefined });
const source = {
  onDidChangeSettings: nothing,
  onDidChangeTexts: nothing,
  onDidSave: nothing,
  sourceSettings: () => ({ folders: [], sourceMap: {} }),
  unsavedTexts: () => [],
} as unknown as SourceFeed;

class Window {
  readonly workers: SlowWorker[] = [];
  readonly session: WindowSession;

  constructor(readonly state = memento()) {
    this.session = new WindowSession({
      startEngine: (onExit) => {
        const worker = new SlowWorker(this.workers.length + 1, (reason) => onExit(reason, undefined));
        this.workers.push(worker);
        return worker.client;
      },
      source,
      state,
      log: log as unknown as vscode.LogOutputChannel,
    });
  }

  get worker(): SlowWorker | undefined {
    return this.workers.at(-1);
  }

  get reads(): readonly Read[] {
    return this.worker?.reads ?? [];
  }

  open(...paths: string[]) {
    return this.session.open(paths.map((path) => ({ scheme: "file", fsPath: path }) as vscode.Uri));
  }

  /** All reads succeed, and those that begin after them. */
  async settle(): Promise<void> {
    await settled();
    for (let read = this.reads.at(0); read; read = this.reads.at(0)) {
      read.succeed();
      await settled();
    }
  }
}

/** All that can go on without a read has gone on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const unreadable = (file: string) =>
  new FormatError({ file, found: "nothing", expected: "a file", advice: "Look elsewhere." });

afterEach(() => {
  heard.messages.length = 0;
  vi.clearAllMocks();
});

describe("a window in which things happen at once", () => {
  /** What must hold when nothing goes on. */
  async function expectConsistent({ session, worker, reads, state }: Window): Promise<void> {
    expect(reads).toEqual([]);
    const [saved] = state.keys().map((key) => state.get<{ recordings: readonly unknown[] }>(key)?.recordings);
    const { dataSets, closedRecordings } = session;
    expect(saved?.length ?? 0, "each is open, or closed with a reason").toBe(dataSets.length + closedRecordings.length);
    const listed = session.dataSets.map(({ files }) => files);
    expect(new Set(listed.map(String)).size, "a recording is listed once").toBe(listed.length);
    const answers = await Promise.all(session.dataSets.map(({ id }) => session.engine.timelineFacts({ dataSet: id })));
    expect(answers, "each number is its recording's").toEqual(listed);
    expect([...(worker?.open.values() ?? [])].map(String).sort(), "the worker has what is listed").toEqual(
      listed.map(String).sort(),
    );
  }

  /** Messages since the last look are about recordings that are listed. */
  function expectNothingOfClosed({ session }: Window, steps: readonly string[]): void {
    const listed = [...session.dataSets, ...session.closedRecordings].map(({ name }) => name);
    for (const message of heard.messages.splice(0)) {
      const [name] = /recording \/[a-z]+/.exec(message) ?? [];
      if (name !== undefined) expect(listed, `${message} after ${steps.join(", ")}`).toContain(name);
    }
  }

  it("ends with what is listed, in the worker too, and says nothing of what was closed", async () => {
    for (const seed of seeds(400)) {
      const random = seeded(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
      const PATHS = ["/a", "/b", "/c", "/folder"];
      const earlier = new Window();
      for (const path of PATHS.slice(0, Math.floor(random() * 4))) {
        void earlier.open(path);
        await earlier.settle();
      }
      earlier.session.dispose();
      heard.messages.length = 0;
      const window = new Window(earlier.state);
      const { session } = window;
      const steps: string[] = [];
      const going: Promise<unknown>[] = [session.restored];
      const known = () => [
        ...session.dataSets,
        ...session.closedRecordings.map(({ dataSet: id, name }) => ({ id, name })),
      ];
      const actions = {
        open: () => {
          const path = pick(PATHS);
          going.push(window.open(path));
          return path;
        },
        close: () => {
          const one = known().at(Math.floor(random() * 4));
          if (!one) return "";
          going.push(session.close(one.id));
          return one.name;
        },
        closeWaiting: () => {
          // Numbers of the earlier window.
          const id = 1 + Math.floor(random() * 3);
          going.push(session.close(id));
          return `${id}`;
        },
        closeAll: () => {
          for (const { id } of known()) going.push(session.close(id));
          return "";
        },
        reload: () => {
          const one = known().at(Math.floor(random() * 4));
          if (one) going.push(session.reload(one.id));
          return one?.name ?? "";
        },
        succeed: () => (window.reads.length > 0 ? (pick(window.reads).succeed(), "") : ""),
        fail: () => {
          if (window.reads.length === 0) return "";
          const read = pick(window.reads);
          read.fail(unreadable(read.paths[0]));
          return read.paths[0];
        },
        crash: () => (window.workers.length < 4 ? (window.worker?.crash(), "") : ""),
      };
      const names = Object.keys(actions) as (keyof typeof actions)[];
      for (let step = 0; step < 12; step++) {
        const name = pick([...names, "open", "succeed", "succeed", "reload"] as const);
        steps.push(`${name} ${actions[name]()}`);
        expectNothingOfClosed(window, steps);
        if (random() < 0.7) await settled();
        expectNothingOfClosed(window, steps);
      }
      await window.settle();
      const why = `seed ${seed}: ${steps.join(", ")}`;
      const all = await Promise.race([Promise.all(going).then(() => "ended"), settled().then(() => "goes on")]);
      expect(all, why).toBe("ended");
      try {
        await expectConsistent(window);
      } catch (error) {
        throw new Error(why, { cause: error });
      }
      session.dispose();
    }
  });

  /** A window after its reload, in which these are being read again. */
  async function reloaded(...paths: string[]): Promise<Window> {
    const earlier = new Window();
    for (const path of paths) {
      void earlier.open(path);
      await earlier.settle();
    }
    earlier.session.dispose();
    heard.messages.length = 0;
    const window = new Window(earlier.state);
    await settled();
    return window;
  }

  it("stops reading what is closed, and says nothing of it", async () => {
    const window = await reloaded("/a", "/b");
    const [reading] = window.reads;
    await window.session.close(reading.paths[0] === "/a" ? 1 : 2);
    expect(reading.isCancelled).toBe(true);
    reading.fail(unreadable(reading.paths[0]));
    await settled();
    expect(window.reads.map(({ paths }) => paths)).not.toContainEqual(reading.paths);
    await window.settle();
    expect(window.session.dataSets).toHaveLength(1);
    expect([heard.messages, window.session.closedRecordings]).toEqual([[], []]);
  });

  it("reads nothing more once everything is closed", async () => {
    const window = await reloaded("/a", "/b", "/c");
    for (const id of [1, 2, 3]) await window.session.close(id);
    window.reads[0].succeed();
    await settled();
    await window.session.restored;
    await expectConsistent(window);
    expect([window.session.dataSets, heard.messages]).toEqual([[], []]);
  });

  it("is restored when all is open again, also in another worker", async () => {
    const window = await reloaded("/a", "/b");
    let isRestored = false;
    void window.session.restored.then(() => (isRestored = true));
    window.worker?.crash();
    await settled();
    expect(isRestored).toBe(false);
    await window.settle();
    expect(isRestored).toBe(true);
    expect(window.session.dataSets.map(({ files }) => files)).toEqual([["/a"], ["/b"]]);
  });

  it("names all that was being opened when the worker ended", async () => {
    const window = new Window();
    for (const path of ["/a", "/b", "/c"]) void window.open(path);
    await settled();
    window.reads[1].succeed();
    await settled();
    window.worker?.crash();
    expect(heard.messages.at(-1)).toContain("It was opening a, c.");
  });
});
