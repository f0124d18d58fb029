import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { threeDigits } from "../../src/model/units";
import { miniheat } from "../host/folders.mjs";
import { recordings } from "../recordings";
import { Correlation, textbook } from "./correlation";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { Keyboard } from "./keyboard";
import { itInFull, stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration": number;
}

/** Seconds on each of the 8 ranks of the frames that are chosen, as Caliper's own tool printed them. */
function goldenSeconds(isChosen: (frame: string) => boolean): number[] {
  const file = path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as GoldenRecord[];
  const seconds = new Array<number>(8).fill(0);
  for (const record of records) {
    const rank = record["mpi.rank"];
    const frame = record.path?.split("/").at(-1) ?? "";
    if (rank !== undefined && isChosen(frame)) seconds[rank] += record["sum#sum#time.duration"];
  }
  return seconds;
}

stepsInWindow("the correlation of what ranks wait for", { viewport: { width: 1600, height: 1000 } }, (here) => {
  let views: HeatflowViews;
  let panel: Correlation;
  const waiting = goldenSeconds((frame) => frame.startsWith("MPI_"));
  const first = waiting.indexOf(Math.min(...waiting));
  const expected = textbook(
    goldenSeconds((frame) => frame === "updateConductivity"),
    waiting,
  );

  it("pins MPI from the super graph's menu, and lays it off over what has most until something else is selected", async () => {
    views = new HeatflowViews(here.window);
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.byFile(here.window);
    await graph.filter(0);
    await graph.operate("MPI", "Correlate with…");
    panel = await Correlation.of(here.window);
    const what = "exclusive time of MPI over exclusive time of updateConductivity";
    await panel.summary.filter({ hasText: what }).waitFor();
    assert.equal(await panel.r(), Number(expected.toPrecision(3)));
    await panel.frame.getByText("Nothing else is selected: x is of updateConductivity, which has most.").waitFor();
    assert.equal(await graph.bar("MPI").isVisible(), true, "the super graph is still in sight");
  });

  it("has r below -0.99 with updateConductivity, once that is selected", async () => {
    await views.show("Hot Functions");
    await views.row("Hot Functions", "updateConductivity").click();
    await panel.summary
      .filter({ hasText: "exclusive time of MPI over exclusive time of updateConductivity" })
      .waitFor();
    assert.ok(expected < -0.99, `${expected}`);
    assert.equal(await panel.r(), Number(expected.toPrecision(3)));
    await panel.frame.getByText("Nothing else is selected").waitFor({ state: "hidden" });
    await panel.summary.filter({ hasText: `8 ranks · r ${threeDigits(expected)}` }).waitFor();
  });

  it("restricts every number to ranks 0 and 4 by a brush, and no longer by the chip", async () => {
    await panel.brush(here.window, ["rank 0", "rank 4"], "ranks 0, 4");
    await here.window.statusBarItem("mean over ranks 0, 4").waitFor();
    const graph = await SuperGraph.of(here.window);
    await graph.title("ranks 0, 4").or(graph.over("2 ranks")).first().waitFor();
    // All ranks stay: what is chosen is marked among them, and the line is that of all.
    assert.equal(await panel.points.count(), 8);
    assert.equal(await panel.frame.locator('.drawing [aria-checked="true"]').count(), 2);
    assert.equal(await panel.r(), Number(expected.toPrecision(3)));
    await panel.frame.getByRole("button", { name: "Remove ranks 0, 4" }).click();
    await panel.chip.waitFor({ state: "hidden" });
    await here.window.statusBarItem("mean over 8 ranks").waitFor();
  });

  it("does the same with the keyboard alone", async () => {
    const keyboard = new Keyboard(here.window);
    await here.window.closeAllEditors();
    await keyboard.chord("y", "Correlation");
    panel = await Correlation.of(here.window);
    await panel.summary.filter({ hasText: "time of updateConductivity over inclusive time of MPI" }).waitFor();
    assert.equal(await panel.r(), Number(expected.toPrecision(3)));
    await keyboard.tabTo(panel.frame, '.drawing [tabindex="0"]');
    // What ranks wait for in MPI, along x: the two that compute most are the first.
    await keyboard.focusIn(panel.frame, "Home", `.drawing [aria-label^="rank ${first},"]`);
    await keyboard.press("Space");
    await panel.chip.filter({ hasText: `rank ${first}` }).waitFor();
    await keyboard.press("Shift+ArrowRight");
    await panel.chip.filter({ hasText: "ranks 0, 4" }).waitFor();
    await here.window.statusBarItem("mean over ranks 0, 4").waitFor();
    await keyboard.press("Escape");
    await panel.chip.waitFor({ state: "hidden" });
    await here.window.statusBarItem("mean over 8 ranks").waitFor();
  });

  it("goes to the line of a function's point", async () => {
    await panel.choose("points", "functions");
    const point = panel.point("updateConductivity");
    await point.waitFor();
    await point.dblclick();
    await new TextEditor(here.window).cursorAt("physics.cpp", 34);
    assert.equal(await point.isVisible(), true, "the panel is still in sight");
  });

  // As every panel: `panelLaws`, and the histogram's reload.
  itInFull("is there again after a reload, with what was chosen", async () => {
    await here.window.reload();
    panel = await Correlation.of(here.window);
    await panel.summary.filter({ hasText: "functions" }).waitFor();
  });
});

const shared = recordings();
const inline = path.join(shared ?? "", "data/hpctoolkit-v4/viewer-inline.meta.db");

/** A metric's sum on each thread, added up value by value. */
async function threadSums(metric: string): Promise<number[]> {
  const [data] = await openRecordings([inline], {}, quietTask);
  const { column, value } = data.values[data.metrics.findIndex(({ name }) => name === metric)];
  const sums = new Array<number>(8).fill(0);
  value.forEach((one, at) => (sums[data.locations[column[at]].thread] += one));
  return sums;
}

if (shared !== undefined)
  stepsInWindow(
    "the correlation over threads",
    {
      prepare: (workspace) => fs.symlinkSync(inline, path.join(workspace, "inline")),
      viewport: { width: 1500, height: 900 },
    },
    (here) => {
      it("begins with the two metrics that differ most over 8 threads, and says so where a value does not vary", async () => {
        await new Explorer(here.window).openRecording("inline");
        await here.window.statusBarItem("cycles").waitFor();
        await here.window.command("Heatflow: Show Correlation");
        const panel = await Correlation.of(here.window);
        const whole = (metric: string) => `exclusive ${metric} of the whole recording`;
        await panel.summary.filter({ hasText: `${whole("instructions")} over ${whole("cycles")}` }).waitFor();
        await panel.frame.getByText("x and y are the two metrics that differ most over threads").waitFor();
        const expected = textbook(await threadSums("cycles"), await threadSums("instructions"));
        await eventually(async () => assert.equal(await panel.r(), Number(expected.toPrecision(3))));
        await panel.summary.filter({ hasText: "8 threads" }).waitFor();
        const views = new HeatflowViews(here.window);
        await views.show("Hot Functions");
        // The file has no cycles of this function itself on any thread.
        await views.row("Hot Functions", "GOMP_parallel").click();
        await panel.frame.getByText("All values of x are equal").waitFor();
      });

      it("restricts to threads", async () => {
        const panel = await Correlation.of(here.window);
        await panel.choose("x.of", "whole recording");
        await panel.point("thread 3").click({ modifiers: ["Control"] });
        await panel.chip.filter({ hasText: "thread 3" }).waitFor();
        await here.window.statusBarItem("cycles").filter({ hasText: "thread 3" }).waitFor();
      });
    },
  );
