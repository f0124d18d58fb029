import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

stepsInWindow("the timeline", {}, (here) => {
  let frame: Frame;
  const summary = () => frame.locator(".summary");
  /** The mark that the keyboard is at, when it is one of this name. */
  const at = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name},"]`);

  it("shows the whole of a trace, with its window written", async () => {
    await new Explorer(here.window).openRecording("profiles/trace/events-0.cali");
    await here.window.statusBarItem("events-0").waitFor();
    await here.window.command("Heatflow: Show Timeline");
    frame = await here.window.webview("Timeline");
    await summary().filter({ hasText: "whole trace" }).waitFor();
    // Every level has a row, the outermost first.
    await at("main").waitFor({ state: "attached" });
  });

  it("leads by keyboard into an event, and to its line", async () => {
    for (const name of ["main", "timestep", "iteration#timestep", "advance"]) await at(name).press("ArrowDown");
    await at("solve").press("Enter");
    await new TextEditor(here.window).shows("solver.cpp", "solve(");
  });

  it("zooms by the wheel at the pointer, and goes back", async () => {
    frame = await here.window.webview("Timeline");
    const whole = await summary().innerText();
    const box = await frame.locator(".drawing").boundingBox();
    assert.ok(box);
    await here.window.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await here.window.page.mouse.wheel(0, -300);
    await summary().filter({ hasText: " of " }).waitFor();
    await frame.getByRole("button", { name: "Back to the window before" }).click();
    await summary().getByText(whole).waitFor();
  });

  it("opens the line of an event that is clicked", async () => {
    await at("solve").press("ArrowUp");
    const advance = at("advance");
    await advance.waitFor({ state: "attached" });
    const box = await advance.boundingBox();
    assert.ok(box);
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await new TextEditor(here.window).shows("main.cpp", "Simulation::advance()");
    await frame.locator(".details").getByText("rank 0").waitFor();
  });

  it("goes from phase to phase by keyboard, and to one by a click above the lanes", async () => {
    const drawing = frame.locator(".drawing");
    await frame.locator('.drawing [tabindex="0"]').press("0");
    await summary().filter({ hasText: "whole trace" }).waitFor();
    await frame.locator('.drawing [tabindex="0"]').press("e");
    await summary().filter({ hasText: " of " }).waitFor();
    const first = await summary().innerText();
    await frame.locator('.drawing [tabindex="0"]').press("e");
    await summary().filter({ hasNotText: first }).waitFor();
    await frame.locator('.drawing [tabindex="0"]').press("0");
    await summary().filter({ hasText: "whole trace" }).waitFor();
    const box = await drawing.boundingBox();
    assert.ok(box);
    // Below the ruler, at the left: the first iteration.
    await here.window.page.mouse.click(box.x + box.width * 0.3, box.y + 28);
    await summary().filter({ hasText: first }).waitFor();
  });

  it("leads from a part of the overview, by detail and keyboard, to its time", async () => {
    await here.window.command("Heatflow: Show Overview");
    const overview = await here.window.webview("Overview");
    const parts = overview.locator('.drawing [role="option"]');
    await overview.locator(".summary", { hasText: "cells" }).waitFor();
    const slider = overview.getByRole("slider", { name: "Detail" });
    if (!(await slider.isVisible())) await overview.getByRole("button", { name: /^Detail/ }).click();
    await slider.press("Home");
    await overview.locator(".summary", { hasText: "information lost 0" }).waitFor();
    await parts.nth(1).click();
    await overview.locator(".details").getByText(/ ms$/).first().waitFor();
    // All detail: a part is of one resource; what is in it leads to its events.
    await overview.locator(".details").getByRole("button", { name: "Show in the timeline" }).click();
    frame = await here.window.webview("Timeline");
    await summary().filter({ hasText: " of " }).waitFor();
  });
});
