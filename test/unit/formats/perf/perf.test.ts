import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPerfScript } from "../../../../src/formats/perf/recognize";
import { perf } from "../../../../src/formats/perf/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { FormatError } from "../../../../src/model/errors";
import { inclusive } from "../../../../src/model/contextTree";
import { functionsOf, inclusiveByFunction } from "../../../../src/model/functions";
import { formatLaws, readFixture } from "../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../plainDataSet";
import {
  expectedOnStack,
  expectedSums,
  randomSamples,
  randomWriting,
  written,
  type WrittenSample,
  writtenFlat,
} from "./perfWriter";
import { expectedFields, randomFields, randomFieldSamples, writtenFields } from "./fieldWriter";
import { inOrder, sumsOf } from "./sums";

async function read(text: string): Promise<DataSet> {
  const [dataSet] = await readFixture(perf, { "a.perf-script": text });
  return dataSet;
}

/** Files beside what a traced build has left. */
const readRun = (files: Record<string, string>) =>
  readFixture(perf, { ...files, "traced-run.json": "{}" }, { open: Object.keys(files) });

/** Whether stacks are rooted has tests of its own. */
const messages = ({ warnings }: DataSet) =>
  warnings.filter(({ isUnrooted }) => isUnrooted !== true).map(({ message }) => message);
const paths = (dataSet: DataSet) => pathsOf(dataSet).map((path) => path.join(" > "));
const sample = (...frames: string[]) => ["solve 12 7.000001: 5 cycles: ", ...frames, "", ""].join("\n");

describe("what perf script prints", () => {
  it("gives the sums of all samples, by thread, event and call path, whatever was asked for", async () => {
    await fc.assert(
      fc.asyncProperty(randomSamples, randomWriting, async (samples, writing) => {
        const dataSet = await read(written(samples, writing));
        expect(inOrder(sumsOf(dataSet))).toEqual(inOrder(expectedSums(samples, writing)));
        expect(dataSet.records).toBe(samples.length);
        const empty = samples.filter(({ frames }) => frames.length === 0).length;
        expect(messages(dataSet)).toEqual(
          empty === 0
            ? []
            : [`${empty} ${empty === 1 ? "sample" : "samples"} without a function, counted as [unknown]`],
        );
      }),
    );
  });

  it("counts each sample once for every function on its stack, however often the function is there", async () => {
    await fc.assert(
      fc.asyncProperty(randomSamples, randomWriting, async (samples, writing) => {
        const one = samples.map((sample) => ({ ...sample, event: "cycles" }));
        const dataSet = await read(written(one, writing));
        const exclusive = new Float64Array(dataSet.tree.size);
        for (const [context, , value] of cellsOf(dataSet, metricNamed(dataSet, "samples (cycles)")))
          exclusive[context] += value;
        const functions = functionsOf(dataSet.tree, dataSet.frames);
        const counts = new Map<string, number>();
        for (const [id, value] of inclusiveByFunction(functions, inclusive(dataSet.tree, exclusive)).entries()) {
          const { name, module } = dataSet.frames.get(functions.frame[id] as never);
          counts.set(`${name} (${module ?? ""})`, value);
        }
        const sorted = (counted: Map<string, number>) => [...counted].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(counts)).toEqual(sorted(expectedOnStack(one, writing)));
      }),
    );
  });

  it("gives the same sums whichever fields are printed, in the order in which perf prints them", async () => {
    await fc.assert(
      fc.asyncProperty(randomFieldSamples, randomFields, async (samples, fields) => {
        const text = writtenFields(samples, fields);
        expect(isPerfScript({ bytes: Buffer.from(text), whole: true }), text).toBe(true);
        const dataSet = await read(text);
        expect(inOrder(sumsOf(dataSet)), text).toEqual(inOrder(expectedFields(samples, fields)));
        expect(messages(dataSet), text).toEqual([]);
        expect(dataSet.trace?.lanes.reduce((sum, { events }) => sum + events, 0)).toBe(
          fields.time ? samples.length : undefined,
        );
      }),
    );
  });

  it("has ranks where a traced build has named files by them, each with its own processes and clock", async () => {
    const of = (command: string, seconds: number) =>
      `${command} 12/12 ${seconds}.000001: 5 cycles: \n\t1 work (/solve)\n\n`;
    const files = {
      "perf.rank1.b.12.txt": of("solve", 7) + of("solve", 9),
      "perf.rank0.a.12.txt": of("solve", 900),
    };
    const [run, ...others] = await readRun(files);
    expect(others).toEqual([]);
    expect(run.locations.map(({ rank, thread }) => [rank, thread])).toEqual([
      [0, 12],
      [1, 12],
    ]);
    expect([...sumsOf(run).values()]).toEqual([[3, 15]]);
    expect(messages(run)).toEqual([]);
    expect(
      run.topology?.resources
        .filter(({ type }) => type === "process")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["rank 0, solve (12)", "rank 1, solve (12)"]);
    // Nobody says of the same files alone that they are of one run.
    expect(await readFixture(perf, files, { open: Object.keys(files) })).toHaveLength(2);
  });

  it("gives the same of samples without call chains, whose function stands in their own line", async () => {
    await fc.assert(
      fc.asyncProperty(randomSamples, randomWriting, async (all, writing) => {
        const samples = all
          .filter(({ frames }) => frames.length > 0)
          .map((one) => ({
            ...one,
            frames: one.frames.slice(-1).map((frame) => ({ ...frame, inlined: "no" as const })),
          }));
        fc.pre(samples.length > 0);
        const dataSet = await read(writtenFlat(samples, writing));
        expect(inOrder(sumsOf(dataSet))).toEqual(inOrder(expectedSums(samples, writing)));
        expect(messages(dataSet)).toEqual([]);
        expect(dataSet.notRecorded).toContain("no calling contexts in this recording");
      }),
    );
  });

  it("has every sample in the lane of its thread, at its time since the earliest one", async () => {
    await fc.assert(
      fc.asyncProperty(randomSamples, randomWriting, async (samples, writing) => {
        const { trace, tree, locations } = await read(written(samples, writing));
        if (trace === undefined) throw new Error("there is a trace");
        const found: string[] = [];
        for (const [lane, { events, location, kind }] of trace.lanes.entries()) {
          expect(kind).toBe("instants");
          const columns = await trace.readEvents(lane, 0, events);
          for (let at = 0; at < columns.count; at++) {
            expect(columns.frame[at]).toBe(tree.frame[columns.context[at]]);
            const event = trace.categories[columns.category[at]].name;
            found.push(`${locations[location].thread} ${event} ${columns.startSeconds[at]}`);
          }
        }
        const earliest = Math.min(...samples.map(({ microseconds }) => microseconds));
        const wanted = samples.map(
          ({ thread, event, microseconds }) => `${thread} ${event} ${(microseconds - earliest) / 1e6}`,
        );
        expect(found.sort()).toEqual(wanted.sort());
      }),
    );
  });

  it("has periods in seconds where they are nanoseconds, and as counts of their event elsewhere", async () => {
    const lines = ["cycles:u", "task-clock:ppp", "cpu-clock"].map((event) =>
      sample("\t1 f (a)").replace("cycles", event),
    );
    const { metrics } = await read(lines.join(""));
    expect(metrics.map(({ name, recordedName, unit, kind }) => [name, recordedName, unit, kind])).toEqual([
      ["cycles:u", "cycles:u", "1", "count"],
      ["samples (cycles:u)", "cycles:u", "1", "count"],
      ["time", "task-clock:ppp", "s", "time"],
      ["samples (task-clock:ppp)", "task-clock:ppp", "1", "count"],
      ["cpu-clock", "cpu-clock", "s", "time"],
      ["samples (cpu-clock)", "cpu-clock", "1", "count"],
    ]);
  });

  it("says what its header says, and names threads by their last names", async () => {
    const text = [
      "# ========",
      "# hostname : login1",
      // How perf's own file is laid out: of the program and its run they say nothing.
      "# header version : 1",
      "# data offset    : 264",
      "# data size      : 52816",
      "# feat offset    : 53080",
      "# cmdline : /usr/bin/perf record -g ./solve 24: all ",
      "# event : name = cycles",
      "# event : name = cpu-clock",
      "# ========",
      "#",
      "perf-exec 12/12 7.000001: 5 cycles: ",
      "",
      "my solve 12/12 7.000002: 5 cycles: ",
      "",
      "worker 12/13 7.000003: 5 cycles: ",
      "",
      "",
    ].join("\n");
    const { globals, topology, trace } = await read(text);
    expect([...globals]).toEqual([
      ["hostname", ["login1"]],
      ["cmdline", ["/usr/bin/perf record -g ./solve 24: all"]],
      ["event", ["name = cycles", "name = cpu-clock"]],
    ]);
    expect(topology?.resources.map(({ name, type }) => [type, name])).toEqual([
      ["process", "my solve (12)"],
      ["thread", "my solve (thread 12)"],
      ["thread", "worker (thread 13)"],
    ]);
    expect(trace?.lanes.map(({ name }) => name)).toEqual(["my solve (12), thread 12", "my solve (12), thread 13"]);
  });

  it("has frames without a name side by side as one, of one load module or of none, and one function per module", async () => {
    const kernel = (address: string) => `\tffffffff${address} [unknown] ([kernel.kallsyms])`;
    const dataSet = await read(
      sample(kernel("ad14d115"), kernel("ad14d116"), "\t1 f (/a)", "\t2 [unknown] (/a)", "\t3 [unknown] (/b)") +
        sample(kernel("ad14d999"), "\t1 f (/a)", "\t7 [unknown] (/a)", "\t8 [unknown] (/a)", "\t3 [unknown] (/b)") +
        sample("\t4 [unknown] ([unknown])", "\t5 [unknown] ([unknown])") +
        sample("\t9 [unknown] ([unknown])", "\ta 0x7f12a ([unknown])", "\tb <unknown> ([unknown])") +
        sample("\t1 f (/a)", "\t2 [unknown] (/a)"),
    );
    expect(inOrder(sumsOf(dataSet))).toEqual([
      ["12 cycles function [unknown] ()", [2, 10]],
      ["12 cycles function [unknown] (/a)/function f (/a)", [1, 5]],
      [
        "12 cycles function [unknown] (/b)/function [unknown] (/a)/function f (/a)/function [unknown] ([kernel.kallsyms])",
        [2, 10],
      ],
    ]);
    expect(functionsOf(dataSet.tree, dataSet.frames).size).toBe(5);
  });

  it.each([
    ["base.odex[+1a2b]", "base.odex[+3c4d]", "/data/app/base.odex"],
    ["libart.so[+0]", "libart.so[+deadbeef]", "/apex/com.android.art/lib64/libart.so"],
    ["[anon:dalvik-jit][+10]", "[anon:dalvik-jit][+20]", "[anon:dalvik-jit]"],
  ])("takes the offset in a file that simpleperf writes for no name: %s", async (one, other, module) => {
    const dataSet = await read(
      sample(`\t10 ${one} (${module})`, `\t20 ${other} (${module})`, "\t1 operator[] (/a)", "\t2 -[View draw] (/a)") +
        sample(`\t20 ${other} (${module})`, "\t1 operator[] (/a)", "\t2 -[View draw] (/a)"),
    );
    expect(inOrder(sumsOf(dataSet))).toEqual([
      [`12 cycles function -[View draw] (/a)/function operator[] (/a)/function [unknown] (${module})`, [2, 10]],
    ]);
    expect(dataSet.tree.size).toBe(3);
  });

  it("keeps of frames without a name the innermost address of most samples, and how many they are", async () => {
    const at = (address: string) => `\tffffffff${address} [unknown] ([kernel.kallsyms])`;
    const { nameless, tree } = await read(
      sample(at("ad14d999"), "\t1 f (/a)") +
        sample(at("ad14d115"), at("ad14d116"), "\t1 f (/a)") +
        sample(at("ad14d115"), at("ad14d116"), at("ad14d117"), "\t1 f (/a)"),
    );
    expect(tree.size).toBe(2);
    expect([...(nameless ?? [])]).toEqual([[1, { address: 0xad14d115 - 2 ** 32, frames: 3 }]]);
    // Of as many samples each, the lowest counts, whichever came first.
    const both = [sample("\t8 [unknown] (/a)"), sample("\t7 [unknown] (/a)")];
    for (const texts of [both, both.toReversed()])
      expect([...((await read(texts.join(""))).nameless ?? [])]).toEqual([[0, { address: 7, frames: 1 }]]);
  });

  it("has a function once where its lines are inlined code that has no name, and once per call where it calls itself", async () => {
    const twice = ["\t20a main+0x20 (/a)", "  inlined.hpp:35", "\t20a main+0x20 (/a)", "  main.cpp:68"];
    const leaf = ["\t31a f+0x1 (/a)", "  f.cpp:3"];
    expect(paths(await read(sample(...leaf, ...twice))).at(-1)).toBe(
      "main > main.cpp:68 > inlined.hpp:35 > f > f.cpp:3",
    );
    const activation = "main > main.cpp:68 > inlined.hpp:35";
    expect(paths(await read(sample(...twice, ...twice))).at(-1)).toBe(`${activation} > ${activation}`);
    const plain = ["\t20a main+0x20 (/a)", "\t20a main+0x20 (/a)"];
    expect(paths(await read(sample(...plain))).at(-1)).toBe("main > main");
  });

  it("reads what perf 6.1 prints of the sample program, sampled with `--call-graph dwarf`", async () => {
    const dataSet = await read(`miniheat  7841/7841  59958.494620:    2004008   cpu-clock: 
	            31ad mini::physics::equationOfState+0x11d
  /home/user/miniheat/src/physics.cpp:30 (inlined)
	            31ad mini::physics::updateConductivity+0x11d (/home/user/miniheat/miniheat)
  /home/user/miniheat/src/physics.cpp:41
	            148a main+0x20a (/home/user/miniheat/miniheat)
  /home/user/miniheat/src/main.cpp:35
	            148a main+0x20a (/home/user/miniheat/miniheat)
  /home/user/miniheat/src/main.cpp:68
	           27249 __libc_start_call_main+0x79 (/usr/lib/x86_64-linux-gnu/libc.so.6)
  ./csu/../sysdeps/x86/libc-start.c:58
	           27304 __libc_start_main_impl+0x84
  ./csu/../csu/libc-start.c:360 (inlined)
	            1670 _start+0x20 (/home/user/miniheat/miniheat)
  ??:0

`);
    const [libc, program] = ["(/usr/lib/x86_64-linux-gnu/libc.so.6)", "(/home/user/miniheat/miniheat)"];
    const path = [
      `function _start ${program}`,
      "function __libc_start_main_impl ()",
      "line ./csu/../csu/libc-start.c:360 ()",
      `function __libc_start_call_main ${libc}`,
      "line ./csu/../sysdeps/x86/libc-start.c:58 ()",
      `function main ${program}`,
      "line /home/user/miniheat/src/main.cpp:68 ()",
      "line /home/user/miniheat/src/main.cpp:35 ()",
      `function mini::physics::updateConductivity ${program}`,
      "line /home/user/miniheat/src/physics.cpp:41 ()",
      `inlined mini::physics::equationOfState ${program}`,
      "line /home/user/miniheat/src/physics.cpp:30 ()",
    ];
    expect(inOrder(sumsOf(dataSet))).toEqual([[`7841 cpu-clock ${path.join("/")}`, [1, 2_004_008]]]);
    expect(messages(dataSet)).toEqual([]);
  });

  it("knows no line where perf writes that it knows none", async () => {
    const places = [
      "??:0",
      ":0",
      "a.c:0",
      "a.c:?",
      "a.c:99999999999",
      "/usr/lib/libc.so.6[27249]",
      "[kernel.kallsyms][ff]",
    ];
    const dataSet = await read(sample(...places.flatMap((place) => ["\t1 f+0x1 (/a)", `  ${place}`])));
    expect(dataSet.notRecorded).toEqual(["no source lines in this recording"]);
    expect(paths(dataSet).at(-1)).toBe(places.map(() => "f").join(" > "));
    expect(messages(dataSet)).toEqual([]);
    const split = await read(sample("\t1 f+0x1 (/a)", "  C:/my src/a.c:12 (discriminator 3)"));
    expect(paths(split)).toEqual(["f", "f > C:/my src/a.c:12"]);
  });

  it("reads names and modules that look like something else", async () => {
    const dataSet = await read(
      sample(
        "\t1 f(int) (inlined)",
        "\t1 operator()+0x1 (/tmp/a+0x1 (b))",
        "\t3 (/only/module)",
        "\t4 g (x) ((deleted))",
      ),
    );
    expect([...sumsOf(dataSet).keys()]).toEqual([
      "12 cycles function g (x) ((deleted))/function [unknown] (/only/module)/function operator() (/tmp/a+0x1 (b))/inlined f(int) (/tmp/a+0x1 (b))",
    ]);
  });

  it("knows the files of Python's functions, which their names carry", async () => {
    const { frames } = await read(
      sample(
        "\t1 py::Grid.solve:/home/user/my grid.py+0xb (/tmp/perf-12.map)",
        "\t2 py::<module>:<string>+0xb (/tmp/perf-12.map)",
      ),
    );
    const described = [0, 1].map((id) => frames.get(id as never));
    expect(described.map(({ name, file }) => [name, file])).toEqual([
      ["py::<module>:<string>", undefined],
      ["Grid.solve", "/home/user/my grid.py"],
    ]);
  });

  it("passes over what other records say, and what tracepoints say of themselves", async () => {
    const dataSet = await read(
      "solve 12 7.000001: PERF_RECORD_MMAP2 12/12: [0x55(0x1000) @ 0 08:01 1 2]: r-xp /a\n" +
        "solve 12 [001] 7.000001: PERF_RECORD_EXIT(12:12):(11:11)\n" +
        "solve 12 [000] 7.000002: 1 sched:sched_switch: prev_comm=solve: prev_pid=12 ==> abc 7.000003: x:\n\t1 f (a)\n\n",
    );
    expect(paths(dataSet)).toEqual(["f"]);
    expect(messages(dataSet)).toEqual([]);
  });

  it("says how many lines it could not make sense of, and where the first one stands", async () => {
    const dataSet = await read(
      `${sample("\t1 f (a)")}Warning: something\n${sample("\tno frame", "\t2 g (a)", "  g.c:2", "|2  g();")}`,
    );
    expect(paths(dataSet)).toEqual(["f", "g", "g > g.c:2"]);
    expect(dataSet.warnings).toEqual([
      {
        message: "3 lines passed over, this one first: neither sample nor frame nor source line",
        file: "/test/a.perf-script",
        at: { line: 4 },
      },
    ]);
  });

  it("takes spaces for tabs, which copies of a terminal have", async () => {
    const dataSet = await read(sample("      20a main+0x20 (/a)", "  main.cpp:68", "      20b start+0x20 (/a)"));
    expect(paths(dataSet)).toEqual(["start", "start > main", "start > main > main.cpp:68"]);
  });

  it("reads names of 100,000 characters, and one line without an end", async () => {
    const long = "(".repeat(50_000) + " +0x".repeat(12_500);
    const text = sample(`\t1 ${long}+0x1 (/${long})`, `  ${long}:7`).replace("cycles", "e".repeat(1000));
    const names = paths(await read(text));
    expect(names.map((name) => name.length)).toEqual([100_000, 200_005]);
    expect(names[1] === `${long} > ${long}:7`).toBe(true);
    const line = await read("solve 12 7.000001: 5 cycles:       7fbdd470bbb0 f (/a)");
    expect([paths(line), line.warnings.map(({ isCut }) => isCut)]).toEqual([["f"], [true]]);
    const noise = await readFixture(perf, { a: "12 7.000001:".repeat(10_000) }).catch((problem: unknown) => problem);
    expect(noise).toBeInstanceOf(FormatError);
  });
});

describe("a file that was cut", () => {
  const whole: WrittenSample[] = [1, 2].map((microseconds) => ({
    command: "solve",
    process: 12,
    thread: 12,
    microseconds,
    period: 5,
    event: "cycles",
    frames: [{ name: "main", offset: 1, module: "/usr/lib/libc.so.6", inlined: "no" }],
  }));
  const text = written(whole, { header: true, places: true, periods: true });

  it("says that its last sample may lack functions", async () => {
    for (const cut of [text.slice(0, -1), text.slice(0, -2), text.slice(0, text.lastIndexOf("\t"))]) {
      const dataSet = await read(cut);
      expect(dataSet.warnings.filter(({ isCut }) => isCut)).toHaveLength(1);
      expect(dataSet.records).toBe(2);
    }
  });

  it("is not one whose last sample has no call chain, as none of its event has", async () => {
    const last = "solve 12 7.000003: sched:sched_switch: prev_pid=12\n";
    for (const [end, isCut] of [
      [last, false],
      [last + last, false],
      [last.replace("sched:sched_switch", "cycles"), true],
    ] as const) {
      const { warnings, records } = await read(text + end);
      expect(warnings.some((one) => one.isCut)).toBe(isCut);
      expect(records).toBeGreaterThan(2);
    }
  });

  it("says that its header tells of later samples", async () => {
    const { warnings } = await read(text.slice(0, text.lastIndexOf("solve")));
    expect(warnings).toEqual([
      {
        message:
          "the header tells of samples until 12345.000002 s, and the last one here is of 12345.000001 s: the file was cut, or perf script was told to leave samples out",
        file: "/test/a.perf-script",
      },
    ]);
  });
});

describe("a text is recognized", () => {
  const recognized = (text: string) => isPerfScript({ bytes: Buffer.from(text), whole: true });

  it("by a sample near its head, below comments and what else was printed", () => {
    expect(recognized(sample())).toBe(true);
    expect(recognized(`${"# a: b\n".repeat(500)}\nWARNING: no symbols\n\n${sample()}`)).toBe(true);
    expect(recognized(`${"a line\n".repeat(30)}${sample()}`)).toBe(false);
  });

  it.each([
    ["what trace-cmd prints", "          <idle>-0     [000]  7.000001: sched_switch: swapper/0:0 [120] R ==> a:12\n"],
    ["a log", "2026-11-23 18:12:04.000001: started: yes\n"],
    ["a log of the kernel", "[    7.000001] usb 1-1: new device: x\n"],
  ])("and not %s", (_, text) => {
    expect(recognized(text)).toBe(false);
  });

  it("without a sample it is an error that says so", async () => {
    await expect(read("# ========\n")).rejects.toThrow(/line 1: found no sample; expected samples as `perf script`/);
  });

  it("starts with time in a window", async () => {
    const dataSet = await read(sample("\t1 f (a)").replace("cycles", "cpu-clock:u"));
    expect(dataSet.metrics[metricNamed(dataSet, "time")]).toMatchObject({ unit: "s", kind: "time" });
  });
});

const samples: WrittenSample[] = [4, 1, 9].map((at, index) => ({
  command: "my solve",
  process: 12,
  thread: 12 + (at % 2),
  microseconds: 10 * index,
  period: 100 + at,
  event: index === 1 ? "cycles:u" : "cpu-clock",
  frames: [
    { name: "größe", offset: at % 3, module: "/usr/lib/libc.so.6", inlined: "yes" },
    { name: "main", offset: 1, module: "/usr/lib/libc.so.6", inlined: "no" },
    { name: "[unknown]", offset: 0, module: "[unknown]", inlined: "no" },
  ],
}));

formatLaws(perf, {
  "call chains with lines": {
    "a.perf-script": written(samples, { header: true, processes: true, places: true, periods: true }),
  },
  "samples without call chains": {
    "a.perf-script": writtenFlat(samples, { header: true, processors: true, periods: true }),
  },
});
