import type * as vscode from "vscode";
import { expect, it, vi } from "vitest";
import type { Engine } from "../../../../src/engine/api";
import type { PanelParts } from "../../../../src/panels/kit/parts";
import { fillRecordingPage } from "../../../../src/panels/recording/recordingPage";
import { dataSetInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

const ran = vi.hoisted(() => [] as unknown[][]);

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  const executeCommand = (...command: unknown[]) => Promise.resolve(void ran.push(command));
  return { ...standIn(heardNothing()), commands: { executeCommand } };
});

const engine: Partial<Engine> = {
  hotPlaces: () => Promise.resolve([]),
  hotFunctions: () => Promise.resolve([]),
  runTotals: () => Promise.resolve({ total: 1 }),
};

it("a recording's page leads to a comparison of that recording, whichever is shown", async () => {
  const window = new PanelWindow(engine, ({ id }) => ({ dataSet: id, metric: 0, over: "mean" }));
  const { session } = window.parts;
  Object.assign(session, { setCurrent: () => undefined });
  window.hold([dataSetInfo({ id: 4, files: ["/r/a.cali"] }), dataSetInfo({ id: 5, files: ["/r/b.cali"] })]);
  const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
  fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/a.cali" } as vscode.Uri);
  window.say({ type: "ready", width: 800, height: 600 });
  await window.next(({ type }) => type === "content");
  window.say({ type: "control", id: "compare", value: "" });
  await vi.waitFor(() => expect(ran).toContainEqual(["heatflow.compareRuns", { dataSet: 4 }]));
});
