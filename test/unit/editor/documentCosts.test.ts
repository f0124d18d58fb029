import { expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { DocumentCosts } from "../../../src/engine/api";
import { CostLenses } from "../../../src/editor/costLenses";
import { DocumentCostSource } from "../../../src/editor/documentCosts";
import type { Session } from "../../../src/session/session";
import { dataSetInfo } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  return {
    ...standIn(heardNothing()),
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

/** A window with two recordings, and a document of whose costs the second one's answer is given by hand. */
function here() {
  const infos = [1, 2].map((id) => ({ ...dataSetInfo({ name: `run ${id}` }), id, key: `${id}` }));
  let at = 0;
  let answer: ((costs: DocumentCosts) => void) | undefined;
  const changed = new Emitter<void>();
  const never = new Emitter<void>().event;
  const costs = (inclusive: number): DocumentCosts => ({
    ...{ lines: [], calls: [], drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 } },
    functions: [{ line: 1, name: "f", function: 0, inclusive, exclusive: 0, share: 1 }],
  });
  const session = {
    get current() {
      return infos[at];
    },
    dataSets: infos,
    scope: () => ({ dataSet: infos[at].id, metric: 0, over: "sum" }),
    ...{ onDidChangeDataSets: changed.event, onDidChangeScope: never, onDidChangeCosts: never },
    engine: {
      documentCosts: () =>
        at === 0 ? Promise.resolve(costs(1)) : new Promise<DocumentCosts>((resolve) => (answer = resolve)),
    },
  } as unknown as Session;
  const document = {
    ...{ uri: { scheme: "file", fsPath: "/a.c", toString: () => "/a.c" }, version: 1, isDirty: false, isClosed: false },
    ...{ lineCount: 1, lineAt: () => ({ range: {} }) },
  } as unknown as vscode.TextDocument;
  const source = new DocumentCostSource(session, {} as vscode.LogOutputChannel);
  const lenses = new CostLenses(session, source);
  return {
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
  expect(await titles()).toEqual(["run 1 · 1.00 s inclusive (100 %) · 0 s exclusive · sum over 8 ranks"]);
  show(1);
  // Nothing, at once: the answer takes as long as it likes.
  expect(await titles()).toEqual([]);
  const asked = new Promise<void>((resolve) => lenses.onDidChangeCodeLenses(resolve));
  answer();
  await asked;
  expect(await titles()).toEqual([expect.stringContaining("2.00 s inclusive (100 %)")]);
  expect(await titles()).toEqual([expect.stringMatching(/^run 2 · /)]);
});
