import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ArgumentOf, NamedTarget, NumberedTarget, OpenRequest } from "../../../src/engine/api";
import { type EngineClient, EngineGoneError } from "../../../src/engine/thread/client";
import { AmbiguityError, CancelledError, FormatError } from "../../../src/model/errors";
import { chosenRanks } from "../../../src/model/members";
import type { SourceFeed } from "../../../src/session/sourceFeed";
import { WindowSession } from "../../../src/session/windowSession";
import { dataSetInfo } from "./sampleInfo";
import { Emitter, type Heard, memento } from "./standInForVsCode";

const heard = vi.hoisted(
  () => ({ commands: [], trees: [], customEditors: [], messages: [], questions: [] as string[] }) as Heard,
);

vi.mock("vscode", async () => (await import("./standInForVsCode")).standIn(heard));

/** A worker whose files are those of `disk`: what each gives, or how reading it ends. */
class FakeWorker {
  static started: FakeWorker[] = [];
  /** Whether what is saved changes links. */
  static linksChange = false;
  readonly reads: string[] = [];
  readonly open = new Set<number>();
  /** With which hierarchy those that are open were read. */
  readonly hierarchies = new Map<number, string | undefined>();
  /** Files of folders that are one data set. */
  static readonly folders = new Map<string, readonly string[]>();
  private lastId = 0;
  private gone = false;

  constructor(
    private readonly disk: ReadonlyMap<string, string>,
    private readonly onExit: (reason: string) => void,
  ) {
    FakeWorker.started.push(this);
  }

  get client(): EngineClient {
    const quiet = () => Promise.resolve();
    return {
      configure: quiet,
      setOpenTexts: () => Promise.resolve(FakeWorker.linksChange),
      wantedSymbols: () => new Promise(() => undefined),
      dispose: quiet,
      digestOfName: ({ kind, id }: NumberedTarget) => Promise.resolve(`${kind} ${id}`),
      // Numbers are what they were; a recording has 12 contexts and 10 functions.
      namedTarget: ({ kind, id, name, digest }: NamedTarget) =>
        Promise.resolve(
          name === "moved" && digest === `${kind} ${id}`
            ? { count: 1, id: id - 1, digest }
            : id < (kind === "context" ? 12 : 10)
              ? { count: 1, id, digest }
              : { count: 0 },
        ),
      open: (request: OpenRequest) => this.read(request),
      close: async ({ dataSet: id }: ArgumentOf<"close">) => {
        this.open.delete(id);
        this.hierarchies.delete(id);
      },
    } as unknown as EngineClient;
  }

  crash(reason = "it crashed"): void {
    this.gone = true;
    this.onExit(reason);
  }

  private async read({ paths, hierarchy, answer }: OpenRequest) {
    await Promise.resolve();
    this.reads.push(...paths);
    const ways = [
      { id: "1", label: "one run", detail: "" },
      { id: "2", label: "two runs", detail: "" },
    ];
    if (paths.some((path) => this.disk.get(path) === "unclear") && !ways.some(({ id }) => id === answer))
      throw new AmbiguityError("One run or two?", ways);
    return paths.map((path) => {
      const kind = this.disk.get(path);
      if (kind === "killer") {
        this.crash("the worker ran out of memory");
        throw new EngineGoneError("the worker ran out of memory");
      }
      if (kind === "cancelled") throw new CancelledError();
      if (kind === undefined || this.gone)
        throw new FormatError({ file: path, found: "nothing", expected: "a file", advice: "Look elsewhere." });
      // Numbers differ from worker to worker, as they may.
      const id = ++this.lastId + 100 * FakeWorker.started.length;
      this.open.add(id);
      this.hierarchies.set(id, hierarchy);
      const name = answer === undefined ? `${kind}` : `${kind}, as ${answer}`;
      const warnings = kind.endsWith("warned") ? [{ message: "cut" }] : [];
      return dataSetInfo({ id, name, files: FakeWorker.folders.get(path) ?? [path], warnings });
    });
  }
}

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), debug: vi.fn(), show: vi.fn() };
const saved = new Emitter<string>();
const source = {
  onDidChangeSettings: () => ({ dispose: () => undefined }),
  onDidChangeTexts: () => ({ dispose: () => undefined }),
  onDidSave: saved.event,
  sourceSettings: () => ({ folders: [], sourceMap: {} }),
  unsavedTexts: () => [],
} as unknown as SourceFeed;

function windowWith(disk: ReadonlyMap<string, string>, state = memento()): WindowSession {
  return new WindowSession({
    startEngine: (onExit) => new FakeWorker(disk, onExit).client,
    source,
    state,
    log: log as unknown as vscode.LogOutputChannel,
  });
}

const uri = (path: string) => ({ scheme: "file", fsPath: path }) as vscode.Uri;
const names = (session: WindowSession) => session.dataSets.map(({ id, name }) => `${id} ${name}`);
const worker = () => FakeWorker.started[FakeWorker.started.length - 1];

beforeEach(() => {
  FakeWorker.started = [];
  FakeWorker.folders.clear();
  heard.messages.length = 0;
  heard.questions?.splice(0);
  heard.choose = undefined;
});
afterEach(() => vi.clearAllMocks());

describe("a window's session", () => {
  const disk = new Map([
    ["/a", "first"],
    ["/b", "second"],
    ["/cancelled", "cancelled"],
  ]);

  it("starts no worker as long as nothing is open", async () => {
    await windowWith(disk).restored;
    expect(FakeWorker.started).toEqual([]);
  });

  it("opens recordings one after the other under numbers of its own, the last one in front", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    const [second] = await session.open([uri("/b")]);
    expect(names(session)).toEqual(["1 first", "2 second"]);
    expect(session.current).toEqual(second);
    expect(session.scope()).toEqual({ dataSet: 2, metric: 0, over: "mean" });
  });

  it("reads a recording once, however often and at once it is opened", async () => {
    const session = windowWith(disk);
    const [one, two] = await Promise.all([session.open([uri("/a")]), session.open([uri("/a")])]);
    const three = await session.open([uri("/a")]);
    expect([two, three]).toEqual([one, one]);
    expect(worker().reads).toEqual(["/a"]);
  });

  it("keeps what is open when another recording cannot be read, and says why", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    expect(await session.open([uri("/nothing")])).toEqual([]);
    expect(names(session)).toEqual(["1 first"]);
    // What was expected, and what can be done, are a click away.
    expect(heard.messages).toEqual(["Could not open nothing: found nothing"]);
  });

  it("reports why a recording cannot be read to the caller that asks for it, and not to the user as well", async () => {
    const session = windowWith(disk);
    const failures: unknown[] = [];
    await session.open([uri("/nothing")], (failure) => failures.push(failure));
    expect(failures).toEqual([expect.any(FormatError)]);
    expect(heard.messages).toEqual([]);
  });

  it("announces warnings of what is opened once: not when it is opened again, read again or comes back with the window", async () => {
    const state = memento();
    const withWarning = new Map([["/a", "first: warned"]]);
    const session = windowWith(withWarning, state);
    await session.open([uri("/a")]);
    expect(heard.messages).toEqual(["first: warned: cut"]);
    await session.open([uri("/a")]);
    await session.reload(1);
    session.announce(session.dataSets);
    session.dispose();
    const again = windowWith(withWarning, state);
    await again.restored;
    again.announce(again.dataSets);
    expect(again.dataSets).toHaveLength(1);
    expect(heard.messages).toHaveLength(1);
  });

  it("leaves the announcement to whoever opens quietly; two who wait for one opening announce it once", async () => {
    const session = windowWith(new Map([["/a", "first: warned"]]));
    const [byCommand, byPage] = await Promise.all([
      session.open([uri("/a")], undefined, { quietly: true }),
      session.open([uri("/a")], undefined, { quietly: true }),
    ]);
    expect(heard.messages).toEqual([]);
    session.announce(byPage, { isPageShown: true });
    session.announce(byCommand);
    expect(heard.messages).toEqual([]);
    expect(worker().reads).toEqual(["/a"]);
  });

  it("says nothing when the user has cancelled", async () => {
    const session = windowWith(disk);
    expect(await session.open([uri("/cancelled")])).toEqual([]);
    expect(heard.messages).toEqual([]);
  });

  it("refuses files of other machines", async () => {
    const session = windowWith(disk);
    expect(await session.open([{ scheme: "http", fsPath: "/a" } as vscode.Uri])).toEqual([]);
    expect(heard.messages[0]).toContain("files of the machine it runs on");
    expect(FakeWorker.started).toEqual([]);
  });

  it("lets go of a data set in the worker too when it is closed", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    expect(worker().open.size).toBe(1);
    session.select({ dataSet: 1, target: { kind: "context", context: 0 }, name: "x", origin: "test" });
    await session.close(1);
    expect(worker().open.size).toBe(0);
    expect(session.selection).toBeUndefined();
    expect(session.current).toBeUndefined();
  });

  it("compares two recordings until that is ended or one is closed, and after a restart of the window too", async () => {
    const state = memento();
    const session = windowWith(disk, state);
    await session.open([uri("/a")]);
    await session.open([uri("/b")]);
    const changed: number[] = [];
    session.onDidChangeScope(({ dataSet }) => changed.push(dataSet));
    session.compare({ baseline: 1, candidate: 2 });
    expect([session.comparison, changed]).toEqual([{ baseline: 1, candidate: 2 }, [1, 2]]);
    // Both show the same.
    session.setOver(1, "max");
    expect([session.scope(2)?.over, changed]).toEqual(["max", [1, 2, 1, 2]]);
    session.setRenamed([["old", "new"]]);
    session.dispose();
    const again = windowWith(disk, state);
    await again.restored;
    expect([again.comparison, again.renamed]).toEqual([{ baseline: 1, candidate: 2 }, [["old", "new"]]]);
    again.compare(undefined);
    expect(again.comparison).toBeUndefined();
    again.compare({ baseline: 2, candidate: 1 });
    await again.close(2);
    expect(again.comparison).toBeUndefined();
    again.compare({ baseline: 1, candidate: 1 });
    expect(again.comparison).toBeUndefined();
  });

  it("has a run of an ensemble as target until there is none or the ensemble is closed, and after a restart of the window too", async () => {
    const state = memento();
    const session = windowWith(disk, state);
    await session.open([uri("/a")]);
    let changes = 0;
    session.onDidChangeTarget(() => changes++);
    expect(session.ensembleTarget).toBeUndefined();
    session.setEnsembleTarget({ dataSet: 1, run: "np4-r2" });
    session.setEnsembleTarget({ dataSet: 1, run: "np4-r2" });
    expect([session.ensembleTarget, changes]).toEqual([{ dataSet: 1, run: "np4-r2" }, 1]);
    session.dispose();
    const again = windowWith(disk, state);
    await again.restored;
    expect(again.ensembleTarget).toEqual({ dataSet: 1, run: "np4-r2" });
    again.setEnsembleTarget(undefined);
    expect(again.ensembleTarget).toBeUndefined();
    again.setEnsembleTarget({ dataSet: 1, run: "np4-r1" });
    await again.close(1);
    expect(again.ensembleTarget).toBeUndefined();
    // Of a recording that is not open there is none.
    again.setEnsembleTarget({ dataSet: 7, run: "np4-r1" });
    expect(again.ensembleTarget).toBeUndefined();
  });

  it("compares runs of an ensemble until that is ended or the ensemble is closed, and after a restart of the window too", async () => {
    const state = memento();
    const session = windowWith(disk, state);
    await session.open([uri("/a")]);
    let changes = 0;
    session.onDidChangeTarget(() => changes++);
    const side = (name: string) => ({ name, runs: [`${name}-r1`, `${name}-r2`] });
    const difference = { dataSet: 1, baseline: side("np1"), candidate: side("np4") };
    session.setEnsembleDifference(difference);
    session.setEnsembleDifference({ ...difference, baseline: side("np1") });
    expect([session.ensembleDifference, changes]).toEqual([difference, 1]);
    session.dispose();
    const again = windowWith(disk, state);
    await again.restored;
    expect(again.ensembleDifference).toEqual(difference);
    again.setEnsembleDifference(undefined);
    expect(again.ensembleDifference).toBeUndefined();
    again.setEnsembleDifference(difference);
    await again.close(1);
    expect(again.ensembleDifference).toBeUndefined();
    again.setEnsembleDifference({ ...difference, dataSet: 7 });
    expect(again.ensembleDifference).toBeUndefined();
  });

  it("shows again what was chosen for each recording when a comparison ends, but for what was chosen meanwhile", async () => {
    const state = memento();
    const session = windowWith(disk, state);
    await session.open([uri("/a")]);
    await session.open([uri("/b")]);
    const shown = (of: typeof session) => [1, 2].map((id) => of.scope(id)?.over);
    session.setOver(2, "max");
    const before = shown(session);
    session.compare({ baseline: 1, candidate: 2 });
    expect(shown(session)).toEqual([before[0], before[0]]);
    session.compare(undefined);
    expect(shown(session)).toEqual(before);
    session.compare({ baseline: 1, candidate: 2 });
    session.setOver(1, "min");
    expect(shown(session)).toEqual(["min", "min"]);
    session.dispose();
    const again = windowWith(disk, state);
    await again.restored;
    expect(shown(again)).toEqual(["min", "min"]);
    again.compare(undefined);
    expect(shown(again)).toEqual(["min", "max"]);
    // The other way round: what the candidate is given is its own, and the baseline's own comes back.
    again.compare({ baseline: 1, candidate: 2 });
    again.setOver(2, "sum");
    expect(shown(again)).toEqual(["sum", "sum"]);
    again.compare({ baseline: 2, candidate: 1 });
    await again.close(2);
    expect(again.scope(1)?.over).toBe("min");
  });

  it("calls recordings of one name by the folders that tell them apart, while both are open", async () => {
    const session = windowWith(
      new Map([
        ["/old/run", "run"],
        ["/new/run", "run"],
      ]),
    );
    await session.open([uri("/old/run")]);
    const [first] = session.dataSets;
    await session.open([uri("/new/run")]);
    expect(session.dataSets.map(({ name }) => name)).toEqual(["old/run", "new/run"]);
    expect(session.current).toBe(session.dataSets[1]);
    // Names are not made anew with each look.
    expect(session.dataSets).toBe(session.dataSets);
    await session.close(2);
    expect(session.dataSets).toEqual([first]);
    expect(session.dataSets[0].name).toBe("run");
  });

  it("ends what is highlighted with another selection, and with its recording", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    const highlight = { dataSet: 1, lanes: [3], kinds: [], name: "rank 3" };
    const heardOf: unknown[] = [];
    session.onDidHighlight((one) => heardOf.push(one?.name));
    session.setHighlight(highlight);
    session.select({ dataSet: 1, target: { kind: "context", context: 0 }, name: "x", origin: "test" });
    session.setHighlight(highlight);
    await session.close(1);
    expect([session.highlight, heardOf]).toEqual([undefined, ["rank 3", undefined, "rank 3", undefined]]);
  });

  it("selects nothing that cannot be asked for any more", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    await session.open([uri("/b")]);
    const heardOf: unknown[] = [];
    session.onDidSelect((selection) => heardOf.push(selection));
    const scope = { dataSet: 1, metric: 0, over: "sum" as const };
    const query = { scope, filter: 0, groupBy: "file" as const, compared: { ...scope, dataSet: 2 } };
    const target = { kind: "bar" as const, query, bar: "x" };
    session.select({ dataSet: 1, target, name: "x", origin: "test" });
    // Nothing of it has changed.
    await session.reload(2);
    expect(session.selection?.target).toBe(target);
    await session.close(2);
    expect([session.selection, heardOf.at(-1)]).toEqual([undefined, undefined]);
    // The recordings of this disk have 12 contexts and 10 functions.
    for (const gone of [
      { kind: "context" as const, context: 12 },
      { kind: "function" as const, function: 10 },
    ]) {
      session.select({ dataSet: 1, target: gone, name: "x", origin: "test" });
      await session.reload(1);
      await vi.waitFor(() => expect(session.selection).toBeUndefined());
    }
    session.select({ dataSet: 1, target: { kind: "context", context: 11 }, name: "x", origin: "test" });
    await session.reload(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(session.selection?.target).toEqual({ kind: "context", context: 11 });
    // Measured again, with one function less.
    session.select({ dataSet: 1, target: { kind: "function", function: 7 }, name: "moved", origin: "test" });
    await session.reload(1);
    await vi.waitFor(() => expect(session.selection?.target).toEqual({ kind: "function", function: 6 }));
  });

  it("starts another kind of metric with its own combination of ranks", async () => {
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    session.setOver(1, "max");
    expect(session.scope()?.over).toBe("max");
    session.setMetric(1, 1);
    expect(session.scope()).toEqual({ dataSet: 1, metric: 1, over: "sum" });
  });
});

describe("files that could be several things", () => {
  it("are asked about once; the answer holds when they are read again and when the window comes back", async () => {
    const disk = new Map([["/a", "unclear"]]);
    const state = memento();
    const session = windowWith(disk, state);
    heard.choose = () => "two runs";
    await session.open([uri("/a")]);
    expect(names(session)).toEqual(["1 unclear, as 2"]);
    await session.reload(1);
    const after = windowWith(disk, state);
    await after.restored;
    worker().crash();
    await changes(after, () => after.dataSets.length === 1);
    expect(names(after)).toEqual(["1 unclear, as 2"]);
    expect(heard.questions).toEqual(["One run or two?"]);
  });

  it("leave everything as it was where nobody answers", async () => {
    const disk = new Map([
      ["/a", "first"],
      ["/b", "unclear"],
    ]);
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    expect(await session.open([uri("/b")])).toEqual([]);
    expect(names(session)).toEqual(["1 first"]);
    expect(heard.messages).toEqual([]);
    expect(heard.questions).toHaveLength(1);
    disk.set("/a", "unclear");
    await session.reload(1);
    expect(names(session)).toEqual(["1 first"]);
    expect([...worker().open]).toHaveLength(1);
  });

  it("are asked about again where the answer of then is none any more", async () => {
    const disk = new Map([["/a", "unclear"]]);
    const state = memento();
    const recording = { id: 1, name: "a", paths: ["/a"], answer: "of an older version" };
    await state.update("heatflow.session", { version: 1, recordings: [recording] });
    heard.choose = () => "one run";
    const session = windowWith(disk, state);
    await session.restored;
    expect(names(session)).toEqual(["1 unclear, as 1"]);
    expect(heard.questions).toHaveLength(1);
  });
});

describe("reading a recording again", () => {
  it("keeps its number, and lets go of what was read before", async () => {
    const disk = new Map([["/a", "old"]]);
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    disk.set("/a", "new");
    await session.reload(1);
    expect(names(session)).toEqual(["1 new"]);
    expect(worker().open.size).toBe(1);
  });

  it("twice at once leaves one in the worker, with what was chosen last", async () => {
    const session = windowWith(new Map([["/a", "first"]]));
    await session.open([uri("/a")]);
    await Promise.all([session.setHierarchy(1, "regions"), session.setHierarchy(1, "callPaths")]);
    expect(worker().open.size).toBe(1);
    expect(worker().hierarchies).toEqual(new Map([[[...worker().open][0], "callPaths"]]));
  });

  it("leaves what is shown when it fails", async () => {
    const disk = new Map([["/a", "old"]]);
    const session = windowWith(disk);
    await session.open([uri("/a")]);
    disk.delete("/a");
    await session.reload(1);
    expect(names(session)).toEqual(["1 old"]);
    expect(worker().open.size).toBe(1);
    expect(heard.messages[0]).toContain("Could not read old again");
  });
});

describe("the window's state", () => {
  it("is written when a brush has settled, and at the window's end", async () => {
    const state = memento();
    const session = windowWith(new Map([["/a", "first"]]), state);
    await session.open([uri("/a")]);
    const writes = vi.spyOn(state, "update");
    vi.useFakeTimers();
    try {
      for (let step = 1; step < 8; step++) {
        session.setRestriction(1, chosenRanks([0, step]));
        await vi.advanceTimersByTimeAsync(200);
      }
      expect(writes).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1000);
      expect(writes).toHaveBeenCalledTimes(1);
      session.setRestriction(1, chosenRanks([5]));
      session.dispose();
      expect(writes).toHaveBeenCalledTimes(2);
      expect(JSON.stringify(state.get("heatflow.session"))).toContain('"members":["5"]');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a file that is saved", () => {
  it("has costs asked for again where links may lead elsewhere, and only there", async () => {
    const session = windowWith(new Map([["/a", "first"]]));
    await session.open([uri("/a")]);
    const costs = vi.fn();
    session.onDidChangeCosts(costs);
    for (const changes of [false, true]) {
      FakeWorker.linksChange = changes;
      saved.fire("/source/README.md");
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(costs).toHaveBeenCalledTimes(changes ? 1 : 0);
    }
  });
});

describe("a database of one file per rank", () => {
  let folder: string;
  const rankFiles = (count: number) => Array.from({ length: count }, (_, rank) => path.join(folder, `${rank}.cali`));
  const disk = () =>
    new Map([
      [folder, "database"],
      ["/a", "first"],
    ]);
  /** All sessions of one test have this state. */
  let state = memento();

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-database-"));
    // Written a while ago.
    fs.utimesSync(folder, 1e9, 1e9);
    FakeWorker.folders.set(folder, rankFiles(4));
    state = memento();
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("has one key for good: measured again, reloaded, restarted, closed and opened again", async () => {
    const before = windowWith(disk(), state);
    const [first] = await before.open([uri(folder)]);
    const [other] = await before.open([uri("/a")]);
    expect(first.key).not.toBe(other.key);
    FakeWorker.folders.set(folder, rankFiles(8));
    await before.reload(first.id);
    expect(before.dataSets[0]).toMatchObject({ key: first.key, files: rankFiles(8) });
    const reopened = changes(before, () => before.dataSets.length === 2);
    worker().crash();
    await reopened;
    expect(before.dataSets[0].key).toBe(first.key);

    const after = windowWith(disk(), state);
    await after.restored;
    expect(after.dataSets.map(({ key }) => key)).toEqual([first.key, other.key]);
    await after.close(first.id);
    await after.close(other.id);

    const last = windowWith(disk(), state);
    expect(await last.openAgain(first.key)).toBe(true);
    const [byFile] = await last.open([uri("/a")]);
    expect(last.dataSets.map(({ key }) => key)).toEqual([first.key, other.key]);
    expect(byFile.key).toBe(other.key);
    expect(await last.openAgain("unknown")).toBe(false);
  });

  it("is kept by what opens it, not by its files", async () => {
    FakeWorker.folders.set(folder, rankFiles(8192));
    await windowWith(disk(), state).open([uri(folder)]);
    expect(JSON.stringify(state.get("heatflow.session")).length).toBeLessThan(1000);
  });

  it("is not read a second time when it is opened again, unless its folder has other files", async () => {
    const session = windowWith(disk(), state);
    const [first] = await session.open([uri(folder)]);
    await session.open([uri("/a")]);
    expect(await session.open([uri(folder)])).toEqual([first]);
    expect(await session.open(rankFiles(4).reverse().map(uri))).toEqual([first]);
    expect(session.current).toEqual(first);
    expect(worker().reads).toEqual([folder, "/a"]);
    FakeWorker.folders.set(folder, rankFiles(5));
    fs.utimesSync(folder, Date.now() / 1000 + 5, Date.now() / 1000 + 5);
    const [grown] = await session.open([uri(folder)]);
    expect(grown).toMatchObject({ id: first.id, key: first.key, files: rankFiles(5) });
    expect(worker().reads).toEqual([folder, "/a", folder]);
  });
});

describe("after the window was reloaded", () => {
  it("everything is open again: numbers, order, choices, the one in front", async () => {
    const disk = new Map([
      ["/a", "first"],
      ["/b", "second"],
    ]);
    const state = memento();
    const before = windowWith(disk, state);
    await before.open([uri("/a")]);
    await before.open([uri("/b")]);
    before.setMetric(1, 1);
    before.setRestriction(1, chosenRanks([0, 4]));
    before.setKinds(1, ["communication"]);
    before.setCurrent(1);
    const scope = before.scope();
    before.dispose();
    const after = windowWith(disk, state);
    await after.restored;
    expect(names(after)).toEqual(names(before));
    expect(after.current?.id).toBe(1);
    expect(after.scope()).toEqual(scope);
    expect(worker().reads).toEqual(["/a", "/b"]);
  });

  it("a recording that is opened meanwhile, by its page, is not read twice", async () => {
    const disk = new Map([["/a", "first"]]);
    const state = memento();
    await windowWith(disk, state).open([uri("/a")]);
    const after = windowWith(disk, state);
    const opened = await after.open([uri("/a")]);
    expect(opened.map(({ id }) => id)).toEqual([1]);
    expect(worker().reads).toEqual(["/a"]);
  });

  it("one that is gone stays listed with the reason, also next time, and comes back when it is there", async () => {
    const disk = new Map([["/a", "first"]]);
    const state = memento();
    await windowWith(disk, state).open([uri("/a")]);
    disk.clear();
    for (let reloads = 0; reloads < 2; reloads++) {
      const after = windowWith(disk, state);
      await after.restored;
      expect(after.dataSets).toEqual([]);
      expect(after.closedRecordings).toMatchObject([{ dataSet: 1, name: "first", paths: ["/a"] }]);
      expect(after.closedRecordings[0].reason).toContain("Look elsewhere");
    }
    disk.set("/a", "back");
    const again = windowWith(disk, state);
    await again.restored;
    expect(names(again)).toEqual(["1 back"]);
  });
});

describe("after the worker's end", () => {
  it("everything is open again in a new worker, under the same numbers, and the user knows", async () => {
    const session = windowWith(
      new Map([
        ["/a", "first"],
        ["/b", "second"],
      ]),
    );
    await session.open([uri("/a")]);
    await session.open([uri("/b")]);
    const reopened = changes(session, () => session.dataSets.length === 2);
    worker().crash();
    expect(session.dataSets).toEqual([]);
    await reopened;
    expect(names(session)).toEqual(["1 first", "2 second"]);
    expect(FakeWorker.started).toHaveLength(2);
    expect(heard.messages).toEqual(["Heatflow's engine has stopped: it crashed. Reopening 2 data sets."]);
  });

  it("over a recording that is too large, the others come back and the message names it", async () => {
    const session = windowWith(
      new Map([
        ["/a", "first"],
        ["/huge", "killer"],
      ]),
    );
    await session.open([uri("/a")]);
    const reopened = changes(session, () => session.dataSets.length === 1 && FakeWorker.started.length === 2);
    expect(await session.open([uri("/huge")])).toEqual([]);
    await reopened;
    expect(names(session)).toEqual(["1 first"]);
    expect(session.closedRecordings).toEqual([]);
    expect(heard.messages).toHaveLength(1);
    expect(heard.messages[0]).toContain("It was opening huge.");
    expect(heard.messages[0]).toContain("heatflow.limits.memory");
  });

  it("says in one message which recordings could not be reopened with the window", async () => {
    const state = memento();
    const disk = new Map([
      ["/a", "first"],
      ["/b", "second"],
      ["/c", "third"],
    ]);
    const before = windowWith(disk, state);
    for (const path of disk.keys()) await before.open([uri(path)]);
    before.dispose();
    disk.delete("/a");
    disk.delete("/c");
    const again = windowWith(disk, state);
    await again.restored;
    expect(names(again)).toEqual(["2 second"]);
    expect(heard.messages).toEqual(["Could not reopen 2 recordings: third, first."]);
    expect(log.error).toHaveBeenCalledTimes(2);
    again.dispose();
    heard.messages.length = 0;
    disk.set("/a", "first");
    const last = windowWith(disk, state);
    await last.restored;
    expect(heard.messages).toEqual(["Could not reopen third: c: found nothing"]);
  });

  it("a recording that ends it twice stays closed, and the others are open", async () => {
    const state = memento();
    const disk = new Map([
      ["/a", "first"],
      ["/b", "second"],
      ["/c", "third"],
    ]);
    const before = windowWith(disk, state);
    for (const path of disk.keys()) await before.open([uri(path)]);
    disk.set("/b", "killer");
    FakeWorker.started = [];
    const after = windowWith(disk, state);
    await changes(after, () => after.dataSets.length === 2 && after.closedRecordings.length === 1);
    expect(names(after)).toEqual(["1 first", "3 third"]);
    expect(after.closedRecordings).toMatchObject([{ dataSet: 2, name: "second" }]);
    expect(FakeWorker.started).toHaveLength(3);
    expect(heard.messages.at(-1)).toContain("second stopped it twice and stays closed");
  });

  it("again and again, it is not restarted for ever", async () => {
    const session = windowWith(new Map([["/a", "first"]]));
    await session.open([uri("/a")]);
    for (let ends = 0; ends < 6; ends++) {
      const back = changes(session, () => session.dataSets.length === 1 || session.closedRecordings.length === 1);
      worker().crash();
      await back;
    }
    expect(session.dataSets).toEqual([]);
    expect(session.closedRecordings).toMatchObject([{ dataSet: 1 }]);
    expect(FakeWorker.started).toHaveLength(6);
  });
});

/** Settles when the list of recordings has changed to what is expected. */
function changes(session: WindowSession, expected: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const listener = session.onDidChangeDataSets(() => {
      if (!expected()) return;
      listener.dispose();
      resolve();
    });
  });
}
