import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { flameGraph } from "../../../src/panels/flameGraph/definition";
import type { View } from "../../../src/panels/kit/definition";
import { recordingDefinition } from "../../../src/panels/recording/definition";
import { keepContextKeys } from "../../../src/session/contextKeys";
import type { Session, SessionDataSet } from "../../../src/session/session";
import { dataSetInfo, metricInfo } from "./sampleInfo";

const keys = vi.hoisted(() => new Map<string, boolean>());

vi.mock("vscode", () => ({
  commands: { executeCommand: (_: string, key: string, value: boolean) => void keys.set(key, value) },
  Disposable: { from: () => undefined },
}));

interface Manifest {
  readonly contributes: { readonly menus: Record<string, { readonly command: string; readonly when: string }[]> };
}

describe("a view that a recording has nothing for", () => {
  const alone = { units: [], ranks: [], locationCounts: { ranks: 0, threads: 0, streams: 0 } };
  const reduced = { metrics: [metricInfo({ reducedOverRanks: true })] };
  const nothing = { ...alone, contexts: 0, functions: 0, metrics: [], defaultMetric: -1 };

  it.each<[string, Partial<SessionDataSet>]>([
    ["ranks", {}],
    ["no distribution to show", alone],
    ["values that were combined over ranks", reduced],
    ["nothing that adds up", nothing],
  ])("is offered by the palette as by the recording's page: %s", (_, parts) => {
    const dataSet = dataSetInfo(parts);
    const scope = dataSet.metrics.length > 0 ? { dataSet: dataSet.id, metric: 0, over: "mean" as const } : undefined;
    const event = () => ({ dispose: () => undefined });
    const session: Partial<Session> = {
      dataSets: [dataSet],
      closedRecordings: [],
      current: dataSet,
      comparison: undefined,
      scope: () => scope,
      onDidChangeDataSets: event,
      onDidChangeScope: event,
    };
    keepContextKeys(session as Session);
    const shown = scope ?? { dataSet: dataSet.id, metric: -1, over: "sum" };
    const view = { session, dataSet, scope: shown } as unknown as View<object>;
    const page = recordingDefinition(() => Promise.resolve());
    const disabled = page
      .controls(view)
      .flatMap((way) => (way.kind === "tool" && way.disabled !== undefined ? [way.id] : []));
    expect(keys.get("heatflow.hasHistogram")).toBe(!disabled.includes("histogram"));
    expect(keys.get("heatflow.hasCorrelation")).toBe(!disabled.includes("correlation"));
    expect(flameGraph.unmeasured?.(dataSet) !== undefined).toBe(disabled.includes("flameGraph"));
  });

  it("has its key at every way to it but rows of recordings, which may be of others", () => {
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
    const menus = Object.values(contributes.menus).flat();
    for (const [command, key] of [
      ["heatflow.histogram", "heatflow.hasHistogram"],
      ["heatflow.correlation", "heatflow.hasCorrelation"],
    ])
      for (const { when } of menus.filter(
        (menu) => menu.command === command && !menu.when.includes("viewItem =~ /^dataSet"),
      ))
        for (const way of when.split(" || ")) expect(way).toContain(key);
  });
});
