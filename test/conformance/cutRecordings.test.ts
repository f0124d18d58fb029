/** Real recordings that are cut somewhere: each says that its end is missing and at which byte it ends, or why it cannot be read. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { DataSet } from "../../src/model/dataSet";
import { FormatError } from "../../src/model/errors";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { miniheat, recordings } from "../recordings";
import { seeds } from "../unit/randomCases";

const shared = recordings();
const data = (name: string) => path.join(shared ?? "", "data", name);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-cut-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.skipIf(shared === undefined)("a real recording that is cut at a random byte", () => {
  it.each([
    path.join(miniheat, "profiles/profile-8ranks.cali"),
    data("caliper/caliper-lulesh-cali/lulesh-annotation-profile.cali"),
    data("other/kineto/resnet50_worker0.pt.trace.json.gz"),
    data("other/chrome-trace/simple-object.json"),
    data("paje/traces/g5k.trace"),
    data("paje/traces/ms.trace"),
    data("paje/traces/native_sample.trace"),
  ])("%s", async (file) => {
    const packed = fs.readFileSync(file);
    const whole = file.endsWith(".gz") ? zlib.gunzipSync(packed) : packed;
    let opened = 0;
    for (const seed of seeds(60)) {
      const length = Math.floor(whole.length * (0.2 + 0.8 * ((seed * 0.6180339887) % 1)));
      const bytes = whole.subarray(0, length);
      // What is cut between two lines of a trace, or of all but blanks, is a shorter one.
      if (bytes.at(-1) === 10 || whole.subarray(length).toString().trim() === "") continue;
      const cut = path.join(folder, path.basename(file, ".gz"));
      fs.writeFileSync(cut, bytes);
      const outcome = await openRecordings([cut], {}, quietTask).catch((problem: unknown) => problem);
      if (outcome instanceof FormatError) continue;
      const [{ warnings, trace }] = outcome as DataSet[];
      opened++;
      const said = warnings.filter(({ isCut }) => isCut);
      expect(
        said.map(({ at }) => at),
        `${length} of ${whole.length}`,
      ).toContainEqual({ byte: length });
      await trace?.close();
    }
    expect(opened).toBeGreaterThan(0);
  });
});
