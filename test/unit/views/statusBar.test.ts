import { expect, it, vi } from "vitest";
import type { Warning } from "../../../src/engine/api";
import type { Session, SessionDataSet } from "../../../src/session/session";
import { StatusBar } from "../../../src/views/statusBar";
import { dataSetInfo, metricInfo } from "../session/sampleInfo";

interface Item {
  text?: string;
  command?: unknown;
  tooltip?: string;
  isShown?: boolean;
}
const items = vi.hoisted(() => new Map<string, Item>());

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const createStatusBarItem = (name: string) => {
    const item: Item & Record<string, unknown> = {
      show: () => (item.isShown = true),
      hide: () => (item.isShown = false),
      dispose: () => undefined,
    };
    items.set(name, item);
    return item;
  };
  return { ...known, window: { createStatusBarItem } };
});

const never = () => ({ dispose: () => undefined });
const cut: Warning = {
  message: "the file ends in the middle of a line",
  file: "/r/b.trace",
  at: { byte: 9 },
  isCut: true,
};

/** What the mark says while the first recording is shown. */
function marked(...dataSets: SessionDataSet[]): string | undefined {
  const session = {
    onDidChangeDataSets: never,
    onDidChangeScope: never,
    onDidChangeTarget: never,
    dataSets,
    current: dataSets.at(0),
  };
  new StatusBar({ ...session, scope: () => undefined } as unknown as Session).dispose();
  const { isShown, text, tooltip } = items.get("heatflow.cut") ?? {};
  if (isShown) expect(tooltip).toContain("/r/b.trace, byte 9: the file ends in the middle of a line");
  return isShown ? text : undefined;
}

it("marks a recording whose end is missing as long as it is open, by its name where another one is shown", () => {
  const [whole, part] = [
    dataSetInfo({ id: 1, name: "a.trace" }),
    dataSetInfo({ id: 2, name: "b.trace", warnings: [cut] }),
  ];
  expect(marked(whole as SessionDataSet)).toBeUndefined();
  expect(marked(part as SessionDataSet, whole as SessionDataSet)).toBe("$(warning) incomplete");
  expect(marked(whole as SessionDataSet, part as SessionDataSet)).toBe("$(warning) b.trace incomplete");
});

it("says of a comparison where its difference is shown, and why not where it is not", () => {
  const [time, bytes] = [metricInfo(), metricInfo({ name: "bytes", unit: "B", kind: "bytes" })];
  const infos = ["before", "after", "third"].map((name, at) =>
    dataSetInfo({ id: at + 1, name, metrics: name === "before" ? [time, bytes] : [time] }),
  );
  const said = (current: number, metric: number) => {
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      dataSets: infos,
      current: infos[current],
      comparison: { baseline: 1, candidate: 2 },
      renamed: [],
      scope: (dataSet = infos[current].id) => ({ dataSet, metric: dataSet === 1 ? metric : 0, over: "sum" }),
    };
    new StatusBar(session as unknown as Session).dispose();
    const { isShown, text, tooltip } = items.get("heatflow.comparison") ?? {};
    expect([isShown, text]).toEqual([true, "$(git-compare) before → after $(close)"]);
    return tooltip;
  };
  const all = "Heatflow: lines, trees and panels show what after costs more (+) or less (−) than before.";
  const end = " Click to end the comparison.";
  expect([said(0, 0), said(1, 0)]).toEqual([all + end, all + end]);
  expect(said(2, 0)).toBe(
    `Heatflow: panels of the two show what after costs more (+) or less (−) than before. Lines and trees show third, which is not part of this comparison.${end}`,
  );
  expect(said(0, 1)).toBe(
    `Heatflow: no difference is shown. Not compared: after has no metric bytes. Choose a metric that both have.${end}`,
  );
});

it("offers a comparison with what measured the same of the same program, and with nothing else", async () => {
  const offered = async (...names: string[]) => {
    const infos = names.map((name, at) =>
      dataSetInfo({ id: at + 1, name, metrics: [metricInfo(name === "cycles" ? { name: "cycles", unit: "1" } : {})] }),
    );
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      dataSets: infos,
      current: infos[0],
      renamed: [],
      scope: (dataSet = 1) => ({ dataSet, metric: 0, over: "sum" }),
      engine: { isSameProgram: async ({ other }: { readonly other: number }) => names[other - 1] !== "other program" },
    };
    new StatusBar(session as unknown as Session).dispose();
    await new Promise((resolve) => setImmediate(resolve));
    const { isShown, text } = items.get("heatflow.comparison") ?? {};
    return isShown ? text : undefined;
  };
  expect(await offered("before", "cycles", "other program", "after")).toBe("$(git-compare) Compare with after");
  expect(await offered("before", "cycles")).toBeUndefined();
  expect(await offered("before", "other program")).toBeUndefined();
});

it("keeps the command of what is offered through changes that are about something else", async () => {
  const infos = ["a", "b"].map((name, at) => dataSetInfo({ id: at + 1, name, metrics: [metricInfo()] }));
  const listeners: (() => void)[] = [];
  const on = (listener: () => void) => {
    listeners.push(listener);
    return never();
  };
  const session = {
    onDidChangeDataSets: on,
    onDidChangeScope: on,
    onDidChangeTarget: never,
    dataSets: infos,
    current: infos[0],
    renamed: [],
    scope: (dataSet = 1) => ({ dataSet, metric: 0, over: "sum" }),
    engine: { isSameProgram: () => Promise.resolve(true) },
  };
  const answered = () => new Promise((resolve) => setImmediate(resolve));
  const bar = new StatusBar(session as unknown as Session);
  const offered = () => items.get("heatflow.comparison")?.command;
  await answered();
  const before = offered();
  expect(before).toMatchObject({ arguments: [{ dataSet: 1, baseline: 2 }] });
  for (const listener of listeners) listener();
  expect(offered()).toBe(before);
  await answered();
  expect(offered()).toBe(before);
  session.current = infos[1];
  for (const listener of listeners) listener();
  await answered();
  expect(offered()).toMatchObject({ arguments: [{ dataSet: 2, baseline: 1 }] });
  bar.dispose();
});

it("says which run of an ensemble lines and trees are of, and ends that, but for a metric that it lacks", () => {
  const [time, bytes] = [metricInfo(), metricInfo({ name: "bytes", unit: "B", kind: "bytes" })];
  const ensemble = { names: ["np1", "np2", "np3"], lacking: [[], [2]] };
  const info = dataSetInfo({ id: 4, name: "3 runs", metrics: [time, bytes], ensemble });
  const said = (run: string | undefined, metric = 0, dataSet = 4) => {
    const ended = vi.fn();
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      dataSets: [info],
      current: info,
      scope: () => ({ dataSet: 4, metric, over: "mean" }),
      ensembleTarget: run && { dataSet, run },
      setEnsembleTarget: ended,
    };
    new StatusBar(session as unknown as Session).dispose();
    const { isShown, text, command } = items.get("heatflow.target") ?? {};
    expect(command).toBe("heatflow.endTarget");
    return isShown ? text : undefined;
  };
  expect(said("np3")).toBe("$(target) np3 $(close)");
  expect(said("np2", 1)).toBe("$(target) np2 $(close)");
  expect([said(undefined), said("np9"), said("np3", 1), said("np3", 0, 5)]).toEqual([...Array(4)]);
});

it("says which runs of an ensemble lines and trees compare, and ends that", () => {
  const [time, bytes] = [metricInfo(), metricInfo({ name: "bytes", unit: "B", kind: "bytes" })];
  const ensemble = { names: ["np1", "np2", "np3"], lacking: [[], [2]] };
  const info = dataSetInfo({ id: 4, name: "3 runs", metrics: [time, bytes], ensemble });
  const said = (candidate: readonly string[], metric = 0, dataSet = 4) => {
    const baseline = { name: "one rank", runs: ["np1", "np2"] };
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      renamed: [],
      dataSets: [info],
      current: info,
      scope: () => ({ dataSet: 4, metric, over: "mean" }),
      ensembleDifference: { dataSet, baseline, candidate: { name: "several", runs: candidate } },
    };
    new StatusBar(session as unknown as Session).dispose();
    const { isShown, text, tooltip, command } = items.get("heatflow.comparison") ?? {};
    return isShown ? [text, tooltip, command] : undefined;
  };
  const chip = [
    "$(git-compare) one rank → several $(close)",
    "Heatflow: lines, trees and the ensemble show what several costs more (+) or less (−) than one rank. Click to end the comparison.",
    "heatflow.endDifference",
  ];
  expect(said(["np3"])).toEqual(chip);
  expect(said(["np3", "gone"])).toEqual(chip);
  // A run that is not there any more, one that lacks the metric, and another ensemble.
  expect([said(["gone"]), said(["np3"], 1), said(["np3"], 0, 5)]).toEqual([...Array(3)]);
});

it("names the runs of an ensemble that numbers are restricted to, and counts them where these are many", () => {
  const names = Array.from({ length: 18 }, (_, run) => `np${run}-r1`);
  const info = dataSetInfo({ ensemble: { names, lacking: [] } });
  const said = (...members: string[]) => {
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      dataSets: [info],
      current: info,
      scope: () => scope(members),
    };
    new StatusBar(session as unknown as Session).dispose();
    const { isShown, text, tooltip } = items.get("heatflow.restriction") ?? {};
    return [isShown, text, tooltip?.split(". ")[0]];
  };
  const scope = (members: string[]) => ({ dataSet: info.id, metric: 0, over: "mean", chosen: { by: "run", members } });
  const all = "Heatflow: all numbers are restricted to";
  expect(said("3", "4")).toEqual([true, "np3-r1, np4-r1 $(close)", `${all} np3-r1, np4-r1`]);
  const six = ["3", "4", "5", "9", "10", "11"];
  const list = six.map((run) => `np${run}-r1`).join(", ");
  expect(said(...six)).toEqual([true, "6 runs $(close)", `${all} ${list}`]);
});

it("says of an ensemble with a target run that numbers are this run's, as the trees do", () => {
  const info = dataSetInfo({ name: "2 runs", ensemble: { names: ["a", "b"], lacking: [] } });
  const said = (run: string | undefined) => {
    const session = {
      onDidChangeDataSets: never,
      onDidChangeScope: never,
      onDidChangeTarget: never,
      dataSets: [info],
      current: info,
      scope: () => ({ dataSet: info.id, metric: 0, over: "mean" }),
      ensembleTarget: run === undefined ? undefined : { dataSet: info.id, run },
    };
    new StatusBar(session as unknown as Session).dispose();
    return items.get("heatflow.shown")?.text;
  };
  expect(said("b")).toBe("$(flame) 2 runs · time · run b");
  expect(said(undefined)).not.toContain("run b");
});
