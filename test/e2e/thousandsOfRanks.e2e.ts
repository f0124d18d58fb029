import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { writeRankFiles } from "../bench/rankFiles";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { Histogram } from "./histogram";
import { inFull } from "./steps";
import { SuperGraph } from "./superGraph";
import type { Window } from "./window";

const RANKS = 8192;
/** Of the extension's process, engine included. */
const MOST_BYTES = 1.5e9;
const opened = "run · time · mean over 8192 ranks";

/** A run of thousands of files, one per rank, takes its time: only with all cases. What it took is printed, never judged. */
inFull(
  "a run of 8,192 rank files",
  {
    prepare: (workspace) => {
      const folder = path.join(workspace, "run");
      fs.mkdirSync(folder);
      writeRankFiles(folder, RANKS);
    },
  },
  (here) => {
    let graph: SuperGraph;

    it("opens as one data set", async () => {
      await new Explorer(here.window).choose("run", "Open Performance Data");
      const seconds = await secondsOf(() => here.window.statusBarItem(opened).waitFor());
      console.log(`      ${RANKS} files open in ${seconds.toFixed(1)} s`);
    });

    it("is brushed in its histogram, and the super graph follows", async () => {
      await here.window.command("Heatflow: Show Super Graph");
      graph = await SuperGraph.of(here.window);
      await graph.over("mean over 8192 ranks").waitFor();
      await here.window.command("Heatflow: Show Histogram over Ranks");
      const histogram = await Histogram.of(here.window);
      await histogram.frame.locator(".summary .wording:visible").filter({ hasText: "8,192 ranks" }).waitFor();
      const seconds = await secondsOf(async () => {
        await dragOverTheHighest(here.window, histogram);
        await here.window.statusBarItem(/mean over (?!8192)\d+ ranks/).waitFor();
        for (const at of [0, 1])
          await graph
            .title(/^\d+ ranks · mean /)
            .nth(at)
            .waitFor();
      });
      console.log(`      brushed, and followed, in ${seconds.toFixed(1)} s`);
      await histogram.frame.getByRole("button", { name: /^Remove/ }).click();
      await here.window.statusBarItem(opened).waitFor();
      await graph.over("mean over 8192 ranks").waitFor();
    });

    it("is there again after a reload and after a restart", async () => {
      for (const again of ["reload", "restart"] as const) {
        await here.window[again]();
        const seconds = await secondsOf(async () => {
          await here.window.statusBarItem(opened).waitFor();
          await (await SuperGraph.of(here.window)).over("mean over 8192 ranks").waitFor();
        });
        console.log(`      is there ${seconds.toFixed(1)} s after a ${again}`);
      }
    });

    it("takes at most 1.5 GB of memory", async () => {
      await eventually(async () => assert.ok(peakBytes() > 0, "There is no extension host."));
      console.log(`      ${(peakBytes() / 1e6).toFixed(0)} MB at most`);
      assert.ok(peakBytes() <= MOST_BYTES, `${peakBytes()} bytes`);
    });
  },
);

/** Of so many marks there is a picture, and an element of only one. */
async function dragOverTheHighest({ page }: Window, { frame }: Histogram): Promise<void> {
  const drawing = frame.getByRole("listbox");
  const { width, height } = (await drawing.boundingBox()) ?? assert.fail();
  const y = height / 4;
  // Hovering waits until the panel stands where it stays.
  await drawing.hover({ position: { x: width * 0.6, y } });
  await page.mouse.down();
  for (const share of [0.7, 0.8, 0.9, 0.97]) await drawing.hover({ position: { x: width * share, y } });
  await page.mouse.up();
}

async function secondsOf(step: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await step();
  return (performance.now() - started) / 1000;
}

/** The most that an extension host of this process's servers has taken since it started; Linux tells. */
function peakBytes(): number {
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const peaks = pids.filter(isOwnExtensionHost).map((pid) => {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readProc(pid, "status"));
    return Number(peak?.[1] ?? 0) * 1024;
  });
  return Math.max(0, ...peaks);
}

function isOwnExtensionHost(pid: string): boolean {
  return readProc(pid, "cmdline").includes("--type=extensionHost") && isBelow(pid);
}

function isBelow(pid: string): boolean {
  const parent = /^PPid:\s+(\d+)$/m.exec(readProc(pid, "status"))?.[1] ?? "0";
  return parent === String(process.pid) || (Number(parent) > 1 && isBelow(parent));
}

/** Empty where the process has ended. */
function readProc(pid: string, file: string): string {
  try {
    return fs.readFileSync(path.join("/proc", pid, file), "utf8");
  } catch {
    return "";
  }
}
