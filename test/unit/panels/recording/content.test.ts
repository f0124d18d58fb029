import { chosenRanks } from "../../../../src/model/members";
import { describe, expect, it } from "vitest";
import type { DataSetInfo, Scope } from "../../../../src/engine/api";
import { recordingOf } from "../../../../src/panels/recording/content";
import { MESSAGE_LIMIT, parse } from "../../../../src/protocol/bounds";
import { recordingContent } from "../../../../src/protocol/recording";
import { openMiniheat } from "../../engine/miniheat";

async function sample() {
  const { engine, info, scope } = await openMiniheat();
  const mean: Scope = { ...scope, over: "mean" };
  return { info, scope: mean, hot: await engine.hotPlaces({ scope: mean, limit: 10 }) };
}

describe("a data set's page", () => {
  it("says what the recording is, with its metrics' totals and its hottest lines", async () => {
    const { info, scope, hot } = await sample();
    const page = recordingOf(info, scope, { hot, functions: [] });
    expect(parse(recordingContent, structuredClone(page))).toEqual(page);
    const fact = (label: string) => page.facts.find((row) => row.label === label)?.value;
    expect(fact("Format")).toContain("Caliper");
    expect(fact("Ranks")).toBe("8 (0–7)");
    expect(fact("File")).toBe(info.files[0]);
    expect(page.scope).toBe("time, mean over 8 ranks");
    const restricted = recordingOf(info, { ...scope, chosen: chosenRanks([0, 4]) }, { hot, functions: [] });
    expect(restricted).toMatchObject({ scope: "time, mean over ranks 0, 4" });
    expect(page.metrics.find(({ current }) => current)).toMatchObject({ name: "time", unit: "s" });
    expect(page.metrics.map(({ total }) => total)).toEqual(info.metrics.map(({ total }) => total));
    expect(page.hotLines[0]).toMatchObject({ name: "updateConductivity", place: "physics.cpp:34" });
    expect(page.globals.map(({ name }) => name)).toEqual(info.globals.map(({ name }) => name));
  });

  it("has what recording cost among its totals, from half as long again on", async () => {
    const { info, scope, hot } = await sample();
    const totals = { total: 2 };
    const tiles = (seconds: number) =>
      recordingOf({ ...info, recordingCost: { seconds, processorSeconds: 6 } }, scope, { hot, functions: [], totals })
        .totals;
    // 4 s of 6 s, of which a tenth may be the program's own: 6 / (6 - 3.6).
    expect(tiles(4)).toContainEqual({
      label: "slowed down by recording",
      value: "at least 2.50×",
      over: "4.00 s, 66.7 % of the CPU time",
    });
    expect(tiles(1.99).map(({ label }) => label)).not.toContain("slowed down by recording");
    expect(tiles(2.01).map(({ label }) => label)).toContain("slowed down by recording");
  });

  it("has in its heading how much longer the program took with its tool, as a warning from half as long again on", async () => {
    const { info, scope, hot } = await sample();
    const badge = (seconds: number | undefined, tool?: string) =>
      recordingOf(
        {
          ...info,
          ...(seconds === undefined ? {} : { recordingCost: { seconds, processorSeconds: 6 } }),
          globals: tool === undefined ? [] : [{ name: "run.tool", values: [tool] }],
        },
        scope,
        { hot, functions: [] },
      ).badge;
    expect(badge(undefined)).toBeUndefined();
    expect(badge(4, "instrument")).toMatchObject({ text: "instrument · 2.5× as long", isWarning: true });
    expect(badge(4)?.title).toMatch(/^Recording took 4\.00\s/);
    expect(badge(2.01)).toMatchObject({ text: "tracker · 1.4× as long", isWarning: true });
    expect(badge(1.99)).toMatchObject({ isWarning: false });
    expect(badge(0)).toMatchObject({ text: "tracker · 1.0× as long", isWarning: false });
  });

  it("stays small whatever a recording holds, and says what is not listed", async () => {
    const { info, scope, hot } = await sample();
    const long = "y".repeat(3000);
    const huge: DataSetInfo = {
      ...info,
      name: long,
      files: Array.from({ length: 9000 }, (_, at) => `/recordings/${at}-${long}.cali`),
      globals: Array.from({ length: 5000 }, (_, at) => ({ name: `${at}${long}`, values: Array(20).fill(long) })),
      warnings: Array.from({ length: 4000 }, (_, at) => ({ message: `${at}${long}`, file: long, at: { line: at } })),
      metrics: [info.metrics[0], ...Array(2000).fill({ ...info.metrics[0], name: long, total: NaN })],
    };
    const page = recordingOf(huge, scope, { hot, functions: [] });
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(parse(recordingContent, page)).toEqual(page);
    expect(page.shortened.join(" ")).toMatch(/of 5000 metadata entries.*of 4000 warnings/);
    expect(page.metrics[0].total).toBe(info.metrics[0].total);
  });

  it("shows no total of what does not add up, and needs no metric at all", async () => {
    const { info } = await sample();
    const minimum = { ...info.metrics[0], name: "min", additive: false, total: NaN };
    const page = recordingOf({ ...info, metrics: [minimum], defaultMetric: -1 }, undefined, { hot: [], functions: [] });
    expect(parse(recordingContent, structuredClone(page))).toEqual(page);
    expect(page.metrics).toEqual([expect.not.objectContaining({ total: expect.anything() })]);
    expect(page.scope).toBe("no metric");
  });

  it("says that the memory is of the profile alone, if there is a timeline", async () => {
    const { info, scope, hot } = await sample();
    const read = (trace: DataSetInfo["trace"]) => {
      const page = recordingOf({ ...info, seconds: 0.34, bytes: 178_000, trace }, scope, { hot, functions: [] });
      return page.facts.find(({ label }) => label === "Read")?.value.replace(/\s/g, " ");
    };
    const trace = {
      lanes: 2,
      events: 366_680,
      startSeconds: 0,
      endSeconds: 0.5,
      counters: 0,
      counterNames: [],
      messages: { count: 0, bytes: 0 },
      arrows: 0,
      transfers: { count: 0, bytes: 0, directions: [] },
      links: 0,
      categories: 0,
    };
    expect(read(undefined)).toBe("in 340 ms, takes 178 kB of memory");
    expect(read(trace)).toBe(
      "in 340 ms, the profile takes 178 kB of memory; the timeline is read when a view needs it",
    );
  });

  it("counts what happened in time, iterations and resources", async () => {
    const { info, scope } = await sample();
    const trace = {
      lanes: 8,
      events: 15_712,
      startSeconds: 0,
      endSeconds: 0.171,
      counters: 1,
      counterNames: ["power"],
      messages: { count: 2232, bytes: 4_571_136 },
      arrows: 0,
      transfers: { count: 0, bytes: 0, directions: [] },
      links: 2232,
      categories: 0,
    };
    const series = [
      { name: "timestep", metric: 0, iterations: 20, rows: 160 },
      { name: "solve", metric: 0, iterations: 1200, rows: 1200 },
      { name: "timestep", metric: 1, iterations: 20, rows: 160 },
    ];
    const metrics = [info.metrics[0], { ...info.metrics[0], name: "bytes" }];
    const page = recordingOf({ ...info, metrics, trace, series, resources: [{ type: "process", count: 8 }] }, scope, {
      hot: [],
      functions: [],
    });
    expect(page.facts).toContainEqual({
      label: "In time",
      value: "8 lanes, 15,712 events in 171 ms, 1 counter, 2,232 messages of 4.57 MB",
    });
    expect(page.facts).toContainEqual({
      label: "Iterations",
      value: "20 of timestep (time, bytes), 1,200 of solve (time)",
    });
    expect(page.facts).toContainEqual({ label: "Resources", value: "process: 8" });
  });

  it("names the recorded file of a hot line that is not here, and leaves out what has no cost", async () => {
    const { info, scope, hot } = await sample();
    const link = { places: [], rule: "unknown", reason: "not found", considered: [] } as const;
    const away = { ...hot[0], link: { ...link, missingFile: "/build/a.c" }, recordedFile: "/build/a.c" };
    const page = recordingOf(info, scope, {
      functions: [],
      hot: [away, { ...away, link, name: "g" }, { ...hot[0], link, name: "h" }, { ...hot[0], exclusive: 0 }],
    });
    expect(parse(recordingContent, structuredClone(page))).toEqual(page);
    expect(page.hotLines.map(({ name, place }) => [name, place])).toEqual([
      [hot[0].name, "/build/a.c (not found here)"],
      ["g", "/build/a.c (line not known)"],
      ["h", undefined],
    ]);
  });

  it("lists no lines if no place is known of any: they would be the functions again", async () => {
    const { info, scope, hot } = await sample();
    const link = { places: [], rule: "unknown", reason: "not found", considered: [] } as const;
    const nowhere = hot.slice(0, 3).map((one) => ({ ...one, link, recordedFile: undefined, recordedLine: undefined }));
    expect(recordingOf(info, scope, { hot: nowhere, functions: [] }).hotLines).toEqual([]);
    // One that costs nothing tells of no line.
    const free = { ...hot[0], exclusive: 0 };
    expect(recordingOf(info, scope, { hot: [...nowhere, free], functions: [] }).hotLines).toEqual([]);
    expect(recordingOf(info, scope, { hot: [...nowhere, hot[0]], functions: [] }).hotLines).toHaveLength(4);
  });

  it("says the metric of counts behind their numbers, and nothing of ranks where there are none", async () => {
    const { info, scope, hot } = await sample();
    const metrics = [{ ...info.metrics[0], name: "Ir", unit: "1", kind: "count" as const }];
    const page = recordingOf(
      { ...info, metrics, ranks: [], estimated: true },
      { ...scope, over: "sum" },
      { hot, functions: [] },
    );
    expect(page).toMatchObject({ scope: "Ir", unit: "Ir", ranks: 0, metrics: [{ unit: "Ir" }] });
    expect(JSON.stringify(page.facts)).not.toMatch(/rank(?!s\.cali)/i);
    expect(page.facts.find(({ label }) => label === "Content")?.value).toContain("(estimated from a call graph)");
  });

  it("says in sentences what the recording does not have", async () => {
    const { info, scope } = await sample();
    const notRecorded = ["no messages in this recording", "no source lines in this recording"];
    expect(recordingOf({ ...info, notRecorded }, scope, { hot: [], functions: [] }).notRecorded).toEqual([
      "No messages in this recording.",
      "No source lines in this recording.",
    ]);
  });

  it("says where a warning is from", async () => {
    const { info, scope } = await sample();
    const warnings = [{ message: "the last record is cut off", file: "a.cali", at: { line: 7 } }, { message: "plain" }];
    expect(recordingOf({ ...info, warnings }, scope, { hot: [], functions: [] }).warnings).toEqual([
      "a.cali, line 7: the last record is cut off",
      "plain",
    ]);
  });
});
