import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { formatValue } from "../../src/model/units";
import { callgrindLines } from "./callgrindLines";
import { HeatflowViews } from "./heatflowViews";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";
import { BUILD_MS, TracedBuild } from "./tracedBuild";

/** What the program prints: a rank and its bytes. */
const PRINTED = /halo bytes sent by rank (\d+): (\d+)/g;

interface Sent {
  readonly name: string;
  readonly args: { readonly peer: number; readonly bytes: number };
}

stepsInWindow("a traced build of the sample program", {}, (here) => {
  let build: TracedBuild;
  const mpi: [string, string] = ["Further arguments for make", "MPI=1"];
  // Long enough that a rank that has to wait for a core does not make the hottest line.
  const arguments_: [string, string] = ["Arguments of the program", "32 20"];
  const ranks: [string, string] = ["MPI processes", "4"];

  it("is the first offer of an empty window, and asks what it cannot find out", async () => {
    build = new TracedBuild(here.window);
    await here.window.command("Heatflow: Focus on Data Sets View");
    await here.window.page.locator(".welcome-view-content").getByText("Run Traced Build").waitFor();
    await build.start("Marked Regions", [mpi, arguments_, ranks], true);
  });

  it("records each rank's bytes as the program prints them, and as many in both directions", async () => {
    const text = (await build.said(/ended after/)).join("\n");
    const printed = new Map([...text.matchAll(PRINTED)].map(([, rank, bytes]) => [Number(rank), Number(bytes)]));
    assert.deepEqual([...printed.keys()].sort(), [0, 1, 2, 3]);
    const [{ folder, recordings }] = build.runs();
    assert.equal(recordings.length, 4);
    const matrix = new Map<string, number>();
    for (const name of recordings) {
      const { distributedInfo, traceEvents } = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")) as {
        distributedInfo: { rank: number };
        traceEvents: Sent[];
      };
      const sent = traceEvents.filter((event) => event.name === "message sent");
      for (const { args } of sent) {
        const key = `${distributedInfo.rank} ${args.peer}`;
        matrix.set(key, (matrix.get(key) ?? 0) + args.bytes);
      }
      assert.equal(
        sent.reduce((sum, { args }) => sum + args.bytes, 0),
        printed.get(distributedInfo.rank),
      );
    }
    for (const [key, bytes] of matrix) assert.equal(matrix.get(key.split(" ").reverse().join(" ")), bytes);
  });

  it("opens by itself: its page, and heat on the hottest line", async () => {
    await here.window.statusBarItem("mean over 4 ranks").waitFor();
    await here.window.webview("Recording");
    await here.window.command("Heatflow: Show Super Graph");
    await SuperGraph.byFile(here.window, "solver.cpp");
    await here.window.command("Heatflow: Go to Hottest Line");
    await here.window.page
      .locator(".tab.active")
      .filter({ hasText: /physics\.cpp|solver\.cpp/ })
      .waitFor();
    await new TextEditor(here.window).codeLenses.filter({ hasText: "inclusive", visible: true }).first().waitFor();
  });

  it("is kept as a task, and compares with the run before", async () => {
    await build.run("traced build: tracker");
    const notification = here.window.notification("miniheat ran").filter({ hasText: "Compare with the Last Run" });
    await notification.getByText("Compare with the Last Run").click({ timeout: BUILD_MS });
    await here.window.statusBarItem(/…\d\d:\d\d:\d\d… → …\d\d:\d\d:\d\d…/).waitFor();
    // The page of the run takes the focus, from a question that is open as well.
    const page = await here.window.webview("Recording");
    await page.getByText(/candidate of/).waitFor();
    await page.waitForFunction(() => document.hasFocus());
    const tasks = JSON.parse(fs.readFileSync(here.window.file(".vscode/tasks.json"), "utf8")) as { tasks: object[] };
    assert.deepEqual(tasks.tasks, [
      {
        type: "heatflow",
        label: "traced build: tracker",
        tool: "tracker",
        build: ["make", "MPI=1"],
        args: ["32", "20"],
        ranks: 4,
      },
    ]);
  });

  it("records every function of the unannotated program", async () => {
    // The notice of an earlier run is not taken for this one's, which comes after its page.
    await here.window.command("Notifications: Clear All Notifications");
    await here.window.notification("miniheat ran").waitFor({ state: "detached" });
    await build.start("Every Function", [mpi, ["Arguments of the program", "12 4"], ranks], false);
    await here.window.notification("miniheat ran").waitFor({ timeout: BUILD_MS });
    assert.equal(build.runs().length, 3);
    await here.window.command("Heatflow: Go to Hottest Line");
    // Ranks that wait for a core make a line of the halo's exchange the hottest one.
    const file = /(halo|main|physics|solver)\.cpp/;
    await here.window.page.locator(".tab.active").filter({ hasText: file }).waitFor();
    assert.equal(build.runs().at(-1)?.recordings.length, 4);
  });

  it("counts instructions with callgrind, a file per rank, as one run", async () => {
    await build.start("Instructions (callgrind)", [mpi, ["Arguments of the program", "8 2"], ranks], false);
    await here.window
      .statusBarItem(/callgrind/)
      .filter({ hasText: "4 ranks" })
      .waitFor({ timeout: BUILD_MS });
    const editor = new TextEditor(here.window);
    const { folder, recordings } = build.runs().at(-1) ?? assert.fail();
    assert.equal(recordings.length, 4);
    const counted = callgrindLines(recordings.map((name) => path.join(folder, name)));
    const views = new HeatflowViews(here.window);
    await views.show("Data Sets");
    // Rows below those of earlier runs may be out of sight.
    await views.press("Data Sets", "Collapse All");
    await views.unfold("Data Sets", "miniheat callgrind ");
    await views.row("Data Sets", `Ir, ${formatValue(counted.total, "1")} summed over 4 ranks`).waitFor();
    const [hottest] = [...counted.lines]
      .filter(([place]) => /\/src\/(physics|solver)\.cpp:/.test(place))
      .sort(([, one], [, other]) => other - one);
    assert.ok(hottest, "No line of the program has cost.");
    const [place, cost] = hottest;
    const [, file, line] = /src\/(\w+\.cpp):(\d+)$/.exec(place) ?? assert.fail(place);
    await editor.open(`src/${file}`, Number(line));
    const text = fs.readFileSync(here.window.file(`src/${file}`), "utf8").split("\n")[Number(line) - 1];
    await editor.textBehind(text.trim(), new RegExp(formatValue(cost, "Ir").replaceAll(".", "\\.")));
    const { tasks } = JSON.parse(fs.readFileSync(here.window.file(".vscode/tasks.json"), "utf8")) as {
      tasks: { tool: string }[];
    };
    assert.deepEqual(
      tasks.map(({ tool }) => tool),
      ["tracker", "instrument", "callgrind"],
    );
  });
});

/** Programs of one file, each a task of its own. */
const PROGRAMS = {
  "broken.cpp": "int main() {\n  return nothing;\n}\n",
  "crash.cpp":
    "#include <heatflow/tracker.hpp>\n#include <cstdlib>\nvoid hot() {\n  HEATFLOW_FUNCTION;\n  const auto end = heatflow::detail::now() + 1500000000u;\n" +
    "  while (heatflow::detail::now() < end) {}\n}\nint main() {\n  HEATFLOW_FUNCTION;\n  hot();\n  hot();\n  std::abort();\n}\n",
  "endless.cpp":
    "#include <heatflow/tracker.hpp>\n#include <cstdio>\nvoid turn() {\n  HEATFLOW_FUNCTION;\n  const auto end = heatflow::detail::now() + 1000000u;\n" +
    '  while (heatflow::detail::now() < end) {}\n}\nint main() {\n  HEATFLOW_FUNCTION;\n  for (long at = 0;; ++at) {\n    turn();\n    if (at == 1500) { std::puts("turning"); std::fflush(stdout); }\n  }\n}\n',
  "arguments.c":
    '#include <stdio.h>\nint main(int count, char** list) {\n  FILE* out = fopen("arguments.txt", "w");\n  for (int at = 1; at < count; at++) fprintf(out, "%s\\n", list[at]);\n  fclose(out);\n}\n',
};
const HARD = ["a b", '"quoted"', "it's", "$(touch owned)", "`touch owned`", "; touch owned", "*", "$HOME", "ä"];

function writePrograms(workspace: string): void {
  for (const [name, text] of Object.entries(PROGRAMS)) fs.writeFileSync(path.join(workspace, name), text);
  fs.mkdirSync(path.join(workspace, ".vscode"));
  const task = (program: string, more: object = {}) => ({
    type: "heatflow",
    label: program,
    tool: "tracker",
    program,
    ...more,
  });
  const tasks = [
    task("broken.cpp"),
    task("crash.cpp"),
    task("endless.cpp"),
    task("arguments.c", { tool: "instrument", args: HARD }),
    task("missing", { tool: "hpctoolkit", program: "arguments.c", label: "no hpcrun" }),
  ];
  fs.writeFileSync(path.join(workspace, ".vscode", "tasks.json"), JSON.stringify({ version: "2.0.0", tasks }));
}

stepsInWindow("traced builds that do not go well", { prepare: writePrograms }, (here) => {
  let build: TracedBuild;

  it("show the errors of a broken build, and stop there", async () => {
    build = new TracedBuild(here.window);
    await build.run("broken.cpp");
    await here.window.notification("The build failed").getByText("Show Problems").click({ timeout: BUILD_MS });
    const problem = here.window.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "nothing" }).first();
    await problem.waitFor();
    await problem.dblclick();
    await new TextEditor(here.window).cursorAt("broken.cpp", 2);
    assert.deepEqual(build.runs(), []);
  });

  it("open what a program recorded before it crashed", async () => {
    await build.run("crash.cpp");
    await here.window.notification(/crash was ended by SIGABRT/).waitFor({ timeout: BUILD_MS });
    await here.window.webview("Recording");
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.of(here.window);
    // A single file is no group: it is shown by function.
    await graph.bar("hot").waitFor();
  });

  it("open what a program recorded before it was stopped, and leave nothing running", async () => {
    await build.run("endless.cpp");
    await build.said(/turning/);
    await here.window.command("Tasks: Terminate Task");
    await here.window.pick("endless.cpp");
    await here.window.notification(/endless was ended by SIGTERM/).waitFor();
    const left = fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .some((pid) => {
        try {
          return fs.readlinkSync(`/proc/${pid}/exe`).startsWith(here.window.workspace);
        } catch {
          return false;
        }
      });
    assert.equal(left, false);
  });

  it("give a program its arguments as they are", async () => {
    await build.run("arguments.c");
    await here.window.notification("arguments ran").waitFor({ timeout: BUILD_MS });
    assert.deepEqual(fs.readFileSync(here.window.file("arguments.txt"), "utf8").trimEnd().split("\n"), HARD);
    assert.equal(fs.existsSync(here.window.file("owned")), false);
  });

  it("say what a missing tool is, and use the built-in tracker instead", async () => {
    await build.run("no hpcrun");
    const missing = here.window.notification("hpcrun was not found");
    await missing.getByText("Use the Built-In Tracker").click({ timeout: BUILD_MS });
    await here.window.notification("arguments ran").first().waitFor({ timeout: BUILD_MS });
  });
});
