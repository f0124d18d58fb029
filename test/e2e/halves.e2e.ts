/** Two graphs, one above the other: ranks that are chosen and the others, and two runs. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { differenceText } from "../../src/model/differences";
import { formatValue } from "../../src/model/units";
import { goldenSum, type RankTest } from "../goldenRecords";
import { miniheat } from "../recordings";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { FlameGraph } from "./flameGraph";
import { HeatflowViews } from "./heatflowViews";
import { Histogram } from "./histogram";
import { restrict } from "./restrict";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

/** Inclusive seconds of the bars of this name, the upper half's first. */
async function inclusives(graph: SuperGraph, name: string): Promise<number[]> {
  return (await graph.drawnBars()).filter((bar) => bar.name === name).map(({ inclusive }) => inclusive);
}

stepsInWindow("a super graph of chosen ranks and the others", { viewport: { width: 1400, height: 1000 } }, (here) => {
  const isMpi = (one: string) => /(^|\/)MPI_[^/]*$/.test(one);
  const isChosen: RankTest = (rank) => rank === 0 || rank === 4;
  const isOther: RankTest = (rank) => !isChosen(rank);
  let graph: SuperGraph;

  it("shows one graph while no ranks are chosen", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window);
    await graph.filter(0);
    await graph.hasInclusives("MPI", "s", goldenSum(isMpi, () => true) / 8);
  });

  it("shows two on one scale where they are: MPI is what the others wait in", async () => {
    await restrict(here.window, "0, 4");
    await graph.hasInclusives("MPI", "s", goldenSum(isMpi, isChosen) / 2, goldenSum(isMpi, isOther) / 6);
    const expected = goldenSum(isMpi, isOther) / 6 / (goldenSum(isMpi, isChosen) / 2);
    // Bars grow from what was there before.
    await eventually(async () => {
      const [above, below] = await graph
        .bar("MPI")
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
      assert.ok(Math.abs(below / above - expected) < 0.02 * expected, `${below / above}, not ${expected}`);
    });
    for (const title of ["ranks 0, 4 · mean", "ranks 1–3, 5–7 · mean"]) await graph.title(title).waitFor();
  });

  it("shows the chosen ones alone where the others are not wanted", async () => {
    await graph.tool("below");
    await graph.hasInclusives("MPI", "s", goldenSum(isMpi, isChosen) / 2);
    await graph.frame.locator('[data-tool="below"]').press("Enter");
    await graph.hasInclusives("MPI", "s", goldenSum(isMpi, isChosen) / 2, goldenSum(isMpi, isOther) / 6);
  });

  it("is one graph again when the chip is removed by key", async () => {
    await graph.removeChip("ranks 0, 4");
    await graph.hasInclusives("MPI", "s", goldenSum(isMpi, () => true) / 8);
  });
});

/** Mean over ranks of a run's seconds: all values that its file holds, by a search for their attribute. */
function meanSeconds(run: string): number {
  const lines = fs.readFileSync(path.join(miniheat, "profiles", "ensemble", `${run}.cali`), "utf8").split("\n");
  const idOf = (name: string) => {
    const node = lines.find((line) => line.startsWith("__rec=node") && line.includes(`,data=${name},`));
    return /,id=(\d+)/.exec(node ?? "")?.[1] ?? assert.fail(`${run} has no ${name}`);
  };
  const [time, rank] = [idOf("sum#sum#time.duration"), idOf("mpi.rank")];
  const ranks = new Set<string>();
  let sum = 0;
  for (const line of lines) {
    if (!line.startsWith("__rec=ctx")) continue;
    const names = (/,attr=([\d=]+)/.exec(line)?.[1] ?? "").split("=");
    const values = (/,data=(.*)$/.exec(line)?.[1] ?? "").split("=");
    names.forEach((name, at) => {
      if (name === time) sum += Number(values[at]);
      if (name === rank) ranks.add(values[at]);
    });
  }
  return sum / ranks.size;
}

stepsInWindow("two runs in one super graph", { viewport: { width: 1400, height: 1000 } }, (here) => {
  const [first, second] = [meanSeconds("np8-r1"), meanSeconds("np8-r2")];
  const saysBoth = async () => {
    const graph = await SuperGraph.of(here.window);
    await graph.frame.getByRole("button", { name: "Compared with np8-r2.cali", pressed: true }).waitFor();
    return graph;
  };
  const hasTitles = async (graph: SuperGraph) => {
    await graph.title(`np8-r1.cali · mean over 8 ranks ${formatValue(first, "s")}`).waitFor();
    await graph.title(`np8-r2.cali · mean over 8 ranks ${formatValue(second, "s")}`).waitFor();
  };

  /** What the command line says of the two, largest first. */
  const differences = () => {
    const runs = ["np8-r2", "np8-r1"].map((run) => path.join(miniheat, `profiles/ensemble/${run}.cali`));
    const args = ["dist/cli.js", "compare", ...runs, "--json", "--source", path.join(miniheat, "src")];
    const text = execFileSync(process.execPath, args, { encoding: "utf8" });
    return (
      JSON.parse(text) as {
        differences: { function: string; file?: string; line?: number; baseline: number; candidate: number }[];
      }
    ).differences;
  };

  it("are compared by one click once both are open: the later one with the one before", async () => {
    const explorer = new Explorer(here.window);
    await explorer.openRecording("profiles/ensemble/np8-r2.cali");
    await here.window.statusBarItem("np8-r2.cali · time").waitFor();
    await explorer.openRecording("profiles/ensemble/np8-r1.cali");
    await here.window.statusBarItem("np8-r1.cali · time").waitFor();
    await here.window.statusBarItem("Compare with np8-r2.cali").click();
    const graph = await saysBoth();
    // The first picture of both recordings is one of both.
    await graph.hasStart("≥ 0.1 %", "first picture");
    await SuperGraph.byFile(here.window);
    await eventually(async () => assert.equal((await inclusives(graph, "main.cpp")).length, 1));
    await here.window.statusBarItem("np8-r2.cali → np8-r1.cali").waitFor();
  });

  it("differ on lines, above functions and in hot functions as the command line says", async () => {
    const rows = differences();
    const textOf = ({ baseline, candidate }: (typeof rows)[number]) => differenceText(baseline, candidate, "s");
    const views = new HeatflowViews(here.window);
    await views.show("Hot Functions");
    const [largest] = rows;
    await views
      .row("Hot Functions", largest.function)
      .filter({ hasText: textOf(largest) })
      .waitFor();
    // Calls of MPI are left out, as wherever the hottest line is looked for.
    const own = rows.find((row) => !row.function.startsWith("MPI_") && row.line !== undefined) ?? assert.fail();
    await here.window.command("Heatflow: Go to Hottest Line");
    await new TextEditor(here.window).cursorAt(path.basename(own.file ?? ""), own.line ?? 0);
    const lens = `${textOf(own)} exclusive`;
    await new TextEditor(here.window).codeLenses.filter({ hasText: lens }).first().waitFor();
  });

  it("are two graphs, and one by difference again", async () => {
    const graph = await SuperGraph.of(here.window);
    const both = graph.frame.locator('[data-tool="below"]');
    await both.click();
    await eventually(async () => assert.equal((await inclusives(graph, "main.cpp")).length, 2));
    await hasTitles(graph);
    await both.press("Enter");
    await eventually(async () => assert.equal((await inclusives(graph, "main.cpp")).length, 1));
  });

  it("are looked into from a bar, which says whose contexts are shown", async () => {
    const graph = await SuperGraph.of(here.window);
    const [inclusive] = await inclusives(graph, "physics.cpp");
    await graph.operate("physics.cpp", "Look inside");
    const flames = await FlameGraph.of(here.window);
    const whose = "Only contexts of np8-r1.cali are shown; the bar is of np8-r1.cali compared with np8-r2.cali";
    await flames.frame.locator(".notice").filter({ hasText: whose }).waitFor();
    await flames.summary.filter({ hasText: `${formatValue(inclusive, "s")} drawn` }).waitFor();
  });

  it("are still compared after a reload, until that is ended, and so is a bar's histogram", async () => {
    const before = await SuperGraph.of(here.window);
    await before.operate("physics.cpp", "Show histogram");
    await (await Histogram.of(here.window)).shows("physics.cpp · exclusive time · 8 ranks");
    await here.window.reload();
    const graph = await saysBoth();
    const histogram = await Histogram.of(here.window);
    await histogram.shows("physics.cpp · exclusive time · 8 ranks");
    await histogram.frame.locator(".chip").filter({ hasText: "candidate of np8-r2" }).waitFor({ state: "attached" });
    await here.window.statusBarItem("np8-r2.cali → np8-r1.cali").click();
    await graph.frame.getByRole("button", { name: "Compare with another recording…" }).waitFor();
    await here.window.statusBarItem("Compare with np8-r2.cali").waitFor();
    await eventually(async () => assert.equal((await inclusives(graph, "main.cpp")).length, 1));
    const [{ inclusive }] = (await graph.drawnBars()).filter(({ name }) => name === "main.cpp");
    assert.ok(inclusive <= first * 1.01 && inclusive > 0.9 * first, `${inclusive} of ${first}`);
  });
});
