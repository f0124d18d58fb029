import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { isFunctionKind } from "../../src/model/frames";
import { shownNames } from "../../src/model/shownNames";
import { quietTask } from "../../src/model/task";
import { demangled } from "../../src/source/signature";
import { recordings } from "../recordings";
import { isBalanced } from "../unit/model/balanced";

const folder = path.join(recordings() ?? "", "data");

/** One recording of each tool and program, those with the longest names foremost. */
const paths = [
  "hpctoolkit-v2/callflow-lulesh",
  "hpctoolkit-v2/gauss",
  "hpctoolkit-v2/hpctoolkit-allgather-database",
  "hpctoolkit-v4/recursion-cuda-nvidiapc-t.d",
  "hpctoolkit-v4/small.d",
  "hpctoolkit-v4/viewer-vectorAdd",
  "caliper/caliper-cpi-json",
  "caliper-edge/edge-utf8.profile.cali",
  "hostile/hostile-names.cali",
  "other/callgrind",
  "other/kineto",
  "dmtracker/gemm-kernels",
  "caliper/caliper-lulesh-cali",
];

describe.skipIf(recordings() === undefined)("names on screen", () => {
  it.each(paths)("are different, balanced and not empty in %s", async (name) => {
    let functions = 0;
    for (const file of filesOf(path.join(folder, name))) {
      const opened = await openRecordings([file], { outlineOnly: true }, quietTask).catch(() => []);
      for (const { frames } of opened) {
        const all = new Set<string>();
        for (let id = 0; id < frames.size; id++) if (isFunctionKind(frames.kindOf(id))) all.add(frames.nameOf(id));
        const shown = shownNames(all, demangled);
        const texts = [...all].map((one) => shown.get(one) ?? one);
        expect(new Set(texts).size).toBe(all.size);
        for (const [whole, short] of shown) {
          expect(short.trim()).not.toBe("");
          expect(isBalanced(short), `${short} of ${whole}`).toBe(true);
        }
        functions += all.size;
      }
    }
    expect(functions).toBeGreaterThan(0);
  });
});

/** A database is opened as a folder; of other folders each recording by itself. */
function filesOf(place: string): string[] {
  if (
    !fs.statSync(place).isDirectory() ||
    fs.readdirSync(place).some((one) => /^(?:experiment\.xml|meta\.db)$/.test(one))
  )
    return [place];
  return fs.readdirSync(place).map((one) => path.join(place, one));
}
