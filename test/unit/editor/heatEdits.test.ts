/** Heat and lenses of texts that are edited while their costs are on their way: on the right line, or on none. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { DocumentCosts, DocumentText } from "../../../src/engine/api";
import { CostLenses } from "../../../src/editor/costLenses";
import { DocumentCostSource } from "../../../src/editor/documentCosts";
import { HeatDecorations } from "../../../src/editor/heatDecorations";
import type { Session } from "../../../src/session/session";
import { seeds } from "../randomCases";
import { dataSetInfo } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";
import { seeded } from "../supergraph/random";

const window = vi.hoisted(() => ({
  visible: [] as vscode.TextEditor[],
  edited: [] as ((change: { document: unknown }) => void)[],
  changed: [] as (() => void)[],
  width: 100,
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
    CodeLens: class {
      constructor(readonly range: unknown) {}
    },
    window: {
      get visibleTextEditors() {
        return window.visible;
      },
      onDidChangeVisibleTextEditors: (heard: () => void) => (window.changed.push(heard), nothing),
      onDidChangeTextEditorVisibleRanges: listened,
      onDidChangeTextEditorSelection: listened,
      onDidChangeActiveTextEditor: listened,
      tabGroups: { all: [1], onDidChangeTabGroups: listened },
      createTextEditorDecorationType: () => ({ ...nothing }),
    },
    workspace: {
      onDidChangeTextDocument: (heard: (change: { document: unknown }) => void) => (window.edited.push(heard), nothing),
      onDidChangeConfiguration: listened,
      onDidCloseTextDocument: listened,
      getConfiguration: () => ({ get: (_: string, start: unknown) => start }),
    },
    commands: {
      executeCommand: async () => ({ orientation: 0, groups: [{ size: (window.width += 50) }] }),
    },
  };
});
vi.mock("../../../src/session/sourceFeed", () => ({
  currentSettings: () => ({
    heatEnabled: true,
    codeLensEnabled: true,
    minimumShare: 0,
    inlineCost: true,
    heatBy: "time",
  }),
}));

const HOT = "solve();";

/** A text in editors, of which VS Code moves decorations with the lines that they are on. */
class Document {
  readonly uri = { scheme: "file", fsPath: "/a.cpp", toString: () => "/a.cpp" };
  version = 1;
  isDirty = false;
  readonly isClosed = false;
  lines = ["int main() {", HOT, "}"];
  /** Lines with heat, by editor. The text of a line tells it from others. */
  readonly heat = new Map<vscode.TextEditor, Map<unknown, readonly string[]>>();

  get lineCount(): number {
    return this.lines.length;
  }

  lineAt(at: number) {
    const text = this.lines[at];
    return { text, range: { text, start: {}, end: {} } };
  }

  getText(): string {
    return this.lines.join("\r\n");
  }

  edit(change: (lines: string[]) => void): void {
    this.lines = [...this.lines];
    change(this.lines);
    this.version++;
    this.isDirty = true;
    for (const heard of window.edited) heard({ document: this });
  }

  editor(): vscode.TextEditor {
    const shown = new Map<unknown, readonly string[]>();
    const editor = {
      document: this,
      options: { tabSize: 4 },
      setDecorations: (type: unknown, ranges: readonly { text?: string }[]) =>
        shown.set(
          type,
          ranges.flatMap(({ text }) => text ?? []),
        ),
    } as unknown as vscode.TextEditor;
    this.heat.set(editor, shown);
    return editor;
  }

  /** Texts of lines with heat in any editor. */
  get hot(): string[] {
    return [...this.heat.values()].flatMap((shown) => [...shown.values()].flat());
  }
}

/** A window whose engine answers when the test says so, about the text that it was asked about. */
function opened() {
  const answers: (() => void)[] = [];
  const never = new Emitter<void>().event;
  const costs = new Emitter<void>();
  const document = new Document();
  const session = {
    current: { ...dataSetInfo(), id: 1, key: "1" },
    dataSets: [],
    scope: () => ({ dataSet: 1, metric: 0, over: "sum" }),
    onDidChangeDataSets: never,
    onDidChangeScope: never,
    onDidChangeTarget: never,
    onDidChangeCosts: costs.event,
    engine: {
      documentCosts: ({ document: asked }: { document: DocumentText }) => {
        const lines = asked.text?.split("\r\n") ?? [...document.lines];
        return new Promise<DocumentCosts>((resolve) => {
          answers.push(() => {
            const line = lines.indexOf(HOT) + 1;
            resolve({
              calls: [],
              drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 },
              functions: [{ line, name: "solve", function: 0, inclusive: 1, exclusive: 1, share: 1 }],
              lines: [{ line, exclusive: 1, share: 0.5 }],
            });
          });
        });
      },
    },
  } as unknown as Session;
  const source = new DocumentCostSource(session, {} as vscode.LogOutputChannel);
  Object.assign(window, { visible: [document.editor(), document.editor()], edited: [], changed: [] });
  const decorations = new HeatDecorations(session, source, {} as vscode.Uri);
  const lenses = new CostLenses(session, source);
  return { answers, costs, document, decorations, lenses };
}

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});

describe("a text that is edited while its costs are on their way", () => {
  it("has heat on the line that was meant, or none, in each of its editors", async () => {
    for (const seed of seeds(400)) {
      const random = seeded(seed);
      const { answers, costs, document, decorations } = opened();
      const steps: string[] = [];
      for (let step = 0; step < 15; step++) {
        const kind = Math.floor(random() * 6);
        steps.push(["insert", "remove", "answer", "wait", "widths", "costs"][kind]);
        if (kind === 0) document.edit((lines) => lines.splice(Math.floor(random() * 3), 0, `// ${step}`));
        if (kind === 1)
          document.edit((lines) => {
            const at = lines.findIndex((line) => line.startsWith("//"));
            if (at >= 0) lines.splice(at, 1);
          });
        if (kind === 2) answers.splice(Math.floor(random() * answers.length), 1)[0]?.();
        if (kind === 3) await tick(40 + random() * 300);
        if (kind === 4) for (const heard of window.changed) heard();
        if (kind === 5) costs.fire();
        await tick();
        expect(
          document.hot.filter((text) => text !== HOT),
          `seed ${seed}: ${steps.join(", ")}`,
        ).toEqual([]);
      }
      await tick(1000);
      while (answers.length > 0) {
        answers.shift()?.();
        await tick(1000);
      }
      expect(document.hot, `seed ${seed}: ${steps.join(", ")}`).toEqual([HOT, HOT]);
      decorations.dispose();
    }
  });

  it("has no lens of costs of the text before", async () => {
    const { answers, document, lenses, decorations } = opened();
    const asked = lenses.provideCodeLenses(document as unknown as vscode.TextDocument);
    await tick();
    expect(answers).toHaveLength(1);
    document.edit((lines) => lines.unshift("// above"));
    answers.shift()?.();
    await tick(100);
    expect(await asked).toEqual([]);
    const again = lenses.provideCodeLenses(document as unknown as vscode.TextDocument);
    await tick();
    for (const answer of answers.splice(0)) answer();
    await tick(100);
    expect((await again).map(({ range }) => (range as unknown as { text: string }).text)).toEqual([HOT]);
    lenses.dispose();
    decorations.dispose();
  });
});
