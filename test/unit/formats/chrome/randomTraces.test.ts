/** Traces of random events on threads of all kinds: their contexts are those of a plain look at every event. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chromeTrace } from "../../../../src/formats/chrome/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { casesOf } from "../../randomCases";
import { readFixture } from "../formatLaws";
import { pathsAtBegin, pathsOver } from "../trace/naivePaths";

/** As tools write names: long, empty, with escapes, with what separates paths elsewhere, in other alphabets. */
const NAMES = [
  "f",
  "aten::mm",
  "a/b;c",
  'say "hi"\\n',
  "größe 🔥",
  "operator<<",
  "MPI_Wait",
  "x".repeat(300),
  "1",
  "(unnamed)",
];
/** Numbers and texts, and nothing at all; each is one thread. */
const PLACES = [
  { pid: 1, tid: 1 },
  { pid: 1, tid: 2 },
  { pid: "1", tid: "main thread" },
  { pid: "renderer" },
  { tid: 7 },
  { pid: 0, tid: -1 },
  {},
] as const;

interface PlacedEvent {
  readonly place: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Times in thousandths of µs: equal ones, no length, and ends that differ by one thousandth. */
const event: fc.Arbitrary<PlacedEvent> = fc
  .record({
    place: fc.nat(PLACES.length - 1),
    name: fc.constantFrom(...NAMES),
    start: fc.nat(12),
    length: fc.nat(8),
    little: fc.constantFrom(0, 0, 0, 1, -1),
  })
  .map(({ place, name, start, length, little }) => ({
    place,
    name,
    start: 1000 * start,
    end: 1000 * start + Math.max(0, 1000 * length + little),
  }));

/** A number of thousandths, as some tool writes it. */
function decimal(thousandths: number, style: number): string {
  const text = (thousandths / 1000).toFixed(3);
  return style === 0 ? text : style === 1 ? `"${text}"` : String(Number(text));
}

function written({ place, name, start, end }: PlacedEvent, style: number): string {
  const at = JSON.stringify({ ...PLACES[place], ph: "X", name, cat: style === 2 ? undefined : "app" }).slice(0, -1);
  return `${at},"ts":${decimal(start, style)},"dur":${decimal(end - start, style)}}`;
}

/** Exclusive thousandths of µs by thread and path. */
function timesOf({ tree, frames, locations, values, metrics }: DataSet): Map<string, number> {
  const times = new Map<string, number>();
  const metric = metrics.findIndex(({ name }) => name === "time");
  if (metric < 0) return times;
  const paths: string[][] = [];
  for (let context = 0; context < tree.size; context++) {
    const above = tree.parent[context] === NONE ? [] : paths[tree.parent[context]];
    paths.push([...above, frames.nameOf(tree.frame[context])]);
    const { rowStart, column, value } = values[metric];
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) {
      const key = JSON.stringify([locations[column[cell]].thread, ...paths[context]]);
      times.set(key, (times.get(key) ?? 0) + Math.round(value[cell] * 1e9));
    }
  }
  return times;
}

const file = fc.record({
  events: fc.array(event, { maxLength: 40, size: "max" }),
  styles: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
  isObject: fc.boolean(),
  pieceBytes: fc.integer({ min: 16, max: 3000 }),
});

describe("a Chrome trace of random events", () => {
  it("has each moment of a thread at the path of its open events, wherever pieces of the file end", async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ events, styles, isObject, pieceBytes }) => {
        const lines = events.map((one, at) => written(one, styles[at % styles.length]));
        const list = `[${lines.join(",\n")}]`;
        const text = isObject ? `{"displayTimeUnit":"ns","traceEvents":${list}}` : list;
        const [dataSet] = await readFixture(chromeTrace, { "trace.json": text }, { pieceBytes });
        const wanted = PLACES.flatMap((_, place) => {
          const own = events.filter((one) => one.place === place);
          return pathsOver(own).map(({ from, to, path }) => ({ time: to - from, path: path.map(({ name }) => name) }));
        });
        // Which number a thread without one gets is the reader's: sums over all threads do not depend on it.
        const sums = (rows: readonly (readonly [key: string, time: number])[]) => {
          const all = new Map<string, number>();
          for (const [key, time] of rows) if (time > 0) all.set(key, (all.get(key) ?? 0) + time);
          return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
        };
        const found = [...timesOf(dataSet)].map(
          ([key, time]) => [JSON.stringify((JSON.parse(key) as unknown[]).slice(1)), time] as const,
        );
        expect(sums(found)).toEqual(sums(wanted.map(({ path, time }) => [JSON.stringify(path), time])));
        const { trace } = dataSet;
        expect(trace?.events ?? 0).toBe(events.length);
        const lanes = await Promise.all(
          (trace?.lanes ?? []).map(async ({ events: count }, lane) => {
            const columns = await trace?.readEvents(lane, 0, count);
            return Array.from(columns?.depth ?? []).join();
          }),
        );
        const depths = PLACES.map((_, place) =>
          pathsAtBegin(events.filter((one) => one.place === place))
            .map(({ length }) => length - 1)
            .join(),
        );
        expect(lanes.sort()).toEqual(depths.filter((text) => text !== "").sort());
        await trace?.close();
      }),
      { numRuns: casesOf(1000) },
    );
  });
});
