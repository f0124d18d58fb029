import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { type RunWithGlobals, writeRuns } from "../engine/ensembles/runsWithGlobals";
import { grammars } from "../engine/miniheat";
import { CaliWriter, rank, regions, time } from "../formats/caliper/caliWriter";

interface Json {
  readonly first?: {
    readonly scaling: {
      readonly parameter: string | null;
      readonly offered: readonly string[];
      readonly also: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
    };
  };
  readonly parameters: readonly { readonly name: string; readonly weight: number | null }[];
  readonly scaling?: readonly { readonly efficiency: readonly (number | null)[] }[];
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true })));

/** What differs in every run: times, figures of merit, moments and counts. */
function measuredOf(at: number) {
  return {
    elapsed_time: (12.5 + at).toFixed(4),
    figure_of_merit: 70_000 - 1000 * at,
    wallclock: 10.1234 * (at + 1),
    "started at": 1_700_000_000 + 60 * at,
    job: 400 + at,
  };
}

function ensembleOf(runs: readonly RunWithGlobals[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-first-"));
  folders.push(folder);
  const all = runs.map((run, at) => ({ ...run, globals: { ...measuredOf(at), ...run.globals } }));
  writeRuns(folder, all);
  return folder;
}

async function printed(folder: string, ...args: string[]): Promise<string> {
  const request = ensembleArguments([folder, "--source", path.join(miniheat, "src"), ...args], process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

const OUTPUTS = [...Object.keys(measuredOf(0)), "starttime.nsec", "starttime.sec"].sort();

async function firstOf(runs: readonly RunWithGlobals[]) {
  const folder = ensembleOf(runs);
  const json = JSON.parse(await printed(folder, "--first", "--json")) as Json;
  const scaling = json.first?.scaling ?? expect.fail();
  // Outputs are last on the list and explain nothing.
  expect([...scaling.offered].sort()).toEqual(expect.arrayContaining(OUTPUTS));
  const inputs = scaling.offered.filter((name) => !OUTPUTS.includes(name));
  expect(scaling.offered.slice(0, inputs.length)).toEqual(inputs);
  for (const { name, weight } of json.parameters) if (OUTPUTS.includes(name)) expect(weight, name).toBeNull();
  return { folder, scaling, inputs };
}

const sized = (ranks: number, problem_size: number, iterations = 20, repeat = 1): RunWithGlobals => ({
  ranks,
  repeat,
  globals: { problem_size, iterations },
});

describe("heatflow ensemble --first", () => {
  it("scales over ranks though the size and the steps of one run differ, and says so", async () => {
    const { folder, scaling, inputs } = await firstOf([sized(1, 10), sized(2, 10), sized(8, 10), sized(27, 6, 10)]);
    expect(scaling.parameter).toBe("ranks");
    expect(inputs).toEqual(["iterations", "mpi.world.size", "problem_size", "ranks"]);
    expect(scaling.also).toEqual([
      { name: "problem_size", values: [6, 10] },
      { name: "iterations", values: [10, 20] },
    ]);
    const sentence = "Also different: problem_size is 6 at 27 ranks, else 10; iterations 10, else 20\n";
    expect(await printed(folder, "--first")).toContain(sentence);
    expect(await printed(folder, "--scaling", "ranks")).toContain(sentence);
    const one = await firstOf([sized(1, 10), sized(2, 10), sized(8, 10), sized(27, 10, 10)]);
    expect(one.scaling).toMatchObject({ parameter: "ranks", also: [{ name: "iterations", values: [10, 20] }] });
    const repeated = [1, 2, 8].flatMap((ranks) => [1, 2, 3].map((repeat) => sized(ranks, 10, 20, repeat)));
    const some = await firstOf([...repeated, sized(27, 6)]);
    expect(some.scaling).toMatchObject({ parameter: "ranks", also: [{ name: "problem_size", values: [6, 10] }] });
    const none = await firstOf(repeated);
    expect(none.scaling).toMatchObject({ parameter: "ranks", also: [] });
  });

  it("scales over sizes that vary at one number of ranks", async () => {
    const { folder, scaling } = await firstOf([sized(8, 10, 20, 1), sized(8, 20, 20, 2), sized(8, 40, 20, 3)]);
    expect(scaling).toMatchObject({ parameter: "problem_size", also: [] });
    expect(await printed(folder, "--first")).toMatch(
      /\nScaling starts over problem_size \(other parameters: elapsed_time, /,
    );
    const steps = await firstOf([sized(8, 10, 20, 1), sized(8, 20, 20, 2), sized(8, 40, 10, 3)]);
    expect(steps.scaling).toMatchObject({
      parameter: "problem_size",
      also: [{ name: "iterations", values: [10, 20] }],
    });
  });

  it("scales over nothing if one run is repeated five times", async () => {
    const { folder, scaling } = await firstOf([1, 2, 3, 1, 2].map((repeat) => sized(8, 10, 20, repeat)));
    expect(scaling).toMatchObject({ parameter: null, also: [] });
    expect(await printed(folder, "--first")).toMatch(
      /\nScaling starts over no parameter\. Choose one with --scaling: elapsed_time, /,
    );
  });

  it("stands beside another parameter, and never in a table", async () => {
    const folder = ensembleOf([sized(1, 10), sized(2, 10), sized(8, 10), sized(27, 6, 10)]);
    const json = JSON.parse(await printed(folder, "--first", "--scaling", "problem_size", "--json")) as Json;
    expect([json.first?.scaling.parameter, json.scaling?.[0].efficiency.length]).toEqual(["ranks", 2]);
    expect((JSON.parse(await printed(folder, "--json")) as Json).first).toBeUndefined();
    expect(() => ensembleArguments([folder, "--first", "--csv"], process.cwd())).toThrow("leave --first out");
  });

  it("prints efficiencies above 200 % only beside what also differs", async () => {
    const tableOf = async (orders: readonly number[]) => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-first-"));
      folders.push(folder);
      for (const [at, seconds] of [9, 5, 2].entries()) {
        const out = new CaliWriter();
        const globals = { grid: at + 1, order: orders[at] };
        out.snapshot([regions("main"), [[rank, "0"]]], [[time, seconds]]);
        out.globals(Object.entries(globals).map(([name, value]) => [{ name, type: "string", properties: 1612 }, String(value)])); // prettier-ignore
        fs.writeFileSync(path.join(folder, `run${at}.cali`), out.text());
      }
      return printed(folder, "--scaling", "grid", "weak");
    };
    expect(await tableOf([2, 2, 2])).toMatch(/\nmain +9\.00 s +5\.00 s +2\.00 s +> 200 % +−7\.00 s/);
    const beside = await tableOf([2, 1, 2]);
    expect(beside).toMatch(/\nmain +9\.00 s +5\.00 s +2\.00 s +450 % +−7\.00 s/);
    expect(beside).toContain("\nAlso different: order is 1 at grid 2, else 2\n");
  });
});
