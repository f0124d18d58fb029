import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CounterFact, CounterFacts, DataSetInfo, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { chosenRanks } from "../../../../src/model/members";
import { quietTask } from "../../../../src/model/task";
import type { View } from "../../../../src/panels/kit/definition";
import { metrics } from "../../../../src/panels/metrics/definition";
import { orderOf, shownRows } from "../../../../src/panels/metrics/rows";
import type { MetricsShown } from "../../../../src/panels/metrics/shown";
import { parse } from "../../../../src/protocol/bounds";
import { metricsContent, type MetricsState, MOST_ROWS } from "../../../../src/protocol/metrics";
import { metricsMessage } from "../../../../src/session/notRecorded";
import type { Session } from "../../../../src/session/session";
import { miniheat } from "../../../recordings";
import { casesOf } from "../../randomCases";
import { grammars } from "../../engine/miniheat";
import { levelSteps, naiveSums } from "../../engine/traces/naiveSteps";
import { dataSetInfo } from "../../session/sampleInfo";

vi.mock("vscode", async () => {
  const { Emitter } = await import("../../session/standInForVsCode");
  return {
    EventEmitter: Emitter,
    workspace: { getConfiguration: () => ({ get: () => undefined, inspect: () => ({}) }) },
  };
});

let folder: string;
beforeAll(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-metrics-"))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const messages = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/messages-${rank}.cali`));

/** A view of a recording as a panel has it. */
async function viewOf(
  files: readonly string[],
  scoped: Partial<Scope> = {},
  state: Partial<MetricsState> = {},
): Promise<View<MetricsState>> {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [...files] });
  const dataSet = { ...info, key: "a-key" };
  const session = { engine, dataSets: [dataSet] } as unknown as Session;
  const scope: Scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum", ...scoped };
  const size = { width: 1000, height: 600 };
  return {
    session,
    dataSet,
    scope,
    metric: info.metrics[scope.metric],
    size,
    state: { ...metrics.start, ...state },
    selection: undefined,
  };
}

async function shownOf(view: View<MetricsState>): Promise<MetricsShown> {
  return metrics.ask(view, quietTask, []);
}

function recordingOf(events: readonly object[]): string {
  const file = path.join(folder, `${fs.readdirSync(folder).length}.json`);
  fs.writeFileSync(file, JSON.stringify({ traceEvents: events }));
  return file;
}

function fact(name: string, isLeft = true): CounterFact {
  return { name, unit: "1", shows: "level", resource: -1, points: 1, least: 0, most: 1, lanes: [], isLeft };
}

function factsOf(rows: readonly CounterFact[]): CounterFacts {
  return { startSeconds: 0, endSeconds: 1, rows, resources: [] };
}

const variances = fc.array(
  fc.oneof(fc.constant(Number.NaN), fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 9, noNaN: true })),
);

describe("rows", () => {
  it("are those that vary most first; equal ones as recorded, and those without a value last", () => {
    fc.assert(
      fc.property(variances, (all) => {
        const facts = factsOf(all.map((_, at) => fact(`row ${at}`)));
        const variance = Float64Array.from(all);
        const order = orderOf(facts, [...all.keys()], { variance }, "variance");
        expect([...order].sort((a, b) => a - b)).toEqual([...all.keys()]);
        for (const [at, row] of order.slice(1).entries()) {
          const [before, own] = [all[order[at]], all[row]];
          const isBefore =
            Object.is(before, own) || before === own ? order[at] < row : !(own > before) && !Number.isNaN(before);
          expect(isBefore).toBe(true);
        }
      }),
    );
  });

  it("are those that a restriction leaves, of one name where that is wanted; of too many those that vary most", () => {
    const facts = factsOf([fact("power"), fact("clock"), fact("power", false), fact("power")]);
    const variance = Float64Array.of(0, 5, 9, 1);
    expect(shownRows(facts, { variance }, {})).toEqual({ rows: [0, 1, 3], more: 0, constant: 0 });
    expect(shownRows(facts, { variance }, { quantity: "power" })).toEqual({ rows: [0, 3], more: 0, constant: 0 });
    const many = factsOf(Array.from({ length: MOST_ROWS + 10 }, () => fact("power")));
    const rising = Float64Array.from(many.rows, (_, at) => at);
    const { rows, more } = shownRows(many, { variance: rising }, {});
    expect([rows[0], rows.length, more]).toEqual([10, MOST_ROWS, 10]);
  });

  it("leave out those that do not change, unless they are asked for or none changes", () => {
    const constant = (name: string, value: number) => ({ ...fact(name), least: value, most: value });
    const rows = [constant("size", 4), fact("power"), constant("power", 2), constant("empty", Number.NaN)];
    const variance = Float64Array.of(0, 1, 0, Number.NaN);
    const shown = (state: Partial<MetricsState>, of = rows) => shownRows(factsOf(of), { variance }, state);
    expect(shown({})).toEqual({ rows: [1], more: 0, constant: 3 });
    expect(shown({ constant: true })).toEqual({ rows: [0, 1, 2, 3], more: 0, constant: 0 });
    expect(shown({ quantity: "power" })).toEqual({ rows: [1, 2], more: 0, constant: 0 });
    const none = [constant("size", 4), constant("empty", Number.NaN)];
    expect(shown({}, none)).toEqual({ rows: [0, 1], more: 0, constant: 0 });
  });

  it("say how many do not change, with a link that shows them", async () => {
    const at = (name: string, ts: number, value: number) => ({ ph: "C", pid: 1, name, ts, args: { value } });
    const file = recordingOf([at("load", 0, 1), at("load", 5, 2), at("size", 0, 7), at("size", 5, 7)]);
    const view = await viewOf([file]);
    const shown = await shownOf(view);
    expect(metrics.content(shown, view).names).toEqual(["load"]);
    expect(metrics.notes?.(shown, view)).toContainEqual({
      text: "1 row does not change.",
      link: { id: "constant", text: "Show it" },
    });
    const change = await metrics.choose(view, "constant", "", undefined as never);
    const all = { ...view, state: { ...view.state, ...change } };
    expect(metrics.content(await shownOf(all), all).names).toEqual(["load", "size"]);
  });

  it("are sorted by name with numbers as numbers", () => {
    const facts = factsOf(["core 10 busy", "core 9 busy", "allocated"].map((name) => fact(name)));
    const order = orderOf(facts, [0, 1, 2], { variance: new Float64Array(3) }, "name");
    expect(order).toEqual([2, 1, 0]);
  });
});

describe("numbers of rows", () => {
  it("are those of Chrome's counters as their text has them, in the window that views over time show", async () => {
    const point = fc.record({ ts: fc.integer({ min: 0, max: 5000 }), value: fc.integer({ min: -9, max: 99 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(point, { minLength: 1, maxLength: 60 }), fc.nat(900), async (points, from) => {
        const inTime = [...points].sort((a, b) => a.ts - b.ts);
        const file = recordingOf([
          { ph: "X", pid: 1, tid: 1, name: "run", ts: 0, dur: 6000 },
          ...inTime.map(({ ts, value }) => ({ ph: "C", pid: 1, name: "load", ts, args: { value } })),
        ]);
        const view = await viewOf([file], {}, { constant: true });
        const window = { from: (from / 1000) * 0.006, to: 0.0055 };
        const content = metrics.content(await shownOf({ ...view, window }), view);
        expect(parse(metricsContent, content)).toEqual(content);
        const row = content.names.indexOf("load");
        const steps = levelSteps(inTime.map(({ ts, value }) => ({ seconds: ts / 1e6, value })));
        const expected = naiveSums(steps, window.from, window.to, 0.006);
        for (const [ours, theirs] of [
          [content.ownMean[row], expected.mean],
          [content.ownLeast[row], expected.least],
          [content.ownMost[row], expected.most],
          [content.variance[row], expected.seconds > 0 ? expected.variance : Number.NaN],
        ])
          if (Number.isNaN(theirs)) expect(ours).toBeNaN();
          else expect(ours).toBeCloseTo(theirs, 9);
        expect(content.asked).toEqual(window);
        await (view.session.engine as unknown as { dispose(): Promise<void> }).dispose();
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("are of what a restriction in time leaves of the window, which is said where that is nothing", async () => {
    const view = await viewOf(messages, { window: { from: 0.05, to: 0.1 } });
    const of = { dataSet: view.dataSet.id };
    const inBoth = await shownOf({ ...view, window: { from: 0.02, to: 0.07 } });
    expect(inBoth.window.range).toEqual({ from: 0.05, to: 0.07 });
    const own = await view.session.engine.counterSums({ ...of, fromSeconds: 0.05, toSeconds: 0.07 });
    expect(inBoth.window.sums).toEqual(own);
    expect(metrics.notes?.(inBoth, view)).not.toContainEqual(expect.stringContaining("does not overlap"));
    const inNone = await shownOf({ ...view, window: { from: 0.11, to: 0.12 } });
    expect(metrics.content(inNone, view).ownMean.every(Number.isNaN)).toBe(true);
    expect(metrics.notes?.(inNone, view)).toContainEqual(expect.stringContaining("does not overlap this window"));
  });

  it("follow a restriction to ranks, where rows follow from events", async () => {
    const most = async (scoped: Partial<Scope>) => {
      const view = await viewOf(messages, scoped);
      const content = metrics.content(await shownOf(view), view);
      return content.ownMost[content.names.indexOf("ranks in MPI")];
    };
    expect(await most({})).toBe(8);
    expect(await most({ chosen: chosenRanks([0, 3, 4]) })).toBe(3);
  });
});

describe("looks", () => {
  it("of another drawing, or at rows that there are not, change nothing", async () => {
    const view = await viewOf(messages);
    const shown = await shownOf(view);
    const look = {
      subject: shown.subject,
      from: 0,
      to: 0.1,
      pixel: 1e-4,
      rows: [0, 1],
      window: { from: 0, to: 0.1 },
      range: { from: 0, to: 0.1 },
      isMeasured: false,
    };
    const lookAt = (changed: object) =>
      metrics.look?.(shown, { ...view, look: { ...look, ...changed } }, quietTask) ?? Promise.resolve(undefined);
    for (const changed of [{ subject: "another" }, { rows: [99] }, { pixel: 0 }, { from: 0.2 }])
      expect(await lookAt(changed)).toBe(shown);
    const seen = await lookAt({});
    const content = metrics.content(seen ?? shown, view);
    expect(parse(metricsContent, content)).toEqual(content);
    expect(Array.from(content.bands?.rows ?? [])).toEqual([0, 1]);
  });
});

describe("what a recording lacks", () => {
  it("is said: counters, events, or both", async () => {
    const derived = await viewOf(messages);
    expect(metrics.notes?.(await shownOf(derived), derived)).toEqual([
      "No counters were recorded. All rows are computed from events, messages and transfers.",
    ]);
    const counters = [1, 2, 3].map((ts) => ({ ph: "C", pid: 1, name: "load", ts, args: { value: ts } }));
    const recorded = await viewOf([recordingOf(counters)]);
    expect(metrics.notes?.(await shownOf(recorded), recorded)).toEqual([
      "No events were recorded, so no rows are computed from them.",
    ]);
    expect(metrics.content(await shownOf(recorded), recorded).hasEvents).toBe(false);
    const marks = await viewOf([recordingOf([{ ph: "i", pid: 1, tid: 1, name: "mark", ts: 5 }])]);
    const [note] = metrics.notes?.(await shownOf(marks), marks) ?? [];
    expect(note).toMatch(/^No counters were recorded, and no event, message or transfer with a duration/);
    expect(metricsMessage(dataSetInfo() as DataSetInfo)).toMatch(/^Neither counters nor events were recorded/);
    expect(metricsMessage(recorded.dataSet)).toBeUndefined();
  });
});
