import { expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { HotState, SourceLink } from "../../../src/engine/api";
import type { Navigator, Session } from "../../../src/session/session";
import { HotFunctionsView } from "../../../src/views/hotFunctionsView";
import { dataSetInfo } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";

const commands = vi.hoisted(() => new Map<string, (argument: unknown) => unknown>());

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const createTreeView = () => ({
    visible: true,
    onDidChangeVisibility: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  });
  return {
    ...standIn(heardNothing()),
    window: { createTreeView },
    commands: {
      executeCommand: () => Promise.resolve(),
      registerCommand: (name: string, run: (argument: unknown) => unknown) => {
        commands.set(name, run);
        return { dispose: () => undefined };
      },
    },
    TreeItem: class {
      constructor(readonly label: string) {}
    },
    ThemeIcon: class {
      constructor(readonly id: string) {}
    },
  };
});

const link: SourceLink = { places: [{ file: "/w/cg.c", line: 42 }], rule: "definition", reason: "", considered: [] };
const states: HotState[] = [
  {
    name: "PMPI_Send",
    kind: "communication",
    seconds: 280,
    count: 148_800,
    longestSeconds: 0.375,
    lines: [{ name: "PMPI_Send", seconds: 280, link }],
  },
  { name: "computing", kind: "computing", seconds: 200, count: 38_464, longestSeconds: 0.1, lines: [] },
  { name: "PMPI_Init", kind: "communication", seconds: 0, count: 64, longestSeconds: 0, lines: [] },
];

it("lists states by time if the recording has no metric, and leads to their lines", async () => {
  const trace = { lanes: 64, events: 9 } as never;
  const current = dataSetInfo({ id: 1, metrics: [], defaultMetric: -1, contexts: 0, functions: 0, trace });
  const never = new Emitter<never>().event;
  const session = {
    current,
    dataSets: [current],
    selection: undefined,
    comparison: undefined,
    onDidChangeDataSets: never,
    onDidChangeScope: never,
    onDidChangeCosts: never,
    onDidChangeTarget: never,
    onDidSelect: never,
    scope: () => ({ dataSet: 1, metric: -1, over: "sum" }),
    engine: { hotStates: async () => ({ laneSeconds: 530.6, lanes: 64, states }) },
  };
  const opened: unknown[] = [];
  const navigator = { go: async (to: unknown) => opened.push(to) };
  const view = new HotFunctionsView(
    session as unknown as Session,
    navigator as unknown as Navigator,
    { warn: (text: string) => expect.unreachable(text) } as unknown as vscode.LogOutputChannel,
  );
  const rows = await view.getChildren();
  const items = rows.map((row) => view.getTreeItem(row));
  expect(items.map(({ label, description }) => [label, String(description).replaceAll("\u00a0", " ")])).toEqual([
    ["52.8 %\u2002PMPI_Send", "280 s · 148,800×"],
    ["37.7 %\u2002computing", "200 s · 38,464×"],
  ]);
  for (const { command } of items) await commands.get(command?.command ?? "")?.(command?.arguments?.[0]);
  expect(opened).toEqual([link]);
  view.dispose();
});
