import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import { isJsonRecords } from "../../../../../src/formats/caliper/scan/jsonRecords";
import type { DataSet } from "../../../../../src/model/dataSet";
import { formatLaws, readFixture } from "../../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { events, profile, samples, valuesOf } from "../caliFixtures";
import { jsonOf, splitOf } from "../jsonOf";
import { readNaively } from "../naiveCali";
import { ranksOfTrace } from "../traceFixtures";
import { eventRows, messageRows } from "../traceRows";

const json = (text: string, form: "records" | "object", quoteAll?: boolean) =>
  jsonOf(readNaively(text), form, quoteAll);
const written = { profile: profile().text(), samples: samples().text(), trace: ranksOfTrace()["1.cali"] };

formatLaws(
  caliper,
  {
    "a list of records": { "profile.json": json(written.profile, "records") },
    "records with globals and attributes": { "profile.json": json(written.profile, "object") },
    "events as json-split": { "trace.json": splitOf(readNaively(written.trace)) },
    "sampled records": { "samples.json": json(written.samples, "records") },
  },
  undefined,
  0.2,
);

async function read(text: string): Promise<DataSet> {
  const [dataSet, ...others] = await readFixture(caliper, { "records.json": text });
  expect(others).toEqual([]);
  return dataSet;
}

/** Path, place and value of every metric, by its recorded name. */
function numbers(dataSet: DataSet): Record<string, [string, number][]> {
  const paths = pathsOf(dataSet).map((path) => path.join("/"));
  return Object.fromEntries(
    dataSet.metrics.map(({ recordedName }, metric) => [
      recordedName,
      [...cellsOf(dataSet, metric)]
        .map(([context, place, value]): [string, number] => {
          const { rank, thread } = dataSet.locations[place];
          return [`${paths[context]} @${rank},${thread}`, value];
        })
        .sort(),
    ]),
  );
}

describe("records as json", () => {
  it.each(Object.entries(written))("give the numbers of their .cali twin: %s", async (_, text) => {
    const twin = await read(text);
    const object = await read(json(text, "object"));
    expect(numbers(object)).toEqual(numbers(twin));
    expect(object.metrics).toEqual(twin.metrics);
    expect([...object.globals.keys()].sort()).toEqual([...twin.globals.keys()].sort());
    expect(object.records).toBe(twin.records);
    expect(object.hierarchies).toEqual(twin.hierarchies);
    const list = await read(json(text, "records"));
    // A bare list knows no units, so microseconds and seconds are told by their digits: counts and samples are the same.
    for (const [name, cells] of Object.entries(numbers(list)))
      if (!name.includes("time")) expect([name, cells]).toEqual([name, numbers(twin)[name]]);
  });

  it("give the events and messages of their .cali twin", async () => {
    for (const text of Object.values(ranksOfTrace())) {
      const twin = await read(text);
      for (const other of [json(text, "object"), splitOf(readNaively(text))]) {
        const dataSet = await read(other);
        expect(await eventRows(dataSet)).toEqual(await eventRows(twin));
        expect(await messageRows(dataSet)).toEqual(await messageRows(twin));
        expect(dataSet.trace?.zeroNanoseconds).toBe(twin.trace?.zeroNanoseconds);
        expect(dataSet.trace?.counters).toEqual(twin.trace?.counters);
        expect(numbers(dataSet)).toEqual(numbers(twin));
      }
    }
  });

  it("may have all numbers in quotes", async () => {
    const quoted = await read(json(written.profile, "object", true));
    expect(numbers(quoted)).toEqual(numbers(await read(written.profile)));
    expect(quoted.metrics).toEqual((await read(written.profile)).metrics);
  });

  it("have nan, inf and addresses as the tool writes them, which is no JSON", async () => {
    const text = `[
{"path":"main","alloc.address":7f6f3a000000,"sum#x":nan,"sum#y":1},
{"path":"main/a","alloc.address":deadbeef,"sum#x":-inf,"sum#y":2},
{"path":"main/b","alloc.address":12345678,"sum#x":2.5,"sum#y":inf}
]`;
    const dataSet = await read(text);
    expect(dataSet.metrics.map(({ name }) => name)).toEqual(["sum#x", "sum#y"]);
    expect(valuesOf(dataSet, "sum#x")).toEqual({ "main @-1": Number.NaN, "main/a @-1": -Infinity, "main/b @-1": 2.5 });
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "sum#x has 2 values that are nan or inf: they are left out of sums",
      "sum#y has 1 values that are nan or inf: they are left out of sums",
    ]);
  });

  it("have attributes whose names are written without escapes: what can be read of them is, and that is said", async () => {
    const text = `{"records": [\n{"path":"main","sum#time.duration":0.5,"sum#q\\"x":1}\n],
"globals": {"cali.channel": "c"},
"attributes": {
"sum#time.duration": {"is_global": false,"attribute.alias": "time","attribute.unit": "sec"},
"sum#q"x": {"is_global": false,"attribute.alias": "never"}
}}`;
    const dataSet = await read(text);
    expect(valuesOf(dataSet, "time")).toEqual({ "main @-1": 0.5 });
    expect(valuesOf(dataSet, 'sum#q"x')).toEqual({ "main @-1": 1 });
    expect(dataSet.globals).toEqual(new Map([["cali.channel", ["c"]]]));
    expect(dataSet.warnings.map(({ message }) => message).join()).toMatch(/attributes cannot be read/);
  });

  it("may have their regions one by one instead of a path", async () => {
    const dataSet = await read(
      '[{"function":"main/work","loop":"step","mpi.function":"MPI_Send","sum#time.duration":1.5}]',
    );
    expect(pathsOf(dataSet).at(-1)).toEqual(["main", "work", "step", "MPI_Send"]);
  });

  it("cut off anywhere say where", async () => {
    const text = json(written.profile, "records");
    const dataSet = await read(text.slice(0, text.lastIndexOf("{") + 20));
    expect(dataSet.records).toBe(11);
    expect(dataSet.warnings).toMatchObject([{ message: expect.stringContaining("ends before its last bracket") }]);
    await expect(read('[\n{"path":"main","sum#time.dur')).rejects.toThrow(/found the end of the file/);
  });

  it.each(["records", "object"] as const)("with something behind their end say so", async (form) => {
    const text = json(written.profile, form);
    expect((await read(`${text}\n `)).warnings).toEqual([]);
    expect((await read(text + text)).warnings).toMatchObject([
      { message: expect.stringMatching(/^something follows the end of the (list|object): it was not read$/) as string },
    ]);
  });

  it("of iterations become a series, and keep the number of each event of a trace out of sums", async () => {
    const dataSet = await read(json(events().text(), "object"));
    expect(valuesOf(dataSet, "time.duration.ns")).toEqual({ "main @0": 28e-9, "main/work @0": 44e-9 });
    expect(dataSet.series).toBeUndefined();
    expect(dataSet.trace?.events).toBe(4);
  });

  it("with hostile keys and values are read", async () => {
    const name = "x".repeat(100_000);
    const deep = Array.from({ length: 100_000 }, (_, at) => `r${at}`).join("/");
    const text = `[{"path":"__proto__/constructor","__proto__":1,"constructor":2,"count":3},
{"path":"${name}","count":4},{"path":"<b>&amp;","count":5,"nested":{"a":[1,2]}},{"path":"${deep}","count":6}]`;
    const dataSet = await read(text);
    const counts = [...cellsOf(dataSet, metricNamed(dataSet, "count"))].map(([, , value]) => value);
    expect(counts.sort()).toEqual([3, 4, 5, 6]);
    expect(dataSet.tree.size).toBe(2 + 1 + 1 + 100_000);
    expect(dataSet.metrics.map((metric) => metric.name).sort()).toEqual(["__proto__", "constructor", "count"]);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual(['"nested" has a list or an object: left out']);
  });

  it("are not taken for other JSON", () => {
    const sniff = (text: string) => isJsonRecords(Buffer.from(text));
    expect(
      [
        "[]",
        "[1,2]",
        '[{"name":"a","ph":"X","ts":1}]',
        '[{"ph":"X","path":"a"}]',
        '[{"a":{"path":1}}]',
        '{"traceEvents":[{"path":1}]}',
        '{"records":{"path":1}}',
        '[["path"]]',
        '[{"x":1},{"y":2}]',
        "",
        "[",
      ].map(sniff),
    ).toEqual(Array(11).fill(false));
    expect(['[{"x":1},{"mpi.rank":0', '{"records": [{"a":"b","path":"m"'].map(sniff)).toEqual([true, true]);
  });
});
