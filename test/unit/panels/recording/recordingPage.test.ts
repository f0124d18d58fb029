import path from "node:path";
import type * as vscode from "vscode";
import { expect, it, vi } from "vitest";
import type { Engine } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import type { PanelParts } from "../../../../src/panels/kit/parts";
import { fillRecordingPage } from "../../../../src/panels/recording/recordingPage";
import type { FrameMessage } from "../../../../src/protocol/frame";
import { miniheat } from "../../../recordings";
import { grammars } from "../../engine/miniheat";
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
  foreignClause: () => Promise.resolve(undefined),
  computingImbalance: () => Promise.resolve(undefined),
};

/** Presses a way on the page of one of two recordings, of which events are known. */
async function press(id: string): Promise<void> {
  const window = new PanelWindow(engine, ({ id: dataSet }) => ({ dataSet, metric: 0, over: "mean" }));
  Object.assign(window.parts.session, { setCurrent: () => undefined });
  const events = [0, 1].map((rank) => path.join(miniheat, `profiles/trace/messages-${rank}.cali`));
  const [{ trace }] = await localEngine(grammars).open({ paths: events });
  const resources = [{ type: "Machine", count: 1 }];
  window.hold([dataSetInfo({ id: 4, files: ["/r/a.cali"], trace, resources })]);
  const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
  fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/a.cali" } as vscode.Uri);
  window.say({ type: "ready", width: 800, height: 600 });
  await window.next(({ type }) => type === "content");
  window.say({ type: "control", id, value: "" });
}

it.each([
  ["timeline", "heatflow.showTimeline"],
  ["overview", "heatflow.showOverview"],
  ["summary", "heatflow.showSummary"],
  ["metrics", "heatflow.showMetrics"],
  ["communication", "heatflow.showCommunication"],
  ["application", "heatflow.showApplication"],
  ["hardware", "heatflow.showHardware"],
  ["clocks", "heatflow.showClocks"],
])("a recording's page leads to its %s", async (way, command) => {
  await press(way);
  await vi.waitFor(() => expect(ran).toContainEqual([command, expect.objectContaining({ dataSet: 4 })]));
});

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

const unrooted = { message: "call stacks end early in 97 % of the samples", isUnrooted: true } as const;
const ofRun = (facts: Readonly<Record<string, string>>) =>
  Object.entries(facts).map(([name, value]) => ({ name: `run.${name}`, values: [value] }));

it.each([
  ["a traced build by frame pointers", ofRun({ tool: "sample", stacks: "fp" }), [unrooted], true],
  ["a traced build of before", ofRun({ tool: "sample" }), [unrooted], true],
  [
    "a traced build by copies, of which there is no better one",
    ofRun({ tool: "sample", stacks: "dwarf" }),
    [unrooted],
    false,
  ],
  ["another tool", ofRun({ tool: "callgrind" }), [unrooted], false],
  ["nobody knows which run", [], [unrooted], false],
  ["a traced build with whole stacks", ofRun({ tool: "sample", stacks: "fp" }), [], false],
])(
  "a recording's page offers to record again what %s recorded, if stacks end early",
  async (_, globals, warnings, is) => {
    const window = new PanelWindow(engine, ({ id }) => ({ dataSet: id, metric: 0, over: "mean" }));
    window.hold([dataSetInfo({ id: 4, files: ["/r/perf.txt"], globals, warnings })]);
    const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
    fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/perf.txt" } as vscode.Uri);
    window.say({ type: "ready", width: 800, height: 600 });
    const notices = () => {
      const frame = window.posted.findLast(({ type }) => type === "frame") as unknown as FrameMessage;
      return frame.notices.map(({ text, link }) => [text, link?.text]);
    };
    await window.next(({ type }) => type === "content");
    const text = "Call stacks end early in 97 % of the samples.";
    await vi.waitFor(() => expect(notices()).toEqual(is ? [[text, "Record Again"]] : []));
    ran.length = 0;
    window.say({ type: "notice-link", id: "recordAgain" });
    if (is) await vi.waitFor(() => expect(ran).toEqual([["heatflow.runTracedBuild", { again: "/r/perf.txt" }]]));
  },
);

it("a recording's page says that it is of another program, and leads to the command that locates its source", async () => {
  const foreignClause = () => Promise.resolve("recorded from work.cu, which is not in these folders");
  const window = new PanelWindow({ ...engine, foreignClause }, ({ id }) => ({ dataSet: id, metric: 0, over: "mean" }));
  const shown: unknown[] = [];
  Object.assign(window.parts.session, { setCurrent: (id: unknown) => shown.push(id) });
  window.hold([dataSetInfo({ id: 4, files: ["/r/h100.json"] })]);
  const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
  fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/h100.json" } as vscode.Uri);
  window.say({ type: "ready", width: 800, height: 600 });
  await window.next(({ type }) => type === "content");
  await vi.waitFor(() => {
    const frame = window.posted.findLast(({ type }) => type === "frame") as unknown as FrameMessage;
    expect(frame.notices).toMatchObject([
      {
        text: "Recorded from work.cu, which is not in these folders. None of its names leads to a line here.",
        link: { id: "locateSource", text: "Locate Source…" },
      },
    ]);
  });
  ran.length = 0;
  window.say({ type: "notice-link", id: "locateSource" });
  await vi.waitFor(() => expect(ran).toEqual([["heatflow.locateSource"]]));
  // The command is about the recording that is shown.
  expect(shown).toEqual([4]);
});

it("a recording's page opens its file quietly, and announces it as shown: the page lists the warnings", async () => {
  const window = new PanelWindow(engine, ({ id }) => ({ dataSet: id, metric: 0, over: "mean" }));
  const info = dataSetInfo({ id: 4, files: ["/r/a.cali"], warnings: [{ message: "cut" }] });
  const asked: unknown[] = [];
  Object.assign(window.parts.session, {
    open: async (uris: readonly vscode.Uri[], _: unknown, as: unknown) => {
      asked.push(["open", uris.map(({ fsPath }) => fsPath), as]);
      window.hold([info]);
      return [info];
    },
    announce: (infos: readonly { readonly id: number }[], how: unknown) =>
      asked.push(["announce", infos.map(({ id }) => id), how]),
  });
  const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
  fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/a.cali" } as vscode.Uri);
  window.say({ type: "ready", width: 800, height: 600 });
  const { content } = await window.next(({ type }) => type === "content");
  expect(asked).toEqual([
    ["open", ["/r/a.cali"], { quietly: true }],
    ["announce", [4], { isPageShown: true }],
  ]);
  expect(content).toMatchObject({ warnings: ["cut"] });
});

it("a recording's page shows at once what needs no source, and names what it waits for", async () => {
  let found: () => void = () => undefined;
  const hot = new Promise<never[]>((resolve) => (found = () => resolve([])));
  const row = { function: 0, name: "solve", exclusive: 1, inclusive: 1 };
  const slow: Partial<Engine> = {
    ...engine,
    hotFunctions: () => Promise.resolve([row] as never),
    foreignClause: async (_, task) => {
      task?.progress(0.25, "reading the names in the source folders");
      await hot;
      return "recorded from work.cu, which is not in these folders";
    },
    hotPlaces: () => hot,
  };
  const window = new PanelWindow(slow, ({ id }) => ({ dataSet: id, metric: 0, over: "mean" }));
  window.hold([dataSetInfo({ id: 4, files: ["/r/a.cali"] })]);
  const parts = { ...window.parts, showSuperGraph: () => undefined } as PanelParts & { showSuperGraph(): void };
  fillRecordingPage(parts, window.panel, { scheme: "file", fsPath: "/r/a.cali" } as vscode.Uri);
  window.say({ type: "ready", width: 800, height: 600 });
  const first = await window.next(({ type }) => type === "content");
  expect(first).toMatchObject({ near: "refining", content: { hotFunctions: [{ name: "solve" }], hotLines: [] } });
  const messages = () => window.posted.flatMap(({ type, message }) => (type === "progress" ? [message] : []));
  expect(messages()).toContain("reading the names in the source folders");
  await vi.waitFor(() => expect(messages().at(-1)).toBe("finding source lines"));
  const before = window.posted.length;
  found();
  const second = await window.next(({ type }) => type === "content", before);
  expect(second).not.toHaveProperty("near");
  const frame = await window.next(({ type }) => type === "frame", before);
  expect(JSON.stringify(frame)).toContain("Recorded from work.cu");
});
