import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementsOf } from "../../../../src/engine/hardware/elements";
import { usesOf } from "../../../../src/engine/hardware/use";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { NONE } from "../../../../src/model/ids";
import type { Resource } from "../../../../src/model/resources";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { stretches } from "../../formats/trace/naiveSpans";
import { type NaiveEvent, naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { FRAME_NAMES, namedFrames, toldTrace } from "../traces/toldTraces";

const HARDWARE: Readonly<Record<string, string>> = {
  Machine: "machine",
  Package: "package",
  Core: "core",
  PU: "hardware thread",
  GPU: "GPU",
  LINK: "link",
};
const types = [...Object.keys(HARDWARE), "process", "Site"];

/** Resources in one another, in any way that their order allows. */
const forest: fc.Arbitrary<Resource[]> = fc
  .array(fc.record({ type: fc.constantFrom(...types), parent: fc.nat(20) }), { minLength: 1, maxLength: 14 })
  .map((rows) =>
    rows.map(({ type, parent }, at) => ({
      name: `${type} ${at}`,
      type,
      parent: (parent % (at + 1)) - 1,
      location: NONE,
    })),
  );
// Times of the traces are quarters of a second.
const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);

const kindOf = ({ frame }: NaiveEvent) =>
  ({ solve: "computing", MPI_Wait: "communication", memcpy: "data movement", init: "GPU" })[FRAME_NAMES[frame]];

describe("how much parts of a machine are used", () => {
  it("is what lanes on them do in the window, and not known where nothing was recorded", async () => {
    const frames = namedFrames();
    await fc.assert(
      fc.asyncProperty(toldFiles, forest, edge, edge, fc.nat(), async (told, resources, one, other, seed) => {
        fc.pre(one !== other);
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const naive = naiveTrace(told).lanes;
        const { trace: recorded } = await toldTrace(told);
        // Each lane runs somewhere.
        const places = naive.map((_, lane) => ((seed % 97) + 7 * lane) % resources.length);
        const lanes = recorded.lanes.map((lane, at) => ({ ...lane, resource: places[at] }));
        const trace = Object.create(recorded, { lanes: { value: lanes } }) as Trace;
        const topology = { resources, links: [] };
        const found = elementsOf(topology, trace);
        const states = eventStates({ frames } as never, trace, { GPU: ["init"] });
        const isChosen = (lane: number) => (lane + seed) % 4 !== 0;
        const window = { from, to };
        const uses = await usesOf({ topology }, found, { trace, states, window, isChosen }, quietTask);

        // From here on straight from what the words mean.
        const hasInside = (at: number): boolean =>
          HARDWARE[resources[at].type] !== undefined ||
          resources.some(({ parent }, inner) => parent === at && hasInside(inner));
        const parts = [...resources.keys()].filter(hasInside);
        const kinds = parts.map((at) => HARDWARE[resources[at].type] ?? "zone");
        const partAround = (resource: number): number =>
          resource === NONE
            ? NONE
            : parts.includes(resource)
              ? parts.indexOf(resource)
              : partAround(resources[resource].parent);
        const isHostAdded = !kinds.includes("machine") && kinds.includes("GPU");
        expect(found.elements.slice(isHostAdded ? 1 : 0).map(({ kind }) => kind)).toEqual(kinds);
        if (isHostAdded) return;
        const parents = parts.map((at) => partAround(resources[at].parent));
        const machines = kinds.filter((kind) => kind === "machine").length;
        const partOfLane = places.map((place) => {
          const around = partAround(place);
          return around === NONE && machines === 1 ? kinds.indexOf("machine") : around;
        });
        const isIn = (inner: number, outer: number): boolean =>
          inner !== NONE && (inner === outer || isIn(parents[inner], outer));
        const everDone = new Set(naive.flatMap(({ events }) => stretches(events).map(({ event }) => kindOf(event))));
        const own = parts.map((_, part) => {
          const inside = partOfLane.flatMap((at, lane) => (isIn(at, part) && isChosen(lane) ? [lane] : []));
          expect(uses[part].lanes).toEqual(inside);
          const mine = inside.filter(
            (lane) =>
              naive[lane].kind === "intervals" && (kinds[partOfLane[lane]] === "GPU") === (kinds[part] === "GPU"),
          );
          if (mine.length === 0) return NaN;
          if (kinds[part] === "GPU") {
            if (!everDone.has("GPU")) return NaN;
            let running = 0;
            for (let at = from; at < to; at += 1 / 8)
              if (
                mine.some((lane) =>
                  naive[lane].events.some((one) => kindOf(one) === "GPU" && one.start <= at && one.end > at),
                )
              )
                running++;
            return running / 8 / (to - from);
          }
          if (!["machine", "package", "core", "hardware thread"].includes(kinds[part]) || !everDone.has("computing"))
            return NaN;
          const seconds = mine.flatMap((lane) =>
            stretches(naive[lane].events).flatMap(({ event, start, end }) =>
              kindOf(event) === "computing" ? [Math.max(0, Math.min(end, to) - Math.max(start, from))] : [],
            ),
          );
          return seconds.reduce((sum, one) => sum + one, 0) / mine.length / (to - from);
        });
        parts.forEach((_, part) => {
          const near = (at: number): boolean =>
            parents[at] !== NONE && (parents[at] === part || (Number.isNaN(own[parents[at]]) && near(parents[at])));
          const held = own.filter(
            (share, at) =>
              !Number.isNaN(share) && near(at) && ["machine", "package", "core", "hardware thread"].includes(kinds[at]),
          );
          const isHolder = ["machine", "package", "core", "hardware thread", "zone"].includes(kinds[part]);
          const mean = held.length > 0 && isHolder ? held.reduce((sum, share) => sum + share, 0) / held.length : NaN;
          const expected = Number.isNaN(own[part]) ? mean : own[part];
          if (Number.isNaN(expected)) expect([uses[part].share, uses[part].by]).toEqual([NaN, undefined]);
          else expect(uses[part].share).toBeCloseTo(expected, 12);
        });
      }),
      { numRuns: casesOf(200) },
    );
  });
});
