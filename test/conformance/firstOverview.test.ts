import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { overviewArguments } from "../../src/cli/overviewCommand";
import { RandomNumbers } from "../../src/analysis/ensembles/randomNumbers";
import type { OverviewQuery } from "../../src/engine/api";
import { passModel } from "../../src/engine/overview/passModel";
import { localEngine } from "../../src/engine/localEngine";
import { readPiped } from "../../src/formats/piped";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

interface Answer {
  readonly first: { p: number; parts: number; loss: number; hierarchy: string; found: boolean };
  readonly metric: string;
  readonly nodes: readonly { name: string; parent: number }[];
  readonly partitions: readonly { p: number; loss: number; parts: readonly unknown[] }[];
  readonly unlike: readonly { from: number; to: number; leaves: readonly number[]; strength: number; text: string }[];
}

const shared = recordings();
const data = path.join(shared ?? "", "data");

async function started(file: string): Promise<Answer> {
  const request = overviewArguments([path.join(data, file), "--first", "--json"], process.cwd());
  const engine = localEngine(grammars);
  try {
    return JSON.parse(request.text(await request.run(engine)));
  } finally {
    await engine.dispose();
  }
}

/** Lanes as text, or nothing that is aggregated. */
const WITHOUT_ALL = /has no events|no events that take time|has values below 0/;

function tracesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(data, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:trace|json|trace\.gz|json\.gz)$/.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}

const CG = "paje/traces/smpi-cg64.trace.gz";

describe.skipIf(!shared)("what an overview starts with", () => {
  it.each([
    [CG, { parts: 144, hierarchy: "every 8", found: true }, "8.7"],
    ["other/kineto/resnet50_worker0.pt.trace.json.gz", { parts: 42, hierarchy: "recorded", found: false }, "13.7"],
    ["hpctoolkit-v4/pipit-ping-pong", { parts: 33, found: false }, "7.7"],
  ])("%s", async (file, first, lost) => {
    const answer = await started(file);
    expect(answer.first).toMatchObject(first);
    expect((100 * answer.first.loss).toFixed(1)).toBe(lost);
  });

  it("is first the groups whose links were throttled, then the ranks that were held", async () => {
    const { unlike, nodes } = await started(CG);
    expect(unlike[0].text).toBe("3.04 – 3.59 s: groups 2, 5, 6 of 8 are 75.6 % in PMPI_Send, the others 39.0 %");
    expect(unlike[0].leaves.map((leaf) => nodes[nodes[leaf].parent].name)).toEqual(
      [2, 5, 6].flatMap((group) => new Array<string>(8).fill(`group ${group}`)),
    );
    expect(unlike[0].strength).toBeCloseTo(0.5, 9);
    expect(unlike[1].text).toContain("20 resources (ranks 1, 3, 4, 7, 8, 11 and 14 more)");
  });

  const traces = ["paje/traces", "other/chrome-trace", "other/kineto"];
  it.each(shared ? traces.flatMap(tracesIn) : [])(
    "is never coarser than 15 %% of the loss allow, nor finer: %s",
    async (file) => {
      let answer: Answer;
      try {
        answer = await started(file);
      } catch (error) {
        expect(String(error)).toMatch(WITHOUT_ALL);
        return;
      }
      const { first, partitions } = answer;
      const largest = Math.max(...partitions.map(({ loss }) => loss));
      const within = partitions.filter(({ loss }) => loss <= 0.15 * largest * (1 + 1e-12));
      expect(first.p).toBe(Math.max(...within.map(({ p }) => p)));
      expect(first.parts).toBe(partitions.find(({ p }) => p === first.p)?.parts.length);
      expect(first.parts > 1 || within.every(({ parts }) => parts.length === 1) || largest === 0).toBe(true);
    },
  );
});

/** From the definition, with nothing left out: the best of all groups, slices and states. */
function bestOf(shares: readonly (readonly number[])[], order: readonly number[]) {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = (values: readonly number[]) => values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0);
  const away = (value: number, from: readonly number[]) => from.reduce((sum, one) => sum + Math.abs(one - value), 0);
  let best = { count: 0, strength: 0 };
  for (const count of [16, 8, 4])
    for (const row of shares) {
      const groups = Array.from({ length: order.length / count }, (_, group) =>
        mean(order.slice(group * count, (group + 1) * count).map((leaf) => row[leaf])),
      ).sort((a, b) => a - b);
      if (groups[groups.length - 1] - groups[0] < 0.1) continue;
      const costs = groups.slice(1).map((_, at) => squares(groups.slice(0, at + 1)) + squares(groups.slice(at + 1)));
      const low = 1 + costs.indexOf(Math.min(...costs));
      const sides = [groups.slice(0, low), groups.slice(low)];
      const silhouettes = groups.map((one, at) => {
        const [own, others] = at < low ? sides : [sides[1], sides[0]];
        if (own.length === 1) return 0;
        const [near, far] = [away(one, own) / (own.length - 1), away(one, others) / others.length];
        return (far - near) / Math.max(near, far, Number.MIN_VALUE);
      });
      const difference = mean(sides[1]) - mean(sides[0]);
      const strength = mean(silhouettes) * difference;
      if (mean(silhouettes) >= 0.9 && difference >= 0.1 && strength > best.strength + 1e-12) best = { count, strength };
    }
  return best;
}

describe.skipIf(!shared)("groups of 64 ranks whose machines nobody named", () => {
  it("part at 0.50, and at 0.25 at most in 99 random orders", async () => {
    const query: OverviewQuery = {
      dataSet: 0,
      kind: "spatiotemporal",
      slices: 30,
      normalize: false,
      metric: "duration",
      hierarchy: { kind: "recorded" },
    };
    const file = fs.createReadStream(path.join(data, CG));
    const model = await passModel(
      (taker, options, task) => readPiped(file, taker, options, task),
      query,
      undefined,
      quietTask,
    );
    const { leaves, states, slices, values } = model;
    const seconds = (model.toSeconds - model.fromSeconds) / slices;
    const shares = Array.from({ length: states * slices }, (_, row) =>
      Array.from({ length: leaves }, (_, leaf) => values[leaf * states * slices + row] / seconds),
    ).filter((row) => Math.max(...row) - Math.min(...row) >= 0.1);
    const places = Int32Array.from({ length: leaves }, (_, leaf) => leaf);
    const real = bestOf(shares, [...places]);
    expect([real.count, real.strength.toFixed(2)]).toEqual([8, "0.50"]);
    const random = new RandomNumbers(1979);
    for (let at = 0; at < 99; at++) {
      const order = places.slice();
      random.shuffle(order, 0, leaves);
      expect(bestOf(shares, [...order]).strength).toBeLessThan(0.255);
    }
  });
});
