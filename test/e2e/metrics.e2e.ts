import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { recordings } from "../recordings";
import { Explorer } from "./explorer";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";

const shared = recordings();
/** A matrix product on a GPU: its events, and what NVML measured meanwhile. */
const GEMM = "kernel-opt-5-2";

function prepare(workspace: string): void {
  for (const ending of ["json", "csv"]) {
    const file = path.join(shared ?? "", "data/dmtracker/gemm-kernels", `${GEMM}.${ending}`);
    fs.writeFileSync(path.join(workspace, path.basename(file)), fs.readFileSync(file));
  }
}

if (shared !== undefined)
  stepsInWindow("metrics over time", { prepare }, (here) => {
    let frame: Frame;
    const summary = (of: Frame) => of.locator(".summary");
    const focused = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name}"]:focus`);
    /** The window that a view writes. */
    const windowIn = async (of: Frame) =>
      /^[\d.]+ – [\d.]+ \S+/.exec((await summary(of).innerText()).trim())?.[0] ?? assert.fail("no window");

    it("are shown by a chord, with the row that varies most first", async () => {
      await new Explorer(here.window).openRecording(`${GEMM}.json`);
      await here.window.statusBarItem(GEMM).waitFor();
      frame = await new Keyboard(here.window).chord("3", "Metrics over Time");
      await summary(frame).filter({ hasText: "whole trace · 25.2 s · 12 rows" }).waitFor();
      await frame.getByText("3 rows do not change.").waitFor();
      await focused("transfers under way").waitFor();
    });

    it("say by keyboard what a row has in the window", async () => {
      await here.window.page.keyboard.press("ArrowDown");
      await focused("clocks_throttle_reasons_active · GPU 0").waitFor();
      await here.window.page.keyboard.press("ArrowDown");
      await focused("GPU lanes computing").press("Space");
      const details = frame.locator(".details");
      // 19 of 25 s, as the kernel's events say.
      await details.getByText("0.754").waitFor();
      // What has no room in a narrow panel is hidden.
      await details.getByText("lanes whose innermost event is work of a GPU").waitFor({ state: "attached" });
    });

    it("follow the window that is moved in the timeline", async () => {
      await here.window.command("Heatflow: Show Timeline");
      const timeline = await here.window.webview("Timeline");
      await summary(timeline).filter({ hasText: "whole trace" }).waitFor();
      await timeline.locator(".drawing :focus").press("w");
      await summary(timeline).filter({ hasText: " of " }).waitFor();
      const window = await windowIn(timeline);
      frame = await new Keyboard(here.window).chord("3", "Metrics over Time");
      await summary(frame).filter({ hasText: window }).waitFor();
    });

    it("lead by a double click to the events at that moment", async () => {
      const before = await windowIn(frame);
      const box = (await frame.locator(".drawing").boundingBox()) ?? assert.fail("no drawing");
      await here.window.page.mouse.dblclick(box.x + box.width / 2, box.y + 50);
      const timeline = await here.window.webview("Timeline");
      await summary(timeline).filter({ hasText: " of " }).filter({ hasNotText: before }).waitFor();
      const window = await windowIn(timeline);
      frame = await new Keyboard(here.window).chord("3", "Metrics over Time");
      await summary(frame).filter({ hasText: window }).waitFor();
    });
  });
