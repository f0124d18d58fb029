import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dmtracker } from "../../../../src/formats/dmtracker/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { type Fixture, formatLaws, readFixture } from "../formatLaws";
import { BASE_MICROSECONDS, counters, drawing, hwlocXml, table, traceJson } from "./recordings";

const whole: Fixture = { "gemm-5-0.json": traceJson, "gemm-5-0.csv": counters, "gemm-5-0.svg": drawing };

async function open(fixture: Fixture, named?: readonly string[]): Promise<DataSet> {
  const dataSets = await readFixture(dmtracker, fixture, { open: named });
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

function tree({ topology }: DataSet): string[] {
  const paths: string[] = [];
  for (const { type, name, parent } of topology?.resources ?? [])
    paths.push(`${parent < 0 ? "" : `${paths[parent]} / `}${type} ${name}`);
  return paths;
}

async function points({ trace }: DataSet, name: string): Promise<[number, number][]> {
  const counter = trace?.counters.findIndex((one) => one.name === name) ?? -1;
  const some = await trace?.readCounter(counter, 0, 100);
  return Array.from(some?.seconds ?? [], (seconds, at) => [seconds, some?.value[at] ?? Number.NaN]);
}

describe("DMTracker", () => {
  it("puts counters on the clock of the trace, to the nanosecond, in units that they are of", async () => {
    const dataSet = await open(whole);
    expect(dataSet.trace?.zeroNanoseconds).toBe(BigInt(BASE_MICROSECONDS) * 1000n);
    expect(await points(dataSet, "temperature_gpu")).toEqual([
      [0.016447148, 36],
      [0.016447149, 37],
      [0.027999815, 41],
    ]);
    expect(await points(dataSet, "memory_used")).toEqual([
      [0.016447148, 387e6],
      [0.016447149, 393e6],
      [0.027999815, 598e6],
    ]);
    expect((await points(dataSet, "clocks_current_sm")).map(([, hertz]) => hertz)).toEqual([300e6, 1.35e9, 1.35e9]);
    expect(dataSet.trace?.counters.map(({ name, unit }) => [name, unit])).toEqual([
      ["clocks_current_sm", "Hz"],
      ["memory_free", "B"],
      ["memory_used", "B"],
      ["power_draw", "W"],
      ["temperature_gpu", "°C"],
    ]);
    // By its memory the table is of the second GPU.
    const { resource } = dataSet.trace?.counters[0] ?? { resource: -1 };
    expect(dataSet.topology?.resources[resource].name).toBe("GPU 1");
    expect(dataSet.warnings).toEqual([]);
  });

  it("derives nesting from containment, whatever the order of drawing", async () => {
    expect(tree(await open(whole)).filter((path) => path.startsWith("Machine"))).toEqual([
      "Machine Machine (31GB & more)",
      "Machine Machine (31GB & more) / Package Package L#0",
      "Machine Machine (31GB & more) / Package Package L#0 / Core Core L#0",
      "Machine Machine (31GB & more) / Package Package L#0 / L3 L3 (12MB)",
      "Machine Machine (31GB & more) / PCI PCI 01:00.0",
      "Machine Machine (31GB & more) / Package Package L#0 / Core Core L#0 / PU PU L#0",
      "Machine Machine (31GB & more) / PCI PCI 01:00.0 / GPU opencl0d0",
    ]);
  });

  it("prefers the run's own topology, then that of its size, then the machine's", async () => {
    const files = { "gemm-5-0.json": traceJson, "topology-5.svg": drawing, "topology-default.svg": drawing };
    expect((await open(files)).files[1]).toMatch(/topology-5\.svg$/);
    expect((await open({ "gemm-6.json": traceJson, "topology-default.svg": drawing })).files[1]).toMatch(
      /default\.svg$/,
    );
    expect((await open({ ...whole, "topology-5.svg": drawing })).files[2]).toMatch(/gemm-5-0\.svg$/);
    expect((await open({ ...whole, "gemm-5-0.xml": hwlocXml })).files[2]).toMatch(/gemm-5-0\.xml$/);
  });

  it("reads hwloc's own file", async () => {
    const dataSet = await open({ "machine.xml": hwlocXml });
    expect(tree(dataSet)).toEqual([
      "Machine Machine 0",
      "Machine Machine 0 / Package Package 0",
      "Machine Machine 0 / Package Package 0 / Core Core 0",
      "Machine Machine 0 / Package Package 0 / Core Core 0 / PU PU 0",
      "Machine Machine 0 / Package Package 0 / Core Core 0 / PU PU 1",
      "Machine Machine 0 / OSDev cuda0",
    ]);
    expect(dataSet.topology?.resources[0].properties?.get("HostName")).toBe("node1");
    expect(dataSet.topology?.resources[5].properties?.get("CUDAGlobalMemorySize")).toBe("24800000");
  });

  it("opens a table or drawing with its trace, and alone where there is none", async () => {
    for (const name of Object.keys(whole)) expect((await open(whole, [name])).files).toHaveLength(3);
    expect((await open(whole, Object.keys(whole))).files).toHaveLength(3);
    const alone = await open({ "other.csv": counters });
    expect(await points(alone, "power_draw")).toEqual([
      [0, 29],
      [1e-9, 29.5],
      [0.011552667, 75],
    ]);
    expect(alone.trace?.zeroNanoseconds).toBe(BigInt(BASE_MICROSECONDS) * 1000n + 16447148n);
    expect(alone.notRecorded).toContain("no events in this recording");
    expect((await open({ "other.svg": drawing })).topology?.resources).toHaveLength(7);
  });

  it("is a Kineto trace where nothing stands beside it", async () => {
    const dataSet = await open({ "gemm-5-0.json": traceJson });
    expect(dataSet.format.id).toBe("kineto");
    expect(dataSet.trace?.transfers).toBe(1);
  });

  it("leaves out rows that are none, and says where the first one is", async () => {
    const lines = counters.split("\n");
    const broken = [
      lines[0],
      lines[1],
      "1669272387738364148, 36",
      "x, 1, 2, 3, 4, 5",
      lines[2].replace("29.5", "n/a"),
      lines[3],
      "",
    ];
    const dataSet = await open({ ...whole, "gemm-5-0.csv": broken.join("\n") });
    expect((await points(dataSet, "power_draw")).map(([, watts]) => watts)).toEqual([29, 75]);
    const [rows, cells] = dataSet.warnings;
    expect(rows).toMatchObject({
      message: "2 rows have no time, or not 6 columns: they were left out",
      at: { line: 3 },
    });
    expect(cells).toMatchObject({ message: expect.stringContaining("power_draw in 1 of 3 rows"), at: { line: 5 } });
    const cut = await open({ ...whole, "gemm-5-0.csv": counters.slice(0, -2) });
    expect((await points(cut, "power_draw")).map(([, watts]) => watts)).toEqual([29, 29.5]);
    expect(cut.warnings[0]).toMatchObject({ message: expect.stringContaining("no line end"), at: { line: 4 } });
  });

  it("keeps the other cells of a row of which one is no number, and counts the missing ones by column", async () => {
    const [header, ...rows] = counters.trimEnd().split("\n");
    const names = header.split(",").map((name) => name.trim().replace(/_(?:w|mhz|mib)$/, ""));
    const cells = rows.map((row) => row.split(",").map((cell) => cell.trim()));
    cells[0][2] = "N/A";
    cells[2][2] = "[Not Supported]";
    cells[1][3] = "";
    const damaged = [header, ...cells.map((row) => row.join(", ")), ""].join("\n");
    const [plain, dataSet] = [await open(whole), await open({ ...whole, "gemm-5-0.csv": damaged })];
    for (const [column, name] of names.entries()) {
      if (column === 0) continue;
      const kept = cells.flatMap((row, at) => (Number.isNaN(Number.parseFloat(row[column])) ? [] : [at]));
      const all = await points(plain, name);
      expect(await points(dataSet, name), name).toEqual(kept.map((at) => all[at]));
    }
    expect(dataSet.warnings[0]).toMatchObject({
      message: `cells without a number were left out, the rest of their rows was read: ${names[2]} in 2 of 3 rows, ${names[3]} in 1 of 3 rows`,
      at: { line: 2 },
    });
    expect(dataSet.records).toBe(plain.records);
  });

  it("keeps the trace where a companion is damaged", async () => {
    const dataSet = await open({ ...whole, "gemm-5-0.svg": drawing.slice(0, -30) });
    expect(dataSet.warnings[0].message).toMatch(/left out: .*gemm-5-0\.svg, line 28: found the end of the file/);
    expect(dataSet.trace?.counters).toHaveLength(5);
  });

  it("takes thousands of boxes in one another, objects 100,000 deep and any text", async () => {
    const boxes = Array.from(
      { length: 10_000 },
      (_, at) => `<rect id='Core_${at}_rect' class='Core' x='${at / 100}' y='0' width='${200 - at / 50}' height='9'/>`,
    );
    const svg = drawing.replace("</svg>", `${boxes.join("")}</svg>`);
    const drawn = await open({ "many.svg": svg });
    expect(drawn.topology?.resources).toHaveLength(8192);
    expect(drawn.warnings[0].message).toBe("1815 boxes beyond 8192 are left out");
    const depth = 100_000;
    const deep = `<topology>${'<object type="Group">'.repeat(depth)}${"</object>".repeat(depth)}</topology>`;
    expect((await open({ "deep.xml": deep })).topology?.resources).toHaveLength(depth);
    const hostile = drawing.replace("Core L#0", "&lt;img onerror=alert(1)>").replaceAll("L3", "__proto__");
    expect(tree(await open({ "hostile.svg": hostile })).join()).toContain("<img onerror=alert(1)>");
    await expect(open({ "entity.svg": drawing.replace("Core L#0", "&constructor;") })).rejects.toThrow(
      /only declarations/,
    );
  });

  it("takes damaged tables as far as they are rows", async () => {
    const change = fc.record({ at: fc.nat(counters.length - 1), byte: fc.constantFrom(...'0123456789,.-x\n "') });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let damaged = counters;
        for (const { at, byte } of changes) damaged = damaged.slice(0, at) + byte + damaged.slice(at + 1);
        const result = await open({ ...whole, "gemm-5-0.csv": damaged });
        const lost =
          counters.split("\n").length - 2 - (result.records - (await open({ "gemm-5-0.json": traceJson })).records);
        if (lost > 0) expect(result.warnings).not.toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("does not grow with a line that never ends", async () => {
    const endless = `timestamp, temperature_gpu\n${"1".repeat(200_000)}`;
    await expect(open({ "endless.csv": endless })).rejects.toThrow(/line 2: found a line without end/);
    await expect(open({ "header.csv": "timestamp, temperature_gpu" })).rejects.toThrow(/inside the header/);
    expect((await open({ "empty.csv": table([]) })).records).toBe(0);
  });
});

// A table that is cut between two rows cannot be told from a shorter one: its own test is above.
formatLaws(dmtracker, { "trace, counters and drawing": whole }, ["gemm-5-0.json", "gemm-5-0.svg"], 0.4);
formatLaws(dmtracker, { "a drawing": { "other.svg": drawing }, hwloc: { "machine.xml": hwlocXml } }, undefined, 0.3);
formatLaws(dmtracker, { "a table": { "other.csv": counters } }, []);
