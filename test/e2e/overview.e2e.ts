import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { recordings } from "../recordings";
import { Explorer } from "./explorer";
import { inFull } from "./steps";

const shared = recordings();
const trace = path.join(shared ?? "", "data/paje/traces/smpi-cg64.trace.gz");

// 64 processes on 8 machines; links of three of these are throttled from 3.0 to 3.5 s.
if (shared !== undefined)
  inFull(
    "the overview of a network that was held up",
    {
      prepare: (workspace) => fs.symlinkSync(trace, path.join(workspace, "network")),
      viewport: { width: 1900, height: 1000 },
    },
    (here) => {
      let overview: Frame;
      const summary = (text: string) => overview.locator(".summary", { hasText: text }).waitFor();
      const click = async (part: Locator) => {
        const box = (await part.boundingBox()) ?? assert.fail("a part without a place");
        await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      };
      const parts = (): Locator => overview.locator('.drawing [role="option"]');

      it("is at a glance, in as much detail as is wanted", async () => {
        await new Explorer(here.window).choose("network", "Open Performance Data");
        await here.window.statusBarItem("network").waitFor();
        await here.window.command("Heatflow: Show Overview");
        await here.window.command("View: Toggle Maximize Editor Group");
        overview = await here.window.webview("Overview");
        await summary("parts for 1,920 cells");
        await overview.locator('[data-select="every"]').click();
        await overview.getByRole("menuitemradio", { name: "8 each" }).click();
        const slider = overview.getByRole("slider", { name: "Detail" });
        await slider.press("End");
        await summary("1 part for 1,920 cells");
        await slider.press("ArrowLeft");
        await summary("130 parts for 1,920 cells");
        await slider.press("ArrowLeft");
        await summary("144 parts for 1,920 cells");
      });

      it("says who is unlike the rest, and when", async () => {
        const first = overview.getByText("2.76 – 3.59 s: 20 of 64").first();
        await first.click();
        await overview.locator(".details").getByText("PMPI_Allreduce").first().waitFor();
      });

      it("has what a part is in, looks inside it, and ends in its events", async () => {
        // Of the ranks that waited one: five parts in time.
        const own = overview.locator('.drawing [role="option"][aria-label^="rank-1,"]');
        assert.equal(await own.count(), 5);
        const before = await overview.locator(".summary").innerText();
        await click(own.nth(2));
        await overview.locator(".details").getByText("a cell").first().waitFor();
        await own.nth(2).press("Enter");
        await overview.locator(".summary").filter({ hasNotText: before }).waitFor();
        await summary("for 30 cells");
        await overview.getByText("1 of 64 resources").waitFor();
        await click(parts().first());
        await overview.locator(".details").getByRole("button", { name: "Show in the timeline" }).click();
        const timeline = await here.window.webview("Timeline");
        await timeline.locator(".summary", { hasText: " of " }).waitFor();
      });
    },
  );
