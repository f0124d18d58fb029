import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OverviewMetric, OverviewQuery } from "../../../../src/engine/overview/overviewApi";
import { traceModel } from "../../../../src/engine/overview/traceModel";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { quietTask } from "../../../../src/model/task";
import { stretches } from "../../formats/trace/naiveSpans";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { FRAME_NAMES, namedFrames, toldTrace } from "../traces/toldTraces";

// Times of the traces are quarters of a second: slices begin and end at them, and between them.
const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);
const window = fc.tuple(edge, edge).filter(([from, to]) => to > from);
const query = (slices: number, metric: OverviewMetric, fromSeconds: number, toSeconds: number): OverviewQuery => ({
  ...{ dataSet: 0, kind: "spatiotemporal", normalize: false, hierarchy: { kind: "recorded" } },
  ...{ slices, metric, fromSeconds, toSeconds },
});

async function toldModels(told: Parameters<typeof toldTrace>[0]) {
  const { trace } = await toldTrace(told);
  const most = Math.max(0, ...trace.lanes.map(({ resource }) => resource + 1));
  const resources = Array.from({ length: most }, () => ({ name: "", type: "process", parent: -1, location: -1 }));
  const dataSet = { frames: namedFrames(), format: { id: "told" }, name: "told", topology: { resources } } as never;
  const states = eventStates(dataSet, trace);
  const lanes = naiveTrace(told).lanes.filter(({ kind, events }) => kind === "intervals" && events.length > 0);
  return {
    lanes,
    of: (slices: number, metric: OverviewMetric, from: number, to: number) =>
      traceModel(dataSet, trace, states, query(slices, metric, from, to), quietTask),
    close: () => trace.close(),
  };
}

describe("the model of a trace", () => {
  it("has the time of innermost events, cut at the edges of slices, and the events that begin in each", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, window, fc.integer({ min: 1, max: 7 }), async (told, [from, to], slices) => {
        const { lanes, of, close } = await toldModels(told);
        if (lanes.length === 0) {
          await expect(of(slices, "duration", from, to)).rejects.toThrow("no events that take time");
          return close();
        }
        const duration = await of(slices, "duration", from, to);
        const count = await of(slices, "count", from, to);
        const mean = await of(slices, "mean", from, to);
        expect(duration.leaves).toBe(lanes.length);
        const edges = Array.from({ length: slices + 1 }, (_, at) => from + (at * (to - from)) / slices);
        let covered = 0;
        lanes.forEach(({ events }, leaf) => {
          const pieces = stretches(events);
          for (let slice = 0; slice < slices; slice++) {
            const [begin, end] = [edges[slice], edges[slice + 1]];
            // States of one name and different kinds are two.
            for (const name of new Set(duration.names)) {
              const own = duration.names.flatMap((one, state) => (one === name ? [state] : []));
              const sum = (values: Float64Array) =>
                own.reduce((all, state) => all + values[(leaf * duration.states + state) * slices + slice], 0);
              const isOf = ({ frame }: { readonly frame: number }) => FRAME_NAMES[frame] === name;
              const seconds = pieces.reduce(
                (all, piece) =>
                  all + (isOf(piece.event) ? Math.max(0, Math.min(piece.end, end) - Math.max(piece.start, begin)) : 0),
                0,
              );
              covered += seconds;
              expect(sum(duration.values)).toBeCloseTo(seconds, 9);
              expect(sum(count.values)).toBe(
                events.filter((one) => isOf(one) && one.start >= begin && one.start < end).length,
              );
            }
          }
        });
        expect(duration.uncoveredSeconds).toBeCloseTo(lanes.length * (to - from) - covered, 9);
        mean.values.forEach((value, at) =>
          expect(value * Math.max(1, count.values[at])).toBeCloseTo(duration.values[at], 9),
        );
        await close();
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("folds: of two slices each the sum is that of the slice that both are", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, window, fc.integer({ min: 1, max: 5 }), async (told, [from, to], slices) => {
        const { lanes, of, close } = await toldModels(told);
        if (lanes.length > 0)
          for (const metric of ["duration", "count"] as const) {
            const [coarse, fine] = [await of(slices, metric, from, to), await of(2 * slices, metric, from, to)];
            const folded = coarse.values.map((_, at) => fine.values[2 * at] + fine.values[2 * at + 1]);
            folded.forEach((value, at) => expect(value).toBeCloseTo(coarse.values[at], 9));
          }
        await close();
      }),
      { numRuns: casesOf(50) },
    );
  });
});
