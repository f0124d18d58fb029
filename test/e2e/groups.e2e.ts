import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { exclusiveByRank, ranks } from "./golden";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";

/** As CallFlow's configurations spell it. */
const modules = {
  waiting: ["MPI_Allreduce", "MPI_Waitall"],
  solver: ["dot", "axpy", "apply", "solve"],
  physics: ["updateConductivity", "reactionSource"],
};

const settings = ".vscode/settings.json";

function writeConfigurations(workspace: string): void {
  const callFlow = { experiment: "miniheat", schema: { filter_perc: 0, group_by: "module", module_map: modules } };
  fs.writeFileSync(path.join(workspace, "callflow.json"), JSON.stringify(callFlow));
  const own = { $schema: "heatflow-groups.json", exchange: ["halo_*", "/^MPI_(Irecv|Isend|Waitall)$/"] };
  fs.writeFileSync(path.join(workspace, "mini.heatflow-groups.json"), JSON.stringify(own));
}

/** Mean over ranks of what these functions cost themselves, seconds. */
function meanExclusive(functions: readonly string[]): number {
  return functions.flatMap(exclusiveByRank).reduce((sum, seconds) => sum + seconds, 0) / ranks;
}

stepsInWindow("groups of one's own", { prepare: writeConfigurations }, (here) => {
  let graph: SuperGraph;

  const groupsInSettings = () => JSON.parse(fs.readFileSync(here.window.file(settings), "utf8"))["heatflow.groups"];

  /** Waits until the bars of each group cost together what its functions do, of three digits each bar. */
  const hasGroups = (expected: Readonly<Record<string, readonly string[]>>) =>
    eventually(async () => {
      const bars = await graph.drawnBars();
      const groups = new Set(bars.map(({ name }) => name.replace(/ \(\d+\)$/, "")));
      assert.deepEqual([...groups].sort(), [...Object.keys(expected), "(no region)", "not known"].sort());
      for (const [group, functions] of Object.entries(expected)) {
        const own = bars.filter(({ name }) => name === group || name.startsWith(`${group} (`));
        const shown = own.reduce((sum, { exclusive }) => sum + exclusive, 0);
        const seconds = meanExclusive(functions);
        assert.ok(Math.abs(shown - seconds) <= 0.006 * seconds + 1e-5, `${group}: ${shown}, not ${seconds}`);
      }
    });

  it("come from a configuration of CallFlow, which says how the graph starts", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").waitFor();
    await here.window.command("Heatflow: Import Groups");
    const field = here.window.quickInput.locator("input[type=text]");
    // Until it lists the folder, the dialog may still put the folder's own path there.
    await here.window.quickInput.locator(".monaco-list-row").filter({ hasText: "callflow.json" }).waitFor();
    await field.fill(here.window.file("callflow.json"));
    await eventually(async () => assert.equal(await field.inputValue(), here.window.file("callflow.json")));
    await here.window.page.keyboard.press("Enter");
    const said = here.window.notification(
      "3 groups with 8 names or patterns of callflow.json are now in the workspace",
    );
    await said.waitFor();
    assert.deepEqual(groupsInSettings(), modules);
    await said.getByRole("button", { name: "Group by Them, Filter 0 %" }).click();
    await eventually(async () =>
      assert.match(fs.readFileSync(here.window.file(settings), "utf8"), /"heatflow.superGraph.filter": 0\b/),
    );
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.of(here.window);
    await graph.summary.filter({ hasText: "nothing hidden" }).waitFor({ state: "attached" });
    await hasGroups(modules);
  });

  it("are edited in the settings, and the graph that is shown follows", async () => {
    // What waits for the halo goes to a group of its own; the first group that matches has it.
    const edited = { halo: ["halo_*", "MPI_Waitall"], ...modules };
    const before = JSON.parse(fs.readFileSync(here.window.file(settings), "utf8"));
    fs.writeFileSync(
      here.window.file(settings),
      JSON.stringify({ ...before, "heatflow.groups": edited }, undefined, 2),
    );
    await hasGroups({
      ...modules,
      halo: ["halo_pack", "halo_unpack", "halo_transfer", "MPI_Waitall"],
      waiting: ["MPI_Allreduce"],
    });
  });

  it("are replaced by those of a file in the Explorer, once that is confirmed", async () => {
    await new Explorer(here.window).choose("mini.heatflow-groups.json", "Import Groups");
    const question = here.window.page.locator(".monaco-dialog-box").filter({ hasText: "Replace the 4 groups" });
    await question.getByRole("button", { name: "Replace" }).click();
    await here.window.notification("1 group with 2 names or patterns of mini.heatflow-groups.json").waitFor();
    await hasGroups({
      exchange: ["halo_pack", "halo_unpack", "halo_transfer", "MPI_Irecv", "MPI_Isend", "MPI_Waitall"],
    });
  });
});
