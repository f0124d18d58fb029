import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { Keyboard } from "./keyboard";
import { isSteady } from "./steady";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";
import { BUILD_MS, TracedBuild } from "./tracedBuild";

/** Computes, copies for a sixth of its time, and computes again. */
const PROGRAM = `#include <heatflow/tracker.hpp>
#include <cstring>
#include <vector>
static void until(std::uint64_t milliseconds, std::vector<char>* to, const std::vector<char>& from) {
  const auto end = heatflow::detail::now() + milliseconds * 1000000u;
  while (heatflow::detail::now() < end) if (to) std::memcpy(to->data(), from.data(), from.size());
}
static void compute(const std::vector<char>& data) {
  HEATFLOW_FUNCTION;
  until(150, nullptr, data);
}
static void copy(std::vector<char>& to, const std::vector<char>& from) {
  HEATFLOW_TRANSFER(heatflow::Direction::hostToHost, from.size());
  until(60, &to, from);
}
int main() {
  HEATFLOW_FUNCTION;
  std::vector<char> from(1 << 20, 'x'), to(1 << 20);
  compute(from);
  copy(to, from);
  compute(from);
}
`;
const COPY = "copy host to host";
/** Depth of the copy below its lane's name: `main`, `copy`, the copy itself. */
const DEPTH = 2;
const COPY_LINE = 1 + PROGRAM.split("\n").findIndex((line) => line.includes("HEATFLOW_TRANSFER("));

function prepare(workspace: string): void {
  fs.writeFileSync(path.join(workspace, "moves.cpp"), PROGRAM);
  const task = { type: "heatflow", label: "moves", tool: "tracker", program: "moves.cpp" };
  fs.mkdirSync(path.join(workspace, ".vscode"), { recursive: true });
  fs.writeFileSync(path.join(workspace, ".vscode/tasks.json"), JSON.stringify({ version: "2.0.0", tasks: [task] }));
}

stepsInWindow("a spike of data movement", { prepare }, (here) => {
  let frame: Frame;
  let timeline: Frame;
  let sector: Locator;
  const summary = (of: Frame) => of.locator(".summary");
  const window = async () => /^[\d.]+ – [\d.]+ \S+/.exec((await summary(frame).innerText()).trim())?.[0] ?? "";

  it("is a sector of the clock of a program that a task has recorded", async () => {
    await new TracedBuild(here.window).run("moves");
    await here.window.notification("moves ran").first().waitFor({ timeout: BUILD_MS });
    await here.window.command("Heatflow: Show Summary over Time");
    frame = await here.window.webview("Summary over Time");
    await summary(frame).filter({ hasText: "whole run" }).waitFor();
    // All of its time: no sector has more.
    sector = frame.locator('.drawing [data-key^="sector"][aria-label*="data movement"][aria-label*="100 %"]').first();
    await sector.waitFor({ state: "attached" });
  });

  it("becomes the window by a click, with what it is bound by", async () => {
    const { x, y } = await middleOf(sector);
    await here.window.page.mouse.click(x, y);
    await summary(frame).filter({ hasText: "Bound by movement" }).waitFor();
  });

  it("leads by a double click into the timeline, there to the event, and to its line", async () => {
    const { x, y } = await middleOf(sector);
    await here.window.page.mouse.dblclick(x, y);
    timeline = await here.window.webview("Timeline");
    await summary(timeline).filter({ hasText: " of " }).waitFor();
    const details = timeline.locator(".details").getByText(COPY);
    await isSteady(timeline);
    const box = (await timeline.locator(".drawing").boundingBox()) ?? assert.fail();
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + 26 + 8 * DEPTH);
    await details.first().waitFor();
    await new TextEditor(here.window).shows("moves.cpp", "HEATFLOW_TRANSFER(");
  });

  it("is reached by keyboard alone", async () => {
    const { keyboard } = here.window.page;
    await here.window.command("Heatflow: Show Summary over Time");
    frame = await here.window.webview("Summary over Time");
    const focused = frame.locator(".drawing :focus");
    await focused.waitFor();
    await keyboard.press("Home");
    for (
      let at = 0;
      at < 12 && !/data movement [^,]* 100 %/.test((await focused.getAttribute("aria-label")) ?? "");
      at++
    )
      await keyboard.press("ArrowRight");
    await keyboard.press("Space");
    await summary(frame).filter({ hasText: "Bound by movement" }).waitFor();
    const stretch = await window();
    await keyboard.press("Enter");
    timeline = await here.window.webview("Timeline");
    await summary(timeline).filter({ hasText: stretch }).waitFor();
    const event = timeline.locator(".drawing :focus");
    await event.waitFor();
    await new Keyboard(here.window).focusIn(timeline, "ArrowDown", `.drawing [aria-label^="${COPY}"]`);
    await keyboard.press("Enter");
    await new TextEditor(here.window).cursorAt("moves.cpp", COPY_LINE);
  });

  it("stands in the grid of clocks, which leads to the run's summary", async () => {
    await here.window.command("Heatflow: Show Grid of Clocks");
    const grid = await here.window.webview("Grid of Clocks");
    await grid.locator(".drawing [role=option]").first().press("Enter");
    frame = await here.window.webview("Summary over Time");
    await summary(frame).waitFor();
  });
});

/** Of a sector: in the middle of its box, which lies in it. */
async function middleOf(mark: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await mark.boundingBox()) ?? assert.fail();
  return { x: x + width / 2, y: y + height / 2 };
}
