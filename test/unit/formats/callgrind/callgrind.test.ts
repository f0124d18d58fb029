import { describe, expect, it } from "vitest";
import { callgrind } from "../../../../src/formats/callgrind/format";
import { functionOfLine } from "../../../../src/model/callGraph";
import type { DataSet } from "../../../../src/model/dataSet";
import { AmbiguityError, FormatError } from "../../../../src/model/errors";
import { functionsOf } from "../../../../src/model/functions";
import { NONE } from "../../../../src/model/ids";
import { firstCell, type LineValues } from "../../../../src/model/lineValues";
import type { SparseValues } from "../../../../src/model/values";
import { formatLaws, plain, readFixture } from "../formatLaws";
import { type Writing, writeCallgrind, type WrittenFunction, type WrittenPart } from "./callgrindWriter";

/** main calls work at two lines and prints; work holds inlined code of another file, and calls itself. */
const program: WrittenFunction[] = [
  {
    name: "main",
    file: "main.c",
    module: "/usr/bin/program",
    rows: [
      { line: 10, costs: [5, 1] },
      { line: 12, costs: [700, 70], callee: "work", calleeFile: "work.c", calls: 2 },
      { line: 11, costs: [3] },
      { line: 14, costs: [300, 30], callee: "work", calleeFile: "work.c", calls: 1 },
      { line: 15, costs: [40], callee: "puts", calleeFile: "???", calleeModule: "/lib/libc.so", calls: 4 },
    ],
  },
  {
    name: "work",
    file: "work.c",
    module: "/usr/bin/program",
    rows: [
      { line: 20, costs: [500, 60] },
      { line: 3, file: "inline.h", costs: [200, 20] },
      { line: 21, costs: [100, 10] },
      { line: 22, costs: [200, 10], callee: "work'2", calls: 6 },
    ],
  },
  {
    name: "work'2",
    file: "work.c",
    module: "/usr/bin/program",
    rows: [
      { line: 20, costs: [150, 10] },
      { line: 3, file: "inline.h", costs: [50] },
    ],
  },
  { name: "puts", file: "???", module: "/lib/libc.so", rows: [{ line: 0, costs: [40] }] },
];

const written = (writing: Writing = {}) =>
  writeCallgrind([{ functions: program }], { events: ["Ir", "Dr"], ...writing });
const read = async (text: string, name = "callgrind.out.4711") => (await readFixture(callgrind, { [name]: text }))[0];

function sumOf(values: LineValues, row: number): number {
  let sum = 0;
  for (let at = firstCell(values, row); at < firstCell(values, row + 1); at++) sum += values.value[at];
  return sum;
}

it("abbreviations that nothing names are unknown names, with a warning", async () => {
  const { warnings, metrics, values, frames, callGraph } = await read(
    "events: Ir\nob=(1)\nfl=(3)\nfn=(7)\n12 5\ncfn=(8) g\ncalls=1 1\n13 20\nfn=(8)\n1 20\nfn=(7)\n12 2\ntotals: 27\n",
  );
  expect(warnings).toEqual([
    {
      message:
        "3 abbreviations, such as (1), are named by no line before: an unknown name (???) stands there, and the beginning of the file may be missing",
      file: "/test/callgrind.out.4711",
      at: { line: 2 },
    },
  ]);
  expect(metrics.map(({ name }) => name)).toEqual(["Ir"]);
  expect(values[0].value.reduce((sum, value) => sum + value, 0)).toBe(27);
  const functions = Array.from(callGraph?.functions ?? [], (frame) => frames.get(frame as never));
  const unknown = (await read("events: Ir\nob=???\nfl=???\nfn=???\n12 5\nfn=g\n1 20\n")).callGraph;
  expect(functions).toHaveLength(unknown?.functions.length ?? 0);
  // Two of them are two functions.
  const two = await read("events: Ir\nfl=a.c\nfn=(7)\n12 5\nfn=(8)\n14 6\nfn=(7)\n15 1\ntotals: 12\n");
  expect(measured(two).functions).toEqual([
    ["??? (7)", 6],
    ["??? (8)", 6],
  ]);
  const one = await read("events: Ir\nfl=a.c\nfn=(7)\n12 5\ntotals: 5\n");
  expect(one.warnings.map(({ message, at }) => [message.slice(0, 50), at])).toEqual([
    ["the abbreviation (7) is named by no line before: a", { line: 3 }],
  ]);
});

/** What was measured, as text. */
function measured({ callGraph, frames, metrics }: DataSet) {
  if (!callGraph) throw new Error("no call graph");
  const { functions, lines, calls } = callGraph;
  const name = (id: number) => frames.nameOf(functions[id]);
  const place = (frame: number) => (frame === NONE ? "?" : frames.nameOf(frame));
  const values = (of: readonly LineValues[], row: number) => metrics.map((_, metric) => sumOf(of[metric], row));
  return {
    functions: Array.from(functions, (_, id) => [name(id), ...values(callGraph.functionInclusive, id)]),
    lines: Array.from(lines.frame, (_, row) => [
      name(functionOfLine(lines, row)),
      place(lines.frame[row]),
      ...values(callGraph.exclusive, row),
    ]),
    calls: Array.from(calls.caller, (id, row) => [
      `${name(id)} -> ${name(calls.callee[row])}`,
      place(calls.frame[row]),
      calls.calls[row],
      ...values(callGraph.inclusive, row),
    ]),
  };
}

const expected = {
  functions: [
    ["main", 1048, 101],
    ["puts", 40, 0],
    ["work", 1000, 100],
  ],
  lines: [
    ["main", "main.c:10", 5, 1],
    ["main", "main.c:11", 3, 0],
    ["puts", "?", 40, 0],
    ["work", "inline.h:3", 250, 20],
    ["work", "work.c:20", 650, 70],
    ["work", "work.c:21", 100, 10],
  ],
  calls: [
    ["main -> puts", "main.c:15", 4, 40, 0],
    ["main -> work", "main.c:12", 2, 700, 70],
    ["main -> work", "main.c:14", 1, 300, 30],
    ["work -> work", "work.c:22", 6, 200, 10],
  ],
};

const threads: WrittenPart[] = [1, 2].map((thread) => ({
  header: { version: 1, creator: "callgrind-3.19.0", pid: 4711, cmd: "./program", part: 1, thread },
  functions: program.map((one) => ({
    ...one,
    rows: one.rows.map((row) => ({ ...row, costs: row.costs.map((cost) => cost * thread) })),
  })),
}));

/** Two dumps of one process: only the last one is made when the program ends. */
const dumps = writeCallgrind(
  [1, 2].map((part) => ({
    header: { version: 1, creator: "callgrind-3.19.0", pid: 4711, cmd: "./program", part },
    functions: program,
  })),
  { events: ["Ir", "Dr"] },
).replace("Trigger: Program termination", "Trigger: --dump-before=work");

const cachegrind = `desc: I1 cache: 32768 B
cmd: ./program
events: Ir Dr
fl=a.c
fn=f
1 10 2
0 5
fn=g
7 3
summary: 18 2
`;

formatLaws(callgrind, {
  "a program": { "callgrind.out.1": written() },
  "a program, in full": {
    "callgrind.out.1": written({ compressNames: false, compressPositions: false, newline: "\r\n" }),
  },
  instructions: { "callgrind.out.1": written({ instructions: true }) },
  "two dumps in one file": { "callgrind.out.1": dumps },
  "a file without totals": { "callgrind.out.1": written({ totals: "none" }) },
  cachegrind: { "cachegrind.out.1": cachegrind },
});

describe("callgrind", () => {
  it.each<[string, Writing]>([
    ["as callgrind writes it", {}],
    ["without compression", { compressNames: false, compressPositions: false }],
    ["with addresses", { instructions: true }],
    ["with other line ends", { newline: "\r\n" }],
  ])("gives lines, inlined files, calls and inclusive costs, %s", async (_, writing) => {
    const dataSet = await read(written(writing));
    expect(dataSet.warnings).toEqual([]);
    expect(dataSet.metrics.map(({ name, unit, kind }) => [name, unit, kind])).toEqual([
      ["Ir", "1", "count"],
      ["Dr", "1", "count"],
    ]);
    expect(measured(dataSet)).toEqual(expected);
    expect(dataSet.frames.get(dataSet.callGraph?.functions[1] as never)).toEqual({
      name: "puts",
      kind: "function",
      module: "/lib/libc.so",
    });
  });

  it("says of cachegrind's output which tool wrote it, and that it has no calls, nothing else", async () => {
    const [dataSet] = await readFixture(callgrind, { "cachegrind.out.1": cachegrind });
    expect(dataSet.format.label).toBe("cachegrind");
    expect(dataSet.notRecorded).toEqual([
      "no calls in this recording, so no calling contexts: each function stands by itself",
    ]);
  });

  it("shows contexts estimated from it, whose total is what was measured", async () => {
    const { tree, frames, values, notRecorded } = await read(written());
    const rows = Array.from(tree.frame, (frame, context) => {
      let depth = 0;
      for (let at = tree.parent[context]; at !== NONE; at = tree.parent[at]) depth++;
      return `${"  ".repeat(depth)}${frames.nameOf(frame)} ${sumOf(values[0], context)}`;
    });
    expect(rows).toEqual([
      "main 0",
      "  main.c:10 5",
      "  main.c:11 3",
      "  puts 40",
      "  work 0",
      "    inline.h:3 200",
      "    work 0",
      "      inline.h:3 50",
      "      work.c:20 150",
      "    work.c:20 500",
      "    work.c:21 100",
    ]);
    expect(notRecorded).toEqual(["no calling contexts in this recording: they are estimated from its call graph"]);
  });

  it("keeps functions apart that are known by their address alone, also where one calls the other", async () => {
    const module = "/usr/bin/zstd";
    const functions: WrittenFunction[] = [
      {
        name: "0x1000",
        file: "???",
        module,
        rows: [
          { line: 0, costs: [1] },
          { line: 0, costs: [9], callee: "0x2000", calls: 1 },
        ],
      },
      {
        name: "0x2000",
        file: "???",
        module,
        rows: [
          { line: 0, costs: [2] },
          { line: 0, costs: [7], callee: "0x3000", calls: 1 },
        ],
      },
      { name: "0x3000", file: "???", module, rows: [{ line: 0, costs: [7] }] },
    ];
    const { tree, frames } = await read(writeCallgrind([{ functions }], { events: ["Ir"] }));
    const names = Array.from({ length: tree.size }, (_, context) => frames.nameOf(tree.frame[context]));
    expect(names).toEqual(["0x1000", "0x2000", "0x3000"]);
    expect(functionsOf(tree, frames).size).toBe(3);
  });

  it("passes over jumps, but learns the names on their lines", async () => {
    const text = `# callgrind format
creator: callgrind-3
positions: instr line
events: Ir
fl=(1) a.c
fn=(1) f
0x10 5 1
jcnd=3/7 +22 +3
* 5
jfi=(2) b.h
jfn=(2) g
jump=1 0x20 9
+4 +1
fi=(2)
+1 +2 10
fn=(2)
0x40 * 100
totals: 111
`;
    const dataSet = await read(text);
    expect(dataSet.warnings).toEqual([]);
    expect(measured(dataSet).lines).toEqual([
      ["f", "a.c:5", 1],
      ["f", "b.h:8", 10],
      ["g", "b.h:8", 100],
    ]);
  });

  it("counts a cycle of functions once where levels of recursion were not kept apart", async () => {
    const text = `# callgrind format
events: Ir
fl=a.c
fn=main
1 1
cfn=f
calls=1 0
2 100
fn=f
10 30
cfn=g
calls=4 0
11 190
fn=g
20 70
cfn=f
calls=3 0
21 120
totals: 101
`;
    const { functions, calls } = measured(await read(text));
    expect(functions).toEqual([
      ["f", 100],
      ["g", 100],
      ["main", 101],
    ]);
    expect(calls.map(([pair, , , cost]) => [pair, cost])).toEqual([
      ["f -> g", 100],
      ["g -> f", 100],
      ["main -> f", 100],
    ]);
  });

  it("has a location for each thread of a file, and adds up its parts", async () => {
    const dataSet = await read(writeCallgrind([...threads, threads[0]], { events: ["Ir", "Dr"] }));
    expect(dataSet.locations.map(({ thread, rank }) => [thread, rank])).toEqual([
      [1, NONE],
      [2, NONE],
    ]);
    const { lines } = measured(dataSet);
    expect(lines[0]).toEqual(["main", "main.c:10", 20, 4]);
    const { rowStart, column, value } = dataSet.callGraph?.exclusive[0] as SparseValues;
    expect([...column.subarray(rowStart[0], rowStart[1])]).toEqual([0, 1]);
    expect([...value.subarray(rowStart[0], rowStart[1])]).toEqual([10, 10]);
  });

  it("opens threads and dumps of one process as one, and asks whether several processes are one run", async () => {
    const file = (pid: number, thread: number, part = 1) =>
      writeCallgrind([
        { header: { creator: "callgrind-3", pid, cmd: "./a", part, thread }, functions: program.slice(3) },
      ]);
    const one = { "c.out.7-01": file(7, 1), "c.out.7-02": file(7, 2), "c.out.7.2-01": file(7, 1, 2) };
    const [process] = await readFixture(callgrind, one, { open: Object.keys(one) });
    expect(process.locations.map(({ thread }) => thread)).toEqual([1, 2]);
    expect(process.warnings).toEqual([]);
    expect(measured(process).lines).toEqual([["puts", "?", 120]]);

    const two = { ...one, "c.out.9-01": file(9, 1) };
    const open = Object.keys(two).reverse();
    await expect(readFixture(callgrind, two, { open })).rejects.toThrow(AmbiguityError);
    await expect(readFixture(callgrind, two, { open })).rejects.toThrow(/2 processes of "\.\/a" \(7, 9\)/);
    const [run] = await readFixture(callgrind, two, { open, answer: "one-run" });
    expect(run.locations.map(({ rank, thread }) => [rank, thread])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ]);
    expect(run.globals.get("pid")).toEqual(["7", "9"]);
    expect(run.notRecorded).toContain(
      "no MPI ranks in this recording: its processes are numbered in the order of their ids",
    );
    const again = await readFixture(callgrind, two, { open: [...open].reverse(), answer: "one-run" });
    expect(await plain(again)).toEqual(await plain([run]));
    const apart = await readFixture(callgrind, two, { open, answer: "separate" });
    expect(apart.map(({ name, locations }) => [name, locations.length])).toEqual([
      ["test/c.out.7*", 2],
      ["c.out.9-01", 1],
    ]);
    // An ensemble takes files for runs without asking.
    expect(await plain(await readFixture(callgrind, two, { open, answer: "runs" }))).toEqual(await plain(apart));
  });

  it("knows the ranks of a traced build by its files' names, whatever numbers their processes have on their hosts", async () => {
    const file = (pid: number, part: number, thread: number) =>
      writeCallgrind([
        { header: { creator: "callgrind-3", pid, cmd: "./a", part, thread }, functions: program.slice(3) },
      ]);
    const files = {
      "callgrind.out.rank10.b.7": file(7, 1, 1),
      "callgrind.out.rank0.a.9": file(9, 1, 1),
      "callgrind.out.rank1.a.7": file(7, 1, 1),
      "callgrind.out.rank1.a.7.2": file(7, 2, 1),
    };
    const ranks = (fixture: Record<string, string>) =>
      readFixture(callgrind, { ...fixture, "traced-run.json": "{}" }, { open: Object.keys(fixture) });
    const runs = await ranks(files);
    expect(runs).toHaveLength(1);
    expect(runs[0].globals.get("pid")).toEqual(["9", "7"]);
    expect(runs[0].warnings).toEqual([]);
    expect(runs[0].values[0].value).toEqual(Float64Array.of(40, 80, 40));
    const [known] = await ranks({ "callgrind.out.rank0.a.9": file(9, 1, 1), "callgrind.out.rank1.b.9": file(9, 1, 1) });
    expect(known.notRecorded?.filter((what) => what.includes("MPI ranks"))).toEqual([]);
    expect(known.locations.map(({ rank }) => rank)).toEqual([0, 1]);
  });

  it("says which dumps are missing", async () => {
    const text = writeCallgrind([
      { header: { creator: "callgrind-3", pid: 7, cmd: "./a", part: 3 }, functions: program.slice(3) },
    ]);
    const { warnings } = await read(text.replace("Trigger: Program termination", "Trigger: Dump before work"));
    expect(warnings.map(({ message }) => message)).toEqual([
      "only 1 of the first 3 dumps of process 7 are here: the costs of the others are missing",
      "the last dump of process 7 was not made when the program ended: what came later is missing",
    ]);
  });

  it("says when the lines do not add up to the recorded total, and when there is none", async () => {
    const wrong = await read(written().replace("totals: 1048 101", "totals: 1049 101"));
    expect(wrong.warnings.map(({ message }) => message)).toEqual([
      "the costs of Ir add up to 1048, but the recording says 1049 in all",
    ]);
    const none = await read("events: Ir\nfl=a\nfn=f\n1 2\n");
    expect(none.warnings.map(({ message }) => message)).toEqual([
      "the recording has no line of totals: nothing tells whether all of it is there",
    ]);
  });

  it("reads times and sizes in the units that names of events say", async () => {
    const text =
      "creator: xdebug 3\nevents: Time_(10ns) Memory_(bytes)\nfl=a\nfn=f\n1 250 -64\n2 50 100\nsummary: 300 36\n";
    const dataSet = await read(text);
    expect(dataSet.warnings).toEqual([]);
    expect(dataSet.metrics.map(({ name, unit, kind }) => [name, unit, kind])).toEqual([
      ["Time", "s", "time"],
      ["Memory", "B", "bytes"],
    ]);
    expect(measured(dataSet).lines).toEqual([
      ["f", "a:1", 2.5e-6, -64],
      ["f", "a:2", 5e-7, 100],
    ]);
  });

  it("keeps long names of events beside the metric", async () => {
    const { metrics } = await read("event: Ir : Instructions fetched\nevents: Ir\nfl=a\nfn=f\n1 2\nsummary: 2\n");
    expect(metrics[0]).toMatchObject({ name: "Ir", description: "Instructions fetched" });
  });

  it.each([
    ["cyc = Ir + 10 L1m : Cycles", "cyc", "Cycles"],
    ["cyc=Ir : Cycles", "cyc", "Cycles"],
    ["cycles:u : Cycles: user", "cycles:u", "Cycles: user"],
    ["cycles:u:Cycles", "cycles:u", "Cycles"],
    ["no long name", "no", undefined],
  ])("knows the long name in `event: %s`", async (event, name, description) => {
    const { metrics } = await read(`event: ${event}\nevents: ${name}\nfl=a\nfn=f\n1 2\nsummary: 2\n`);
    expect(metrics[0].description).toBe(description);
  });

  it("adds up beyond what a double holds exactly, whatever the order", async () => {
    const costs = ["9007199254740993", "1", "1", "18446744073709551615"];
    const text = (order: readonly string[]) =>
      `events: Ir\nfl=a\nfn=f\n${order.map((cost) => `1 ${cost}`).join("\n")}\n`;
    const one = measured(await read(text(costs))).lines[0][2];
    const other = measured(await read(text([...costs].reverse()))).lines[0][2];
    expect(one).toBe(other);
    expect(one).toBe(9007199254740992 + 2 + 18446744073709551616);
  });

  it.each([
    [
      "a cost before the events are named",
      "# callgrind format\nfl=a\nfn=f\n1 2\n",
      /line 4: found a cost before the events/,
    ],
    ["a cost of no function", "events: Ir\nfl=a\n1 2\n", /line 3: found a cost before any function/],
    ["a call of nothing", "events: Ir\nfl=a\nfn=f\ncalls=1 1\n1 2\n", /line 4: found a call of no function/],
    [
      "a call whose costs are lost",
      "events: Ir\nfl=a\nfn=f\n1 2\ncfn=g\ncalls=1 1\nfn=g\n1 3\ntotals: 5\n",
      /line 7: found a call without costs/,
    ],
    [
      "a call whose costs are lost before another call",
      "events: Ir\nfl=a\nfn=f\n1 2\ncfn=g\ncalls=1 1\ncfn=h\ncalls=1 1\n1 3\n",
      /line 7: found a call without costs/,
    ],
    ["too many costs", "events: Ir\nfl=a\nfn=f\n1 2 3\n", /line 4: found more than 1 costs, in "1 2 3"/],
    ["a word for a cost", "events: Ir\nfl=a\nfn=f\n1 x\n", /line 4: found what is no number, in "1 x"/],
    ["a line before the first", "events: Ir\nfl=a\nfn=f\n-1 2\n", /line 4: found the source line -1/],
    ["a line of no kind", "events: Ir\nfl=a\nhello\n", /line 3: found "hello"/],
    [
      "other events in the next part",
      "events: Ir\nfl=a\nfn=f\n1 2\npart: 2\nevents: Dr\nfn=f\n1 2\n",
      /line 8: found the events Dr/,
    ],
  ])("says where there is %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(FormatError);
  });

  it("says of many parts once that their totals are missing, and takes no more events than there can be", async () => {
    const parts = Array.from({ length: 1000 }, (_, thread) => `thread: ${thread}\nfl=a\nfn=f\n1 2\n`);
    const { warnings, locations } = await read(`events: Ir\n${parts.join("")}`);
    expect(locations.length).toBe(1000);
    expect(warnings.map(({ message }) => message)).toEqual([
      "the recording has no line of totals: nothing tells whether all of it is there",
      "what was said of totals holds for 999 further parts",
    ]);
    const events = Array.from({ length: 4000 }, (_, event) => `e${event}`).join(" ");
    await expect(read(`events: ${events}\nfl=a\nfn=f\n1 2\n`)).rejects.toThrow(
      /found 4000 events; expected at most 128/,
    );
  });

  it("takes hostile names as they are", async () => {
    const names = [
      "__proto__",
      "constructor",
      "<script>alert(1)</script>",
      "x".repeat(100_000),
      "(anonymous namespace)::f",
      "(1",
    ];
    const functions = names.map((name): WrittenFunction => ({
      name,
      file: name,
      module: name,
      rows: [{ line: 1, costs: [1] }],
    }));
    for (const compressNames of [true, false]) {
      const dataSet = await read(writeCallgrind([{ functions }], { compressNames }));
      expect(measured(dataSet).functions.map(([name]) => name)).toEqual([...names].sort());
    }
  });
});
