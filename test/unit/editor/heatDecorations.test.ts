import { beforeEach, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { DocumentCosts } from "../../../src/engine/api";
import { DocumentCostSource } from "../../../src/editor/documentCosts";
import { HeatDecorations } from "../../../src/editor/heatDecorations";
import type { Session } from "../../../src/session/session";
import { dataSetInfo, traceOutline } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";

/** Time between a jump to a line and its heat, of what the window itself adds to the engine's answer. */
const MAX_ADDED_MS = 100;

const window = vi.hoisted(() => ({
  visible: [] as vscode.TextEditor[],
  changed: [] as (() => void)[],
}));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const nothing = { dispose: () => undefined };
  const listened = () => nothing;
  return {
    ...known,
    Range: class {},
    Position: class {},
    window: {
      get visibleTextEditors() {
        return window.visible;
      },
      onDidChangeVisibleTextEditors: (heard: () => void) => (window.changed.push(heard), nothing),
      onDidChangeTextEditorVisibleRanges: listened,
      onDidChangeTextEditorSelection: listened,
      onDidChangeActiveTextEditor: listened,
      tabGroups: { all: [1], onDidChangeTabGroups: listened },
      createTextEditorDecorationType: () => nothing,
    },
  };
});
vi.mock("../../../src/session/sourceFeed", () => ({
  currentSettings: () => ({ heatEnabled: true, minimumShare: 0, inlineCost: true, heatBy: "time" }),
}));

const never = new Emitter<void>().event;
const costsOf = (line: number): DocumentCosts => ({
  functions: [],
  calls: [],
  drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 },
  lines: [{ line, exclusive: 1, share: 0.5 }],
});

function editorOf(file: string): vscode.TextEditor {
  const uri = { scheme: "file", fsPath: file, toString: () => file };
  const lineAt = () => ({ text: "solve();", range: {} });
  const document = { uri, version: 1, isDirty: false, isClosed: false, lineCount: 9, lineAt };
  return { document, options: { tabSize: 4 }, setDecorations: () => undefined } as unknown as vscode.TextEditor;
}

/** @param answerMs of each question about the costs of a document, by its file */
function opened(answerMs: Readonly<Record<string, number>>) {
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const session = {
    current: { ...dataSetInfo({ trace: traceOutline }), id: 1, key: "1" },
    dataSets: [],
    scope: () => ({ dataSet: 1, metric: 0, over: "sum" }),
    onDidChangeDataSets: never,
    onDidChangeScope: never,
    onDidChangeCosts: never,
    onDidChangeTarget: never,
    engine: {
      documentCosts: ({ document }: { document: { file: string } }) =>
        after(answerMs[document.file]).then(() => costsOf(document.file.length)),
      // What lines moved may take longer than anybody waits.
      documentMovement: () => new Promise(() => undefined),
    },
  } as unknown as Session;
  const source = new DocumentCostSource(session, {} as vscode.LogOutputChannel);
  const decorations = new HeatDecorations(session, source, {} as vscode.Uri);
  /** Shows files side by side. */
  const jump = (...files: string[]) => {
    window.visible = files.map(editorOf);
    for (const heard of window.changed) heard();
  };
  const heatOf = (file: string) => decorations.of({ toString: () => file } as vscode.Uri).map(({ line }) => line);
  return { jump, heatOf, decorations };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  Object.assign(window, { visible: [], changed: [] });
  return () => vi.useRealTimers();
});

it.each([0, 20, 400])("heat of a file that comes into sight waits for its costs alone: %i ms", async (answerMs) => {
  const { jump, heatOf, decorations } = opened({ "/a.cpp": answerMs });
  jump("/a.cpp");
  await vi.advanceTimersByTimeAsync(answerMs + MAX_ADDED_MS);
  expect(heatOf("/a.cpp")).toEqual([6]);
  decorations.dispose();
});

it("heat of the last of several jumps waits for no file that was passed, nor for one beside it", async () => {
  const { jump, heatOf, decorations } = opened({ "/slow.cpp": 1e6, "/passed.cpp": 300, "/last.cpp": 10 });
  jump("/slow.cpp");
  await vi.advanceTimersByTimeAsync(20);
  jump("/slow.cpp", "/passed.cpp");
  await vi.advanceTimersByTimeAsync(20);
  jump("/slow.cpp", "/last.cpp");
  await vi.advanceTimersByTimeAsync(10 + MAX_ADDED_MS);
  expect([heatOf("/last.cpp"), heatOf("/slow.cpp")]).toEqual([[9], []]);
  decorations.dispose();
});

it("heat of a file that was in sight before is there at once", async () => {
  const { jump, heatOf, decorations } = opened({ "/a.cpp": 400, "/b.cpp": 1 });
  jump("/a.cpp");
  await vi.advanceTimersByTimeAsync(400 + MAX_ADDED_MS);
  jump("/b.cpp");
  await vi.advanceTimersByTimeAsync(1 + MAX_ADDED_MS);
  jump("/a.cpp");
  await vi.advanceTimersByTimeAsync(MAX_ADDED_MS);
  expect(heatOf("/a.cpp")).toEqual([6]);
  decorations.dispose();
});
