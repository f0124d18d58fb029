import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { readFixture } from "../../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { attribute, CaliText } from "../caliFixtures";
import { jsonOf, splitOf } from "../jsonOf";
import { readNaively } from "../naiveCali";

/** Prefixes that Caliper's kernels of aggregation write, as its sources list them, and two that no version has. */
const ADDING = ["sum", "inclusive", "scale", "iscale"];
const NOT_ADDING = [
  "min",
  "max",
  "imin",
  "imax",
  "any",
  "variance",
  "percent_total",
  "ipercent_total",
  "median",
  "x.y",
];
/** What may be measured, and whether it adds up before any operation. */
const BASES: readonly (readonly [base: string, adds: boolean])[] = [
  ["time.duration.ns", true],
  ["PAPI_TOT_CYC", true],
  ["umpt.count", true],
  ["topdown.slots", true],
  ["topdown.fe_bound.slots", true],
  ["topdown.fe_bound", false],
  ["topdown.machine_clears", false],
  ["ratio#a.b/c.d", false],
  ["iratio#cupti.activity.duration/sum#cupti.host.duration", false],
  ["loop.iterations/time.duration", false],
];

async function readAll(text: string): Promise<DataSet[]> {
  const naive = readNaively(text);
  const forms = { cali: text, object: jsonOf(naive, "object"), list: jsonOf(naive, "records"), split: splitOf(naive) };
  const read = await Promise.all(Object.entries(forms).map(([name, form]) => readFixture(caliper, { [name]: form })));
  return read.flat();
}

describe("operations of aggregated names", () => {
  const chain = fc.tuple(
    fc.array(fc.constantFrom(...ADDING, ...NOT_ADDING), { maxLength: 3 }),
    fc.constantFrom(...BASES),
  );

  it("add up only where each of them and the base do, in all forms of a recording", async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.boolean(), async ([operations, [base, baseAdds]], aggregatable) => {
        const name = [...operations, base].join("#");
        const adds = baseAdds && operations.every((one) => ADDING.includes(one));
        const properties = aggregatable ? 2113 : 65;
        const value = attribute(name, "double", properties);
        const time = attribute("sum#zz.time", "double", properties, { "attribute.unit": "sec" });
        const text = new CaliText({ worldSize: "4" })
          .record("main", [
            [value, 5],
            [time, 1],
          ])
          .record("main/a", [
            [value, 3],
            [time, 2],
          ]).text;
        for (const dataSet of await readAll(text)) {
          const of = dataSet.metrics.find(({ recordedName }) => recordedName === name);
          // Without a sum in its family each number is shown, whatever it is.
          expect(of?.additive, `${name} of ${dataSet.format.id}`).toBe(adds);
          expect(dataSet.metrics[0].additive).toBe(true);
        }
      }),
    );
  });

  it("of a ratio, share or variance keep the recorded number of each context", async () => {
    const names = ["imax#x", "sum#iratio#a/b", "ipercent_total#sum#x", "variance#x", "topdown.retiring", "odd#x"];
    const values = names.map((name) => attribute(name, "double", 65));
    const text = new CaliText()
      .record(
        "main",
        values.map((value, at) => [value, 40 + at]),
      )
      .record(
        "main/a",
        values.map((value, at) => [value, 60 + at]),
      ).text;
    for (const dataSet of await readAll(text)) {
      const paths = pathsOf(dataSet).map((path) => path.join("/"));
      for (const [at, name] of names.entries())
        expect([...cellsOf(dataSet, metricNamed(dataSet, name))].map(([context, , value]) => [paths[context], value]))
          // In the order of contexts: `main` first.
          .toEqual([
            ["main", 40 + at],
            ["main/a", 60 + at],
          ]);
    }
  });

  it("of several records of one context are never added: the largest ratio counts, the smallest minimum", async () => {
    const names = { "topdown.be_bound": 0.5, "imin#x": 0.25, "imax#x": 0.5, "iratio#a/b": 0.5 };
    const values = Object.keys(names).map((name) => attribute(name, "double", 65));
    const text = new CaliText();
    for (const value of [0.25, 0.5, 0.375])
      text.record(
        "main",
        values.map((one) => [one, value]),
      );
    const [dataSet] = await readFixture(caliper, { cali: text.text });
    for (const [name, value] of Object.entries(names))
      expect([...cellsOf(dataSet, metricNamed(dataSet, name))].map(([, , one]) => one)).toEqual([value]);
  });

  it("come with units that tell: shares and rates never add up, whatever they are called", async () => {
    for (const unit of ["%", "percent", "MB/s", "iter/s"]) {
      const odd = attribute("sum#odd", "double", 2113, { "attribute.unit": unit });
      const calls = attribute("sum#calls", "double", 2113, { "attribute.unit": "count" });
      const text = new CaliText().record("main", [
        [odd, 50],
        [calls, 2],
      ]).text;
      const [{ metrics }] = await readFixture(caliper, { cali: text });
      expect(metrics.map(({ recordedName, additive, kind }) => [recordedName, additive, kind])).toEqual([
        ["sum#calls", true, "count"],
        ["sum#odd", false, "rate"],
      ]);
    }
  });

  it("decide what views start with: a number of a kind that nothing tells is never the first of several", async () => {
    const first = async (...names: string[]) => {
      const values = names.map((name) => attribute(name, "double", 65));
      const text = new CaliText().record(
        "main",
        values.map((value) => [value, 5]),
      ).text;
      return (await readAll(text)).map(({ metrics }) => metrics[0].recordedName);
    };
    expect(await first("aaa", "count")).toEqual(["count", "count", "count", "count"]);
    expect(await first("aaa", "sum#zzz")).toEqual(["sum#zzz", "sum#zzz", "sum#zzz", "sum#zzz"]);
    expect(await first("aaa", "topdown.retiring", "topdown.slots")).not.toContain("topdown.retiring");
    expect(await first("Retiring", "Work %", "Max time/rank", "zzz")).toEqual(["zzz", "zzz", "zzz", "zzz"]);
  });

  it("of averages of extremes do not add up where there is no sum", async () => {
    const imax = attribute("avg#imax#umpt.size", "double", 2113, { "attribute.unit": "MB" });
    const text = new CaliText({ worldSize: "4" }).record("main", [[imax, 5]]).record("main/a", [[imax, 3]]).text;
    for (const { metrics } of await readAll(text)) expect(metrics.map(({ additive }) => additive)).toEqual([false]);
  });
});
