import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";

/** One GPU that computes for a quarter of the run, after it was sent 2 GB. */
const traceEvents = [
  { ph: "X", cat: "cuda_runtime", name: "cudaMemcpy", pid: 100, tid: 1, ts: 0, dur: 1e6, args: { correlation: 1 } },
  gpuEvent("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 1e6, { bytes: 2e9 }),
  gpuEvent("kernel", "gemm", 2e6, 1e6, {}),
  { ph: "X", cat: "cuda_runtime", name: "cudaFree", pid: 100, tid: 1, ts: 3e6, dur: 1e6, args: { correlation: 2 } },
];

function gpuEvent(cat: string, name: string, ts: number, dur: number, args: object) {
  return { ph: "X", cat, name, pid: 0, tid: 7, ts, dur, args: { device: 0, stream: 7, correlation: 1, ...args } };
}

stepsInWindow(
  "hardware",
  {
    prepare: (folder) =>
      fs.writeFileSync(
        path.join(folder, "gpu.pt.trace.json"),
        JSON.stringify({ schemaVersion: 1, deviceProperties: [{ id: 0, name: "GPU of a test" }], traceEvents }),
      ),
  },
  (here) => {
    let frame: Frame;
    const mark = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name},"]`);

    it("shows how much of the run each part of the machine was used", async () => {
      await new Explorer(here.window).openRecording("gpu.pt.trace.json");
      await here.window.statusBarItem("gpu").waitFor();
      await here.window.command("Heatflow: Show Hardware");
      frame = await here.window.webview("Hardware");
      const box = await mark("GPU 0").boundingBox();
      if (!box) throw new Error("no GPU is drawn");
      await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      const details = frame.locator(".details");
      await details.getByText("a kernel runs").waitFor();
      await details.getByText("25.0 %").waitFor();
    });

    it("has what was moved between host and device, by keyboard", async () => {
      await mark("GPU 0").press("End");
      const active = frame.locator('.drawing [role="option"]:focus');
      await active.press("Space");
      await frame.locator(".details").getByText("to GPU 0").waitFor();
    });

    it("fills the window with its editor group, and gives it back", async () => {
      await frame.getByRole("button", { name: "Maximize Editor Group" }).click();
      await mark("GPU 0").waitFor();
      await frame.getByRole("button", { name: "Maximize Editor Group" }).click();
      await mark("GPU 0").waitFor();
    });
  },
);
