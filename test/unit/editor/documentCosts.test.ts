import { expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { DocumentCosts, TargetCosts, TraceOutline } from "../../../src/engine/api";
import { CostLenses } from "../../../src/editor/costLenses";
import { DocumentCostSource } from "../../../src/editor/documentCosts";
import type { EnsembleTarget, Session } from "../../../src/session/session";
import { dataSetInfo, traceOutline } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";

const inSight = vi.hoisted((): { document: unknown }[] => []);
const messages = vi.hoisted((): string[] => []);
vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  return {
    ...standIn(heardNothing()),
    window: {
      visibleTextEditors: inSight,
      showErrorMessage: async (message: string) => void messages.push(message),
    },
    CodeLens: class {
      constructor(
        readonly range: unknown,
        readonly command: unknown,
      ) {}
    },
  };
});
vi.mock("../../../src/session/sourceFeed", () => ({
  currentSettings: () => ({ codeLensEnabled: true, minimumShare: 0 }),
}));

/** A window with two recordings, unless only one is open, and a document of whose costs the second one's answer is given by hand. */
function here(
  given: {
    isAlone?: boolean;
    trace?: TraceOutline;
    movement?: (query: unknown) => Promise<unknown>;
    target?: EnsembleTarget;
    targetCosts?: (query: unknown) => Promise<TargetCosts | undefined>;
  } = {},
) {
  const { trace, movement } = given;
  const infos = [1, 2].map((id) => ({
    ...dataSetInfo({ name: `run ${id}`, ...(trace ? { trace } : {}) }),
    id,
    key: `${id}`,
  }));
  let at = 0;
  let answer: ((costs: DocumentCosts) => void) | undefined;
  const changed = new Emitter<void>();
  const never = new Emitter<void>().event;
  const costs = (inclusive: number): DocumentCosts => ({
    lines: [],
    calls: [],
    drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 },
    functions: [{ line: 1, name: "f", function: 0, inclusive, exclusive: 0, share: 1 }],
  });
  const session = {
    get current() {
      return infos[at];
    },
    dataSets: given.isAlone === true ? infos.slice(0, 1) : infos,
    scope: () => ({ dataSet: infos[at].id, metric: 0, over: "sum" }),
    onDidChangeDataSets: changed.event,
    onDidChangeScope: never,
    onDidChangeCosts: never,
    ensembleTarget: given.target,
    onDidChangeTarget: never,
    engine: {
      documentMovement: movement,
      targetCosts: given.targetCosts,
      documentCosts: () =>
        at === 0 ? Promise.resolve(costs(1)) : new Promise<DocumentCosts>((resolve) => (answer = resolve)),
    },
  } as unknown as Session;
  const document = {
    uri: { scheme: "file", fsPath: "/a.c", toString: () => "/a.c" },
    version: 1,
    isDirty: false,
    isClosed: false,
    lineCount: 1,
    lineAt: () => ({ range: {} }),
  } as unknown as vscode.TextDocument;
  const source = new DocumentCostSource(session, {} as vscode.LogOutputChannel);
  const lenses = new CostLenses(session, source);
  return {
    document,
    show: (index: number) => {
      at = index;
      changed.fire();
    },
    answer: () => answer?.(costs(2)),
    lenses,
    titles: async () => (await lenses.provideCodeLenses(document)).map(({ command }) => command?.title),
  };
}

it("has no lens of the data set shown before, while the new one is linked, and says which it is of", async () => {
  const { show, answer, lenses, titles } = here();
  expect(await titles()).toEqual(["1.00 s inclusive (100 %) · run 1 · 0 s exclusive · sum over 8 ranks"]);
  show(1);
  // Nothing, at once: the answer takes as long as it likes.
  expect(await titles()).toEqual([]);
  const asked = new Promise<void>((resolve) => lenses.onDidChangeCodeLenses(resolve));
  answer();
  await asked;
  expect(await titles()).toEqual([expect.stringContaining("2.00 s inclusive (100 %)")]);
  expect(await titles()).toEqual([expect.stringMatching(/^\S+ s inclusive \(.*?\) · run 2 · /)]);
});

it("names the recording only if another one is open", async () => {
  expect(await here({ isAlone: true }).titles()).toEqual([
    "1.00 s inclusive (100 %) · 0 s exclusive · sum over 8 ranks",
  ]);
});

it("reports once why costs are not found, however many editors ask", async () => {
  const never = new Emitter<void>().event;
  let reason = "it is broken";
  const session = {
    current: dataSetInfo(),
    dataSets: [dataSetInfo()],
    scope: () => ({ dataSet: 1, metric: 0, over: "sum" }),
    onDidChangeDataSets: never,
    onDidChangeScope: never,
    onDidChangeCosts: never,
    onDidChangeTarget: never,
    engine: { documentCosts: () => Promise.reject(new Error(reason)) },
  } as unknown as Session;
  const warned: string[] = [];
  const log = { warn: (text: string) => warned.push(text) } as unknown as vscode.LogOutputChannel;
  const source = new DocumentCostSource(session, log);
  const lenses = new CostLenses(session, source);
  const ask = async (name: string) => {
    const uri = { scheme: "file", fsPath: name, toString: () => name };
    const document = { uri, version: 1, isDirty: false, isClosed: false, lineCount: 1, lineAt: () => ({ range: {} }) };
    await lenses.provideCodeLenses(document as unknown as vscode.TextDocument);
  };
  for (const name of ["/a.c", "/b.c", "/c.c"]) await ask(name);
  await vi.waitFor(() => expect(warned).toHaveLength(3));
  expect(messages).toEqual(["Could not find the costs of /a.c: it is broken"]);
  reason = "it is broken in another way";
  await ask("/d.c");
  await vi.waitFor(() => expect(messages).toHaveLength(2));
});

it("tells VS Code again that lenses have changed until it asks, since it forgets that where the focus leaves an editor", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { document, show, lenses, titles } = here();
    await titles();
    inSight.push({ document });
    let told = 0;
    lenses.onDidChangeCodeLenses(() => told++);
    show(1);
    expect(told).toBe(1);
    vi.advanceTimersByTime(3500);
    expect(told).toBe(3);
    const asked = titles();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asked).toEqual([]);
    expect(told).toBe(3);
    show(1);
    vi.advanceTimersByTime(3_600_000);
    const most = told;
    expect(most).toBeLessThan(12);
    show(1);
    inSight.length = 0;
    vi.advanceTimersByTime(3_600_000);
    expect(told).toBe(most + 1);
  } finally {
    inSight.length = 0;
    vi.useRealTimers();
  }
});

it("has the lenses of costs at once, and those of moved data when they are known; none is asked for without messages and transfers", async () => {
  const amount = { bytes: 9, count: 2, partners: 1, heaviest: [] };
  const none = { bytes: 0, count: 0, partners: 0, heaviest: [] };
  const moved = {
    transfers: { bytes: 0, count: 0, seconds: 0 },
    parts: [],
    messages: amount,
    received: none,
    collectives: { bytes: 0, count: 0 },
  };
  let answer: (() => void) | undefined;
  const asked: unknown[] = [];
  const movement = (query: unknown) => {
    asked.push(query);
    const functions = [{ line: 1, function: 0, ...moved }];
    return new Promise((resolve) => (answer = () => resolve({ lines: [], functions, total: moved, seconds: 1 })));
  };
  const one = here({ trace: traceOutline, movement });
  expect(await one.titles()).toHaveLength(1);
  const changed = new Promise<void>((resolve) => one.lenses.onDidChangeCodeLenses(resolve));
  answer?.();
  await changed;
  expect((await one.titles())[1]).toBe("⇄ 9 B sent in 2 messages to 1 rank");
  expect(asked).toEqual([{ scope: { dataSet: 1 }, document: { file: "/a.c", text: undefined } }]);
  const arrowsOnly = here({ trace: { ...traceOutline, messages: { count: 0, bytes: 0 }, links: 1 }, movement });
  expect(await arrowsOnly.titles()).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

it("has the lenses of an ensemble's target while the ensemble is shown, and those of all runs where there is no such run", async () => {
  const spread = { target: 1.39, least: 1.31, median: 1.35, most: 1.42, percentile: 10 / 11, runs: 11 };
  const asked: unknown[] = [];
  const functions = [{ line: 1, name: "f", function: 0, share: 1, inclusive: spread, exclusive: spread }];
  const drift = { newerThanRecording: false, lostLines: 0, movedLines: 0 };
  const costs = { lines: [], calls: [], functions: [], drift };
  const names = Array.from({ length: 11 }, (_, run) => `${run}`);
  const targetCosts = (query: unknown) => {
    asked.push(query);
    return Promise.resolve({ target: "64c", names, costs, lines: [], functions });
  };
  const target = { dataSet: 1, run: "64c" };
  const document = { file: "/a.c", text: undefined };
  expect(await here({ target, targetCosts }).titles()).toEqual([
    "1.39 s inclusive, ensemble 1.31–1.42 s, 91st percentile · run 64c · 1.39 s exclusive, ensemble 1.31–1.42 s, 91st percentile",
  ]);
  expect(asked).toEqual([{ scope: { dataSet: 1, metric: 0, over: "sum" }, target: "64c", document }]);
  const ofAll = [expect.stringMatching(/^1\.00 s inclusive \(100 %\) · run 1 · /)];
  expect(await here({ target, targetCosts: () => Promise.resolve(undefined) }).titles()).toEqual(ofAll);
  expect(await here({ target: { dataSet: 2, run: "64c" }, targetCosts }).titles()).toEqual(ofAll);
});
