import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { miniheat, recordings } from "../recordings";
import { Explorer } from "./explorer";
import { goldenGraph } from "./golden";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";

const cases = path.join(recordings() ?? "", "first/cases");
/** Recordings of programs as they come, small enough to be opened here. */
const names = fs.existsSync(cases)
  ? ["muscle-dwarf.perf.txt.gz", "sqlite.callgrind.out.gz", "zstd.callgrind.out.gz"]
  : [];

interface Printed {
  readonly nodes: {
    readonly group: string;
    readonly visit: number;
    readonly inclusive: number;
    readonly exclusive: number;
  }[];
  readonly first?: { readonly filter: number };
}

/** What the command line says of a graph. */
function printed(file: string, ...options: readonly string[]): Printed {
  const args = ["dist/cli.js", "graph", file, "--json", ...options];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as Printed;
}

stepsInWindow("the first picture", {}, (here) => {
  let graph: SuperGraph;
  const profile = path.join(miniheat, "profiles/profile-8ranks.cali");
  const ofProfile = printed(profile, "--first", "--source", path.join(miniheat, "src"));

  it("is what a new panel starts with, and says so", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.of(here.window);
    await graph.hasBarsOf(ofProfile);
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "first picture");
    await graph.frame
      .locator('[data-select="groupBy"]')
      .getByText("by file, heaviest by function")
      .waitFor({ state: "attached" });
  });

  it("gives way to files from its step, and comes back by Ctrl+Z and from the menu", async () => {
    const keyboard = new Keyboard(here.window);
    await graph.regroup("by file");
    await graph.hasBarsOf(goldenGraph("file", 1));
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "by file");
    await graph.bar("main.cpp").focus();
    await keyboard.hasFocus(graph.frame);
    await keyboard.press("Control+z");
    await graph.hasBarsOf(ofProfile);
    await keyboard.press("Control+Shift+z");
    await graph.hasBarsOf(goldenGraph("file", 1));
    await graph.choose("groupBy", "first picture");
    await graph.hasBarsOf(ofProfile);
  });

  it("is opened further by its menu, and is there again after a reload", async () => {
    await graph.operate("halo.cpp", "Expand");
    await graph.bar("halo_transfer").waitFor();
    await graph.hasSteps("expand halo.cpp");
    const before = await graph.drawnBars();
    await here.window.reload();
    graph = await SuperGraph.of(here.window);
    await graph.hasSteps("expand halo.cpp");
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "first picture");
    await graph.hasBarsOf({ nodes: before.map((bar) => ({ ...bar, group: bar.name, visit: 1 })) });
    await graph.tool("undo");
    await graph.hasBarsOf(ofProfile);
  });

  for (const name of names)
    it(`is that of the command line for ${name}, which is grouped by file and back`, async () => {
      const file = path.join(cases, name);
      const [first, byFile] = [printed(file, "--first"), printed(file, "--group-by", "file", "--filter", "0.1")];
      await here.window.closeAllEditors();
      fs.writeFileSync(here.window.file(name), fs.readFileSync(file));
      await new Explorer(here.window).openRecording(name);
      await here.window.command("Heatflow: Show Super Graph");
      graph = await SuperGraph.of(here.window);
      await graph.hasBarsOf(first);
      await graph.hasStart(`≥ ${first.first?.filter} %`, "first picture");
      await graph.regroup("by file");
      await graph.hasBarsOf(byFile);
      await graph.bars.first().focus();
      const keyboard = new Keyboard(here.window);
      await keyboard.hasFocus(graph.frame);
      await keyboard.press("Control+z");
      await graph.hasBarsOf(first);
      await graph.choose("groupBy", "by file");
      await graph.hasBarsOf(byFile);
    });
});
