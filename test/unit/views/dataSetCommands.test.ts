import { beforeEach, expect, it, vi } from "vitest";
import { registerDataSetCommands } from "../../../src/views/dataSetCommands";

const commands = vi.hoisted(() => new Map<string, (argument?: unknown) => Promise<void>>());

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const registerCommand = (name: string, run: () => Promise<void>) => commands.set(name, run);
  return { ...standIn(heardNothing()), commands: { registerCommand, executeCommand: () => Promise.resolve() } };
});

const closed: number[] = [];
/** Each close takes a while, and the lists get shorter meanwhile. */
const session = {
  dataSets: [] as { id: number }[],
  closedRecordings: [] as { dataSet: number }[],
  close: async (dataSet: number) => {
    await Promise.resolve();
    closed.push(dataSet);
    session.dataSets = session.dataSets.filter(({ id }) => id !== dataSet);
    session.closedRecordings = session.closedRecordings.filter((one) => one.dataSet !== dataSet);
  },
};

beforeEach(() => {
  closed.length = 0;
  registerDataSetCommands({ session } as unknown as Parameters<typeof registerDataSetCommands>[0]);
});

it("Close All closes what is open and what could not be opened again, each once", async () => {
  session.dataSets = [{ id: 3 }, { id: 5 }, { id: 8 }];
  session.closedRecordings = [{ dataSet: 4 }];
  await commands.get("heatflow.closeAll")?.();
  expect(closed).toEqual([3, 5, 8, 4]);
  await commands.get("heatflow.closeAll")?.();
  expect(closed).toHaveLength(4);
});
