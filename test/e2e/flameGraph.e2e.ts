import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { formatValue } from "../../src/model/units";
import { miniheat } from "../host/folders.mjs";
import { recordings } from "../recordings";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { FlameGraph } from "./flameGraph";
import { goldenGraph, meanInclusive, ranks } from "./golden";
import { HeatflowViews } from "./heatflowViews";
import { Keyboard } from "./keyboard";
import { itInFull, stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

interface GoldenRecord {
  readonly path?: string;
  readonly "sum#sum#time.duration": number;
}

/** Mean inclusive seconds over ranks of the contexts that end in a name, from the recording tool's own dump. */
function goldenInclusive(name: string): number {
  const file = path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as GoldenRecord[];
  const isBelow = ({ path: names }: GoldenRecord) => names?.split("/").includes(name);
  return records.filter(isBelow).reduce((sum, record) => sum + record["sum#sum#time.duration"], 0) / ranks;
}

stepsInWindow("flame graphs", {}, (here) => {
  let flames: FlameGraph;
  const views = () => new HeatflowViews(here.window);

  it("show the recording, with the inclusive of the recording tool's dump", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
    await here.window.command("Heatflow: Show Flame Graph");
    flames = await FlameGraph.of(here.window);
    await flames.summary.filter({ hasText: "mean over 8 ranks" }).waitFor();
    await flames.openTable();
    const rows = await flames.rows();
    for (const name of ["main", "timestep", "advance", "solve", "globalSum", "MPI_Allreduce", "updateConductivity"]) {
      const row = rows.find((candidate) => candidate.name === name);
      assert.equal(row?.inclusive, formatValue(goldenInclusive(name), "s"), name);
    }
    await flames.table.click();
  });

  it("find a function; a click selects it and shows its line beside", async () => {
    const rectangle = await flames.find("updateConductivity");
    await flames.click(rectangle);
    await new TextEditor(here.window).shows("physics.cpp", "void updateConductivity(");
    assert.equal(await rectangle.isVisible(), true, "the panel is still in sight");
    await views().show("Calling Contexts");
    await here.window.page.locator(".monaco-list-row.selected[aria-label^='updateConductivity']").first().waitFor();
  });

  it("go to the line by keyboard", async () => {
    const keyboard = new Keyboard(here.window);
    await (await flames.find("globalSum")).focus();
    await keyboard.press("ArrowUp");
    await flames.frame.locator('.drawing :focus[aria-label^="dot,"]').waitFor();
    await keyboard.press("Enter");
    const editor = new TextEditor(here.window);
    await editor.shows("solver.cpp", "double dot(");
    await here.window.page.locator(".monaco-editor.focused").first().waitFor();
  });

  it("highlight what is selected elsewhere", async () => {
    await views().show("Hot Functions");
    await views().row("Hot Functions", "axpy").click();
    await flames.selected("axpy").waitFor();
  });

  it("show a hot function as a sandwich: MPI_Allreduce below globalSum", async () => {
    await here.window.chooseFromMenu(views().row("Hot Functions", "MPI_Allreduce"), "Show in Sandwich");
    const text = formatValue(goldenInclusive("MPI_Allreduce"), "s");
    await flames.clearSearch();
    await flames.steps.filter({ hasText: "sandwich of MPI_Allreduce" }).waitFor();
    await flames.openTable();
    await eventually(async () => {
      const rows = await flames.rows();
      const own = rows.filter(({ name }) => name === "MPI_Allreduce");
      assert.deepEqual(
        own.map(({ inclusive }) => inclusive),
        [text, text],
      );
      const callers = rows.filter(({ below }) => below === "MPI_Allreduce");
      assert.deepEqual(
        callers.map(({ name, inclusive }) => [name, inclusive]),
        [["globalSum", text]],
      );
    });
  });

  // As every panel: `panelLaws`, and the histogram's reload.
  itInFull("come back as they were after a reload", async () => {
    await here.window.reload();
    flames = await FlameGraph.of(here.window);
    await flames.frame.locator(".drawing text").filter({ hasText: "Callers of MPI_Allreduce" }).waitFor();
    assert.ok((await flames.rows()).some(({ name }) => name === "globalSum"));
  });

  it("show what is inside a bar of the super graph", async () => {
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.byFile(here.window);
    await graph.operate("solver.cpp", "Look inside");
    flames = await FlameGraph.of(here.window);
    await flames.steps.filter({ hasText: "inside solver.cpp" }).waitFor();
    const inside = formatValue(meanInclusive(goldenGraph("file", 1), "solver.cpp"), "s");
    await flames.summary.filter({ hasText: `${inside} drawn` }).waitFor();
    await eventually(async () => {
      const rows = await flames.rows();
      assert.equal(rows.find(({ name }) => name === "solve")?.inclusive, formatValue(goldenInclusive("solve"), "s"));
      assert.ok(rows.some(({ name, below }) => name === "→ halo.cpp" && below === "dot"));
    });
  });
});

const shared = recordings();

function copySample(workspace: string): void {
  const sample = path.join(shared ?? "", "data/other/callgrind/callgrind.example.log");
  fs.copyFileSync(sample, path.join(workspace, "callgrind.out.1"));
}

if (shared !== undefined)
  stepsInWindow("the flame graph of a call graph", { prepare: copySample }, (here) => {
    it("says that it is estimated", async () => {
      await new Explorer(here.window).openRecording("callgrind.out.1");
      await here.window.statusBarItem("callgrind.out.1").waitFor();
      await here.window.command("Heatflow: Show Flame Graph");
      const flames = await FlameGraph.of(here.window);
      await flames.frame.locator(".notice").getByText("estimated from a call graph").waitFor();
      await flames.openTable();
      // By hand from the file: main costs 820 with all that it calls.
      const rows = await flames.rows();
      assert.match(rows.find(({ name }) => name === "main")?.inclusive ?? "", /^820 /);
    });
  });
