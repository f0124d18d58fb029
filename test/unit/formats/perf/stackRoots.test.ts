import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { perf } from "../../../../src/formats/perf/format";
import { readFixture } from "../formatLaws";

/** Outermost frames of stacks that are whole: name and load module. */
const STARTS = [
  ["_start", "/home/user/solve"],
  ["_start", "/usr/lib/ld-linux-x86-64.so.2"],
  ["clone3", "/usr/lib/libc.so.6"],
  ["__clone", "/usr/lib/libc-2.31.so"],
  ["start_thread", "/usr/lib/libpthread.so.0"],
  ["__start_thread", "/system/lib/libc.so"],
  ["ret_from_fork_asm", "[kernel.kallsyms]"],
  ["entry_SYSCALL_64_after_hwframe", "[kernel.kallsyms]"],
  ["[unknown]", "[guest.kernel.kallsyms]"],
  ["nv_ioctl", "/lib/modules/6.1.0/nvidia.ko"],
  ["Py_BytesMain", "/usr/bin/python3.11"],
  ["py::<module>:<string>", "/tmp/perf-12.map"],
  ["py::<module>:/home/user/heat.py", "/tmp/perf-12.map"],
  ["__libc_start_main@@GLIBC_2.34", "/usr/lib/libc.so.6"],
  ["runtime.goexit.abi0", "/home/user/server"],
] as const;
/** Outermost frames of stacks that end before their start. */
const OTHERS = [
  ["main", "/home/user/solve"],
  ["[unknown]", "[unknown]"],
  ["[unknown]", "/usr/lib/libgomp.so.1.0.0"],
  ["GOMP_parallel", "/usr/lib/libgomp.so.1.0.0"],
  ["restart_threads", "/home/user/solve"],
  ["my_clone", "/home/user/solve"],
  ["_start_solver", "/home/user/solve"],
  ["kernel_loop", "/home/user/kernel/solve"],
] as const;

const inner = fc.constantFrom("solve", "[unknown]", "_start_solver", "f(int)");
const stack = fc.record({
  isRooted: fc.boolean(),
  start: fc.constantFrom(...STARTS),
  other: fc.constantFrom(...OTHERS),
  inner: fc.array(inner, { minLength: 1, maxLength: 4 }),
});

/** What perf prints of stacks, innermost frame first. */
function textOf(stacks: readonly (readonly (readonly [name: string, module: string])[])[]): string {
  return stacks
    .map((frames, at) => {
      const lines = frames.map(([name, module], depth) => `\t${(4096 * (depth + 1)).toString(16)} ${name} (${module})`);
      return [`solve 12 7.${String(at).padStart(6, "0")}: 5 cycles: `, ...lines, "", ""].join("\n");
    })
    .join("");
}

async function unrooted(text: string): Promise<string[]> {
  const [{ warnings }] = await readFixture(perf, { "a.perf-script": text });
  return warnings.filter(({ isUnrooted }) => isUnrooted).map(({ message }) => message);
}

const early = (percent: number, option = "dwarf") =>
  `call stacks end early in ${percent} % of the samples: record them with --call-graph ${option}`;
const stacksOf = (rooted: number, others: number) => [
  ...Array.from({ length: rooted }, () => [["f", "/a"], STARTS[0]] as const),
  ...Array.from({ length: others }, () => [["f", "/a"], OTHERS[0]] as const),
];

describe("call stacks that end early", () => {
  it("are counted by their outermost frames, whatever is inside", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 30 }), async (stacks) => {
        const text = textOf(
          stacks.map(({ isRooted, start, other, inner: names }) => [
            ...names.map((name) => [name, "/home/user/solve"] as const),
            isRooted ? start : other,
          ]),
        );
        const open = stacks.filter(({ isRooted }) => !isRooted).length;
        const isFew = 10 * open <= stacks.length;
        const percent = open === stacks.length ? 100 : Math.min(99, Math.round((100 * open) / stacks.length));
        expect(await unrooted(text)).toEqual(isFew ? [] : [early(percent)]);
      }),
    );
  });

  it.each([
    [9, 1, []],
    [899, 101, [early(10)]],
    [900, 100, []],
    [3, 97, [early(97)]],
    [1, 999, [early(99)]],
    [0, 7, [early(100)]],
  ])("give a warning if less than 90 %% are rooted: %i rooted, %i not", async (rooted, others, messages) => {
    expect(await unrooted(textOf(stacksOf(rooted, others)))).toEqual(messages);
  });

  it("reach the start where frame pointers lead from libc's call of main to the stack's contents", async () => {
    const garbage = ["[unknown]", "[unknown]"] as const;
    const start = ["__libc_start_main", "/lib/libc-2.27.so"] as const;
    expect(await unrooted(textOf([[["f", "/a"], start, garbage, garbage]]))).toEqual([]);
    // Code between both is called from somewhere.
    const between = [["f", "/a"], start, ["main", "/a"], garbage] as const;
    expect(await unrooted(textOf([between]))).toEqual([early(100)]);
  });

  it("reach the start of a program whose functions have no names, which nothing but its _start calls", async () => {
    // perf 6.1 on stripped programs of Debian 12: `_start` has no name, and glibc's debug symbols give its start another one.
    const rows = [
      "5537 [unknown] (/usr/bin/clustalo)",
      "27249 __libc_start_call_main+0x79 (/usr/lib/x86_64-linux-gnu/libc.so.6)",
      "27304 __libc_start_main_impl+0x84 (inlined)",
      "57c9 [unknown] (/usr/bin/clustalo)",
    ];
    const stripped = (all: readonly string[]) =>
      `clustalo 12 7.000001: 5 cycles: \n${all.map((row) => `\t${row}\n`).join("")}\n`;
    expect(await unrooted(stripped(rows))).toEqual([]);
    expect(
      await unrooted(stripped(rows.map((row) => row.replace("_impl+0x84 (inlined)", "+0x84 (/lib/libc.so.6)")))),
    ).toEqual([]);
    // Without libc's start in between it may be any function of the program.
    expect(await unrooted(stripped([rows[0], rows[3]]))).toEqual([early(100)]);
    expect(await unrooted(stripped([...rows.slice(0, 3), "57c9 solve+0x2 (/usr/bin/clustalo)"]))).toEqual([early(100)]);
  });

  it("are none of samples without callers, without frames, or in a line of their own", async () => {
    expect(await unrooted(textOf([[["f", "/a"]], [["main", "/a"]]]))).toEqual([]);
    const flat = "solve 12 7.000001: 5 cycles:  1000 f (/a)\n".repeat(20);
    expect(await unrooted(flat)).toEqual([]);
    const empty = "solve 12 8.000001: 5 cycles: \n\n".repeat(20);
    expect(await unrooted(`${textOf(stacksOf(9, 1))}${empty}`)).toEqual([]);
    // A sample whose stack is one frame is one that ends early, if others have callers.
    expect(await unrooted(textOf([...stacksOf(1, 0), [["f", "/a"]]]))).toEqual([early(50)]);
  });

  it("are counted over all ranks of a run", async () => {
    const files = {
      "perf.rank0.a.12.txt": textOf(stacksOf(20, 0)),
      "perf.rank1.a.13.txt": textOf(stacksOf(0, 20)),
      "traced-run.json": "{}",
    };
    const open = Object.keys(files).filter((name) => name.startsWith("perf"));
    const [{ warnings }] = await readFixture(perf, files, { open });
    expect(warnings.map(({ message }) => message)).toEqual([early(50)]);
  });

  const headed = (command: string) =>
    unrooted(`# ========\n# cmdline : /usr/bin/${command}\n# ========\n#\n${textOf(stacksOf(0, 3))}`);

  it.each([
    ["perf record --call-graph dwarf ./solve", "dwarf,65528"],
    ["perf record -F 499 --call-graph=dwarf,8192 ./solve", "dwarf,65528"],
    ["perf record --call-graph dwarf,65520 ./solve", "dwarf,65528"],
    ["perf record -g ./solve --call-graph dwarf", "dwarf"],
    ["perf record --call-graph fp ./dwarf", "dwarf"],
    ["perf record --call-graph fp ./solve --call-graph dwarf,65528", "dwarf"],
  ])("need larger copies if they were copied: %s", async (command, option) => {
    expect(await headed(command)).toEqual([early(100, option)]);
  });

  it.each(["--call-graph dwarf,65528", "--call-graph=dwarf,65528", "-F 99 --call-graph dwarf,131072"])(
    "need frame pointers if no larger copies can be made: %s",
    async (options) => {
      expect(await headed(`perf record ${options} ./solve`)).toEqual([
        "call stacks end early in 100 % of the samples, although perf copied as much of each as it can: build with -fno-omit-frame-pointer and record with --call-graph fp",
      ]);
    },
  );
});
