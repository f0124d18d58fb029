/** Regions of the tracker that end in any order, as they do where objects outlive the block that they began in. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { windowValues } from "../../../../src/engine/traces/windowValues";
import { tracker } from "../../../../src/formats/tracker/format";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { readFixture } from "../formatLaws";
import { type NamedEvent, overlappingEvents, pathsAtBegin, pathsOver, textOf, timesByPath } from "../trace/naivePaths";

const NAMES = ["f", "g", "h", "k"];

/** A recording of one process without a rank; its contexts are all paths of the open regions. */
function written(threads: readonly (readonly NamedEvent[])[]): string {
  const rows: object[] = [];
  const events: object[] = [];
  for (const [number, regions] of threads.entries()) {
    // The main thread has the number of the process.
    const thread = 9 + number;
    const contexts = new Map<string, number>();
    const times = timesByPath(regions);
    const contextOf = (path: readonly NamedEvent[]): number => {
      let parent: number | undefined;
      for (let depth = 1; depth <= path.length; depth++) {
        const key = textOf(path.slice(0, depth));
        const known = contexts.get(key) ?? 1000 * number + contexts.size;
        if (!contexts.has(key)) {
          contexts.set(key, known);
          const exclusive = 1000 * (times.get(key) ?? 0);
          const frame = NAMES.indexOf(path[depth - 1].name);
          rows.push({ id: known, parent, thread, frame, calls: 1, inclusive: exclusive, exclusive });
        }
        parent = known;
      }
      return parent ?? 0;
    };
    for (const { path } of pathsOver(regions)) contextOf(path);
    for (const path of pathsAtBegin(regions)) {
      const { name, start, end } = path[path.length - 1];
      const common = { name, cat: "computing", pid: 9, tid: thread, args: { context: contextOf(path) } };
      events.push({ ph: "X", ...common, ts: start, dur: end - start });
    }
  }
  const frames = NAMES.map((name, frame) => ({ frame, name, category: "computing", file: "a.cpp", line: frame + 1 }));
  return JSON.stringify({
    schemaVersion: 1,
    heatflow: { version: 1, program: "p", process: 9, startNanoseconds: 0 },
    baseTimeNanoseconds: 0,
    traceEvents: [{ ph: "M", name: "process_name", pid: 9, tid: 0, args: { name: "p" } }, ...events],
    contexts: rows,
    lines: frames,
    heatflowEnd: { eventsDropped: 0, eventsTooShort: 0, regionsTooDeep: 0 },
  });
}

it("restricted to all of the run have the times of the profile, and in a window those of the open regions", async () => {
  const window = fc
    .tuple(fc.nat(34), fc.nat(34))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other) + 1]);
  // Threads are numbered among those that have regions.
  const some = fc.array(
    overlappingEvents.filter(({ length }) => length > 0),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(some, window, async (threads, [from, to]) => {
      const [dataSet] = await readFixture(tracker, { "heatflow-9.json": written(threads) });
      const { tree, frames, locations, metrics, values, trace } = dataSet;
      if (!trace) throw new Error("no trace");
      const paths: string[] = [];
      for (let context = 0; context < tree.size; context++) {
        const own = frames.nameOf(tree.frame[context]);
        paths.push(tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`);
      }
      const plain = ({ rowStart, column, value }: (typeof values)[number]) =>
        paths
          .flatMap((path, context) =>
            Array.from({ length: rowStart[context + 1] - rowStart[context] }, (_, at) => at + rowStart[context]).map(
              (cell) => [`${locations[column[cell]].thread} ${path}`, Math.round(value[cell] * 1e9) / 1e3] as const,
            ),
          )
          .filter(([, time]) => time > 0)
          .sort(([a], [b]) => (a < b ? -1 : 1));
      const time = metrics.findIndex(({ name }) => name === "time");
      const whole = await windowValues(dataSet, trace, {}, quietTask);
      expect(plain(whole)).toEqual(time < 0 ? [] : plain(values[time]));
      const part = { window: { from: from / 1e6, to: to / 1e6 } };
      const wanted = threads.flatMap((regions, number) =>
        [...timesByPath(regions, from, to)].map(([path, length]) => [`${number} ${path}`, length] as const),
      );
      expect(plain(await windowValues(dataSet, trace, part, quietTask))).toEqual(
        wanted.sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      await trace.close();
    }),
    { numRuns: casesOf(400) },
  );
});
