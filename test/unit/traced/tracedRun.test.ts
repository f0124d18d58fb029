import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runGlobals } from "../../../src/model/runFacts";
import { usesCuda } from "../../../src/traced/cmakePrograms";
import { findCupti } from "../../../src/traced/cupti";
import { TaskError, tracedTask } from "../../../src/traced/definition";
import { MissingProgram, thisMachine, UnusableTool } from "../../../src/traced/machine";
import type { CompilerMessage } from "../../../src/traced/messages";
import { refusal } from "../../../src/traced/perfPermission";
import { adviceOn } from "../../../src/traced/runTexts";
import { BuildFailed, type RunHost, type RunResult, tracedRun } from "../../../src/traced/tracedRun";

/** Tools and programs are scripts here, which write down what they are given: the real ones are not on every machine. */
let folder: string;
let bin: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-run-")));
  bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  for (const name of ["env", "bash", "sh", "true", "uname", "sleep", "make", "cat", "touch", "printf"]) link(name);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A script of the program's folder, or a tool. */
function script(name: string, text: string, at = bin): string {
  const file = path.join(at, name);
  fs.writeFileSync(file, `#!${bin}/bash\n${text}\n`, { mode: 0o755 });
  return file;
}

/** A tool that writes its arguments, one per line, and then runs those behind a mark. */
function standIn(name: string, more = ""): void {
  script(name, `printf '%s\\n' "$@" >> ${folder}/${name}.txt\n${more}`);
}

function link(name: string): void {
  const found = ["/usr/bin", "/bin"].map((at) => path.join(at, name)).find((file) => fs.existsSync(file));
  if (found !== undefined && !fs.existsSync(path.join(bin, name))) fs.symlinkSync(found, path.join(bin, name));
}

const given = (name: string) =>
  fs
    .readFileSync(path.join(folder, `${name}.txt`), "utf8")
    .trimEnd()
    .split("\n");

async function run(
  definition: Record<string, unknown>,
  over: Partial<RunHost> = {},
  environment: Readonly<Record<string, string>> = {},
  usualStacks?: string,
): Promise<RunResult> {
  const machine = thisMachine(path.resolve("tracker"), {}, { PATH: bin, ...environment });
  const host: RunHost = {
    signal: new AbortController().signal,
    secondSignal: new AbortController().signal,
    output: () => undefined,
    say: () => undefined,
    compilerSaid: () => undefined,
    choose: async () => undefined,
    chooseProcess: async () => undefined,
    ...over,
  };
  return tracedRun(tracedTask(definition, folder, usualStacks), machine, host);
}

describe("a traced run", () => {
  const args = ["a b", "$(touch owned)", '"', "*"];

  it("with HPCToolkit runs hpcrun, hpcstruct and hpcprof in turn, and opens the database", async () => {
    standIn("hpcrun", 'touch "$5"');
    standIn("hpcstruct");
    standIn("hpcprof");
    const program = script("program", "exit 0", folder);
    const { folder: kept, facts } = await run({ tool: "hpctoolkit", build: "none", program, args });
    const measured = path.join(kept, "measurements");
    expect(given("hpcrun")).toEqual(["-e", "CPUTIME", "-t", "-o", measured, program, ...args]);
    expect(given("hpcstruct")).toEqual([measured]);
    expect(given("hpcprof")).toEqual(["-o", path.join(kept, "database"), measured]);
    expect(facts).toMatchObject({ tool: "hpctoolkit", exitCode: 0, args });
    expect(fs.existsSync(path.join(folder, "owned"))).toBe(false);
  });

  it("with Caliper has its configuration in the environment, behind the launcher", async () => {
    const program = script("program", `printf '%s' "$CALI_CONFIG" > ${folder}/config.txt`, folder);
    script("srun", `printf '%s\\n' "$@" > ${folder}/srun.txt\nshift 3\nexec "$@"`);
    const { folder: kept } = await run({
      tool: "caliper",
      build: "none",
      program,
      ranks: 3,
      launcher: ["srun", "--exact"],
    });
    expect(given("srun").slice(0, 4)).toEqual(["--exact", "-n", "3", path.join(bin, "env")]);
    expect(given("config")).toEqual([`hatchet-region-profile(output=${kept}/profile.cali,output.format=cali)`]);
  });

  it("with callgrind has a file per process in its own folder", async () => {
    standIn("valgrind", 'for one in "$@"; do case "$one" in --callgrind-out-file=*) touch "${one#*=}";; esac; done');
    const program = script("program", "exit 0", folder);
    const { folder: kept, recordings } = await run({ tool: "callgrind", build: "none", program });
    expect(given("valgrind")).toEqual(["--tool=callgrind", `--callgrind-out-file=${kept}/callgrind.out.%p`, program]);
    expect(recordings).toEqual([path.join(kept, "callgrind.out.%p")]);
  });

  /** Writes what it is told to, prints samples, and may be asked first whether it is allowed. */
  const perf = (more = "") =>
    standIn(
      "perf",
      `${more}\n[ "$1" = script ] && printf "samples"\nfor one in "$@"; do case "$one" in --output=*) touch "\${one#*=}";; esac; done`,
    );
  const probes = () => [
    "record",
    "-o",
    "/dev/null",
    "--",
    path.join(bin, "true"),
    "record",
    "-o",
    "/dev/null",
    "--max-size",
    "2G",
    "--",
    path.join(bin, "true"),
  ];

  it("with perf has samples as text, beside what perf has written", async () => {
    perf();
    const program = script("program", "exit 0", folder);
    const { folder: kept, recordings } = await run({ tool: "sample", build: "none", program });
    expect(given("perf").slice(0, 12)).toEqual(probes());
    const options = ["-F", "499", "--call-graph", "dwarf", "--max-size", "2G"];
    expect(given("perf").slice(12, 22)).toEqual(["record", `--output=${kept}/perf.data`, ...options, "--", program]);
    expect(recordings).toEqual([path.join(kept, "perf.txt")]);
    expect(fs.readFileSync(recordings[0], "utf8")).toBe("samples");
  });

  const chains = () => given("perf").flatMap((one, at, all) => (one === "--call-graph" ? [all[at + 1]] : []));

  it("with perf finds callers in copies of stacks, of programs that were compiled here, too; in Python by frame pointers", async () => {
    perf();
    fs.writeFileSync(path.join(folder, "Makefile"), "all:\n\t@true\n");
    const compiled = script("program", "exit 0", folder);
    const ofCompiled = await run({ tool: "sample", program: compiled });
    const python = script("python3.12", "exit 0", folder);
    const ofPython = await run({ tool: "sample", build: "none", program: python, args: ["-X", "perf"] });
    expect(chains()).toEqual(["dwarf", "fp"]);
    expect([ofCompiled.facts.stacks, ofPython.facts.stacks]).toEqual(["dwarf", "fp"]);
    expect(given("perf").join(" ")).toContain("python3.12 -X perf");
  });

  it.each([
    ["fp", undefined, "python3", "fp"],
    ["fp", undefined, "program", "fp"],
    ["lbr", "fp", "program", "fp"],
    ["fp", "dwarf", "python3", "dwarf"],
    ["whatever", undefined, "program", "dwarf"],
    [undefined, undefined, "program", "dwarf"],
  ])("by the setting %s and the task's %s, %s is sampled with %s", async (setting, stacks, name, kind) => {
    perf();
    const program = script(name, "exit 0", folder);
    const definition = { tool: "sample", build: "none", program, ...(stacks === undefined ? {} : { stacks }) };
    expect((await run(definition, {}, {}, setting)).facts.stacks).toBe(kind);
    expect(chains()).toEqual([kind]);
    // Only copies of stacks are so large that there is a limit.
    expect(given("perf").includes("--max-size")).toBe(kind === "dwarf");
  });

  it("with records of branches, or says that this processor has none and copies stacks", async () => {
    perf();
    const program = script("program", "exit 0", folder);
    const { facts } = await run({ tool: "sample", build: "none", program, stacks: "lbr" });
    expect(facts.stacks).toBe("lbr");
    perf('case "$*" in *lbr*) exit 255;; esac');
    const said: string[] = [];
    const other = await run(
      { tool: "sample", build: "none", program, stacks: "lbr" },
      { say: (line) => said.push(line) },
    );
    expect(other.facts.stacks).toBe("dwarf");
    expect(said.join("\n")).toContain("does not record branches");
  });

  it("with perf says that its file reached its limit, which ended the program", async () => {
    perf('for one in "$@"; do case "$one" in --output=*) truncate -s 2G "${one#*=}"; exit 143;; esac; done');
    link("truncate");
    const program = script("program", "exit 0", folder);
    const { facts } = await run({ tool: "sample", build: "none", program });
    expect(facts).toMatchObject({ exitCode: 143, isLimited: true });
    expect(adviceOn(facts)).toContain("perf ended the run because its file reached its limit of 2 GB.");
    expect(new Map(runGlobals(facts)).get("run.ended")).toBe("by perf, whose file reached its limit of 2 GB");
  });

  it.each([
    // perf 5.4 and perf 4.18, which calls it so
    "  Error: unknown option `max-size'\n\n Usage: perf record [<options>] [<command>]",
    "Error: unknown option `max-size=2G'",
  ])("with a perf that has no limit records without one, and says so: %s", async (printed) => {
    perf(`case "$*" in *max-size*) printf '%s' "${printed.replaceAll("`", "\\`")}" >&2; exit 129;; esac`);
    const program = script("program", "exit 0", folder);
    const said: string[] = [];
    const { facts, recordings } = await run(
      { tool: "sample", build: "none", program },
      { say: (line) => said.push(line) },
    );
    expect([facts.exitCode, facts.stacks, recordings.length]).toEqual([0, "dwarf", 1]);
    expect(given("perf").filter((one) => one === "--max-size")).toHaveLength(1);
    expect(said.join("\n")).toContain("This perf cannot limit the size of its file (--max-size, from perf 5.6 on).");
  });

  it.each(["fp", "dwarf"])(
    "blames no limit for a large file of a perf that had none, with stacks by %s",
    async (stacks) => {
      perf(
        `case "$*" in *max-size*) echo "Error: unknown option 'max-size'" >&2; exit 129;; esac\n` +
          'for one in "$@"; do case "$one" in --output=*) truncate -s 2G "${one#*=}"; exit 3;; esac; done',
      );
      link("truncate");
      const program = script("program", "exit 0", folder);
      const { facts } = await run({ tool: "sample", build: "none", program, stacks });
      expect([facts.exitCode, facts.isLimited]).toEqual([3, undefined]);
      expect(adviceOn(facts)).toBe("");
    },
  );

  it.each([
    ["perf", "sample", "perf.data.rank2.", "perf.rank2."],
    ["valgrind", "callgrind", "callgrind.out.rank2.", "callgrind.out.rank2."],
  ])(
    "with %s names files of ranks by rank, host and process, and its arguments stay as they are",
    async (name, tool, file, shown) => {
      if (name === "perf") perf();
      else standIn(name, 'for one in "$@"; do case "$one" in --callgrind-out-file=*) touch "${one#*=}";; esac; done');
      script("srun", 'shift 2\nSLURM_PROCID=2 "$@"');
      const program = script("program", "exit 0", folder);
      const { folder: kept, recordings } = await run({
        tool,
        build: "none",
        program,
        args,
        ranks: 1,
        launcher: "srun",
      });
      const output = given(name).find((one) => one.startsWith("--") && one.includes(kept)) ?? "";
      const number = tool === "sample" ? "\\d+" : "%p";
      expect(output).toMatch(new RegExp(`/${file}${os.hostname()}\\.${number}$`));
      expect(path.basename(recordings[0])).toMatch(new RegExp(`^${shown}${os.hostname()}\\.`));
      expect(recordings).toHaveLength(1);
      const from = given(name).indexOf(program);
      expect(given(name).slice(from, from + 5)).toEqual([program, ...args]);
      expect(fs.existsSync(path.join(folder, "owned"))).toBe(false);
    },
  );

  it("says once that perf is forbidden and what to do, before anything is built or run", async () => {
    perf('echo "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting" >&2; exit 255');
    fs.writeFileSync(path.join(folder, "Makefile"), `all:\n\t@touch ${folder}/built\n`);
    const problem = await run({ tool: "sample" }).catch((reason: unknown) => reason);
    expect(problem).toBeInstanceOf(UnusableTool);
    expect(fs.existsSync(path.join(folder, "built"))).toBe(false);
    expect(given("perf")).toHaveLength(5);
    expect(refusal(4)).toContain("sudo sysctl kernel.perf_event_paranoid=2");
    expect(refusal(2)).toContain("--cap-add=PERFMON");
  });

  it("with perf takes a program that runs already, by its name, for so long", async () => {
    perf();
    const sleeping = spawn(path.join(bin, "sleep"), ["1000"]);
    try {
      const chooseProcess: RunHost["chooseProcess"] = async (all) => all.find(({ pid }) => pid === sleeping.pid);
      for (const process of [sleeping.pid, ""]) {
        const { facts } = await run({ tool: "sample", process, seconds: 0.1 }, { chooseProcess });
        expect(facts).toMatchObject({ process: sleeping.pid, exitCode: 0 });
        expect(path.basename(facts.program)).toMatch(/sleep|coreutils|busybox/);
      }
      expect(given("perf").join(" ")).toContain(`-p ${sleeping.pid} -- ${bin}/sleep 0.1 `);
      await expect(run({ tool: "sample", process: "" })).rejects.toThrow("No process was chosen");
    } finally {
      sleeping.kill();
    }
    await expect(run({ tool: "sample", process: "no-such program" })).rejects.toThrow("No process of yours runs");
  });

  it("says why a program failed, with or without a recording", async () => {
    standIn(
      "valgrind",
      'for one in "$@"; do case "$one" in --callgrind-out-file=*) touch "${one#*=}";; esac; done; exec "${@: -1}"',
    );
    const program = script("program", "echo 'cannot open picture.png' >&2; echo bye; exit 3", folder);
    const { cause, recordings } = await run({ tool: "callgrind", build: "none", program });
    expect([cause, recordings.length]).toEqual(["It printed: cannot open picture.png", 1]);
    script("mpirun", "echo 'mpirun has detected an attempt to run as root.' >&2; exit 1");
    const none = await run({ tool: "callgrind", build: "none", program, ranks: 2 });
    expect(none.recordings).toEqual([]);
    expect(none.cause).toContain("mpirun does not run as root.");
    const well = script("well", "echo 'no error'", folder);
    expect((await run({ tool: "callgrind", build: "none", program: well })).cause).toBeUndefined();
  });

  it.each([
    ["a file is in its place", "taken"],
    ["a file is in its place", "taken/below"],
    ["its name is too long", "x".repeat(300)],
  ])("says of an output folder that cannot be made: %s", async (why, output) => {
    fs.writeFileSync(path.join(folder, "taken"), "");
    const program = script("program", "exit 0", folder);
    const problem = await run({ tool: "callgrind", build: "none", program, output }).catch((one: unknown) => one);
    expect(problem).toBeInstanceOf(TaskError);
    expect(String(problem)).toContain(`cannot be made: ${why}. Name another folder as "output" in tasks.json.`);
  });

  it("says which tool is missing, and what to install", async () => {
    const program = script("program", "exit 0", folder);
    const problem = await run({ tool: "callgrind", build: "none", program }).catch((reason: unknown) => reason);
    expect(problem).toBeInstanceOf(MissingProgram);
    expect((problem as Error).message).toContain("apt install valgrind");
    await expect(run({ tool: "hpctoolkit", build: "none", program })).rejects.toThrow("hpcrun was not found");
  });

  it("stops at a broken build, whose messages name the user's own files", async () => {
    fs.writeFileSync(path.join(folder, "Makefile"), "all:\n\t@echo 'src/a.cpp:3:5: error: broken'; exit 2\n");
    let said: readonly CompilerMessage[] = [];
    const problem = await run({ tool: "callgrind" }, { compilerSaid: (messages) => (said = messages.slice()) }).catch(
      (reason: unknown) => reason,
    );
    expect(problem).toBeInstanceOf(BuildFailed);
    expect(said).toEqual([
      { file: path.join(folder, "src", "a.cpp"), line: 3, column: 5, severity: "error", text: "broken" },
    ]);
    expect(fs.existsSync(path.join(folder, ".heatflow", "runs"))).toBe(false);
  });

  describe("by make", () => {
    /** What the stand-in for a compiler was given for each file that it made. */
    async function made(definition: Record<string, unknown>): Promise<string[]> {
      standIn("valgrind");
      for (const name of ["cp", "rm"]) link(name);
      script("cc", `printf '%s\\n' "$*" >> ${folder}/cc.txt; cp ${process.execPath} prog`);
      fs.rmSync(path.join(folder, "cc.txt"), { force: true });
      await run(
        { tool: "callgrind", program: "prog", ...definition },
        { output: (data) => (heard += data.toString()) },
      );
      return fs.existsSync(path.join(folder, "cc.txt")) ? given("cc") : [];
    }
    let heard = "";
    const makefile = (flags: string) =>
      fs.writeFileSync(path.join(folder, "Makefile"), `CFLAGS = ${flags}\nprog: a.c\n\tcc $(CFLAGS) a.c\n`);

    it("makes anew what was made with other flags, and nothing that was not", async () => {
      fs.writeFileSync(path.join(folder, "a.c"), "");
      makefile("-O1");
      expect(
        (await made({})).map((line) => line.slice(0, 6)),
        heard,
      ).toEqual(["-O1 -g"]);
      expect(await made({})).toEqual([]);
      makefile("-O3");
      expect((await made({})).map((line) => line.slice(0, 6))).toEqual(["-O3 -g"]);
      expect((await made({ build: ["make", "CFLAGS=-O0"] })).map((line) => line.slice(0, 6))).toEqual(["-O0 -g"]);
      expect(await made({})).toEqual([]);
    });

    it("instruments sources whose whole paths the Makefile names", async () => {
      fs.writeFileSync(path.join(folder, "a.c"), "");
      fs.writeFileSync(path.join(folder, "Makefile"), "prog: a.c\n\tcc $(CFLAGS) $(CURDIR)/a.c\n");
      script("mpicxx", "exit 0");
      script("c++", "exit 0");
      const [line] = await made({ tool: "instrument" });
      expect(line).toContain("-finstrument-functions-exclude-file-list=/usr/ ");
    });
  });

  it("instruments functions of a folder whose own path contains what is excluded, and says so", async () => {
    script(
      "c++",
      `case "$*" in *.cpp*) printf '%s\\n' "$*" >> ${folder}/c++.txt; for last; do :; done; touch "$last"; esac`,
    );
    const home = path.join(folder, "jo.hansen");
    fs.mkdirSync(home);
    fs.writeFileSync(path.join(home, "a.cpp"), "");
    const said: string[] = [];
    const problem = await run(
      { tool: "instrument", program: "a.cpp", cwd: home },
      { say: (line) => said.push(line) },
    ).catch((reason: unknown) => reason);
    expect(given("c++")[0], String(problem)).toContain("-finstrument-functions-exclude-file-list=/usr/ ");
    expect(said.join("\n")).toContain('contains .h of "exclude"');
  });

  it.each([
    ["spaces", "a b"],
    ["an equals sign", "a=b"],
    ["a percent sign", "50%run"],
  ])(
    "loads the tracker before a program in a folder that has %s in its name, with what the user loads",
    async (_, name) => {
      const home = path.join(folder, name);
      fs.mkdirSync(home);
      link("nice");
      const program = script(
        "program",
        `printf '%s\n' "$LD_PRELOAD" "$LD_LIBRARY_PATH" "$*" "$HEATFLOW_OUTPUT" > ${folder}/seen.txt`,
        home,
      );
      script("c++", 'for last; do :; done; case "$*" in *-shared*) touch "${*: -2:1}";; esac');
      const definition = { tool: "instrument", build: "none", program, args: ["x"], output: path.join(name, "out") };
      await run({ ...definition, env: { LD_PRELOAD: "mine.so" } });
      const [preloaded, searched, rest, output] = given("seen");
      const [own, others] = [preloaded.slice(0, preloaded.indexOf(":")), preloaded.slice(preloaded.indexOf(":") + 1)];
      expect([others, rest]).toEqual(["mine.so", "x"]);
      expect(own).not.toMatch(/\s/);
      // The tracker's letter for a percent sign.
      expect(path.dirname(output)).toContain(`${home.replaceAll("%", "%%")}${path.sep}`);
      expect(fs.existsSync(path.join(searched === undefined ? "" : searched, own))).toBe(true);
    },
  );

  it("counts allocations where the task's environment asks for it", async () => {
    const program = script("program", `printf '%s\\n' "$LD_PRELOAD" > ${folder}/seen.txt`, folder);
    script("c++", `printf '%s\\n' "$@" > ${folder}/c++.txt; touch "\${*: -2:1}"`);
    const definition = { tool: "tracker", build: "none", program };
    await run(definition);
    expect(given("seen")).toEqual([""]);
    await run({ ...definition, env: { HEATFLOW_ALLOCATIONS: "1" } });
    const sources = given("c++").filter((one) => one.endsWith(".cpp"));
    expect(sources.map((one) => path.basename(one))).toEqual(["heatflow.cpp", "allocations.cpp"]);
    expect(given("seen")[0]).toMatch(/libheatflow-allocations\.so$/);
  });

  describe("of a program that uses CUDA", () => {
    const scripts = () => {
      script("nvcc", `printf '%s\\n' "$@" > ${folder}/nvcc.txt; : > "\${@: -1}"; chmod +x "\${@: -1}"`);
      script(
        "c++",
        `printf '%s\\n' "$@" > ${folder}/c++.txt; case "$*" in *-shared*) for a; do test "$b" = -o && : > "$a"; b=$a; done; esac`,
      );
      link("chmod");
    };
    const toolkit = (...files: readonly string[]) => {
      const home = path.join(folder, "cuda");
      for (const file of files) {
        fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
        fs.writeFileSync(path.join(home, file), "");
      }
      return home;
    };

    it("brings the tracker's part for GPUs along, with CUPTI of the toolkit that the environment names", async () => {
      scripts();
      const home = toolkit("include/cuda.h", "extras/CUPTI/include/cupti.h", "extras/CUPTI/lib64/libcupti.so");
      fs.writeFileSync(path.join(folder, "add.cu"), "");
      await run({ tool: "tracker", program: "add.cu" }, {}, { CUDA_HOME: home });
      expect(given("nvcc")).toContain("-Xcompiler=-pthread,-rdynamic");
      const flags = given("c++");
      const sources = flags.filter((one) => one.endsWith(".cpp")).map((one) => path.basename(one));
      expect(sources).toEqual(["heatflow.cpp", "cuda.cpp"]);
      for (const flag of ["-DHEATFLOW_WITH_CUDA", `-I${home}/include`, `-I${home}/extras/CUPTI/include`, "-lcupti"])
        expect(flags).toContain(flag);
      expect(flags.slice(flags.lastIndexOf("-rpath"))).toEqual(["-rpath", "-Xlinker", `${home}/extras/CUPTI/lib64`]);
      expect(flags.find((one) => one.endsWith(".so"))).toMatch(/libheatflow-cuda\.so$/);
    });

    it("goes on without it where the toolkit has no CUPTI, and says so", async () => {
      scripts();
      const said: string[] = [];
      fs.writeFileSync(path.join(folder, "add.cu"), "");
      const home = toolkit("include/cuda.h");
      expect(findCupti(thisMachine("tracker", {}, { PATH: bin, CUDA_HOME: home }), home)).toBeUndefined();
      await run({ tool: "instrument", program: "add.cu" }, { say: (line) => said.push(line) }, { CUDA_PATH: home });
      const found = findCupti(thisMachine("tracker", {}, { PATH: bin }));
      const sources = given("c++").filter((one) => one.endsWith(".cpp"));
      // The machine that the tests run on may have a toolkit in the usual place.
      expect(sources).toHaveLength(found === undefined ? 1 : 2);
      expect(said.some((line) => line.includes("CUPTI was not found"))).toBe(found === undefined);
    });

    it("is known by nvcc in a Makefile's recipes, and by CMake's compiler for CUDA", async () => {
      scripts();
      for (const name of ["cp", "rm"]) link(name);
      fs.writeFileSync(path.join(folder, "a.cu"), "");
      fs.writeFileSync(
        path.join(folder, "Makefile"),
        `prog: a.cu\n\tnvcc $(NVCCFLAGS) a.cu -o prog && cp ${process.execPath} prog\n`,
      );
      const home = toolkit("include/cuda.h", "include/cupti.h", "lib64/libcupti.so");
      await run({ tool: "tracker", program: "prog", args: ["-v"] }, {}, { CUDA_HOME: home });
      expect(given("c++").map((one) => path.basename(one))).toContain("cuda.cpp");
      fs.writeFileSync(path.join(folder, "CMakeCache.txt"), "CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/c++\n");
      expect(await usesCuda(folder)).toBe(false);
      fs.appendFileSync(
        path.join(folder, "CMakeCache.txt"),
        "CMAKE_CUDA_COMPILER:FILEPATH=CMAKE_CUDA_COMPILER-NOTFOUND\n",
      );
      expect(await usesCuda(folder)).toBe(false);
      fs.appendFileSync(path.join(folder, "CMakeCache.txt"), "CMAKE_CUDA_COMPILER:STRING=/usr/local/bin/nvcc\n");
      expect(await usesCuda(folder)).toBe(true);
    });
  });

  // What CMake is given is what counts only where CMake itself makes the compiler's command of it.
  it.skipIf(!fs.existsSync("/usr/bin/cmake"))(
    "by CMake has the tool's flags behind those that the project sets itself",
    async () => {
      for (const name of ["cmake", "cc", "as", "ld", "rm"]) link(name);
      fs.writeFileSync(path.join(folder, "prog.c"), "int main(void) { return 0; }\n");
      fs.writeFileSync(
        path.join(folder, "CMakeLists.txt"),
        'cmake_minimum_required(VERSION 3.10)\nproject(p C)\nset(CMAKE_C_FLAGS "-Wall")\nadd_executable(prog prog.c)\n',
      );
      const builds = path.join(folder, ".heatflow/build");
      for (const [type, usual] of [
        ["RelWithDebInfo", "-O2 -g -DNDEBUG"],
        ["Release", "-O3 -DNDEBUG"],
        ["Debug", "-g"],
      ]) {
        const given = [
          "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
          ...(usual.includes("O2") ? [] : [`-DCMAKE_BUILD_TYPE=${type}`]),
        ];
        await run({ tool: "caliper", build: ["cmake", ...given] });
        const commands = fs.readdirSync(builds).map((name) => path.join(builds, name, "compile_commands.json"));
        const file = commands.find((one) => fs.existsSync(one)) ?? expect.fail("CMake has not been asked.");
        const [{ command }] = JSON.parse(fs.readFileSync(file, "utf8")) as { command: string }[];
        const own = ` -Wall ${usual} `;
        expect(command).toContain(own);
        expect(command.slice(command.indexOf(own) + own.length)).toContain("-fno-omit-frame-pointer ");
        fs.rmSync(builds, { recursive: true });
      }
    },
    60_000,
  );

  it("is not begun where nothing of it could be recorded", async () => {
    standIn("c++");
    const source = path.join(folder, "plain.c");
    fs.writeFileSync(source, "int main(void) { return 0; }\n");
    const program = path.join(folder, "plain");
    execFileSync("cc", [source, "-static", "-o", program]);
    const definition = { tool: "instrument", build: "none", program };
    await expect(run(definition)).rejects.toThrow(/^plain was not run\. It is linked statically/);
    expect(fs.existsSync(path.join(folder, ".heatflow/runs"))).toBe(false);
    execFileSync("cc", [source, "-o", program]);
    const { recordings, missing } = await run(definition);
    expect(recordings).toEqual([]);
    expect(missing).toMatch(/^It ended after .* was not compiled with -finstrument-functions/);
  });

  it("builds one after the other in a folder", async () => {
    link("rm");
    link("cp");
    standIn("valgrind");
    const log = path.join(folder, "log.txt");
    fs.writeFileSync(
      path.join(folder, "Makefile"),
      `prog:\n\tprintf 'begin\\n' >> ${log}; sleep 0.3; printf 'end\\n' >> ${log}; cp ${process.execPath} prog\n.PHONY: prog\n`,
    );
    const said: string[] = [];
    const both = ["1", "2"].map((one) =>
      run({ tool: "callgrind", program: "prog", args: [one] }, { say: (line) => said.push(line) }),
    );
    await Promise.all(both);
    expect(given("log")).toEqual(["begin", "end", "begin", "end"]);
    expect(said).toContain("waiting for another traced build of this folder");
  });

  it("asks which of several programs is meant, and takes no answer for none", async () => {
    const { PATH } = process.env;
    const compiler =
      (PATH ?? "")
        .split(":")
        .map((at) => path.join(at, "true"))
        .find((file) => fs.existsSync(file)) ?? "";
    fs.writeFileSync(path.join(folder, "Makefile"), `all:\n\tcp ${compiler} one\n\tcp ${compiler} two\n`);
    link("cp");
    standIn("valgrind");
    let asked: readonly string[] = [];
    const choose = async (programs: readonly string[]) => (
      (asked = programs),
      programs.find((one) => one.endsWith("two"))
    );
    const { facts } = await run({ tool: "callgrind" }, { choose });
    expect(asked.map((file) => path.basename(file)).sort()).toEqual(["one", "two"]);
    expect(path.basename(facts.program)).toBe("two");
    await expect(run({ tool: "callgrind" })).rejects.toThrow("No program was chosen");
  });

  it("has an end of what is typed", async () => {
    standIn("valgrind", `cat > ${folder}/typed.txt`);
    const input = (write: (text: string) => void) => {
      write("one\n");
      write("\x04");
    };
    await run({ tool: "callgrind", build: "none", program: script("program", "exit 0", folder) }, { input });
    expect(given("typed")).toEqual(["one"]);
  });

  it("says what may be the matter where valgrind does not know an instruction", async () => {
    standIn("valgrind", "kill -ILL $$");
    const said: string[] = [];
    const definition = { build: "none", program: script("program", "kill -ILL $$", folder) };
    await run({ tool: "callgrind", ...definition }, { say: (line) => said.push(line) });
    expect(said.at(-1)).toMatch(/^ended by SIGILL after .* s\b.*-march=native/);
    await run({ tool: "caliper", ...definition }, { say: (line) => said.push(line) });
    expect(said.at(-1)).toMatch(/^ended by SIGILL after [\d.]+ s$/);
  });

  it("keeps what a program left that failed", async () => {
    standIn("valgrind", "exit 7");
    const { facts } = await run({ tool: "callgrind", build: "none", program: script("program", "exit 7", folder) });
    expect(facts.exitCode).toBe(7);
  });
});

describe("a run that is stopped", () => {
  const alive = (pid: number) => {
    try {
      // A process that has ended and not been waited for is none any more.
      return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  };

  /** Starts a program that says the numbers of its processes, and stops it then. @returns these numbers */
  async function stopped(body: string): Promise<{ pids: number[]; result: RunResult }> {
    const stopping = new AbortController();
    standIn("valgrind", body);
    let said = "";
    const output = (data: Buffer) => {
      said += data.toString();
      if (said.includes("ready")) stopping.abort();
    };
    const program = script("program", "exit 0", folder);
    const result = await run({ tool: "callgrind", build: "none", program }, { signal: stopping.signal, output });
    return {
      pids: said
        .split(/\s+/)
        .filter((word) => /^\d+$/.test(word))
        .map(Number),
      result,
    };
  }

  it.each([
    ["once, where it comes then", "ready", 1],
    ["again, where the program was stopped before", "recording", 2],
  ])("ends what makes a recording of it %s", async (_, first, stops) => {
    const [stopping, again] = [new AbortController(), new AbortController()];
    // Samples are recorded until they are stopped, and printed for ever.
    standIn(
      "perf",
      `[ "$3" = /dev/null ] && exit 0\nfor one in "$@"; do case "$one" in --output=*) touch "\${one#*=}";; esac; done\n` +
        `if [ "$1" = script ]; then echo $$ ready >&2; exec sleep 1000; fi\n` +
        (stops === 1 ? "" : "echo recording; exec sleep 1000"),
    );
    let said = "";
    const output = (data: Buffer) => {
      said += data.toString();
      if (said.includes(first)) stopping.abort();
      if (stops === 2 && said.includes("ready")) again.abort();
    };
    const program = script("program", "exit 0", folder);
    const host = { signal: stopping.signal, secondSignal: again.signal, output };
    await expect(run({ tool: "sample", build: "none", program }, host)).rejects.toThrow(
      /perf script: ended by SIGTERM/,
    );
    expect(alive(Number(/(\d+) ready/.exec(said)?.[1]))).toBe(false);
  });

  it("ends with every process that it has started, those in groups of their own too", async () => {
    const inner = path.join(folder, "inner");
    const both = `sleep 1000 & outer=$!\n(sleep 1000 & echo $! > ${inner}; wait) &\nuntil [ -s ${inner} ]; do sleep 0.05; done`;
    const { pids, result } = await stopped(`set -m\n${both}\necho $outer $(cat ${inner}) $$ ready\nwait`);
    expect(pids).toHaveLength(3);
    expect(pids.filter(alive)).toEqual([]);
    expect(result.facts.signal).toBe("SIGTERM");
  });

  it("ends with the process that started it, when that ends first", async () => {
    const file = path.join(folder, "starter.cjs");
    const entry = path.resolve("src/traced/processes.ts");
    await build({ entryPoints: [entry], bundle: true, platform: "node", outfile: file, logLevel: "error" });
    const step = JSON.stringify({ title: "", command: path.join(bin, "sleep"), args: ["1000"], env: {}, cwd: folder });
    const start = `runStep(${step}, { signal: new AbortController().signal, output() {} }, process.env)`;
    const code = `const { runStep } = require(${JSON.stringify(file)}); ${start}; setTimeout(() => process.exit(0), 300);`;
    const starter = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
    const children = () => fs.readFileSync(`/proc/${starter.pid}/task/${starter.pid}/children`, "utf8").trim();
    await vi.waitFor(() => expect(children()).not.toBe(""), { timeout: 20_000 });
    const child = Number(children());
    await new Promise((resolve) => starter.once("exit", resolve));
    await vi.waitFor(() => expect(alive(child)).toBe(false), { timeout: 20_000 });
  });

  it("ends what a program has left behind, in the background or in a group of its own, after some seconds", async () => {
    const inner = path.join(folder, "inner");
    const deaf = `(trap '' TERM; while :; do sleep 0.1; done) > /dev/null 2>&1 & deaf=$!`;
    const orphan = `( (sleep 1000 & echo $! > ${inner}); sleep 1000 ) > /dev/null 2>&1 &`;
    const { pids } = await stopped(
      `set -m\n${deaf}\n${orphan}\nuntil [ -s ${inner} ]; do sleep 0.05; done\necho $deaf $(cat ${inner}) ready\nwait`,
    );
    expect(pids).toHaveLength(2);
    // Being killed takes a moment.
    await vi.waitFor(() => expect(pids.filter(alive)).toEqual([]), { timeout: 20_000 });
  });

  it("ends a program that does not listen, after some seconds", async () => {
    const { pids, result } = await stopped("trap '' TERM\necho $$ ready\nwhile :; do sleep 0.1; done");
    expect(pids.filter(alive)).toEqual([]);
    expect(result.facts.signal).toBe("SIGKILL");
    expect(result.facts.seconds).toBeLessThan(30);
  });
});
