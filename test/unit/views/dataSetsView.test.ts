import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { Session } from "../../../src/session/session";
import { DataSetsView } from "../../../src/views/dataSetsView";
import type { Row } from "../../../src/views/row";
import { dataSetInfo } from "../session/sampleInfo";
import { Emitter } from "../session/standInForVsCode";

const tree = vi.hoisted(() => ({
  visible: true,
  selection: [] as Row[],
  revealed: [] as string[],
  becomeVisible: () => undefined as void,
  /** Calls that the list answers before it knows its rows: by an error, or by selecting nothing. */
  unready: [] as ("fails" | "selects nothing")[],
}));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const createTreeView = () => ({
    get visible() {
      return tree.visible;
    },
    get selection() {
      return tree.selection;
    },
    reveal: (row: Row, { focus }: { focus: boolean }) => {
      const unready = tree.unready.shift();
      if (unready === "fails") return Promise.reject(new Error("no such row"));
      if (unready !== undefined) return Promise.resolve();
      tree.selection = [row];
      tree.revealed.push(`${row.label}${focus ? " with the focus" : ""}`);
      return Promise.resolve();
    },
    onDidChangeVisibility: (heard: () => void) => {
      tree.becomeVisible = heard;
      return { dispose: () => undefined };
    },
    dispose: () => undefined,
  });
  return { ...standIn(heardNothing()), window: { createTreeView } };
});

const infos = ["a", "b", "c"].map((name, at) => dataSetInfo({ id: at + 1, name }));
const scopes = new Emitter<void>();
const session = {
  dataSets: infos,
  closedRecordings: [],
  current: infos[0],
  onDidChangeDataSets: new Emitter<void>().event,
  onDidChangeScope: scopes.event,
  scope: (dataSet: number) => ({ dataSet, metric: 0, over: "mean" }),
};

function show(at: number): void {
  session.current = infos[at];
  scopes.fire();
}

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(tree, { visible: true, selection: [], revealed: [], unready: [] });
});
afterEach(() => vi.useRealTimers());

it("the selection of the list is the data set that is shown, whoever chose it", () => {
  const view = new DataSetsView(session as unknown as Session, {} as vscode.LogOutputChannel);
  show(1);
  expect(tree.revealed).toEqual(["b"]);
  // What a click in the list chose is selected already, be it a row below the data set's.
  tree.selection = [{ key: "3/metric/0", dataSet: 3, label: "time" } as Row];
  show(2);
  // Another metric of it, and looking at other rows, changes no selection.
  tree.selection = [{ key: "1/ranks", dataSet: 1, label: "Ranks" } as Row];
  scopes.fire();
  expect(tree.revealed).toEqual(["b"]);
  // Out of sight nothing is switched; when the list comes back it is in step.
  tree.visible = false;
  show(1);
  expect(tree.revealed).toEqual(["b"]);
  tree.visible = true;
  tree.becomeVisible();
  expect(tree.revealed).toEqual(["b", "b"]);
  view.dispose();
});

it("leads to the row of what was opened, and takes no focus after a long wait", async () => {
  const view = new DataSetsView(session as unknown as Session, {} as vscode.LogOutputChannel);
  tree.visible = false;
  await view.show(2, 300);
  expect(tree.revealed).toEqual(["b with the focus"]);
  // The side bar stays at what the user looks at meanwhile.
  await view.show(2, 1000);
  expect(tree.revealed).toEqual(["b with the focus"]);
  tree.visible = true;
  await view.show(2, 5000);
  expect(tree.revealed).toEqual(["b with the focus", "b"]);
  view.dispose();
});

it("selects a row that the list does not know yet as soon as it does", async () => {
  const view = new DataSetsView(session as unknown as Session, { debug: () => undefined } as never);
  tree.unready = ["fails", "selects nothing", "fails"];
  await view.show(2, 300);
  expect(tree.revealed).toEqual([]);
  // The page that comes next has the focus by then.
  await vi.runAllTimersAsync();
  expect(tree.revealed).toEqual(["b"]);
  // Somebody else's choice ends it.
  tree.selection = [];
  tree.unready = ["fails", "fails"];
  await view.show(3, 300);
  tree.selection = [{ key: "1", dataSet: 1, label: "a" } as Row];
  await vi.runAllTimersAsync();
  expect(tree.revealed).toEqual(["b"]);
  view.dispose();
});
