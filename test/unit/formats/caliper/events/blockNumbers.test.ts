/** Numbers of traces whose blocks come in any order: page, timeline and restriction agree (semantics 9). */
import fc from "fast-check";
import { expect, it } from "vitest";
import { eventStates } from "../../../../../src/engine/traces/eventStates";
import { timelineSums } from "../../../../../src/engine/traces/timelineSums";
import { windowValues } from "../../../../../src/engine/traces/windowValues";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { NO_REGION } from "../../../../../src/model/frames";
import { entryOf } from "../../../../../src/model/maps";
import { quietTask } from "../../../../../src/model/task";
import type { Trace } from "../../../../../src/model/trace";
import type { SparseValues } from "../../../../../src/model/values";
import { readFixture } from "../../formatLaws";
import { pathsOf } from "../../plainDataSet";
import { type MadeEvent, makeFile, randomProgram, rearranged, textOf } from "../randomProgram";

const cuts = fc.array(fc.nat(200), { maxLength: 8 });
const keys = fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { minLength: 9, maxLength: 9 });

async function read(text: string): Promise<DataSet & { readonly trace: Trace }> {
  const [{ trace, ...dataSet }] = await readFixture(caliper, { "one.cali": text });
  if (trace === undefined) throw new Error("no trace");
  return { ...dataSet, trace };
}

/** Nanoseconds of each path of regions and each thread that have any. */
function nanosecondsOf(dataSet: DataSet, { rowStart, column, value }: SparseValues): string[] {
  const { tree, frames, locations } = dataSet;
  // Regions of several attributes may have one name.
  const times = new Map<string, number>();
  for (const [context, path] of pathsOf(dataSet).entries()) {
    if (frames.nameOf(tree.frame[context]) === NO_REGION) continue;
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      const key = `${JSON.stringify(path)} | ${locations[column[at]].thread}`;
      times.set(key, (times.get(key) ?? 0) + Math.round(value[at] * 1e9));
    }
  }
  return [...times]
    .filter(([, nanoseconds]) => nanoseconds !== 0)
    .map((parts) => parts.join(" | "))
    .sort();
}

/** Calls, length of all of them and the longest one of each function, in nanoseconds. */
function callsMade(events: readonly MadeEvent[]): string[] {
  const lengths = new Map<string, number[]>();
  for (const { name, start, end = start } of events) lengths.set(name, [...(lengths.get(name) ?? []), end - start]);
  return [...lengths]
    .map(([name, all]) => [name, all.length, all.reduce((sum, one) => sum + one, 0), Math.max(...all)].join(" | "))
    .sort();
}

async function callsTold(dataSet: DataSet & { readonly trace: Trace }): Promise<string[]> {
  const { trace } = dataSet;
  const states = eventStates(dataSet, trace);
  const lanes = [...trace.lanes.keys()].filter((lane) => trace.lanes[lane].kind === "intervals");
  const query = { lanes, fromSeconds: trace.startSeconds, toSeconds: trace.endSeconds };
  const { rows } = await timelineSums(trace, states, query, quietTask);
  // A function may be of several kinds.
  const calls = new Map<string, { count: number; all: number; longest: number }>();
  for (const { state, count, meanSeconds, longestSeconds } of rows) {
    const own = entryOf(calls, states.states[state].name, () => ({ count: 0, all: 0, longest: 0 }));
    own.count += count;
    own.all += Math.round(count * meanSeconds * 1e9);
    own.longest = Math.max(own.longest, Math.round(longestSeconds * 1e9));
  }
  return [...calls].map(([name, { count, all, longest }]) => [name, count, all, longest].join(" | ")).sort();
}

it("in blocks of any order have one number in the profile, in the timeline and in a window of the whole run", async () => {
  await fc.assert(
    fc.asyncProperty(randomProgram(), cuts, keys, async (program, places, order) => {
      const file = makeFile(program);
      const dataSet = await read(textOf(file, rearranged(file.records, places, order)));
      const time = dataSet.metrics.findIndex(({ ofEvents }) => ofEvents);
      const { trace } = dataSet;
      const whole = { window: { from: trace.startSeconds, to: trace.endSeconds } };
      const profile = time < 0 ? [] : nanosecondsOf(dataSet, dataSet.values[time]);
      expect(nanosecondsOf(dataSet, await windowValues(dataSet, trace, whole, quietTask))).toEqual(profile);
      expect(profile).toEqual(file.times);
      expect(await callsTold(dataSet)).toEqual(callsMade(file.events));
      await trace.close();
    }),
  );
});
