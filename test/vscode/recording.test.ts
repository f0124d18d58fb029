import assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAllEditors, file, heatflow, openProfile, until } from "./heatflow";
import { totalSeconds } from "./golden";

describe("a recording", () => {
  afterEach(closeAllEditors);

  it("opens with its ranks and its total", async () => {
    const profile = await openProfile();
    assert.deepEqual(profile.ranks, [0, 1, 2, 3, 4, 5, 6, 7]);
    const { name, unit, total } = profile.metrics[profile.defaultMetric];
    assert.equal(`${name} in ${unit}`, "time in s");
    // The expected values have six decimals; each of them may be off by half of the last one.
    assert.ok(Math.abs(total - totalSeconds()) < 1e-4, `${total}`);
  });

  it("opened twice is one data set", async () => {
    const { session } = await heatflow();
    const before = await openProfile();
    const after = await openProfile();
    assert.equal(after.id, before.id);
    assert.equal(session.dataSets.length, 1);
  });

  it("opens its own page when its file is opened", async () => {
    await vscode.commands.executeCommand("vscode.open", file("profiles/samples-1rank.cali"));
    const { session } = await heatflow();
    await until("the page is in front", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.viewType === "heatflow.recording";
    });
    await until("the recording is open", () => session.dataSets.some(({ name }) => name.includes("samples-1rank")));
    await openProfile();
  });

  it("of one file per rank is one data set per run", async () => {
    const { session } = await heatflow();
    await openProfile();
    // Two runs of 8 ranks each.
    const opened = await session.open([file("profiles/trace")]);
    assert.deepEqual(
      opened.map(({ ranks, files }) => [ranks.length, files.length]),
      [
        [8, 8],
        [8, 8],
      ],
    );
    await openProfile();
  });

  it("shows its super graph in a panel", async () => {
    await openProfile();
    await vscode.commands.executeCommand("heatflow.showSuperGraph");
    await until("the panel is there", () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes("heatflow.superGraph")),
    );
  });
});
