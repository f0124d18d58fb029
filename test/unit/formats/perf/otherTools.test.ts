import { describe, expect, it } from "vitest";
import { perf } from "../../../../src/formats/perf/format";
import { isPerfScript } from "../../../../src/formats/perf/recognize";
import type { DataSet } from "../../../../src/model/dataSet";
import { readFixture } from "../formatLaws";
import { inOrder, sumsOf } from "./sums";

async function read(text: string): Promise<DataSet> {
  const [dataSet] = await readFixture(perf, { "a.perf-script": text });
  return dataSet;
}

const recognized = (text: string, whole = true) =>
  isPerfScript({ bytes: Buffer.from(text).subarray(0, 64 << 10), whole });
const sums = async (text: string) => inOrder(sumsOf(await read(text)));
const chain = "\t401136 f+0x16 (/a)\n\t401300 main+0x30 (/a)\n\t401020 _start+0x20 (/a)\n\n";
const path = "function _start (/a)/function main (/a)/function f (/a)";
const totals = ({ metrics, values }: DataSet) =>
  metrics.map(({ name, unit }, at) => [name, values[at].value.reduce((sum, one) => sum + one, 0), unit]);

describe("samples without all fields", () => {
  it.each([
    ["without a time", "solver 4711 cycles: \n", [1, 0]],
    ["without a time, of a processor", "my solver 7 4711 [003] cycles:u:\n", [1, 0]],
    ["without a time, with a period", "solver 4711     250000 cycles: \n", [1, 250_000]],
    ["without a time, of a process, with a period that has few digits", "solver 12/4711 3 cycles:\n", [1, 3]],
    ["without a name", "   4711 12.000001:          3 cycles: \n", [1, 3]],
    ["without a name, of a process", " 12/4711  [001] 12.000001: cycles: \n", [1, 0]],
    ["with the time of day", "solver 4711 2026-11-23 18:12:04.000001 12.000001: 3 cycles: \n", [1, 3]],
    ["with blanks for tabs", "solver\t4711 [007] 12.1:\t\t3 cycles:\n", [1, 3]],
  ])("%s are what the other fields say", async (_, line, amounts) => {
    expect(recognized(line + chain)).toBe(true);
    const event = /(\S+):\s*$/.exec(line)?.[1];
    expect(await sums(line + chain)).toEqual([[`4711 ${event} ${path}`, amounts]]);
  });

  it("are told from other text by the frames below", async () => {
    expect(recognized(`Chapter 12 intro:\n${chain}`)).toBe(true);
    expect(recognized("Chapter 12 intro:\nIt was a dark night.\n")).toBe(false);
    expect(recognized("worker 12 error:\nworker 13 error:\n")).toBe(false);
    const { records, warnings } = await read(`solver 1 cycles:\n${chain}see line 12 here:\nno frame\n\n`);
    expect(records).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "2 lines passed over, this one first: neither sample nor frame nor source line",
    ]);
  });

  it("have one thread or process that goes by its number where no name is printed", async () => {
    const { topology, trace } = await read(`4711/4712 12.000001: cycles: \n${chain}`);
    expect(topology?.resources.map(({ name }) => name)).toEqual(["process 4711", "thread 4712"]);
    expect(trace?.lanes.map(({ name }) => name)).toEqual(["process 4711, thread 4712"]);
  });

  it("have no lanes where they have no times, which is said", async () => {
    const dataSet = await read(`solver 4711 cycles: \n${chain}`);
    expect([dataSet.trace, dataSet.outline]).toEqual([undefined, undefined]);
    expect(dataSet.notRecorded).toContain("no times of samples in this recording");
    expect(dataSet.locations.map(({ thread }) => thread)).toEqual([4711]);
  });

  it("count microseconds as simpleperf writes them, without zeros before them", async () => {
    const line = (time: string) => `Gecko\t1 [003] ${time}:\t\t1000000 task-clock:u:\n        1\tf (/a)\n\n`;
    const { trace } = await read(line("115539.999999") + line("115540.13887") + line("115540.7"));
    const events = await trace?.readEvents(0, 0, 3);
    const rounded = Array.from(events?.startSeconds ?? [], (seconds) => Math.round(seconds * 1e6)).sort(
      (a, b) => a - b,
    );
    expect(rounded).toEqual([0, 8, 13_888]);
  });
});

describe("frames in the sample's own line", () => {
  const frame = "           401136 kernel_loop+0x16 (/opt/app/my solver (deleted))";
  it.each([
    ["behind the data's address", `    7ffd11223344${frame}`],
    ["behind the data's address and its symbol", `    7ffd11223344 grid+0x8 (/opt/app/solver)${frame}`],
    [
      "behind what perf mem decodes",
      `         5080021 |OP LOAD|LVL L3 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A      44${frame}`,
    ],
    ["behind three costs", `              14              15               3${frame}`],
    ["before branches", `${frame} 0x401150/0x401120/P/-/-/3 0x401150/0x401120/M/-/-/2 `],
    ["before branches with symbols", `${frame} operator new(int)+0x2/f(int)+0x0/P/-/-/0/CALL/- `],
    ["before branches with load modules", `${frame} 0x40(/opt/app/solver)/0x41(/lib/(x))/P/X/A/12 `],
    ["before a physical address and the size of its page", `${frame}        1234abcd 4K`],
    ["before an instruction", `${frame} ilen: 3 insn: 48 89 e5`],
    ["before registers", `${frame} ABI:2    AX:0x1    BX:0xffff`],
    ["alone", ` ${frame}`],
  ])("are found %s", async (_, fields) => {
    const line = `solver 4711 12.000001:          3 cycles: ${fields}\n`;
    expect(recognized(line)).toBe(true);
    const key = "4711 cycles function kernel_loop (/opt/app/my solver (deleted))";
    expect(await sums(line)).toEqual([[key, [1, 3]]]);
  });

  it("give way to a call chain: then they are the symbol of the data", async () => {
    const head = "solver 4711 12.000001:          3 page-faults:     7ffd11223344 grid+0x8 (/opt/app/solver)\n";
    expect(await sums(head + chain)).toEqual([[`4711 page-faults ${path}`, [1, 3]]]);
  });

  it("are not what stands below a call chain: branches, registers, addresses of memory", async () => {
    const below = [" 0x401150/0x401120/P/-/-/3 ", " insn: 48 89", "        1234abcd", " 4K", "\t IPC: 1.50 (3/2) "];
    const text = `solver 4711 12.000001: 3 cycles: \n${chain.trimEnd()}\n${below.join("\n")}\n\n`;
    expect(await sums(text)).toEqual([[`4711 cycles ${path}`, [1, 3]]]);
    expect((await read(text)).warnings).toEqual([]);
  });
});

describe("texts with other lines first", () => {
  const sample = `solver 4711 12.000001: 3 cycles: \n${chain}`;
  const own = [
    "Failed to open /usr/lib64/liba.so, continuing without symbols",
    "no symbols found in /usr/bin/true, maybe install a debug package?",
    "WARNING: Kernel address maps (/proc/{kallsyms,modules}) are restricted",
    "addr2line: DWARF error: could not find abbrev number 12",
  ];

  it.each(own)("are known below any number of lines such as %s", async (line) => {
    expect(recognized(`${line}\n`.repeat(900) + sample)).toBe(true);
    // Then the first sample is beyond what decides.
    const text = `${line}\n`.repeat(3000) + sample;
    expect(recognized(text, false)).toBe(true);
    const { warnings, records } = await read(text);
    expect(records).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "3000 lines passed over, this one first: neither sample nor frame nor source line",
    ]);
  });

  it("are known below a header of any length, and by frames below whatever else", () => {
    expect(recognized(`# captured on    : today\n${"# event : name = x\n".repeat(5000)}${sample}`, false)).toBe(true);
    expect(recognized(`${"a line\n".repeat(30)}${sample}`)).toBe(true);
  });

  it("are not taken for perf's where they only show a sample", () => {
    const prose = "This is how perf prints what it measured, line by line.\n";
    expect(recognized(prose.repeat(40) + sample + prose.repeat(40))).toBe(false);
    expect(recognized("warning: unused variable\nmain.c:12: note: here\n".repeat(2000), false)).toBe(false);
  });
});

describe("samples without periods", () => {
  const header = (lines: readonly string[]) =>
    `# ========\n${lines.map((line) => `# ${line}\n`).join("")}# ========\n#\n`;
  const samples = (event: string, count: number) => `solver 1 12.000001: ${event}: \n${chain}`.repeat(count);
  const attributes = (name: string, value: number, freq = "freq = 1, ") =>
    `event : name = ${name}, , id = { 1, 2 }, type = 1, { sample_period, sample_freq } = ${value}, sample_type = IP|TID, inherit = 1, ${freq}task = 1`;

  it.each([
    ["the header has its frequency", [attributes("cpu-clock:u", 50)], "cpu-clock:u", 50],
    ["the command line has it", ["cmdline : /usr/bin/perf record -F 50 -g ./solver -F 7 "], "cpu-clock", 50],
    ["it stands in the option's own word", ["cmdline : perf record -agF50 -- ./solver"], "cycles", 50],
    [
      "the option is a long one",
      ["cmdline : perf record --call-graph dwarf --freq=50 ./solver -c 3"],
      "cycles:ppp",
      50,
    ],
    [
      "the header calls the event by its plain name",
      [attributes("cycles", 4000), attributes("dummy", 1)],
      "cycles:P",
      4000,
    ],
    ["its unit stands before it", [attributes("cpu_core/cycles/P", 4000)], "cpu_core/cycles/P", 4000],
    [
      "both have it: the header counts",
      ["cmdline : perf record -F 7 ./a", attributes("task-clock", 99)],
      "task-clock",
      99,
    ],
  ])("are times where %s", async (_, lines, event, perSecond) => {
    const dataSet = await read(header(lines) + samples(event, 7));
    expect(totals(dataSet)).toEqual([
      ["time", 7 / perSecond, "s"],
      [`samples (${event})`, 7, "1"],
    ]);
    expect(dataSet.metrics[0].note).toBe(`Samples divided by their frequency of ${perSecond} Hz.`);
  });

  it("stand for the period that was asked for", async () => {
    const lines = [attributes("cycles", 1000, ""), attributes("task-clock", 2_000_000, "")];
    expect(totals(await read(header(lines) + samples("cycles", 3) + samples("task-clock", 2)))).toEqual([
      ["cycles", 3000, "1"],
      ["samples (cycles)", 3, "1"],
      ["time", 0.004, "s"],
      ["samples (task-clock)", 2, "1"],
    ]);
    const asked = "cmdline : perf record -e cycles -c 1000 ./solver -F 3";
    expect(totals(await read(header([asked]) + samples("cycles", 3)))[0]).toEqual(["cycles", 3000, "1"]);
  });

  it.each([
    ["a program's own option", ["cmdline : perf record -g -o out ./solver -F 50"], "cycles"],
    ["events that come and go", ["cmdline : perf record -F 50 ./solver"], "page-faults"],
    ["a tracepoint", [attributes("sched:sched_switch", 50)], "sched:sched_switch"],
    ["a frequency that is no number", ["cmdline : perf record -F max ./solver"], "cycles"],
    ["a command that recorded nothing", ["cmdline : perf stat -F 50 ./solver"], "cycles"],
  ])("are samples alone for %s", async (_, lines, event) => {
    expect(totals(await read(header(lines) + samples(event, 3)))).toEqual([[`samples (${event})`, 3, "1"]]);
  });

  it("have one time only: of the first event", async () => {
    const lines = [attributes("cycles", 50), attributes("instructions", 50)];
    expect(
      totals(await read(header(lines) + samples("cycles", 3) + samples("instructions", 2))).map(([name]) => name),
    ).toEqual(["time", "samples (cycles)", "instructions", "samples (instructions)"]);
  });
});
