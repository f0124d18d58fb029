import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alsoDifferent, alsoDifferentText, leaveOut } from "../../../../src/analysis/ensembles/alsoDifferent";
import {
  inputParameters,
  type NumberColumn,
  outputParameters,
} from "../../../../src/analysis/ensembles/outputParameters";
import { wordsOf } from "../../../../src/analysis/ensembles/parameterWords";
import { offerScaling } from "../../../../src/analysis/ensembles/scalingParameter";
import type { RunColumn } from "../../../../src/model/runColumns";
import { casesOf } from "../../randomCases";
import { shuffled } from "./randomRuns";
import { scalingTwin, type TwinMetadata } from "./scalingTwin";

type Value = number | null;

function columnsOf(values: Readonly<Record<string, readonly Value[]>>): RunColumn[] {
  return Object.entries(values).map(([name, own]) => ({
    name,
    kind: "number",
    values: Float64Array.from(own, (value) => value ?? NaN),
  }));
}

function outputsOf(values: Readonly<Record<string, readonly Value[]>>): string[] {
  return [...outputParameters(columnsOf(values))].sort();
}

function firstOf(values: Readonly<Record<string, readonly Value[]>>) {
  const columns = columnsOf(values);
  return offerScaling(columns, outputParameters(columns));
}

function alsoOf(over: string, values: Readonly<Record<string, readonly Value[]>>) {
  const columns = columnsOf(values);
  const parameter = Float64Array.from(values[over], (value) => value ?? NaN);
  const inputs = inputParameters(columns, outputParameters(columns));
  const also = alsoDifferent(parameter, inputs);
  return { text: alsoDifferentText(over, also), leave: leaveOut(parameter, inputs, also), also };
}

describe("words of a parameter's name", () => {
  it.each([
    ["ProblemSizeRunParam", ["problem", "size", "run", "param"]],
    ["starttime.nsec", ["starttime", "nsec"]],
    ["wall_time [ms]", ["wall", "time", "ms"]],
    ["FOM", ["fom"]],
    ["MPIRanks", ["mpi", "ranks"]],
    ["n2", ["n"]],
    ["cellsPerRANK", ["cells", "per", "rank"]],
    ["energieÉchange", ["energie", "échange"]],
    ["512", []],
  ])("%s", (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });
});

describe("outputs of runs", () => {
  it("are named as times, results or identities", () => {
    const values = [1, 2, 3];
    expect(outputsOf({ elapsedTime: values, FOM: values, job_id: values, "mpi.world.size": values, steps: values })).toEqual(["FOM", "elapsedTime", "job_id"]); // prettier-ignore
    expect(outputsOf({ "heatflow.run": values, process: values, costNanoseconds: values, runs: values, processes: values })).toEqual(["costNanoseconds", "heatflow.run", "process"]); // prettier-ignore
    const texts: RunColumn = { name: "commit", kind: "text", values: ["1f", "2a", "2a"] };
    expect([...outputParameters([texts, { ...texts, name: "compiler" }])]).toEqual(["commit"]);
  });

  it("differ by less than one percent of the largest", () => {
    expect(outputsOf({ a: [1000, 1009, 1009], b: [1000, 1011, 1011], c: [-1000, -1009, -1009] })).toEqual(["a", "c"]);
    expect(outputsOf({ a: [990, 1000, 1000], b: [989, 1000, 1000] })).toEqual([]);
    expect(outputsOf({ a: [991, 1000, 1000], b: [4, null, 4], c: [0, null, 0] })).toEqual(["a", "b", "c"]);
  });

  it("have a fraction of more than three digits", () => {
    const all = {
      a: [0.125, 5, 5],
      b: [0.1255, 5, 5],
      c: [123456, 5, 5],
      d: [100.5, 5, 5],
      e: [0.000012, 5, 5],
      f: [1.5e-9, 5, 5],
    };
    expect(outputsOf(all)).toEqual(["b", "d"]);
  });

  it("have another value in each run, also in runs that agree in all other inputs", () => {
    const order = [4, 4, 4, 8, 8, 8];
    expect(outputsOf({ order, peak: [9, 7, 5, 3, 2, 1] })).toEqual(["peak"]);
    // No runs agree in all others; there are no others; not every run has a value; the name is that of a count.
    expect(outputsOf({ order: [1, 2, 4, 8, 16, 32], peak: [9, 7, 5, 3, 2, 1] })).toEqual([]);
    expect(outputsOf({ peak: [9, 7, 5, 3, 2, 1] })).toEqual([]);
    expect(outputsOf({ order, peak: [9, 7, 5, 3, 2, null] })).toEqual([]);
    expect(outputsOf({ order, ranks: [9, 7, 5, 3, 2, 1] })).toEqual([]);
    expect(outputsOf({ order, cells: [9, 7, 5, 3, 2, 1] })).toEqual([]);
  });
});

describe("the parameter at first", () => {
  it("is ranks, else threads, else the size with most values, else the input with most values", () => {
    const [few, many] = [[1, 1, 2, 2], [1, 2, 3, 3]]; // prettier-ignore
    expect(firstOf({ a: many, size: many, threads: few, tasks: few, ranks: few }).parameter).toBe("ranks");
    expect(firstOf({ a: many, size: many, threads: few, tasks: few }).parameter).toBe("tasks");
    expect(firstOf({ a: many, size: many, numThreads: few }).parameter).toBe("numThreads");
    expect(firstOf({ a: many, size: few, nx: many, grid: many }).parameter).toBe("grid");
    expect(firstOf({ a: few, c: many, b: many }).parameter).toBe("b");
  });

  it("has two values, all positive, and is no limit of the machine", () => {
    const values = [1, 1, 2, 2];
    expect(firstOf({ ranks: [8, 8, 8, 8], size: values }).parameter).toBe("size");
    expect(firstOf({ ranks: [8, 8, null, 8], size: values }).parameter).toBe("size");
    expect(firstOf({ level: [0, 0, 1, 2], cells: values }).parameter).toBe("cells");
    expect(firstOf({ omp_max_threads: [20, 20, 72, 72], ProblemSizeRunParam: values }).parameter).toBe("ProblemSizeRunParam"); // prettier-ignore
    expect(firstOf({ allowedHardwareThreads: [1, 2, 4, 8], ProblemSizeRunParam: values }).parameter).toBe("ProblemSizeRunParam"); // prettier-ignore
    expect(firstOf({ omp_max_threads: [20, 20, 72, 72] }).parameter).toBe("omp_max_threads");
  });

  it("is none of outputs, which are offered last", () => {
    const offer = firstOf({ elapsed: [1, 2, 3, 4], z: [1, 1, 2, 2], FOM: [5, 6, 7, 8], b: [2, 2, 3, 3] });
    expect(offer).toEqual({ parameter: "b", offered: ["b", "z", "FOM", "elapsed"] });
    expect(firstOf({ elapsed: [1, 2, 3, 4], ranks: [8, 8, 8, 8] })).toEqual({ parameter: undefined, offered: ["elapsed"] }); // prettier-ignore
  });
});

describe("inputs that also differ", () => {
  const ranks = [1, 8, 27, 64];

  it("are said with the values of most runs last", () => {
    const { text, leave, also } = alsoOf("ranks", {
      ranks,
      problem_size: [10, 10, 10, 6],
      iterations: [20, 20, 20, 10],
    });
    expect(text).toBe("problem_size is 6 at 64 ranks, else 10; iterations 10, else 20");
    expect(leave).toEqual({ runs: [3], text: "Leave out 64" });
    expect(also.map(({ name, values }) => [name, [...values]])).toEqual([["problem_size", [6, 10]], ["iterations", [10, 20]]]); // prettier-ignore
  });

  it("rank runs otherwise", () => {
    // A size that grows with the ranks is weak scaling; one that falls is not.
    expect(alsoOf("ranks", { ranks, size: [10, 20, 30, 40] }).text).toBe("");
    expect(alsoOf("ranks", { ranks, size: [10, 20, 40, 30] }).text).toBe("size is 20 at 8 ranks, 40 at 27 ranks, 30 at 64 ranks, else 10"); // prettier-ignore
    expect(alsoOf("ranks", { ranks: [8, 64], size: [10, 6] })).toMatchObject({
      text: "size is 6 at 64 ranks, else 10",
      leave: undefined,
    });
  });

  it("are said of some runs at a value, of runs without one, and of many values in short", () => {
    const repeated = [8, 8, 8, 1, 1, 1];
    expect(alsoOf("ranks", { ranks: repeated, size: [10, 10, 6, 10, 10, 10] })).toMatchObject({
      text: "size is 6 in 1 of 3 runs at 8 ranks, else 10",
      leave: { runs: [2], text: "Leave out 1 run" },
    });
    expect(alsoOf("ranks", { ranks: repeated, size: [10, 10, 10, 6, 6, 10] }).text).toBe("size is 6 in 2 of 3 runs at 1 rank, else 10"); // prettier-ignore
    expect(alsoOf("ranks", { ranks, size: [10, 10, null, 20] }).text).toBe("size is not recorded at 27 ranks, 20 at 64 ranks, else 10"); // prettier-ignore
    expect(alsoOf("grid", { grid: ranks, order: [2, 2, 1, 1] })).toMatchObject({
      text: "order is 1 at grid 27 and 64, else 2",
      leave: { runs: [2, 3], text: "Leave out 27 and 64" },
    });
    const six = [1, 2, 4, 8, 16, 32];
    expect(alsoOf("ranks", { ranks: six, size: [6, 5, 4, 3, 2, 1] }).text).toBe("size has 6 values, 1 to 6");
    const many = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, [2, 2, 2, 1]]));
    expect(alsoOf("ranks", { ranks, ...many }).text).toBe("a is 1 at 64 ranks, else 2; b 1, else 2; c 1, else 2; d 1, else 2; 2 more inputs"); // prettier-ignore
  });

  it("are outputs never", () => {
    expect(alsoOf("ranks", { ranks, elapsed: [4, 3, 2, 9], fom: [1, 2, 9, 4] }).text).toBe("");
  });
});

const numberText = fc.oneof(
  fc.integer({ min: -2, max: 5 }).map(String),
  fc.constantFrom("1.0", "1", "+1", " 2 ", "1e2", "100", "1000", "1009", "1010", "0.5", "0.125", "0.1255", "-0", "1048576.000000", "2097152.0"), // prettier-ignore
);
const cell = fc.option(fc.oneof({ arbitrary: numberText, weight: 30 }, { arbitrary: fc.constantFrom("gcc", "", "0x10", "nan"), weight: 1 })); // prettier-ignore
const parameterName = fc.constantFrom(
  "ranks",
  "mpi.world.size",
  "nprocs",
  "numThreads",
  "omp_max_threads",
  "gpus",
  "problem_size",
  "ProblemSizeRunParam",
  "nx",
  "cells [k]",
  "iterations",
  "alpha",
  "beta",
  "elapsed",
  "startTime",
  "FOM",
  "job.id",
  "random-seed",
  "NODES",
  "memoryHigh",
  "heatflow.run",
  "process",
  "allowedHardwareThreads", // prettier-ignore
);
const metadata = fc
  .tuple(fc.uniqueArray(parameterName, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 7 }))
  .chain(([names, runs]) =>
    fc
      .array(fc.tuple(...names.map(() => cell)), { minLength: runs, maxLength: runs })
      .map((rows) =>
        rows.map((row): TwinMetadata =>
          Object.fromEntries(row.flatMap((value, at) => (value === null ? [] : [[names[at], value]]))),
        ),
      ),
  );

describe("random metadata", () => {
  it("have the outputs, the parameter and the inputs that also differ of the rules read one by one", () => {
    fc.assert(
      fc.property(metadata, (runs) => {
        const twin = scalingTwin(runs);
        const columns = twin.columns;
        const outputs = outputParameters(columns);
        expect([...outputs].sort()).toEqual(twin.outputs);
        const offer = offerScaling(columns, outputs);
        expect(offer).toEqual({ parameter: twin.parameter, offered: twin.offered });
        if (offer.parameter === undefined) return;
        expect(twin.also(offer.parameter, inputParameters(columns, outputs))).toEqual(
          twin.alsoByRules(offer.parameter),
        );
      }),
      { numRuns: casesOf(20_000) },
    );
  });

  it("say the same whatever the order of parameters is, and leave out runs that then agree", () => {
    const two = metadata.chain((runs) => fc.tuple(fc.constant(runs), shuffled(scalingTwin(runs).columns)));
    fc.assert(
      fc.property(two, ([runs, shuffledColumns]) => {
        const { columns } = scalingTwin(runs);
        const outputs = outputParameters(columns);
        expect(outputParameters(shuffledColumns)).toEqual(outputs);
        const offer = offerScaling(columns, outputs);
        expect(offerScaling(shuffledColumns, outputs)).toEqual(offer);
        const over = columns.find(({ name }) => name === offer.parameter);
        if (over?.kind !== "number") return;
        const having = [...over.values.keys()].filter((run) => Number.isFinite(over.values[run]));
        const { parameter, some } = restricted(having);
        const also = alsoDifferent(parameter, some(columns));
        expect(alsoDifferent(parameter, some(shuffledColumns))).toEqual(also);
        const leave = leaveOut(parameter, some(columns), also);
        if (!leave) return;
        const left = restricted(having.filter((_, at) => !leave.runs.includes(at)));
        expect(new Set(left.parameter).size).toBeGreaterThan(1);
        expect(alsoDifferent(left.parameter, left.some(columns))).toEqual([]);

        function restricted(kept: readonly number[]) {
          const values = (of: Float64Array) => Float64Array.from(kept, (run) => of[run]);
          const some = (all: readonly RunColumn[]) =>
            inputParameters(all, outputs).map((one): NumberColumn => ({ ...one, values: values(one.values) }));
          return { parameter: values(over?.kind === "number" ? over.values : new Float64Array()), some };
        }
      }),
      { numRuns: casesOf(5000) },
    );
  });
});
