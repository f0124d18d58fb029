import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OverviewMetric, OverviewQuery } from "../../../../src/engine/overview/overviewApi";
import { foldedModel } from "../../../../src/engine/overview/fold";
import { traceModel } from "../../../../src/engine/overview/traceModel";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { eventKinds } from "../../../../src/model/eventKinds";
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
  dataSet: 0,
  kind: "spatiotemporal",
  normalize: false,
  hierarchy: { kind: "recorded" },
  slices,
  metric,
  fromSeconds,
  toSeconds,
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
    of: (slices: number, metric: OverviewMetric, from: number, to: number, more: Partial<OverviewQuery> = {}) =>
      traceModel(dataSet, trace, states, { ...query(slices, metric, from, to), ...more }, quietTask),
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

  it("has the rows of what is not left out, of the resources that are looked at, or kinds in the place of states", async () => {
    let looked = 0;
    await fc.assert(
      fc.asyncProperty(toldFiles, window, fc.nat(), async (told, [from, to], choice) => {
        const { lanes, of, close } = await toldModels(told);
        const all = lanes.length > 0 ? await of(3, "duration", from, to) : undefined;
        if (all && all.states > 0) {
          const row = ({ values, slices, states }: typeof all, leaf: number, state: number) =>
            Array.from(values.subarray((leaf * states + state) * slices, (leaf * states + state + 1) * slices));
          const hidden = all.names[choice % all.names.length];
          const left = [...all.names.keys()].filter((state) => all.names[state] !== hidden);
          if (left.length > 0) {
            looked++;
            const some = await of(3, "duration", from, to, { without: [hidden] });
            expect(some.names).toEqual(left.map((state) => all.names[state]));
            for (let leaf = 0; leaf < all.leaves; leaf++)
              expect(left.map((_, at) => row(some, leaf, at))).toEqual(left.map((state) => row(all, leaf, state)));
            expect(some.uncoveredSeconds).toBeCloseTo(all.uncoveredSeconds, 9);
          } else await expect(of(3, "duration", from, to, { without: [hidden] })).rejects.toThrow("No state is left");
          const { name } = all.nodes[choice % all.leaves];
          const one = await of(3, "duration", from, to, { only: [name] });
          expect([one.leaves, one.allLeaves]).toEqual([
            all.nodes.slice(0, all.leaves).filter((node) => node.name === name).length,
            all.leaves,
          ]);
          const kinds = await of(3, "duration", from, to, { by: "category" });
          for (let leaf = 0; leaf < all.leaves; leaf++)
            kinds.kinds.forEach((kind, at) => {
              const own = all.kinds.flatMap((other, state) => (other === kind ? [row(all, leaf, state)] : []));
              const sums = own.reduce((sum, values) => sum.map((value, slice) => value + values[slice]), [0, 0, 0]);
              row(kinds, leaf, at).forEach((value, slice) => expect(value).toBeCloseTo(sums[slice], 9));
            });
          expect(kinds.names).toEqual(kinds.kinds.map((kind) => eventKinds[kind]));
          expect(new Set(kinds.kinds)).toEqual(new Set(all.kinds));
        }
        await close();
      }),
      { numRuns: casesOf(60) },
    );
    expect(looked).toBeGreaterThan(0);
  });

  it("is folded from a finer one to what reading the events again would give, or is not", async () => {
    let folds = 0;
    await fc.assert(
      fc.asyncProperty(
        toldFiles,
        window,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        async (told, [from, to], slices, times, skipped) => {
          const { lanes, of, close } = await toldModels(told);
          if (lanes.length > 0)
            for (const metric of ["duration", "count", "mean"] as const) {
              const fine = await of(slices * times + skipped, metric, from, to);
              const begin = from + (skipped * (to - from)) / fine.slices;
              const asked = { slices, metric, fromSeconds: begin, toSeconds: to };
              const folded = foldedModel(fine, asked, to);
              if (!folded) continue;
              folds++;
              const { values, uncoveredSeconds, ...rest } = await of(slices, metric, begin, to);
              const numbers = { values: 0, amounts: 0, counts: 0, uncoveredSeconds: 0 };
              expect({ ...folded, ...numbers }).toEqual({ ...rest, ...numbers });
              values.forEach((value, at) => expect(folded.values[at]).toBeCloseTo(value, 9));
              expect(folded.uncoveredSeconds).toBeCloseTo(uncoveredSeconds, 9);
            }
          await close();
        },
      ),
      { numRuns: casesOf(60) },
    );
    expect(folds).toBeGreaterThan(0);
  });

  it("is not folded where slices of the finer one do not make up those that are asked for", async () => {
    const { of, close } = await toldModels(
      fc.sample(
        toldFiles.filter((told) =>
          naiveTrace(told).lanes.some(({ kind, events }) => kind === "intervals" && events.length > 0),
        ),
        { seed: 1, numRuns: 1 },
      )[0],
    );
    const fine = await of(6, "duration", 0, 3);
    const asked = (slices: number, fromSeconds: number, toSeconds: number) =>
      foldedModel(fine, { slices, metric: "duration", fromSeconds, toSeconds }, 3)?.slices;
    expect([asked(3, 0, 3), asked(4, 0, 2), asked(2, 1, 2)]).toEqual([3, 4, 2]);
    expect([asked(4, 0, 3), asked(12, 0, 3), asked(3, 0.1, 3), asked(3, 1, 4), asked(3, -0.5, 1)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    await close();
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
