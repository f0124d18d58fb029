import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { recordings } from "../recordings";
import { Explorer } from "./explorer";
import { inFull } from "./steps";

const shared = recordings();
const trace = path.join(shared ?? "", "data/paje/traces/smpi-cg64.trace.gz");

const RANKS = 64;
/** Neither on a machine whose links were throttled, nor do they exchange with one that is. */
const WAITED = [1, 3, 4, 7, 8, 11, 12, 15, 24, 25, 28, 31, 32, 33, 35, 39, 56, 57, 59, 60];

// 64 processes on 8 machines; links of three of these are throttled from 3.0 to 3.5 s.
if (shared !== undefined)
  inFull(
    "the overview of a network that was held up",
    {
      prepare: (workspace) => fs.symlinkSync(trace, path.join(workspace, "network.trace.gz")),
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
      const partOf = (seconds: string): Locator =>
        overview.locator(`.drawing [role="option"][aria-label^="rank-1, ${seconds}"]`);

      it("is at a glance, in as much detail as is wanted", async () => {
        await new Explorer(here.window).openRecording("network.trace.gz");
        await here.window.statusBarItem("network").waitFor();
        await here.window.command("Heatflow: Show Overview");
        await here.window.command("View: Close Editors in Other Groups");
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

      it("has the ranks that waited in five parts each, all others in one", async () => {
        await parts().nth(143).waitFor({ state: "attached" });
        const labels = await parts().evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
        const ofRank = Array.from({ length: RANKS }, (_, rank) => {
          return labels.filter((label) => label.startsWith(`rank-${rank},`)).length;
        });
        const cut = [...ofRank.keys()].filter((rank) => ofRank[rank] !== 1);
        assert.deepEqual(cut, WAITED);
        assert.ok(cut.every((rank) => ofRank[rank] === 5));
      });

      it("says who is unlike the rest, and when", async () => {
        const findings = overview.locator(".changes li");
        await findings.first().getByText("groups 2, 5, 6 of 8 are 75.6 % in PMPI_Send").waitFor();
        await findings.getByText("2.76 – 3.59 s: 20 of 64").click();
        await overview.locator(".details").getByText("PMPI_Allreduce").first().waitFor();
      });

      it("has what a part is in, looks inside it, and ends in its events", async () => {
        // Before it waited: ten slices.
        const own = partOf("0 – 2.8");
        const { x, y, width, height } = (await own.boundingBox()) ?? assert.fail("a part without a place");
        await here.window.page.mouse.move(x + width / 2, y + height / 2);
        await overview.locator(".tooltip", { hasText: "1 resource × 10 slices" }).waitFor();
        await here.window.page.mouse.click(x + width / 2, y + height / 2);
        await overview.locator(".details").getByText(" a cell").first().waitFor();
        // Looking inside makes its time the window of all views over time, and its resource the only one.
        await own.press("Enter");
        await summary("for 30 cells");
        await overview.getByRole("button", { name: "of 64 resources" }).waitFor();
        await click(parts().first());
        await overview.locator(".details").getByRole("button", { name: "Show in the timeline" }).click();
        const timeline = await here.window.webview("Timeline");
        await timeline.locator(".summary", { hasText: " of " }).waitFor();
        const event = timeline.locator('.drawing [role="option"]').first();
        await event.waitFor({ state: "attached" });
        await click(event);
        // This tool records no lines: an event of a rank is the last that is known.
        const rank = timeline.locator(".details").getByText(/rank-\d+/);
        await rank.first().waitFor();
      });
    },
  );
