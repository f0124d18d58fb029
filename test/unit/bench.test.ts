import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { bundleGeneratedWorker } from "../bench/generatedEngine";

it("benches find all that the engine takes of the readers, for which they put a generated recording", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  await bundleGeneratedWorker(path.join(folder, "worker.js"));
  expect(fs.readFileSync(path.join(folder, "worker.js"), "utf8")).toContain("generateRecording");
});
