import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { formatShare, formatValue } from "../../src/model/units";
import { everyRank, goldenExclusive, goldenInclusive, goldenSum, type RankTest } from "../goldenRecords";
import { miniheat, recordings } from "../recordings";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { restrict, restrictToTime } from "./restrict";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";
import type { Window } from "./window";

/** A click on the chip takes the restriction back. */
async function removeChip(window: Window, text: string): Promise<void> {
  const chip = window.page.locator("[id='heatflow.heatflow.heatflow.restriction']").filter({ hasText: text });
  await chip.locator("a").click();
  await chip.waitFor({ state: "hidden" });
}

stepsInWindow("a restriction to ranks", { viewport: { width: 1400, height: 1000 } }, (here) => {
  const chosen: RankTest = (rank) => rank === 0 || rank === 4;
  const conductivity = (isCounted: RankTest, ranks: number) => goldenExclusive("updateConductivity", isCounted) / ranks;
  const total = (isCounted: RankTest) => goldenSum(() => true, isCounted);
  let views: HeatflowViews;
  let editor: TextEditor;

  /** Waits until every view shows the means over some ranks, as the golden records have them. */
  async function showsMeans(isCounted: RankTest, ranks: number, over: string): Promise<void> {
    const cost = formatValue(conductivity(isCounted, ranks), "s");
    const share = formatShare((ranks * conductivity(isCounted, ranks)) / total(isCounted));
    await editor.codeLenses
      .filter({ hasText: `${cost} inclusive (${share}` })
      .filter({ hasText: over })
      .waitFor();
    // Beside a panel the cost stands in front of a line of this length, and its share behind.
    await editor.textBehind("void updateConductivity(", new RegExp(cost));
    await editor.textBehind("void updateConductivity(", new RegExp(share));
    await views
      .row("Hot Functions", "updateConductivity")
      .filter({ hasText: share })
      .filter({ hasText: `${cost} · ` })
      .waitFor();
    const main = formatValue(goldenInclusive("main", isCounted) / ranks, "s");
    await views.row("Calling Contexts", "main").filter({ hasText: main }).waitFor();
    for (const view of ["Hot Functions", "Calling Contexts"]) await views.description(view, over).waitFor();
    await here.window.statusBarItem(`profile-8ranks.cali · time · ${over}`).waitFor();
    await here.window.command("Show or Focus Hover");
    const hover = here.window.page.locator(".monaco-hover:visible");
    await hover
      .filter({ hasText: over })
      .filter({ hasText: `inclusive ${cost} · exclusive ${cost}` })
      .first()
      .waitFor();
    await here.window.page.keyboard.press("Escape");
  }

  it("begins with the means over all ranks", async () => {
    views = new HeatflowViews(here.window);
    editor = new TextEditor(here.window);
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("mean over 8 ranks").waitFor();
    await views.show("Calling Contexts");
    await editor.open("physics.cpp", 34);
    await showsMeans(everyRank, 8, "mean over 8 ranks");
  });

  it("refuses ranks that there are not", async () => {
    await here.window.command("Heatflow: Restrict to…");
    const input = here.window.quickInput.locator("input[type=text]");
    await here.window.quickInput.getByText("There are 8 ranks: 0–7.").waitFor();
    await input.fill("0, 4-9");
    await here.window.quickInput.getByText("There is no rank 8.").waitFor();
    await here.window.page.keyboard.press("Escape");
  });

  it("to 0 and 4 by command changes lens, heat, hover, trees, and shows the chip", async () => {
    await restrict(here.window, "0, 4");
    await here.window.statusBarItem(/^ranks 0, 4/).waitFor();
    await showsMeans(chosen, 2, "mean over ranks 0, 4");
  });

  it("changes the super graph, with a chip of its own, and the recording's page, which takes it back", async () => {
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.byFile(here.window);
    const cost = formatValue(conductivity(chosen, 2) + goldenExclusive("reactionSource", chosen) / 2, "s");
    await graph
      .bar("physics.cpp")
      .and(graph.frame.locator(`[aria-label*="inclusive ${cost} "]`))
      .waitFor();
    await graph.title("ranks 0, 4 · mean").waitFor();
    await graph.frame.locator(".chip", { hasText: "ranks 0, 4" }).waitFor();
    await new Explorer(here.window).open("profiles/profile-8ranks.cali");
    const page = await here.window.webview("Recording");
    await page.locator(".chip", { hasText: "ranks 0, 4" }).waitFor();
    await page.locator(".totals").getByText("mean over ranks 0, 4", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Remove ranks 0, 4" }).click();
    await page.locator(".totals").getByText("mean over 8 ranks", { exact: true }).first().waitFor();
    await page.locator(".chip").waitFor({ state: "hidden" });
  });

  it("ends with its chip in the status bar: everything is as before", async () => {
    await restrict(here.window, "0, 4");
    await here.window.closeAllEditors();
    await views.show("Calling Contexts");
    await editor.open("physics.cpp", 34);
    await editor.codeLenses.filter({ hasText: "mean over ranks 0, 4" }).first().waitFor();
    await removeChip(here.window, "ranks 0, 4");
    await showsMeans(everyRank, 8, "mean over 8 ranks");
  });
});

const shared = recordings();
const threads = {
  inline: "hpctoolkit-v4/viewer-inline.meta.db",
  allgather: "hpctoolkit-v2/hpctoolkit-allgather-database",
};

function linkRecordings(workspace: string): void {
  fs.mkdirSync(path.join(workspace, "recorded"));
  for (const [name, place] of Object.entries(threads))
    fs.symlinkSync(path.join(shared ?? "", "data", place), path.join(workspace, "recorded", name));
}

/** Name and inclusive of the heaviest root over some threads, added up value by value. */
async function heaviestRoot(place: string, isChosen: (rank: number, thread: number) => boolean) {
  const [data] = await openRecordings([path.join(shared ?? "", "data", place)], {}, quietTask);
  const { tree, frames, locations } = data;
  const metric = data.metrics.findIndex(({ additive }) => additive);
  const { rowStart, column, value } = data.values[metric];
  const roots: { name: string; sum: number }[] = [];
  for (let root = 0; root < tree.size; root = tree.end[root]) {
    // What has no value of any metric is no row.
    if (!data.values.some((one) => one.rowStart[tree.end[root]] > one.rowStart[root])) continue;
    let sum = 0;
    for (let at = rowStart[root]; at < rowStart[tree.end[root]]; at++) {
      const { rank, thread } = locations[column[at]];
      if (isChosen(rank, thread)) sum += value[at];
    }
    roots.push({ name: frames.nameOf(tree.frame[root]), sum });
  }
  return roots.sort((a, b) => b.sum - a.sum)[0];
}

/** Seconds that calls of a function, which calls nothing, lie in a window: rank 0 of miniheat's events. */
async function timeOf(name: string, from: number, to: number): Promise<number> {
  const file = path.join(miniheat, "profiles", "trace", "events-0.cali");
  const [{ trace, frames }] = await openRecordings([file], {}, quietTask);
  assert.ok(trace);
  const { count, startSeconds, endSeconds, frame } = await trace.readEvents(0, 0, trace.lanes[0].events);
  let sum = 0;
  for (let at = 0; at < count; at++)
    if (frames.nameOf(frame[at] as never) === name)
      sum += Math.max(0, Math.min(to, endSeconds[at]) - Math.max(from, startSeconds[at]));
  return sum;
}

stepsInWindow("a restriction to a window of time", { viewport: { width: 1400, height: 1000 } }, (here) => {
  it("is asked for beside ranks, shows its chip, and its numbers in trees and graph", async () => {
    const views = new HeatflowViews(here.window);
    await new Explorer(here.window).openRecording("profiles/trace/events-0.cali");
    await here.window.statusBarItem("events-0").waitFor();
    await views.show("Hot Functions");
    const all = formatValue(await timeOf("MPI_Allreduce", 0, 1), "s");
    await views.row("Hot Functions", "MPI_Allreduce").filter({ hasText: all }).waitFor();
    await restrictToTime(here.window, "60 - 80 ms");
    await here.window.statusBarItem(/^60 – 80 ms/).waitFor();
    const some = formatValue(await timeOf("MPI_Allreduce", 0.06, 0.08), "s");
    assert.notEqual(some, all);
    await views.row("Hot Functions", "MPI_Allreduce").filter({ hasText: some }).waitFor();
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.of(here.window);
    await graph.frame.locator(".chip", { hasText: "60 – 80 ms" }).waitFor();
    await removeChip(here.window, "60 – 80 ms");
    await graph.frame.locator(".chip").waitFor({ state: "hidden" });
    await views.row("Hot Functions", "MPI_Allreduce").filter({ hasText: all }).waitFor();
  });

  it("is one to categories as well: what is none of them costs nothing, in trees and graph", async () => {
    const views = new HeatflowViews(here.window);
    const { quickInput } = here.window;
    // A panel that gets its numbers just then has the focus again, which closes the list.
    await here.window.command("Heatflow: Restrict to…");
    await here.window.pick("Categories");
    await quickInput.getByRole("checkbox", { name: "communication" }).first().check();
    await here.window.page.keyboard.press("Enter");
    await here.window.statusBarItem(/^communication/).waitFor();
    const all = formatValue(await timeOf("MPI_Allreduce", 0, 1), "s");
    await views.row("Hot Functions", "MPI_Allreduce").filter({ hasText: all }).waitFor();
    await views.row("Hot Functions", "updateConductivity").waitFor({ state: "hidden" });
    const graph = await SuperGraph.of(here.window);
    await graph.frame.locator(".chip", { hasText: "communication" }).waitFor();
    await removeChip(here.window, "communication");
    await graph.frame.locator(".chip").waitFor({ state: "hidden" });
  });
});

if (shared !== undefined)
  stepsInWindow(
    "a restriction to threads",
    { prepare: linkRecordings, viewport: { width: 1400, height: 1000 } },
    (here) => {
      let views: HeatflowViews;
      const shows = async (name: string, value: string) =>
        views.row("Calling Contexts", name).filter({ hasText: value }).waitFor();

      it("takes threads 0 to 2 of eight, where there are no ranks", async () => {
        views = new HeatflowViews(here.window);
        await new Explorer(here.window).openRecording("recorded/inline");
        await here.window.statusBarItem("cycles").waitFor();
        await views.show("Calling Contexts");
        const all = await heaviestRoot(threads.inline, () => true);
        await shows(all.name, formatValue(all.sum, "cycles"));
        const some = await heaviestRoot(threads.inline, (_, thread) => thread <= 2);
        assert.notEqual(formatValue(some.sum, "cycles"), formatValue(all.sum, "cycles"));
        await restrict(here.window, "0-2");
        await here.window.statusBarItem(/^threads 0–2/).waitFor();
        await views.description("Calling Contexts", "sum over 3 threads").waitFor();
        await shows(some.name, formatValue(some.sum, "cycles"));
        await removeChip(here.window, "threads 0–2");
        await shows(all.name, formatValue(all.sum, "cycles"));
      });

      it("takes thread 1 of every rank: a mean over threads, not over ranks", async () => {
        await here.window.command("Heatflow: Close Data Set");
        await new Explorer(here.window).openRecording("recorded/allgather");
        await here.window.statusBarItem("mean over 10 ranks").waitFor();
        await views.show("Calling Contexts");
        const all = await heaviestRoot(threads.allgather, () => true);
        await shows(all.name, formatValue(all.sum / 10, "s"));
        const some = await heaviestRoot(threads.allgather, (_, thread) => thread === 1);
        await restrict(here.window, "*.1", "Threads");
        await views.description("Calling Contexts", "mean over 10 threads").waitFor();
        await shows(some.name, formatValue(some.sum / 10, "s"));
        const few = await heaviestRoot(threads.allgather, (rank, thread) => thread === 0 && rank >= 2 && rank <= 4);
        await restrict(here.window, "2-4.0", "Threads");
        await shows(few.name, formatValue(few.sum / 3, "s"));
        await removeChip(here.window, "threads 2.0, 3.0, 4.0");
        await shows(all.name, formatValue(all.sum / 10, "s"));
      });
    },
  );
