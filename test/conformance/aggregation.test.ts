import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { MicroscopicModel } from "../../src/aggregation/microscopicModel";
import { Aggregation } from "../../src/aggregation/significant";
import { overviewArguments } from "../../src/cli/overviewCommand";
import { passModel } from "../../src/engine/overview/passModel";
import { localEngine } from "../../src/engine/localEngine";
import { readPiped } from "../../src/formats/piped";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const parts = v.array(v.object({ node: v.number(), start: v.number(), end: v.number() }));
const golden = v.array(
  v.object({
    name: v.string(),
    normalize: v.boolean(),
    threshold: v.number(),
    parents: v.array(v.number()),
    values: v.array(v.array(v.array(v.number()))),
    partitions: v.array(v.object({ p: v.number(), gain: v.number(), loss: v.number(), parts })),
  }),
);

const shared = recordings();
const file = shared && path.join(shared, "data/ocelotl/golden.json");
const cases = file ? v.parse(golden, JSON.parse(fs.readFileSync(file, "utf8"))) : [];

describe.skipIf(!file)("partitions of published and computed models", () => {
  it.each(cases)("$name, normalized: $normalize", ({ values, parents, normalize, threshold, partitions }) => {
    const model: MicroscopicModel = {
      leaves: values.length,
      states: values[0].length,
      slices: values[0][0].length,
      parents: Int32Array.from(parents),
      values: Float64Array.from(values.flat(2)),
    };
    const found = new Aggregation(model, { normalize, threshold }).significant();
    expect(found.map(({ strength }) => strength)).toEqual(partitions.map(({ p }) => p));
    found.forEach((one, at) => {
      const known = partitions[at];
      const own = Array.from(one.node, (node, part) => ({ node, start: one.start[part], end: one.end[part] }));
      expect(own).toEqual(known.parts);
      expect(Math.abs(one.gain - known.gain)).toBeLessThan(1e-9 * Math.max(1, Math.abs(known.gain)));
      expect(Math.abs(one.loss - known.loss)).toBeLessThan(1e-9 * Math.max(1, Math.abs(known.loss)));
    });
  });
});

/** 64 processes on 8 machines; the links of three of these are throttled from 3.0 to 3.5 s. */
const network = shared && path.join(shared, "data/paje/traces/smpi-cg64.trace.gz");
/** Neither on such a machine, nor do they exchange with one that is. */
const HELD = [1, 3, 4, 7, 8, 11, 12, 15, 24, 25, 28, 31, 32, 33, 35, 39, 56, 57, 59, 60];

describe.skipIf(!network)("a trace of a network that was held up", () => {
  // From the file, and through a pipe as it is.
  it.each([[network ?? ""], ["-"]])("breaks where that was, in time and in who was held: %s", async (data) => {
    const args = [data, "--group", "every 8: host", "--slices", "30", "--json"];
    const answer = await answerTo(args, fs.createReadStream(network ?? ""));
    const {
      partitions,
      unlike: all,
      to,
    } = answer as {
      readonly to: number;
      readonly partitions: readonly { p: number; parts: readonly { node: number; start: number; end: number }[] }[];
      readonly unlike: readonly { from: number; to: number; leaves: readonly number[]; strength: number }[];
    };
    expect(to).toBeCloseTo(8.290403814, 9);
    expect(partitions.map(({ p, parts }) => [p * 1024, parts.length])).toEqual([
      [0, 1920],
      [1, 384],
      [2, 340],
      [25, 277],
      [27, 253],
      [28, 248],
      [29, 217],
      [30, 189],
      [49, 153],
      [51, 144],
      [56, 130],
      [63, 1],
    ]);
    const at = (strength: number) => partitions.find(({ p }) => p * 1024 === strength)?.parts ?? [];
    const seconds = (slice: number) => Number(((slice * to) / 30).toFixed(2));
    // Every part ends at one of the two moments, or at the only slice boundary between them.
    expect(new Set(at(56).map(({ start }) => seconds(start)))).toEqual(new Set([0, 3.04, 3.32, 3.59]));
    const partsOf = (leaf: number) => at(51).filter(({ node }) => node === leaf).length;
    const leaves = Array.from({ length: 64 }, (_, leaf) => leaf);
    expect(leaves.filter((leaf) => partsOf(leaf) === 5)).toEqual(HELD);
    expect(leaves.filter((leaf) => partsOf(leaf) === 1)).toHaveLength(44);
    // Of groups first, then of the ranks themselves.
    const [ofGroups, ...unlike] = all;
    expect([seconds((ofGroups.from * 30) / to), seconds((ofGroups.to * 30) / to)]).toEqual([3.04, 3.59]);
    expect(ofGroups.leaves).toEqual(Array.from({ length: 24 }, (_, at) => (at < 8 ? 16 + at : 32 + at)));
    expect(
      unlike.slice(0, 2).map((one) => [seconds((one.from * 30) / to), seconds((one.to * 30) / to), one.leaves.length]),
    ).toEqual([
      [2.76, 3.59, 20],
      [0.28, 0.28, 28],
    ]);
    expect(unlike[0].leaves).toEqual(HELD);
    expect(unlike[0].strength.toPrecision(3)).toBe("31.4");
    expect(unlike[1].strength.toPrecision(3)).toBe("1.06");
    expect(unlike[2].leaves).toEqual([0, 9, 18, 27, 36, 45, 54, 63]);
    // From a scan of the lines in Python that shares nothing with the reader: of each host, what its ranks lose as one part less what they lose without that one.
    expect(unlike[2].strength).toBeCloseTo(136.428703543226, 9);
  });
});

describe.skipIf(!network)("another window of a trace that takes long to read", () => {
  it("is at first the nearest of what is known, and then what the window has", async () => {
    const open = async () => {
      const engine = localEngine(grammars);
      const [{ id: dataSet }] = await engine.open({ paths: [network ?? ""] });
      return { engine, dataSet };
    };
    const query = { kind: "spatiotemporal", slices: 30, normalize: false, metric: "duration" } as const;
    const whole = { ...query, hierarchy: { kind: "every", count: 8, name: "host" } } as const;
    const window = { ...whole, slices: 37, fromSeconds: 1.2345, toSeconds: 4.321 };
    const [first, other] = [await open(), await open()];
    await first.engine.overviewFacts({ ...whole, dataSet: first.dataSet });
    const near = await first.engine.overviewFacts({ ...window, dataSet: first.dataSet, orNearest: true });
    const exact = await first.engine.overviewFacts({ ...window, dataSet: first.dataSet });
    // Of an engine that was never asked for anything else.
    const alone = await other.engine.overviewFacts({ ...window, dataSet: other.dataSet, orNearest: true });
    expect([near.isNear, exact.isNear, alone.isNear]).toEqual([true, undefined, undefined]);
    expect(exact).toEqual(alone);
    expect([near.slices, near.fromSeconds, near.toSeconds]).toEqual([37, 1.2345, 4.321]);
    // A slice of the finer model is 28 ms: no state can be wrong by more than both ends of the window have, of 64 resources.
    const states = new Map(exact.states.map(({ name, total }) => [name, total]));
    for (const { name, total } of near.states)
      expect(Math.abs(total - (states.get(name) ?? 0)), name).toBeLessThan(64 * 2 * (8.290403814 / 300));
    const all = (facts: typeof near) => facts.states.reduce((sum, { total }) => sum + total, facts.uncoveredSeconds);
    expect(all(near)).toBeCloseTo(64 * (4.321 - 1.2345), 6);
    expect(all(exact)).toBeCloseTo(64 * (4.321 - 1.2345), 6);
    await Promise.all([first.engine.dispose(), other.engine.dispose()]);
  });
});

const traces = shared && path.join(shared, "data/paje");

describe.skipIf(!traces)("a variable of a trace", () => {
  it.each(["power", "power_used", "task_computation"])("%s has the means that pj_dump's values have", async (name) => {
    const file = path.join(traces ?? "", "traces/ms.trace");
    const [from, to, slices] = [0.25, 4.25, 8];
    const asked = [
      "--metric",
      `variable=${name}`,
      "--slices",
      `${slices}`,
      "--from",
      `${from}`,
      "--to",
      `${to}`,
      "--json",
    ];
    const { metric, partitions } = await answerTo([file, ...asked]);
    expect(metric).toBe(`variable=${name}`);
    expect(partitions[0].loss).toBe(0);
    const golden = fs.readFileSync(path.join(traces ?? "", "pj_dump_golden/ms.csv"), "utf8");
    const rows = golden.split("\n").map((line) => line.split(", "));
    const own = rows.filter(([kind, , type]) => kind === "Variable" && type === name);
    const model = await modelOf(file, name, slices, from, to);
    model.forEach(({ container, slice, mean }) => {
      const [begin, end] = [from + (slice * (to - from)) / slices, from + ((slice + 1) * (to - from)) / slices];
      let [sum, covered] = [0, 0];
      for (const [, , , start, until, , value] of own.filter(([, one]) => one === container)) {
        const part = Math.max(0, Math.min(Number(until), end) - Math.max(Number(start), begin));
        sum += part * Number(value);
        covered += part;
      }
      expect(mean).toBeCloseTo(covered > 0 ? sum / covered : 0, 3);
    });
    expect(model.length).toBe(new Set(own.map(([, container]) => container)).size * slices);
  });
});

/** By leaf and slice, from the model itself. */
async function modelOf(file: string, variable: string, slices: number, fromSeconds: number, toSeconds: number) {
  const asked = { dataSet: 0, kind: "spatiotemporal", normalize: false, hierarchy: { kind: "recorded" } } as const;
  const query = { ...asked, metric: "variable", variable, slices, fromSeconds, toSeconds } as const;
  const input = fs.createReadStream(file);
  const { nodes, values } = await passModel((...told) => readPiped(input, ...told), query, undefined, quietTask);
  return Array.from(values, (mean, at) => ({
    container: nodes[Math.floor(at / slices)].name,
    slice: at % slices,
    mean,
  }));
}

async function answerTo(args: readonly string[], input: Readable = Readable.from([])) {
  const engine = localEngine(grammars);
  try {
    const request = overviewArguments(args, ".", () => input);
    return JSON.parse(request.text(await request.run(engine)));
  } finally {
    await engine.dispose();
  }
}
