/** Events that overlap without nesting: profile, window and timeline take one rule (semantics 8). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inclusiveByFunction, functionsOf } from "../../../../src/model/functions";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { timelineSums } from "../../../../src/engine/traces/timelineSums";
import { windowValues } from "../../../../src/engine/traces/windowValues";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { ContextTreeBuilder, inclusive } from "../../../../src/model/contextTree";
import type { DataSet } from "../../../../src/model/dataSet";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { location } from "../../../../src/model/locations";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { read, valuesOf } from "../../formats/chrome/readAs";
import {
  coveredBy,
  inOrderOfBegin,
  type NamedEvent,
  overlappingEvents,
  pathsAtBegin,
  pathsOver,
  textOf,
  timesByPath,
} from "../../formats/trace/naivePaths";
import { casesOf } from "../../randomCases";

const NAMES = ["f", "g", "h", "k"];
const window = fc.tuple(fc.nat(34), fc.nat(34)).map(([one, other]) => [Math.min(one, other), Math.max(one, other) + 1]);

function written(events: readonly NamedEvent[]): string {
  const lines = events.map(
    ({ name, start, end }) => `{"ph":"X","name":"${name}","pid":1,"tid":1,"ts":${start},"dur":${end - start}}`,
  );
  // The first time of a file is its zero.
  return `[${['{"ph":"i","name":"zero","pid":1,"tid":1,"ts":0,"s":"t"}', ...lines].join(",\n")}]`;
}

/** The same, each event as a beginning and an end: an end belongs to the last event of its name that has begun and not ended. */
function writtenAsPairs(events: readonly NamedEvent[]): string {
  const marks = events.flatMap(({ name, start, end }) => [
    { name, at: start, phase: "B", length: end - start },
    { name, at: end, phase: "E", length: 0 },
  ]);
  // Ends first: what begins at that moment is not inside.
  marks.sort((a, b) => a.at - b.at || Number(a.phase === "B") - Number(b.phase === "B") || b.length - a.length);
  const lines = marks.map(({ name, at, phase }) => `{"ph":"${phase}","name":"${name}","pid":1,"tid":1,"ts":${at}}`);
  return `[${['{"ph":"i","name":"zero","pid":1,"tid":1,"ts":0,"s":"t"}', ...lines].join(",\n")}]`;
}

function pathsOf({ tree, frames }: Pick<DataSet, "tree" | "frames">): string[] {
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const own = frames.nameOf(tree.frame[context]);
    paths.push(tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`);
  }
  return paths;
}

/** Microseconds by path, in the order of the paths. */
async function timesIn(dataSet: DataSet, trace: Trace, from: number, to: number): Promise<[string, number][]> {
  const part = { window: { from: from / 1e6, to: to / 1e6 } };
  const { rowStart, value } = await windowValues(dataSet, trace, part, quietTask);
  const times = pathsOf(dataSet).flatMap((path, context): [string, number][] =>
    rowStart[context + 1] > rowStart[context] ? [[path, Math.round(value[rowStart[context]] * 1e9) / 1e3]] : [],
  );
  return times.sort();
}

function traceOf({ trace }: DataSet): Trace {
  if (!trace) throw new Error("no trace");
  return trace;
}

const runs = { numRuns: casesOf(600) };

describe("events that overlap in a Chrome trace", () => {
  it("give each moment to the path of the open events", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, async (events) => {
        const dataSet = await read(written(events));
        expect([...valuesOf(dataSet, "time")].filter(([, time]) => time > 0).sort()).toEqual(
          [...timesByPath(events)].sort(),
        );
        await dataSet.trace?.close();
      }),
      runs,
    );
  });

  it("are inclusive for as long as was recorded", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, async (events) => {
        const dataSet = await read(written(events));
        const { tree, frames, values } = dataSet;
        if (values.length > 0) {
          const exclusive = new Float64Array(tree.size);
          const { rowStart, value } = values[0];
          for (let context = 0; context < tree.size; context++)
            for (let at = rowStart[context]; at < rowStart[context + 1]; at++) exclusive[context] += value[at];
          const functions = functionsOf(tree, frames);
          const found = new Map<string, number>();
          inclusiveByFunction(functions, inclusive(tree, exclusive)).forEach((seconds, at) =>
            found.set(frames.nameOf(functions.frame[at]), Math.round(seconds * 1e9) / 1e3),
          );
          for (const name of NAMES) expect([name, found.get(name) ?? 0]).toEqual([name, coveredBy(events, name)]);
        }
        await dataSet.trace?.close();
      }),
      runs,
    );
  });

  it("have the same contexts in any window, and in all of the run the profile's", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, window, async (events, [from, to]) => {
        const dataSet = await read(written(events));
        const trace = traceOf(dataSet);
        expect(await timesIn(dataSet, trace, from, to)).toEqual([...timesByPath(events, from, to)].sort());
        expect(await timesIn(dataSet, trace, -Infinity, Infinity)).toEqual(
          [...valuesOf(dataSet, "time")].filter(([, time]) => time > 0).sort(),
        );
        await trace.close();
      }),
      runs,
    );
  });

  it("belong to the context in which they began, whatever range of them is read", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, fc.nat(14), fc.nat(14), async (events, first, count) => {
        const dataSet = await read(written(events));
        const trace = traceOf(dataSet);
        const lane = trace.lanes.findIndex(({ kind }) => kind === "intervals");
        if (lane >= 0) {
          const paths = pathsOf(dataSet);
          const some = await trace.readEvents(lane, first, count);
          const wanted = pathsAtBegin(events).slice(first, first + count);
          expect(Array.from(some.context, (context) => paths[context])).toEqual(wanted.map(textOf));
          expect([...some.depth]).toEqual(wanted.map(({ length }) => length - 1));
        }
        await trace.close();
      }),
      runs,
    );
  });

  it("mean the same as beginnings and ends, where names tell them apart", async () => {
    const distinct = overlappingEvents.map((events) =>
      events.filter(({ start, end }) => end > start).map((event, at) => ({ ...event, name: `e${at}` })),
    );
    await fc.assert(
      fc.asyncProperty(distinct, async (events) => {
        const dataSet = await read(writtenAsPairs(events));
        expect([...valuesOf(dataSet, "time")].filter(([, time]) => time > 0).sort()).toEqual(
          [...timesByPath(inOrderOfBegin(events))].sort(),
        );
        await dataSet.trace?.close();
      }),
      runs,
    );
  });

  it("have their contexts behind thousands of others, and in windows that begin among them", async () => {
    let state = 99;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    const events: NamedEvent[] = Array.from({ length: 13_000 }, (_, at) => ({
      name: NAMES[random(4)],
      start: 3 * at + random(3),
      // One in a hundred outlasts some hundred others.
      end: 3 * at + 3 + random(random(100) === 0 ? 900 : 6),
    }));
    const dataSet = await read(written(events));
    const trace = traceOf(dataSet);
    const lane = trace.lanes.findIndex(({ kind }) => kind === "intervals");
    const paths = pathsOf(dataSet);
    const began = pathsAtBegin(events).map(textOf);
    for (const [first, count] of [
      [0, 13_000],
      [4095, 3],
      [4096, 1],
      [9000, 200],
      [12_288, 99],
    ]) {
      const { context } = await trace.readEvents(lane, first, count);
      expect(Array.from(context, (one) => paths[one])).toEqual(began.slice(first, first + count));
    }
    for (const [from, to] of [
      [20_000, 20_100],
      [12_287, 12_290],
      [0, 50],
      [38_000, 50_000],
    ]) {
      const near = events.filter(({ start, end }) => end >= from && start <= to);
      expect(await timesIn(dataSet, trace, from, to)).toEqual([...timesByPath(near, from, to)].sort());
    }
    await trace.close();
  });

  it("by the thousand at one time keep their sums, and it is said that some have the contexts in which they began", async () => {
    const many = 3000;
    const events = Array.from({ length: many }, (_, at) => ({ name: `f${at % 7}`, start: at, end: many + 2 * at }));
    const dataSet = await read(written(events));
    const trace = traceOf(dataSet);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "1 lane has too many events open at the same time: its time is in the contexts in which the events began",
    ]);
    const own = new Map<string, number>();
    for (const [path, time] of valuesOf(dataSet, "time")) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      own.set(name, (own.get(name) ?? 0) + time);
    }
    // The last event to begin is the last to end.
    const lengths = new Map<string, number>();
    for (const { name, start, end } of events)
      lengths.set(name, (lengths.get(name) ?? 0) + (start === many - 1 ? end - start : 1));
    expect([...own].sort()).toEqual([...lengths].sort());
    expect(await timesIn(dataSet, trace, -Infinity, Infinity)).toEqual(
      [...valuesOf(dataSet, "time")].filter(([, time]) => time > 0).sort(),
    );
    await trace.close();
  });
});

/** A trace whose events were recorded with the contexts in which they began. @param hasAllPaths the tree has every path of a moment, too */
async function recordedWithContexts(lanes: readonly (readonly NamedEvent[])[], hasAllPaths = true) {
  const frames = new FrameTable(new StringTable());
  const frameOf = new Map(NAMES.map((name) => [name, frames.intern({ name, kind: "region" })]));
  const contexts = new ContextTreeBuilder();
  const contextOf = (path: readonly NamedEvent[]) =>
    path.reduce<number>((context, { name }) => contexts.child(context, frameOf.get(name) ?? 0), NONE);
  const builder = new TraceBuilder(memoryColumnFiles);
  const category = builder.category("any", "other");
  for (const [number, events] of lanes.entries()) {
    if (hasAllPaths) for (const { path } of pathsOver(events)) contextOf(path);
    const lane = builder.lane({ name: `thread ${number}`, resource: NONE, location: 0, kind: "intervals" });
    for (const path of pathsAtBegin(events)) {
      const { start, end, name } = path[path.length - 1];
      builder.event(lane, start / 1e6, end / 1e6, frameOf.get(name) ?? 0, contextOf(path), category);
    }
  }
  const { tree, finalOf } = contexts.build(frames.canonicalRanks());
  const { trace } = await finishTrace([{ builder, contextOf: finalOf }], {}, quietTask);
  return { dataSet: { tree, frames, trace, locations: [location({})] } as unknown as DataSet, trace };
}

describe("events that overlap and were recorded with their contexts", () => {
  it("give each moment of a window to the path of the open events", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, overlappingEvents, window, async (one, other, [from, to]) => {
        const { dataSet, trace } = await recordedWithContexts([one, other]);
        const sums = timesByPath(one, from, to);
        for (const [path, time] of timesByPath(other, from, to)) sums.set(path, (sums.get(path) ?? 0) + time);
        expect(await timesIn(dataSet, trace, from, to)).toEqual([...sums].sort());
        await trace.close();
      }),
      runs,
    );
  });

  it("keep their time if the recording has no context for the path that is left of theirs", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, window, async (events, [from, to]) => {
        const { dataSet, trace } = await recordedWithContexts([events], false);
        const sums = (times: Iterable<readonly [path: string, time: number]>) => {
          const own = new Map<string, number>();
          for (const [path, time] of times) {
            const name = path.slice(path.lastIndexOf("/") + 1);
            own.set(name, (own.get(name) ?? 0) + time);
          }
          return [...own].sort();
        };
        expect(sums(await timesIn(dataSet, trace, from, to))).toEqual(sums(timesByPath(events, from, to)));
        await trace.close();
      }),
      runs,
    );
  });

  it("are as long in the timeline as they were recorded, cut at the window", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingEvents, window, async (events, [from, to]) => {
        const { dataSet, trace } = await recordedWithContexts([events]);
        const states = eventStates(dataSet, trace);
        const { rows } = await timelineSums(
          trace,
          states,
          { lanes: [0], fromSeconds: from / 1e6, toSeconds: to / 1e6 },
          quietTask,
        );
        const found = NAMES.map((name) => {
          const row = rows.find(({ state }) => states.states[state].name === name);
          return [name, Math.round((row?.inclusiveSeconds ?? 0) * 1e9) / 1e3, row?.count ?? 0];
        });
        expect(found).toEqual(
          NAMES.map((name) => [
            name,
            coveredBy(events, name, from, to),
            // What begins with the run's last moment belongs to a window that ends there or later.
            events.filter(
              (one) => one.name === name && one.start >= from && (one.start < to || to >= trace.endSeconds * 1e6),
            ).length,
          ]),
        );
        await trace.close();
      }),
      runs,
    );
  });
});
