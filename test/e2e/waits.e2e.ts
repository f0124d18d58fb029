import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { miniheat } from "../recordings";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";
import { messagesAlone } from "./traces";

/** 1-based, by the source: the wait's own line is in sight with it, so what is in sight does not tell them apart. */
const SENDING =
  1 +
  fs
    .readFileSync(path.join(miniheat, "src/halo.cpp"), "utf8")
    .split("\n")
    .findIndex((line) => line.includes("MPI_Isend("));

stepsInWindow("a rank that waits", { prepare: messagesAlone }, (here) => {
  let frame: Frame;
  /** Where rank 3's wait lies on screen. */
  let wait: { x: number; y: number; width: number; height: number } | null;
  /** What the strip says of the event that is gone to. */
  const said = (text: RegExp): Locator => frame.locator(".details", { hasText: text });
  /** Where the keyboard is in the drawing. */
  const place = () => frame.locator('.drawing [tabindex="0"]');

  it("is found by the search, which steps from event to event, across lanes", async () => {
    await new Explorer(here.window).openRecording("profiles/trace", "messages-0.cali");
    await here.window.statusBarItem("8 ranks").waitFor();
    await here.window.command("Heatflow: Show Timeline");
    frame = await here.window.webview("Timeline");
    // Its strip has room for all that is known.
    await here.window.command("View: Close Editors in Other Groups");
    await frame.locator(".summary", { hasText: "whole trace" }).waitFor();
    await place().press("e");
    await frame.locator(".summary", { hasText: " of " }).waitFor();
    await frame.getByRole("button", { name: "Search" }).click();
    const search = frame.getByRole("textbox", { name: "Search" });
    await search.fill("MPI_Waitall");
    // In the first time step the ranks begin to wait in this order, as the recording has it.
    for (const rank of [6, 2, 3]) {
      await search.press("Enter");
      await said(/^MPI_Waitall/)
        .filter({ hasText: `rank ${rank}` })
        .waitFor();
    }
    await search.press("Escape");
  });

  const way = () => frame.getByRole("button", { name: /^Go to what it waited for: rank 7/ });
  /** The call that sent what rank 3 waited for. */
  const sender = () => said(/^MPI_Isend/).filter({ hasText: "rank 7" });

  it("leads by one key to what it waited for, and by another to its line", async () => {
    await way().waitFor();
    wait = await place().boundingBox();
    await place().press("c");
    await sender().waitFor();
    await place().press("Enter");
    await new TextEditor(here.window).cursorAt("halo.cpp", SENDING);
  });

  it("does the same by mouse", async () => {
    assert.ok(wait);
    await here.window.page.mouse.click(wait.x + wait.width / 2, wait.y + wait.height / 2);
    await said(/^MPI_Waitall/)
      .filter({ hasText: "rank 3" })
      .waitFor();
    await new TextEditor(here.window).shows("halo.cpp", "MPI_Waitall(");
    await way().click();
    await sender().waitFor();
    await frame.locator(".details").getByText(`halo.cpp:${SENDING}`).click();
    await new TextEditor(here.window).cursorAt("halo.cpp", SENDING);
  });
});
