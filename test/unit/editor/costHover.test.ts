import type * as vscode from "vscode";
import { describe, expect, it, vi } from "vitest";
import type { LineCall } from "../../../src/engine/api";
import { CostHover } from "../../../src/editor/costHover";
import type { DocumentCostSource } from "../../../src/editor/documentCosts";
import type { Session } from "../../../src/session/session";
import { dataSetInfo } from "../session/sampleInfo";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  class MarkdownString {
    constructor(readonly value: string) {}
  }
  class Hover {
    constructor(readonly contents: readonly MarkdownString[]) {}
  }
  return { ...standIn(heardNothing()), MarkdownString, Hover };
});

const link = { places: [], rule: "unknown", reason: "", considered: [] } as const;
const call: LineCall = { line: 1, callee: "solve", function: 0, inclusive: 2, share: 0.5, link, definition: link };

/** The first line of the hover of a line that calls, while the recording with this id is shown. */
async function header(current: number, comparison?: { readonly baseline: number; readonly candidate: number }) {
  const dataSets = [1, 2].map((id) => dataSetInfo({ id, name: `run ${id}` }));
  const session = {
    dataSets,
    comparison,
    renamed: [],
    current: dataSets[current - 1],
    scope: (dataSet = current) => ({ dataSet, metric: 0, over: "mean" }),
    engine: { lineDetails: () => Promise.resolve([]), lineCalls: () => Promise.resolve([call]) },
  } as unknown as Session;
  const nothing = () => Promise.resolve(undefined);
  const movementSoon = () => Promise.resolve({});
  const costs = { of: nothing, differencesOf: nothing, movementSoon } as unknown as DocumentCostSource;
  const document = {
    uri: { scheme: "file", fsPath: "/a.c" },
    isDirty: false,
    lineAt: () => ({ range: {} }),
  } as unknown as vscode.TextDocument;
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  const log = { warn: (text: string) => expect.fail(text) } as unknown as vscode.LogOutputChannel;
  const hover = await new CostHover(session, costs, log).provideHover(
    document,
    { line: 0 } as vscode.Position,
    token as unknown as vscode.CancellationToken,
  );
  const [{ value }] = hover?.contents as vscode.MarkdownString[];
  return value.split("\n")[0].replaceAll("\\", "").replaceAll("&nbsp;", " ");
}

it("costs of calls are said to be of one recording alone while it is compared with another one", async () => {
  const pair = { baseline: 1, candidate: 2 };
  expect(await header(2)).not.toContain("alone");
  expect(await header(2, pair)).toContain("of the candidate alone, run 2");
  expect(await header(1, pair)).toContain("of the baseline alone, run 1");
});

describe("a name of a recording of another program", () => {
  /** The hover of the first word of a document, and the link in it. */
  async function hoverOf(word: string) {
    const dataSets = [dataSetInfo({ id: 1, name: "h100.json" })];
    const nothing = () => Promise.resolve([]);
    const foreignName = ({ name }: { readonly name: string }) =>
      Promise.resolve(name === "main" ? "recorded from work.cu, which is not in these folders" : undefined);
    const session = {
      dataSets,
      renamed: [],
      current: dataSets[0],
      scope: () => ({ dataSet: 1, metric: 0, over: "sum" }),
      engine: { lineDetails: nothing, lineCalls: nothing, foreignName },
    } as unknown as Session;
    const none = () => Promise.resolve(undefined);
    const costs = { of: none, differencesOf: none, movementSoon: () => Promise.resolve({}) };
    const document = {
      uri: { scheme: "file", fsPath: "/a.c" },
      isDirty: false,
      lineAt: () => ({ range: {} }),
      getWordRangeAtPosition: () => (word === "" ? undefined : {}),
      getText: () => word,
    };
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    const log = { warn: (text: string) => expect.fail(text) };
    const hover = await new CostHover(session, costs as never, log as never).provideHover(
      document as never,
      { line: 0 } as never,
      token as never,
    );
    return (hover?.contents as vscode.MarkdownString[] | undefined)?.map(({ value, isTrusted }) => [value, isTrusted]);
  }

  it("says why it has no cost, and leads to the source", async () => {
    const [[text, trusted]] = (await hoverOf("main")) ?? [];
    const plain = String(text).replaceAll("\\", "");
    expect(plain).toContain("main has no cost here: recorded from work.cu, which is not in these folders.");
    expect(plain).toContain("[Locate Source…](command:heatflow.locateSource?");
    expect(trusted).toEqual({ enabledCommands: expect.arrayContaining(["heatflow.locateSource"]) as unknown });
  });

  it.each(["solve", ""])("says nothing of other words: %j", async (word) => {
    expect(await hoverOf(word)).toBeUndefined();
  });
});
