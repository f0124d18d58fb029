import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/engine/api";
import { chosenRanks } from "../../../src/model/members";
import { callerNode, contextNode, keyOf, nodeTexts, nodeTooltip } from "../../../src/views/contextNodes";
import { costOf, costTooltip, costsOf } from "../../../src/views/costTexts";
import type { Row } from "../../../src/views/row";
import { dataSetRows } from "../../../src/views/dataSetRows";
import { overChoices } from "../../../src/views/overChoices";
import { dataSetInfo, metricInfo } from "../session/sampleInfo";

const scope: Scope = { dataSet: 1, metric: 0, over: "mean" };
const seconds = { unit: "s", total: 4 };

function keysOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => [row.key, ...keysOf(row.children ?? [])]);
}

describe("the data sets view", () => {
  const info = dataSetInfo({
    globals: [{ name: "cali.caliper.version", values: ["2.15.0"] }],
    warnings: [{ message: "it ends in the middle of a record", file: "cut.cali", at: { line: 12 } }],
    recordedAt: Date.UTC(2026, 0, 1),
  });

  it("lists metrics, runs, ranks, files, metadata and warnings, each under a key of its own", () => {
    const rows = dataSetRows([info], [], () => scope, 1);
    const keys = keysOf(rows);
    expect(new Set(keys).size).toBe(keys.length);
    const labels = rows[0].children?.map(({ label, description }) => `${label}: ${description}`);
    expect(labels).toEqual([
      "time: 21.5 s summed over 8 ranks · shown",
      "bytes: 4.00 GB summed over 8 ranks",
      "Runs: 1",
      "Ranks: 8 (0–7)",
      "Calling contexts: 12 in 10 functions",
      "Read from: Caliper · 1 file",
      "Metadata of the run: 1",
      "Warnings: 1",
    ]);
    expect(rows[0].description).toBe("mean over 8 ranks");
    const single = dataSetRows([{ ...info, contexts: 1, functions: 1 }], [], () => scope, 1);
    expect(single[0].children?.map(({ description }) => description)).toContain("1 in 1 function");
    expect(rows[0].children?.at(-1)?.children?.[0]).toMatchObject({ description: "cut.cali, line 12" });
  });

  it("says nothing of ranks where the recording has none", () => {
    const [row] = dataSetRows([dataSetInfo({ ranks: [] })], [], () => scope, 1);
    expect(JSON.stringify(row)).not.toMatch(/rank/i);
  });

  it("offers of each recording the views that have something to draw, in the menu of its row", () => {
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: { menus: { "view/item/context": { command: string; when: string; group: string }[] } };
    };
    const offeredBy = (recording: typeof info) => {
      const [{ context = "" }] = dataSetRows([recording], [], () => scope, 1);
      return contributes.menus["view/item/context"].flatMap(({ command, when }) => {
        const [, pattern] = /^view == heatflow\.dataSets && viewItem =~ \/(.*?)\/(?: && .*)?$/.exec(when) ?? [];
        return pattern !== undefined && new RegExp(pattern).test(context) ? [command] : [];
      });
    };
    const views = ["heatflow.histogram", "heatflow.correlation", "heatflow.showFlameGraph", "heatflow.showTimeline"];
    const shown = (recording: typeof info) => views.filter((view) => offeredBy(recording).includes(view));
    expect(shown(info)).toEqual(["heatflow.histogram", "heatflow.correlation", "heatflow.showFlameGraph"]);
    // One rank: a correlation is of functions then.
    const single = { ...info, ranks: [0], units: [] };
    expect(shown(single)).toEqual(["heatflow.correlation", "heatflow.showFlameGraph"]);
    expect(offeredBy(single)).toEqual(expect.arrayContaining(["heatflow.showSuperGraph", "heatflow.close"]));
    expect(shown({ ...info, contexts: 0 })).not.toContain("heatflow.showFlameGraph");
  });

  it("says which one is shown where there are several", () => {
    const rows = dataSetRows([info, dataSetInfo({ id: 2 })], [], () => scope, 2);
    expect(rows.map(({ description }) => description)).toEqual(["mean over 8 ranks", "shown · mean over 8 ranks"]);
    expect(rows.map(({ metric }) => metric)).toEqual([0, undefined]); // a click shows the other one
  });

  it("says of a metric that does not add up that it does not", () => {
    const rate = metricInfo({ name: "rate", additive: false, total: Number.NaN });
    const [row] = dataSetRows([dataSetInfo({ metrics: [rate] })], [], () => undefined, 1);
    expect(row.children?.[0].description).toBe("does not add up");
    expect(row.children?.[0].metric).toBeUndefined(); // and can't be chosen
    expect(row.description).toBe("no metric");
  });

  it("counts files instead of listing thousands", () => {
    const files = Array.from({ length: 5000 }, (_, at) => `/data/rank-${at}.cali`);
    const [row] = dataSetRows([dataSetInfo({ files })], [], () => scope, 1);
    const from = row.children?.find(({ label }) => label === "Read from");
    expect(from?.children).toHaveLength(201);
    expect(from?.children?.at(-1)?.label).toBe("4800 more");
  });

  it("keeps a recording that could not be reopened, with the reason", () => {
    const [row] = dataSetRows(
      [],
      [{ dataSet: 3, key: "gone", name: "gone.cali", paths: ["/gone.cali"], reason: "no such file" }],
      () => undefined,
      undefined,
    );
    expect(row).toMatchObject({ label: "gone.cali", description: "not open", context: "closedRecording" });
    expect(row.children?.[0].label).toBe("no such file");
  });
});

describe("costs in trees", () => {
  it("have a share only where there is a total", () => {
    expect(costOf(1, seconds)).toBe("1.00 s · 25.0 %");
    expect(costOf(1, { unit: "s", total: undefined })).toBe("1.00 s");
    expect(costOf(0, { unit: "s", total: 0 })).toBe("0 s");
  });

  it("begin with what the list is sorted by", () => {
    const row = { exclusive: 1, inclusive: 2 };
    expect(costsOf(row, "exclusive", seconds)).toEqual({ first: "25.0 %", further: "1.00 s · inclusive 2.00 s" });
    expect(costsOf(row, "inclusive", seconds)).toEqual({ first: "50.0 %", further: "2.00 s · exclusive 1.00 s" });
    const unshared = { unit: "s", total: undefined };
    expect(costsOf(row, "exclusive", unshared)).toEqual({ first: "1.00 s", further: "inclusive 2.00 s" });
    const bounded = { ...row, atMost: true };
    expect(costsOf(bounded, "exclusive", seconds)).toEqual({
      first: "25.0 %",
      further: "1.00 s · inclusive at most 2.00 s",
    });
    expect(costsOf(bounded, "inclusive", seconds)).toEqual({
      first: "at most 50.0 %",
      further: "at most 2.00 s · exclusive 1.00 s",
    });
    expect(costTooltip({ ...bounded, name: "f" }, "", seconds)).toContain("inclusive at most 2.00 s");
  });

  it("say in the tooltip what the numbers mean", () => {
    const tooltip = costTooltip({ name: "f", detail: "a.cpp", exclusive: 1, inclusive: 2 }, "time · mean", seconds);
    expect(tooltip.split("\n")).toEqual([
      "f",
      "inclusive 2.00 s · 50.0 %",
      "exclusive 1.00 s · 25.0 %",
      "time · mean",
      "a.cpp",
    ]);
  });

  it("say in the tooltip where code without a name is", () => {
    const row = { name: "[unknown]", detail: "libc.so", exclusive: 1, inclusive: 2 };
    const last = (nameless: { address: string; frames: number }) =>
      costTooltip({ ...row, nameless }, "", seconds)
        .split("\n")
        .at(-1);
    expect(last({ address: "0x7f", frames: 3 })).toBe("3 frames without a name, the innermost at 0x7f");
    expect(last({ address: "0xffffffffad14d115", frames: 1 })).toBe("a frame without a name, at 0xffffffffad14d115");
  });
});

describe("nodes of calling contexts", () => {
  const row = {
    context: 4,
    name: "solve",
    kind: "region",
    origin: "mark",
    detail: "",
    exclusive: 1,
    inclusive: 2,
    children: 3,
  } as const;

  it("have a key each, that names the chain of callers", () => {
    const parent = contextNode(row, undefined);
    expect([keyOf(undefined), keyOf(parent)]).toEqual(["", "context/4"]);
    const caller = { path: [3, 1], name: "main", exclusive: 1, inclusive: 1, callers: 0 };
    expect(keyOf(callerNode(caller, undefined))).toBe("caller/3/1");
  });

  it("show inclusive top-down and, of callers, the exclusive along the chain", () => {
    expect(nodeTexts(contextNode(row, undefined), seconds)).toMatchObject({
      label: "50.0 %\u2002solve",
      description: "2.00 s · exclusive 1.00 s",
      expandable: true,
    });
    const caller = { path: [3, 1], name: "main", exclusive: 1, inclusive: 2, callers: 0 };
    expect(nodeTexts(callerNode(caller, undefined), seconds)).toMatchObject({
      label: "25.0 %\u2002← main",
      description: "1.00 s · inclusive 2.00 s",
      expandable: false,
    });
  });

  it("show what differs while two recordings are compared, and nothing of one of them alone beside it", () => {
    const compared = { baseline: 1, candidate: 3 };
    const caller = { path: [3, 1], name: "main", exclusive: 3, inclusive: 4, callers: 0 };
    const nodes = [contextNode({ ...row, inclusive: 3 }, undefined, compared), callerNode(caller, undefined, compared)];
    expect(nodes.map((node) => nodeTexts(node, seconds))).toMatchObject([
      { label: "+2.00 s · 3.00×\u2002solve", description: "" },
      { label: "+2.00 s · 3.00×\u2002← main", description: "" },
    ]);
    expect(nodes.map((node) => nodeTooltip(node, "a → b", seconds))).toEqual([
      "solve\ninclusive 1.00 s → 3.00 s\na → b",
      "main\nexclusive 1.00 s → 3.00 s\na → b",
    ]);
  });

  it("have their number before names of any length, which VS Code cuts at their end", () => {
    const name = `std::vector<${"std::pair<int, ".repeat(40)}>>::operator[]`;
    const caller = { path: [3, 1], name, exclusive: 1, inclusive: 2, callers: 0 };
    for (const node of [contextNode({ ...row, name }, undefined), callerNode(caller, undefined)])
      expect(nodeTexts(node, seconds).label).toMatch(/^\d\d\.0 %\u2002(?:← )?std::vector</);
    expect(nodeTexts(contextNode({ ...row, name }, undefined), { unit: "s", total: 0 }).label).toMatch(
      /^2\.00 s\u2002/,
    );
  });

  it("end a cut list with the number of further rows", () => {
    const more = { kind: "more", key: "more/", more: 12, parent: undefined } as const;
    expect(nodeTexts(more, seconds)).toEqual({ label: "12 more…", expandable: false });
  });
});

describe("the choice of how ranks are combined", () => {
  it("marks what is shown and offers single ranks and restrictions where there are several", () => {
    const choices = overChoices({ ranks: [0, 1] }, { over: "max", chosen: chosenRanks([1]) });
    expect(choices.map(({ over, ask }) => over ?? ask)).toEqual(["mean", "sum", "max", "min", "rank", "restriction"]);
    expect(choices[2].description).toContain("shown");
    expect(choices[5].description).toBe("rank 1 now");
    expect(overChoices({ ranks: [] }, { over: "sum" })).toHaveLength(4);
  });
});
