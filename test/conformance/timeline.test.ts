/** Marks of the timeline of real recordings, against a scan of all their events at random places. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { PROBES, probe } from "../timelineProbes";
import { casesOf, isFull, seeds } from "../unit/randomCases";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const at = (...parts: string[]) => path.join(shared ?? "", ...parts);
const below = (folder: string, pattern: RegExp) =>
  shared ? fs.readdirSync(at(folder)).flatMap((name) => (pattern.test(name) ? [at(folder, name)] : [])) : [];

/** Of each format that has events, but the tracker, whose recordings are made when they are wanted (`test/tracker`). */
const RECORDINGS: readonly (readonly [format: string, recording: string, paths: readonly string[]])[] = [
  ["Caliper", "events, 8 ranks", below("miniapp/profiles/trace", /^events-/)],
  ["Caliper", "messages, 8 ranks", below("miniapp/profiles/trace", /^messages-/)],
  ["Chrome", "Kineto", [at("data/other/kineto/resnet50_worker0.pt.trace.json.gz")]],
  ["Chrome", "several processes", [at("data/other/chrome-trace/multiprocess.json")]],
  ["Chrome", "out of order", [at("data/other/chrome-trace/out-of-order.json")]],
  ["Paje", "64 ranks", [at("data/paje/traces/smpi-cg64.trace.gz")]],
  ["HPCToolkit", "8 threads", [at("data/hpctoolkit-v4/viewer-inline.meta.db")]],
  ["HPCToolkit", "a GPU", [at("data/hpctoolkit-v4/loops-cuda-nvidia-t.d")]],
  ["DMTracker", "a GEMM", [at("data/dmtracker/gemm-kernels/kernel-opt-5-0.json")]],
  ["DMTracker", "filling, 5 GPUs", [at("data/dmtracker/gemm-fill/fill-5-row-format.json")]],
];
describe.runIf(shared)("the timeline at random places", () => {
  /** In the full run as many of each format; else a few of each recording: every step of a lane that is looked at takes a scan of it. */
  const countOf = (format: string) =>
    isFull
      ? Math.ceil(PROBES / RECORDINGS.filter(([own]) => own === format).length)
      : Math.ceil(casesOf(PROBES) / RECORDINGS.length);

  it.each(RECORDINGS)(
    "has what a scan of all events finds there: %s, %s",
    async (format, _, paths) => {
      const engine = localEngine(grammars);
      const [{ id }] = await engine.open({ paths });
      const count = countOf(format);
      expect(await probe(engine, id, count, seeds(1)[0])).toBeGreaterThan(count / 4);
      await engine.dispose();
    },
    600_000,
  );
});

describe.runIf(shared)("iterations of a run", () => {
  it("are those of Caliper's records, from the first rank's begin to the last one's end", async () => {
    const files = below("miniapp/profiles/trace", /^events-/);
    // Read by lines alone: a record that begins an iteration has this attribute, its number and the moment.
    const attribute = (text: string, name: string) =>
      new RegExp(`id=(\\d+),attr=8,data=${name},`).exec(text)?.[1] ?? "";
    const spans = files.map((file) => {
      const text = fs.readFileSync(file, "utf8");
      const clock = attribute(text, "time\\.offset\\.ns");
      const at = (event: string) => {
        const which = attribute(text, `event\\.${event}#iteration#timestep`);
        const times: number[] = [];
        for (const [, attrs, data] of text.matchAll(/^__rec=ctx.*,attr=([\d=]+),data=(\S+)$/gm)) {
          const [names, values] = [attrs.split("="), data.split("=")];
          if (names.includes(which)) times[Number(values[names.indexOf(which)])] = Number(values[names.indexOf(clock)]);
        }
        return times;
      };
      return { begin: at("begin"), end: at("end") };
    });
    const engine = localEngine(grammars);
    const [{ id: dataSet }] = await engine.open({ paths: [...files] });
    const facts = await engine.timelineFacts({ dataSet });
    const lanes = facts.lanes.map((_, lane) => lane);
    expect(facts.phases[0]).toEqual({ id: "iterations timestep", name: "iterations of timestep", kind: "iterations" });
    const found = await engine.timelinePhases({ dataSet, series: facts.phases[0].id, lanes, most: 100 });
    const count = spans[0].begin.length;
    expect(count).toBeGreaterThan(1);
    expect(found.name).toEqual(Array.from({ length: count }, (_, nth) => `timestep ${nth + 1}`));
    expect([...found.lanes]).toEqual(found.name.map(() => 8));
    for (const nth of found.name.keys()) {
      const lengths = spans.map(({ begin, end }) => (end[nth] - begin[nth]) / 1e9);
      expect(found.meanSeconds[nth]).toBeCloseTo(lengths.reduce((sum, one) => sum + one, 0) / 8, 9);
      expect(found.longestSeconds[nth]).toBeCloseTo(Math.max(...lengths), 9);
      expect(found.lane[nth]).toBe(lengths.indexOf(Math.max(...lengths)));
      // On the common clock an iteration is no shorter than in its longest rank.
      expect(found.toSeconds[nth] - found.fromSeconds[nth]).toBeGreaterThanOrEqual(Math.max(...lengths) - 1e-9);
    }
  });

  it("are PyTorch's steps by their numbers, and marks of the recording", async () => {
    const engine = localEngine(grammars);
    const [{ id: dataSet }] = await engine.open({ paths: [at("data/other/kineto/resnet50_worker0.pt.trace.json.gz")] });
    const { lanes: all, phases } = await engine.timelineFacts({ dataSet });
    const lanes = all.map((_, lane) => lane);
    const steps = await engine.timelinePhases({ dataSet, series: "steps ProfilerStep", lanes, most: 100 });
    expect(steps.name).toEqual([5, 6, 7, 8, 9, 10].map((step) => `ProfilerStep#${step}`));
    expect(phases[0].id).toBe("steps ProfilerStep");
  });
});
