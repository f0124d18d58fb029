import { describe, expect, it } from "vitest";
import { attribute, CaliText, read, valuesOf } from "../caliFixtures";

describe("families of aggregated names", () => {
  const of = (name: string, metadata = {}) => attribute(name, "double", 65, metadata);

  it("offer the sum, with minimum and maximum beside it, and none of the helpers", async () => {
    const family = ["sum", "min", "max", "avg", "avg.sum", "avg.count"].map((one) => of(`${one}#sum#time.duration`));
    const slot = attribute("min#min#aggregate.slot", "uint", 2113, { "attribute.alias": "Node order" });
    const text = new CaliText({ worldSize: "4" }).record("main", [
      ...family.map((one, at) => [one, at + 0.5] as const),
      [slot, 3],
    ]).text;
    const { metrics } = await read(text);
    expect(
      metrics.map(({ recordedName, additive, reducedOverRanks, minimum, maximum }) => ({
        recordedName,
        additive,
        reducedOverRanks,
        minimum,
        maximum,
      })),
    ).toEqual([
      { recordedName: "sum#sum#time.duration", additive: true, reducedOverRanks: true, minimum: 1, maximum: 2 },
      { recordedName: "min#sum#time.duration", additive: false, reducedOverRanks: true },
      { recordedName: "max#sum#time.duration", additive: false, reducedOverRanks: true },
    ]);
  });

  it("stand for one rank where there was one process only", async () => {
    const text = new CaliText({ worldSize: "1" }).record("main", [[of("sum#sum#time.duration"), 0.5]]).text;
    expect((await read(text)).metrics).toMatchObject([{ reducedOverRanks: false }]);
  });

  it("take the average over ranks where no sum was recorded, and say so", async () => {
    const text = new CaliText({ worldSize: "4" }).record("main", [[of("avg#sum#time.duration"), 0.5]]).text;
    const { metrics } = await read(text);
    expect(metrics).toMatchObject([
      { additive: true, reducedOverRanks: true, note: expect.stringContaining("averages") },
    ]);
  });

  it("are the average where one process has only minimum, maximum and average: that is its value", async () => {
    const text = (average: number, metadata = { "attribute.unit": "sec" }) =>
      new CaliText({ worldSize: "1" }).record(
        "main",
        (["min", "max", "avg"] as const).map(
          (one) => [of(`${one}#inclusive#sum#time.duration`, metadata), one === "avg" ? average : 0.5] as const,
        ),
      ).text;
    const dataSet = await read(text(0.5));
    expect(
      dataSet.metrics.map(({ recordedName, additive, reducedOverRanks, note }) => [
        recordedName,
        additive,
        reducedOverRanks,
        note,
      ])[0],
    ).toEqual(["avg#inclusive#sum#time.duration", true, false, undefined]);
    expect(valuesOf(dataSet, "avg#inclusive#sum#time.duration")).toEqual({ "main @-1": 0.5 });
    // An average of something else, as of visits, is no value to add up.
    expect((await read(text(0.25))).metrics.map(({ additive }) => additive)).toEqual([false, false, false]);
  });

  it("of a ratio never add up, whichever way the version writes it", async () => {
    const names = [
      "avg#loop.iterations/time.duration",
      "max#loop.iterations/time.duration",
      "sum#loop.iterations/time.duration",
      "ratio#loop.iterations/time.duration", // since 2.6
    ];
    const text = new CaliText({ worldSize: "4" }).record("main", [
      ...names.map((name, at) => [of(name), 100 + at] as const),
      [of("sum#sum#time.duration"), 2],
    ]).text;
    const { metrics } = await read(text);
    expect(metrics.map(({ recordedName, additive, kind, unit }) => [recordedName, additive, kind, unit])).toEqual([
      ["sum#sum#time.duration", true, "time", "s"],
      ...names.map((name) => [name, false, "rate", "1"]),
    ]);
  });

  it("store the exclusive value where a tool gives the inclusive one too, or only that one", async () => {
    const inclusive = of("inclusive#sum#time.duration");
    const tree = (text: CaliText) =>
      text
        .record("main", [[inclusive, 10.5]])
        .record("main/a/b", [[inclusive, 4.5]])
        .record("main/a/c", [[inclusive, 1]])
        .record("main/d", [[inclusive, 2]]);
    const only = await read(tree(new CaliText()).text);
    // `a` has no value of its own: what lies below it is taken from `main`.
    expect(valuesOf(only, "inclusive#sum#time.duration")).toEqual({
      "main @-1": 3,
      "main/a/b @-1": 4.5,
      "main/a/c @-1": 1,
      "main/d @-1": 2,
    });
    const both = await read(tree(new CaliText()).record("main", [[of("sum#time.duration"), 2.5]]).text);
    expect(both.metrics.map(({ recordedName }) => recordedName)).toEqual(["sum#time.duration"]);
    expect(valuesOf(both, "sum#time.duration")).toEqual({ "main @-1": 2.5 });
  });

  it("keep a negative difference in the sums, and warn where it is more than rounding", async () => {
    const inclusive = of("inclusive#sum#time.duration");
    const less = (by: number) =>
      new CaliText().record("main", [[inclusive, 1]]).record("main/a", [[inclusive, 1 + by]]).text;
    const rounded = await read(less(1e-9));
    expect(rounded.warnings).toEqual([]);
    expect(valuesOf(rounded, "inclusive#sum#time.duration")["main @-1"]).toBeLessThan(0);
    expect((await read(less(0.5))).warnings).toMatchObject([{ message: expect.stringContaining("negative") }]);
  });

  it("get units by metadata, by name, and for old files by whether numbers are whole", async () => {
    const cases: [string, object, string, number][] = [
      ["sum#time.duration.ns", {}, "5e9", 5],
      ["time.duration", { "time.unit": "usec" }, "5e6", 5],
      ["time.duration", {}, "5000000", 5],
      ["time.duration", {}, "5.25", 5.25],
      ["sum#scale#cupti.activity.duration", {}, "5.5", 5.5],
      ["x", { "attribute.unit": "MB" }, "5.5", 5.5e6],
      ["x", { "attribute.unit": "Byte" }, "5", 5],
      ["x", { "attribute.unit": "furlong" }, "5", 5],
    ];
    for (const [name, metadata, text, value] of cases)
      expect(valuesOf(await read(new CaliText().record("main", [[of(name, metadata), text]]).text), name)).toEqual({
        "main @-1": value,
      });
  });
});
