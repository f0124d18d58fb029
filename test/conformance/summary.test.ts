import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const files = [
  "dmtracker/gemm-kernels/kernel-opt-5-0.json",
  "dmtracker/gemm-fill/fill-5-row-format.json",
  "other/kineto/resnet50_worker0.pt.trace.json.gz",
];

interface RawEvent {
  readonly ph: string;
  readonly cat?: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: { readonly bytes?: number };
}

/** Microseconds that some of these cover, and that some of both cover: by going through all of their edges. */
function covered(kernels: readonly RawEvent[], copies: readonly RawEvent[]): [number, number, number] {
  const edges = [kernels, copies].flatMap((events, of) =>
    events.flatMap(({ ts, dur }) => [
      { at: ts, of, change: 1 },
      { at: ts + dur, of, change: -1 },
    ]),
  );
  edges.sort((a, b) => a.at - b.at);
  const [sums, open]: [[number, number, number], number[]] = [
    [0, 0, 0],
    [0, 0],
  ];
  edges.forEach(({ at, of, change }, number) => {
    const length = number === 0 ? 0 : at - edges[number - 1].at;
    if (open[0] > 0) sums[0] += length;
    if (open[1] > 0) sums[1] += length;
    if (open[0] > 0 && open[1] > 0) sums[2] += length;
    open[of] += change;
  });
  return sums;
}

describe.skipIf(shared === undefined)("what a run is bound by", () => {
  it("is what kernels and copies of the file cover", async () => {
    const engine = localEngine(grammars);
    let largestDifference = 0;
    for (const name of files) {
      const file = path.join(shared ?? "", "data", name);
      const bytes = fs.readFileSync(file);
      const { traceEvents } = JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()) as {
        traceEvents: RawEvent[];
      };
      const whole = traceEvents.filter(({ ph }) => ph === "X");
      const kernels = whole.filter(({ cat = "" }) => /^kernel$/i.test(cat));
      const copies = whole.filter(({ cat = "" }) => /^(?:gpu_)?memcpy$/i.test(cat));
      expect(kernels.length * copies.length).toBeGreaterThan(0);
      const [info] = await engine.open({ paths: [file] });
      const { bound, sectors, fromSeconds, toSeconds } = await engine.clock({ dataSet: info.id });
      expect([bound.unit, bound.count, bound.seconds]).toEqual(["GPU", 1, toSeconds - fromSeconds]);
      const found = [bound.computing, bound.movement, bound.hidden];
      covered(kernels, copies).forEach((microseconds, at) => {
        largestDifference = Math.max(largestDifference, Math.abs(found[at] - microseconds / 1e6));
      });
      const moved = copies.reduce((sum, { args }) => sum + (args?.bytes ?? 0), 0);
      expect(sectors.bytes.reduce((sum, one) => sum + one, 0) / moved).toBeCloseTo(1, 9);
    }
    expect(largestDifference).toBeLessThan(1e-9);
    const values = 3 * files.length;
    noteConformance("What runs are bound by against a scan", { recordings: files.length, values, largestDifference });
  });
});
