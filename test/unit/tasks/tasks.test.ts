import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenedNotice } from "../../../src/session/openedNotice";
import type { Session, SessionDataSet } from "../../../src/session/session";
import { openTasks } from "../../../src/tasks/tasks";
import { tracedTask } from "../../../src/traced/definition";
import { factsOf, keepFacts, listRuns, newRunFolder } from "../../../src/traced/runs";
import { Emitter } from "../session/standInForVsCode";

type Start = (definition: object) => Promise<vscode.Pseudoterminal>;

interface Item {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly buttons: readonly { readonly tooltip: string }[];
}

/** A list on screen. */
class Pick {
  private readonly triggered = new Emitter<{ item: Item; button: unknown }>();
  private readonly accepted = new Emitter<void>();
  items: Item[] = [];
  selectedItems: Item[] = [];
  placeholder = "";
  ignoreFocusOut = false;
  readonly onDidTriggerItemButton = this.triggered.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = () => undefined;
  show(): void {}
  hide(): void {}
  dispose(): void {}

  press(item: Item, tooltip: string): void {
    this.triggered.fire({ item, button: item.buttons.find((button) => button.tooltip === tooltip) });
  }

  accept(item: Item): void {
    this.selectedItems = [item];
    this.accepted.fire();
  }
}

const window = vi.hoisted(() => ({
  folder: "",
  picks: [] as unknown[],
  /** What the user answers to questions, in turn: a label. */
  answers: [] as string[],
  questions: [] as string[],
  /** Of the last message. */
  buttons: [] as string[],
  /** The setting heatflow.programs. */
  programs: {} as Record<string, string>,
  executed: [] as { readonly definition: object }[],
  /** What the tool of a recording cost. */
  cost: undefined as { readonly seconds: number; readonly processorSeconds: number } | undefined,
  /** Of each recording. */
  warnings: [] as { readonly message: string; readonly file?: string }[],
  /** Data sets whose pages were opened. */
  pages: [] as number[],
}));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const answer = (question: string) => (window.questions.push(question), window.answers.shift());
  return {
    ...known,
    DiagnosticSeverity: {},
    TaskGroup: {},
    TaskRevealKind: {},
    CustomExecution: class {
      constructor(readonly start: unknown) {}
    },
    Task: class {
      constructor(
        readonly definition: unknown,
        readonly scope: unknown,
        readonly name: string,
        readonly source: string,
        readonly execution: unknown,
      ) {}
    },
    languages: {
      createDiagnosticCollection: () => ({ clear: () => undefined, set: () => undefined, dispose: () => undefined }),
    },
    tasks: { executeTask: async (task: { readonly definition: object }) => window.executed.push(task) },
    RelativePattern: class {},
    Position: class {},
    Range: class {},
    Diagnostic: class {},
    workspace: {
      isTrusted: true,
      findFiles: async () => [],
      getConfiguration: () => ({ get: () => window.programs }),
      get workspaceFolders() {
        return [{ uri: { fsPath: window.folder }, name: "program" }];
      },
    },
    window: {
      createQuickPick: () => window.picks[window.picks.push(new Pick()) - 1],
      showQuickPick: async (items: Item[], { title }: { title: string }) => {
        const chosen = answer(title);
        return items.find(({ detail, label }) => (detail ?? label).includes(chosen ?? "\0"));
      },
      showInputBox: async ({ prompt }: { prompt: string }) => answer(prompt),
      showErrorMessage: async (message: string, ...buttons: string[]) => {
        window.questions.push(message);
        window.buttons = buttons;
        return buttons.find((button) => button === window.answers[0]);
      },
      showWarningMessage: async (question: string) => answer(question),
      showInformationMessage: async (message: string) => answer(message),
    },
  };
});

beforeEach(() => {
  window.folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-tasks-"));
  window.picks = [];
  window.answers = [];
  window.questions = [];
  window.cost = undefined;
  window.warnings = [];
});
afterEach(() => fs.rmSync(window.folder, { recursive: true, force: true }));

/** Opens any folder as a recording of four ranks, whose total is that of the run's number of seconds. */
function sessionOf(): Session & { readonly opened: string[]; readonly closed: number[] } {
  const opened: string[] = [];
  const closed: number[] = [];
  const dataSets: SessionDataSet[] = [];
  const notice = new OpenedNotice();
  const session = {
    opened,
    closed,
    dataSets,
    comparison: undefined as unknown,
    async open([{ fsPath }]: { fsPath: string }[]) {
      opened.push(path.basename(fsPath));
      const known = dataSets.find(({ files }) => files[0].startsWith(fsPath));
      if (known) return [known];
      const metrics = [{ name: "Ir", unit: "1" }];
      const dataSet = { id: dataSets.length + 1, files: [path.join(fsPath, "a")], ranks: [0, 1, 2, 3], metrics };
      const { cost: recordingCost, warnings } = window;
      const also = { globals: [], units: [], defaultMetric: 0, recordingCost, warnings };
      dataSets.push({ name: path.basename(fsPath), ...dataSet, ...also } as unknown as SessionDataSet);
      notice.opened(dataSets.slice(-1));
      return dataSets.slice(-1);
    },
    async close(id: number) {
      closed.push(id);
    },
    setCurrent: () => undefined,
    scope: (dataSet: number) => ({ dataSet, metric: 0, over: "mean", chosen: { by: "rank", members: ["1"] } }),
    engine: { runTotals: async ({ chosen }: { chosen?: object }) => ({ total: chosen === undefined ? 1234567 : 1 }) },
    compare: (comparison: unknown) => (session.comparison = comparison),
    announce: (...announced: Parameters<Session["announce"]>) => notice.announce(...announced),
  };
  return session as unknown as Session & { readonly opened: string[]; readonly closed: number[] };
}

const host = (session: Session) =>
  openTasks({
    session,
    log: { error: () => undefined } as never,
    trackerFolder: "",
    showPage: async ({ id }) => void window.pages.push(id),
  });

describe("the task provider", () => {
  const labels = async () => (await host(sessionOf()).provide()).map(({ name }) => name);
  /** A perf that may measure, or may not. */
  const perf = (text: string) => {
    const file = path.join(window.folder, "perf");
    fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    window.programs = { perf: file };
  };
  beforeEach(() => perf("exit 255"));
  afterEach(() => void (window.programs = {}));

  it("offers samples first if perf may measure", async () => {
    perf("exit 0");
    fs.writeFileSync(path.join(window.folder, "CMakeLists.txt"), "");
    expect(await labels()).toEqual(["traced build: sample", "traced build: instrument", "traced build: callgrind"]);
  });

  it("offers what CMake or make builds", async () => {
    fs.writeFileSync(path.join(window.folder, "CMakeLists.txt"), "");
    expect(await labels()).toEqual(["traced build: instrument", "traced build: callgrind"]);
  });

  it("offers programs of one file", async () => {
    expect(await labels()).toEqual([]);
    fs.writeFileSync(path.join(window.folder, "heat.cpp"), "int main() {}");
    expect(await labels()).toEqual(["traced build: instrument of heat.cpp", "traced build: callgrind of heat.cpp"]);
  });
});

/** Runs a task in its terminal until that closes. */
async function run(definition: object): Promise<void> {
  const task = { definition, scope: { uri: { fsPath: window.folder } }, name: "a" } as unknown as vscode.Task;
  const { execution } = host(sessionOf()).resolve(task) as unknown as { execution: { start: Start } };
  const terminal = await execution.start(definition);
  const closed = new Promise((resolve) => terminal.onDidClose?.(resolve));
  terminal.open(undefined);
  await closed;
}

describe("a new traced build", () => {
  const prompts = () => window.questions.map((question) => question.split(";")[0]);

  it("asks which of CMake's programs is meant before it asks for arguments, by names that stand there once", async () => {
    fs.writeFileSync(
      path.join(window.folder, "CMakeLists.txt"),
      "add_library(core a.cpp)\nadd_executable(alpha a.cpp)\n# add_executable(older a.cpp)\nadd_executable(${PROJECT_NAME} a.cpp)\nadd_executable(tool IMPORTED)\n",
    );
    fs.mkdirSync(path.join(window.folder, "tests"));
    fs.writeFileSync(path.join(window.folder, "tests", "CMakeLists.txt"), "add_executable( beta\n  b.cpp)\n");
    window.answers = ["no annotations needed", "", "beta", "24 10"];
    await host(sessionOf()).runTracedBuild();
    expect(prompts()).toEqual([
      "Run Traced Build",
      "Further arguments for cmake",
      "Run Traced Build",
      "Arguments of the program",
    ]);
    const label = "traced build: instrument";
    const entry = { type: "heatflow", label, tool: "instrument", program: "beta", args: ["24", "10"] };
    expect(window.executed.at(-1)?.definition).toEqual(entry);
  });

  it("asks nothing where there is one program, or nobody can know yet", async () => {
    fs.writeFileSync(path.join(window.folder, "Makefile"), "");
    window.answers = ["no annotations needed", "", ""];
    await host(sessionOf()).runTracedBuild();
    expect(prompts()).toEqual(["Run Traced Build", "Further arguments for make", "Arguments of the program"]);
    expect(window.executed.at(-1)?.definition).not.toHaveProperty("program");
  });

  it("knows what make has made the last time", async () => {
    fs.writeFileSync(path.join(window.folder, "Makefile"), "");
    for (const name of ["one", "bin/two", "three.so"]) {
      const file = path.join(window.folder, ".heatflow/build/instrument-a", name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, "\x7fELF", { mode: 0o755 });
    }
    window.answers = ["no annotations needed", "", "two", ""];
    await host(sessionOf()).runTracedBuild();
    expect(window.executed.at(-1)?.definition).toMatchObject({ program: "bin/two" });
  });
});

describe("a recording whose call stacks end early", () => {
  it("is recorded again by the task that made it, else by one of the same program", async () => {
    const folder = await newRunFolder(tracedTask({ tool: "sample" }, window.folder), "/bin/heat", new Date(0));
    const task = tracedTask({ tool: "sample", args: ["24"] }, window.folder);
    const ended = { code: 0, signal: null, seconds: 1 };
    await keepFacts(folder, factsOf(task, { program: "/bin/heat", flags: [], stacks: "fp" }, new Date(0), ended));
    const again = { again: path.join(folder, "perf.txt") };
    await host(sessionOf()).runTracedBuild(again);
    expect(window.executed.at(-1)?.definition).toEqual({
      type: "heatflow",
      label: "traced build: sample of heat",
      tool: "sample",
      build: "none",
      program: "/bin/heat",
      args: ["24"],
      cwd: window.folder,
      stacks: "dwarf",
    });
    const kept = { type: "heatflow", label: "mine", tool: "sample", args: ["24"], env: { A: "b" } };
    fs.mkdirSync(path.join(window.folder, ".vscode"));
    fs.writeFileSync(path.join(window.folder, ".vscode", "tasks.json"), JSON.stringify({ tasks: [kept] }));
    await host(sessionOf()).runTracedBuild(again);
    expect(window.executed.at(-1)?.definition).toEqual({ ...kept, stacks: "dwarf" });
    expect(window.questions).toEqual([]);
  });

  it.each([
    ["no", undefined],
    ["yes", "Run"],
  ])("runs a program that a recording of elsewhere names only if the user agrees: %s", async (_, answer) => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-elsewhere-"));
    const task = {
      ...tracedTask({ tool: "sample", args: ["-c", "rm -rf ~\u202e"] }, window.folder),
      output: elsewhere,
    };
    const folder = await newRunFolder(task, "/bin/sh", new Date(0));
    const ended = { code: 0, signal: null, seconds: 1 };
    await keepFacts(folder, factsOf(task, { program: "/bin/sh", flags: [], stacks: "fp" }, new Date(0), ended));
    // A kept task of the same label has nothing to do with it.
    const kept = { type: "heatflow", label: "traced build: sample of sh", tool: "sample", args: ["24"] };
    fs.mkdirSync(path.join(window.folder, ".vscode"));
    fs.writeFileSync(path.join(window.folder, ".vscode", "tasks.json"), JSON.stringify({ tasks: [kept] }));
    const before = window.executed.length;
    window.answers = answer === undefined ? [] : [answer];
    await host(sessionOf()).runTracedBuild({ again: path.join(folder, "perf.txt") });
    expect(window.questions).toEqual(["Run the program of this recording?"]);
    expect(window.executed.length - before).toBe(answer === undefined ? 0 : 1);
    if (answer !== undefined) expect(window.executed.at(-1)?.definition).toMatchObject({ program: "/bin/sh" });
    fs.rmSync(elsewhere, { recursive: true });
  });

  it("is not known of a file that no traced build made: the user is asked what is to be run", async () => {
    fs.writeFileSync(path.join(window.folder, "Makefile"), "");
    window.answers = ["no annotations needed", "", ""];
    await host(sessionOf()).runTracedBuild({ again: path.join(window.folder, "perf.txt") });
    expect(window.executed.at(-1)?.definition).toMatchObject({ tool: "instrument" });
  });
});

describe("a traced build that went well", () => {
  it("opens the page of its recording", async () => {
    const valgrind = path.join(window.folder, "valgrind");
    const touch = 'for one in "$@"; do case "$one" in --callgrind-out-file=*) : > "${one#*=}";; esac; done';
    fs.writeFileSync(valgrind, `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(window.folder, "heat"), "#!/bin/sh\n", { mode: 0o755 });
    window.programs = { valgrind };
    window.pages = [];
    await run({ type: "heatflow", tool: "callgrind", build: "none", program: "heat" });
    expect(window.pages).toEqual([1]);
    expect(window.questions).toEqual([expect.stringMatching(/^heat ran .* under valgrind\.$/)]);
  });

  it("says how much longer the program took with its tool, if that was measured and is much", async () => {
    const perf = path.join(window.folder, "perf");
    const touch = 'for one in "$@"; do case "$one" in --output=*) : > "${one#*=}";; esac; done';
    fs.writeFileSync(perf, `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(window.folder, "heat"), "#!/bin/sh\n", { mode: 0o755 });
    window.programs = { perf };
    window.cost = { seconds: 7, processorSeconds: 8 };
    await run({ type: "heatflow", tool: "sample", build: "none", program: "heat" });
    expect(window.questions).toEqual([expect.stringMatching(/^heat ran .*\. sample · 4\.7× as long\.$/)]);
    window.cost = { seconds: 1, processorSeconds: 8 };
    await run({ type: "heatflow", tool: "sample", build: "none", program: "heat" });
    expect(window.questions[1]).not.toContain("as long");
  });

  it("says of files that were left out in the same notice, and leaves other warnings to the page", async () => {
    const valgrind = path.join(window.folder, "valgrind");
    const touch = 'for one in "$@"; do case "$one" in --callgrind-out-file=*) : > "${one#*=}";; esac; done';
    fs.writeFileSync(valgrind, `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(window.folder, "heat"), "#!/bin/sh\n", { mode: 0o755 });
    window.programs = { valgrind };
    window.warnings = [{ message: "cut" }, { message: "left out: found nothing", file: "/r/callgrind.out.7" }];
    await run({ type: "heatflow", tool: "callgrind", build: "none", program: "heat" });
    expect(window.questions).toEqual([
      expect.stringMatching(/^heat ran .* under valgrind\. callgrind\.out\.7: left out: found nothing$/),
    ]);
  });
});

describe("a build that fails", () => {
  it.each([
    ["leads to its errors", "echo 'a.c:1:2: error: no'", "Show Problems"],
    ["leads to its terminal where no compiler has said what is wrong", "echo 'ld: cannot find -lx'", "Show Terminal"],
  ])("%s", async (_, says, button) => {
    fs.writeFileSync(path.join(window.folder, "Makefile"), `all:\n\t@${says}; false\n`);
    await run({ type: "heatflow", tool: "instrument" });
    await vi.waitFor(() =>
      expect(window.questions).toEqual([expect.stringContaining("The build failed. Build: ended")]),
    );
    expect(window.buttons).toEqual([button]);
  });

  it("by its task says all of it", async () => {
    await run({ type: "heatflow", tool: "callgrind", build: "none", program: "nowhere" });
    await vi.waitFor(() => expect(window.questions).toEqual([expect.stringContaining("nowhere was not found")]));
    expect(window.buttons).toEqual(["Show Terminal"]);
  });
});

describe("a kernel that forbids perf", () => {
  it.each([
    ["leads to the built-in tracker, with everything else of the task", { args: ["24"], env: { A: "b" } }, 1],
    ["leads nowhere where a program runs already, which only perf can measure", { process: process.ppid }, 0],
  ])("%s", async (_, more, count) => {
    const perf = path.join(window.folder, "perf");
    fs.writeFileSync(perf, "#!/bin/sh\necho see perf_event_paranoid >&2\nexit 255\n", { mode: 0o755 });
    window.programs = { perf };
    window.executed = [];
    window.answers = ["Use the Built-In Tracker"];
    await run({ type: "heatflow", tool: "sample", ...more });
    await vi.waitFor(() => expect(window.executed).toHaveLength(count));
    expect(window.questions).toHaveLength(1);
    expect(window.questions[0]).toMatch(/perf_event_paranoid/);
    const instead = { type: "heatflow", tool: "instrument", label: "traced build: instrument", ...more };
    expect(window.executed.map(({ definition }) => definition)).toEqual(count === 0 ? [] : [instead]);
  });
});

describe("the list of traced runs", () => {
  const names = [
    "2026-01-01 00-00-00 heat callgrind",
    "2026-01-02 00-00-00 heat callgrind",
    "2026-01-03 00-00-00 wave callgrind",
  ];

  /** Runs on three days, the last of another program; all by their first argument. @returns the list */
  async function listed(session: Session): Promise<Pick> {
    for (const [day, program] of [
      [1, "heat"],
      [2, "heat"],
      [3, "wave"],
    ] as const) {
      const task = tracedTask({ tool: "callgrind", args: [`day${day}`] }, window.folder);
      const start = new Date(`2026-01-0${day}T00:00:00Z`);
      const ended = { code: 0, signal: null, seconds: day };
      const folder = await newRunFolder(task, `/bin/${program}`, start);
      const facts = factsOf(task, { program: `/bin/${program}`, flags: [] }, start, ended);
      await keepFacts(folder, { ...facts, commit: `${day}`.repeat(40), isDirty: day === 2 });
    }
    await host(session).showRuns();
    return window.picks[0] as Pick;
  }
  const runs = () => listRuns(path.join(window.folder, ".heatflow"));

  it("has time, commit and what was changed of each, the latest first; the total where its pages have stated it", async () => {
    const session = sessionOf();
    const pick = await listed(session);
    expect(pick.items.map(({ description, detail }) => [description, detail])).toEqual([
      ["callgrind", "ran 3.00 s under valgrind · commit 3333333333 without changes · day3"],
      ["callgrind", "ran 2.00 s under valgrind · commit 2222222222 with changes · day2"],
      ["callgrind", "ran 1.00 s under valgrind · commit 1111111111 without changes · day1"],
    ]);
    pick.accept(pick.items[1]);
    // Of all ranks, whatever is shown of them now.
    const total = { of: "Ir · mean over 4 ranks", unit: "1", value: 1234567 };
    await vi.waitFor(async () => expect((await runs())[1].facts.total).toEqual(total));
    expect(session.opened).toEqual([names[1]]);
    await host(session).showRuns();
    expect((window.picks[1] as Pick).items[1].description).toBe("callgrind · 1.23 M Ir · mean over 4 ranks");
  });

  it("compares two runs, whichever was chosen first, the earlier one as the baseline", async () => {
    const session = sessionOf();
    const pick = await listed(session);
    window.answers = ["day1"];
    pick.press(pick.items[1], "Compare with Another Run…");
    await vi.waitFor(() => expect(session.comparison).toEqual({ baseline: 1, candidate: 2 }));
    expect(session.opened).toEqual([names[0], names[1]]);
    window.answers = ["day2"];
    pick.press(pick.items[2], "Compare with Another Run…");
    await vi.waitFor(() => expect(session.opened).toHaveLength(4));
    expect(session.comparison).toEqual({ baseline: 1, candidate: 2 });
  });

  it("deletes a run only where the user is sure, closes it first, and stays on screen", async () => {
    const session = sessionOf();
    const pick = await listed(session);
    pick.accept(pick.items[2]);
    await vi.waitFor(async () => expect((await runs())[2].facts.total).toBeDefined());
    window.answers = ["", "Delete"];
    pick.press(pick.items[2], "Delete");
    await vi.waitFor(() => expect(window.questions).toHaveLength(1));
    expect(await runs()).toHaveLength(3);
    pick.press(pick.items[2], "Delete");
    await vi.waitFor(() => expect(pick.items).toHaveLength(2));
    expect((await runs()).map(({ folder }) => path.basename(folder))).toEqual([names[2], names[1]]);
    expect(session.closed).toEqual([1]);
    expect(pick.ignoreFocusOut).toBe(true);
  });
});
