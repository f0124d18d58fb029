import { beforeEach, expect, it, vi } from "vitest";
import { OpenedNotice } from "../../../src/session/openedNotice";
import type { Session } from "../../../src/session/session";
import { dataSetInfo } from "../session/sampleInfo";
import { registerDataSetCommands } from "../../../src/views/dataSetCommands";

const commands = vi.hoisted(() => new Map<string, (argument?: unknown) => Promise<void>>());

const Uri = vi.hoisted(
  () =>
    class {
      constructor(readonly fsPath: string) {}
    },
);
const heard = vi.hoisted(() => ({ messages: [] as string[], selectionChanged: [] as (() => void)[] }));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const registerCommand = (name: string, run: () => Promise<void>) => commands.set(name, run);
  const all = standIn({ ...heardNothing(), messages: heard.messages });
  const onDidChangeTextEditorSelection = (listener: () => void) => {
    heard.selectionChanged.push(listener);
    return { dispose: () => undefined };
  };
  return {
    ...all,
    Uri,
    window: new Proxy(all.window as Record<string, unknown>, {
      get: (window, name) =>
        name === "onDidChangeTextEditorSelection" ? onDidChangeTextEditorSelection : window[String(name)],
    }),
    commands: { registerCommand, executeCommand: () => Promise.resolve() },
  };
});

const notice = new OpenedNotice();
const closed: number[] = [];
/** Each close takes a while, and the lists get shorter meanwhile. */
const session = {
  dataSets: [] as { id: number }[],
  closedRecordings: [] as { dataSet: number }[],
  open: () => {
    const infos = [dataSetInfo({ id: 3, name: "run.cali", warnings: [{ message: "cut" }] })];
    notice.opened(infos);
    return Promise.resolve(infos);
  },
  announce: (...announced: Parameters<Session["announce"]>) => notice.announce(...announced),
  close: async (dataSet: number) => {
    await Promise.resolve();
    closed.push(dataSet);
    session.dataSets = session.dataSets.filter(({ id }) => id !== dataSet);
    session.closedRecordings = session.closedRecordings.filter((one) => one.dataSet !== dataSet);
  },
};

const shown: string[] = [];
/** What the user does while the list goes to the row of what was opened. */
let meanwhile: () => void;

beforeEach(() => {
  closed.length = 0;
  shown.length = 0;
  heard.messages.length = 0;
  const parts = {
    session,
    showRow: () => (shown.push("row"), meanwhile(), Promise.resolve()),
    showPage: () => (shown.push("page"), Promise.resolve()),
  };
  registerDataSetCommands(parts as unknown as Parameters<typeof registerDataSetCommands>[0]);
});

it("the page of what was opened comes unless the user went on to a text until then", async () => {
  meanwhile = () => undefined;
  const file = new Uri("/run.cali");
  await commands.get("heatflow.open")?.(file);
  expect(shown).toEqual(["row", "page"]);
  expect(heard.messages).toEqual([]);
  meanwhile = () => heard.selectionChanged.forEach((listener) => listener());
  await commands.get("heatflow.open")?.(file);
  expect(shown).toEqual(["row", "page", "row"]);
  // The page would have listed the warning.
  expect(heard.messages).toEqual(["run.cali is open. run.cali: cut"]);
});

it("Close All closes what is open and what could not be opened again, each once", async () => {
  session.dataSets = [{ id: 3 }, { id: 5 }, { id: 8 }];
  session.closedRecordings = [{ dataSet: 4 }];
  await commands.get("heatflow.closeAll")?.();
  expect(closed).toEqual([3, 5, 8, 4]);
  await commands.get("heatflow.closeAll")?.();
  expect(closed).toHaveLength(4);
});
