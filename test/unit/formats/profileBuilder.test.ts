import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MetricStart, ProfileBuilder } from "../../../src/formats/profileBuilder";
import { inclusive } from "../../../src/model/contextTree";
import { NONE } from "../../../src/model/ids";
import { location } from "../../../src/model/locations";
import { quietTask } from "../../../src/model/task";

const time: MetricStart = {
  name: "time",
  recordedName: "CPUTIME (usec)",
  unit: "s",
  kind: "time",
  additive: true,
  reducedOverRanks: false,
};

/** A chain a → b → c, and a second child d of a. */
function chain(builder: ProfileBuilder): Record<"a" | "b" | "c" | "d", number> {
  const frame = (name: string) => builder.frames.intern({ name, kind: "function" });
  const a = builder.tree.child(NONE, frame("a"));
  const d = builder.tree.child(a, frame("d"));
  const b = builder.tree.child(a, frame("b"));
  return { a, b, c: builder.tree.child(b, frame("c")), d };
}

describe("a profile that is put together", () => {
  it("keeps CPU threads and GPU streams of one metric apart", () => {
    const builder = new ProfileBuilder();
    const { a } = chain(builder);
    const metric = builder.metric(time);
    builder.add(metric, a, builder.location(location({ rank: 0, thread: 0 })), 1);
    builder.add(metric, a, builder.location(location({ rank: 0, device: 0, stream: 7 })), 10);
    const { columns, final } = builder.build(quietTask);
    expect(columns.metrics.map(({ name }) => name)).toEqual(["time", "time (GPU streams)"]);
    expect(columns.values.map(({ value }) => [...value])).toEqual([[1], [10]]);
    expect([...final.metricOf]).toEqual([0]);
  });

  it("warns of finite values whose sum no number can hold, in one cell or over several", () => {
    for (const [places, factor] of [
      [[0, 0], 1],
      [[0, 1], 1],
      [[0, 1], 1e300],
    ] as const) {
      const builder = new ProfileBuilder();
      const { a } = chain(builder);
      const metric = builder.metric({ ...time, factor });
      for (const rank of places)
        builder.add(metric, a, builder.location(location({ rank })), factor === 1 ? 1.5e308 : 1.5e20);
      const { warnings } = builder.build(quietTask);
      expect(warnings.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^time: finite values add up to more than 1\.8e\+308/),
      ]);
    }
  });

  it("makes exclusive values of inclusive ones, in the metric's unit", () => {
    const builder = new ProfileBuilder();
    const { a, b, c, d } = chain(builder);
    const metric = builder.metric({ ...time, inclusive: true, divisor: 1e6 });
    const place = builder.location(location({ rank: 3 }));
    for (const [context, value] of [
      [a, 100e6],
      [b, 60e6],
      [c, 60e6],
      [d, 15e6],
    ])
      builder.add(metric, context, place, value);
    const { columns, warnings } = builder.build(quietTask);
    const names = Array.from(columns.tree.frame, (frame) => columns.frames.nameOf(frame));
    expect(names).toEqual(["a", "b", "c", "d"]);
    expect([...columns.values[0].value]).toEqual([25, 0, 60, 15]);
    expect([...inclusive(columns.tree, columns.values[0].value)]).toEqual([100, 60, 60, 15]);
    expect(warnings).toEqual([]);
  });

  it("leaves out metrics without values, and points its references at what is left", () => {
    const builder = new ProfileBuilder();
    const { a } = chain(builder);
    builder.metric({ ...time, name: "empty" });
    const least = builder.metric({ ...time, name: "least", additive: false, combine: "minimum" });
    const metric = builder.metric({ ...time, minimum: least, maximum: 0 });
    const place = builder.location(location({}));
    builder.add(least, a, place, 2);
    builder.add(least, a, place, 1);
    builder.add(metric, a, place, 3);
    const { columns } = builder.build(quietTask);
    expect(columns.metrics).toMatchObject([{ name: "least" }, { name: "time", minimum: 0, maximum: undefined }]);
    expect(columns.values[0].value[0]).toBe(1);
  });

  it("does not depend on the order in which values come, and reports nan and inf", () => {
    const entry = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.nat(2), fc.double({ min: 0, max: 1e3 }));
    fc.assert(
      fc.property(fc.array(entry), fc.boolean(), (entries, oncePerCell) => {
        const built = (list: typeof entries) => {
          const builder = new ProfileBuilder();
          const contexts = chain(builder) as Record<string, number>;
          const metric = builder.metric({ ...time, oncePerCell });
          for (const [context, rank, value] of list)
            builder.add(metric, contexts[context], builder.location(location({ rank })), value);
          const { columns, warnings } = builder.build(quietTask);
          return { values: columns.values, locations: columns.locations, warnings };
        };
        expect(built([...entries].reverse())).toEqual(built(entries));
        const notFinite = entries.filter(([, , value]) => !Number.isFinite(value)).length;
        expect(built(entries).warnings).toHaveLength(notFinite > 0 ? 1 : 0);
      }),
    );
  });
});
