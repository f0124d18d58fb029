import type { Frame } from "playwright-core";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { messagesAlone } from "./traces";

stepsInWindow("the treemap beside the timeline", { prepare: messagesAlone }, (here) => {
  let timeline: Frame;
  let treemap: Frame;
  const summary = (text: string) => treemap.locator(".summary", { hasText: text });
  const resource = (name: string) => treemap.locator(`.drawing [role="option"][aria-label^="${name},"]`);

  it("shows all ranks by their time in states", async () => {
    await new Explorer(here.window).openRecording("profiles/trace", "messages-0.cali");
    await here.window.statusBarItem("8 ranks").waitFor();
    await here.window.command("Heatflow: Show Timeline");
    timeline = await here.window.webview("Timeline");
    await timeline.locator(".summary", { hasText: "whole trace" }).waitFor();
    await here.window.command("Heatflow: Show Treemap and Topology");
    treemap = await here.window.webview("Treemap and Topology");
    await summary("whole run").waitFor();
    await summary("8 of 8 resources").waitFor();
    await resource("rank 3").waitFor();
  });

  it("has what is clicked highlighted in the timeline", async () => {
    await resource("rank 3").click();
    await treemap.locator(".details", { hasText: /^rank 3/ }).waitFor();
    await timeline.locator(".legend").getByText("rank 3").waitFor();
  });

  it("follows the timeline's window, and says so", async () => {
    await timeline.locator('.drawing [tabindex="0"]').press("e");
    const window = timeline.locator(".summary", { hasText: " of " });
    await window.waitFor();
    const [stretch] = (await window.innerText()).split(" · ");
    await summary(stretch).waitFor();
    await timeline.locator('.drawing [tabindex="0"]').press("0");
    await summary("whole run").waitFor();
  });
});
