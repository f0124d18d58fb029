import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { headOf } from "../unit/formats/paje/writer";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";

/** Two sites with two hosts each, which compute for a part of 10 seconds; their links lead to each other. */
function sites(): string {
  const lines = [
    headOf(),
    "0 S 0 Site",
    "0 H S HOST",
    "0 L S LINK",
    "2 ST H STATE",
    "4 E 0 L H LH",
    '5 c ST computing "0 1 0"',
    '5 g E G "0 0 0"',
  ];
  for (const site of ["a", "b"]) {
    lines.push(`6 0 ${site} S 0 site_${site}`);
    for (const at of [0, 1])
      lines.push(`6 0 h${site}${at} H ${site} host_${site}${at}`, `6 0 l${site}${at} L ${site} link_${site}${at}`);
  }
  for (const site of ["a", "b"])
    for (const at of [0, 1])
      lines.push(`15 0 E 0 g l${site}${at} k${site}${at}`, `16 0 E 0 g h${site}${at} k${site}${at}`);
  lines.push("12 0 ST ha0 c", "12 0 ST ha1 c", "12 0 ST hb0 c", "12 0 ST hb1 c");
  lines.push("13 2 ST ha0", "13 4 ST ha1", "13 8 ST hb0", "13 10 ST hb1");
  return `${lines.join("\n")}\n`;
}

stepsInWindow(
  "treemap and topology",
  { prepare: (folder) => fs.writeFileSync(path.join(folder, "sites.trace"), sites()) },
  (here) => {
    let frame: Frame;
    const mark = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name},"]`).first();
    const choose = async (name: string) => {
      const box = await mark(name).boundingBox();
      if (!box) throw new Error(`${name} is not drawn`);
      await here.window.page.mouse.click(box.x + 6, box.y + 6);
    };

    it("shows how much of all time each resource has", async () => {
      await new Explorer(here.window).choose("sites.trace", "Open Performance Data");
      await here.window.statusBarItem("sites").waitFor();
      await here.window.command("Heatflow: Show Treemap and Topology");
      frame = await here.window.webview("Treemap and Topology");
      await choose("host_b1");
      // 10 of 24 seconds.
      await frame.locator(".details").getByText("41.7 %").waitFor();
    });

    it("closes a group, which is then one resource of the treemap", async () => {
      await frame.locator(".details").getByRole("button", { name: "Close site_b" }).click();
      await mark("host_b1").waitFor({ state: "detached" });
      await choose("site_b");
      await frame.locator(".details").getByText("75.0 %").waitFor();
    });

    it("finds a host by name, and leads from it to the timeline", async () => {
      await frame.getByRole("button", { name: /^Search/ }).click();
      await frame.getByRole("searchbox").or(frame.locator(".search input")).first().fill("host_a1");
      await here.window.page.keyboard.press("Enter");
      await frame.locator(".details").getByText("host_a1").first().waitFor();
      await frame.locator(".details").getByRole("button", { name: "Show in the timeline" }).click();
      await here.window.webview("Timeline");
    });
  },
);
