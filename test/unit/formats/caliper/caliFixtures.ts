import { memorySource } from "../../../../src/formats/byteSource";
import { assemble } from "../../../../src/formats/caliper/assemble/assemble";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { readCali } from "../../../../src/formats/caliper/scan/cali";
import type { DataSet, Hierarchy } from "../../../../src/model/dataSet";
import { quietTask } from "../../../../src/model/task";
import { cellsOf, metricNamed, pathsOf } from "../plainDataSet";
import {
  type Branch,
  CaliWriter,
  channel,
  durationNs,
  loop,
  mpiFunction,
  rank,
  region,
  regions,
  samplerCount,
  time,
  worldSize,
  type WrittenAttribute,
} from "./caliWriter";

/** Reads a stream on its own. */
export async function read(
  text: string | Uint8Array,
  hierarchy: Hierarchy = "combined",
  pieceBytes?: number,
): Promise<DataSet> {
  const recording = await readCali(
    memorySource(text, "test.cali"),
    hierarchy,
    quietTask,
    pieceBytes,
    memoryColumnFiles,
  );
  return assemble("test", [recording], quietTask);
}

/** `path @rank → value` of a metric. */
export function valuesOf(dataSet: DataSet, name: string): Record<string, number> {
  const paths = pathsOf(dataSet);
  const entries = [...cellsOf(dataSet, metricNamed(dataSet, name))].map(([context, place, value]) => [
    `${paths[context].join("/")} @${dataSet.locations[place].rank}`,
    value,
  ]);
  return Object.fromEntries(entries) as Record<string, number>;
}

export function attribute(
  name: string,
  type: WrittenAttribute["type"],
  properties: number,
  metadata = {},
): WrittenAttribute {
  return { name, type, properties, metadata };
}

const source = (what: string, of: string) => attribute(`${what}#${of}`, "string", 84);
const pc = "cali.sampler.pc";
const calls = "callpath.address";
const frequency = attribute("sample.frequency", "int", 1548);

/** Three ranks, time outside any region, a loop and an MPI function. */
export function profile(): CaliWriter {
  const out = new CaliWriter();
  for (const of of [0, 1, 2]) {
    out.snapshot(
      [],
      [
        [rank, of],
        [time, "8.8711e-05"],
      ],
    );
    out.snapshot(
      [regions("main")],
      [
        [rank, of],
        [time, 0.25 * (of + 1)],
      ],
    );
    out.snapshot(
      [
        [
          [region, "main"],
          [loop, "step"],
        ],
      ],
      [
        [rank, of],
        [time, "1.5"],
      ],
    );
    out.snapshot(
      [
        [
          [region, "main"],
          [loop, "step"],
          [mpiFunction, "MPI_Send"],
        ],
      ],
      [
        [rank, of],
        [time, "0.302794"],
      ],
    );
  }
  out.globals([
    [worldSize, "3"],
    [channel, "profile"],
  ]);
  return out;
}

/** Begin and end records of four iterations. */
export function events(): CaliWriter {
  const out = new CaliWriter(1000n, 3n);
  const begin = attribute("event.begin#region", "string", 84);
  const iteration = attribute("iteration#step", "int", 21, { "class.iteration": "true" });
  const offset = attribute("time.offset.ns", "uint", 85, { "time.unit": "nsec" });
  const count = attribute("region.count", "uint", 2133);
  let clock = 0;
  for (const at of [0, 1, 2, 3]) {
    out.snapshot(
      [
        [
          [region, "main"],
          [begin, "work"],
        ],
      ],
      [
        [iteration, at],
        [rank, 0],
        [offset, (clock += 7)],
        [durationNs, 7],
      ],
    );
    out.snapshot(
      [regions("main", "work")],
      [
        [iteration, at],
        [rank, 0],
        [count, 1],
        [offset, (clock += 11)],
        [durationNs, 11],
      ],
    );
  }
  out.globals([[channel, "event-trace"]]);
  return out;
}

/** Samples with call paths, on two ranks and on a helper thread without one. */
export function samples(): CaliWriter {
  const out = new CaliWriter();
  const sample = (path: string[], functions: string[], module: string, place: string): Branch[] => [
    [
      [source("module", pc), module],
      [source("source.function", pc), functions.at(-1) ?? ""],
      [source("sourceloc", pc), place],
      ...functions.map((name) => [source("source.function", calls), name] as const),
    ],
    regions(...path),
  ];
  const app = "/home/user/app";
  out.snapshot(
    sample(
      ["main", "solve"],
      ["_start", "main", "ns::Solver<double>::solve(int)", "dot(Vec const&)"],
      app,
      "src/dot.cpp:7",
    ),
    [
      [rank, 0],
      [samplerCount, 5],
    ],
  );
  out.snapshot(
    sample(["main", "solve"], ["_start", "main", "ns::Solver<double>::solve(int)"], app, "src/solver.cpp:12"),
    [
      [rank, 0],
      [samplerCount, 3],
    ],
  );
  out.snapshot(sample(["main", "solve"], ["_start", "main", "ns::Solver<double>::solve(int)"], app, "UNKNOWN:0"), [
    [rank, 1],
    [samplerCount, 2],
  ]);
  out.snapshot(sample([], ["clone", "poll"], "/lib/libc.so.6", "../poll.c:29"), [[samplerCount, 4]]);
  out.globals([
    [frequency, "100"],
    [channel, "sample-profile"],
  ]);
  return out;
}

/** A stream with records of one region path each. */
export class CaliText {
  private readonly out = new CaliWriter();

  constructor(private readonly run: { worldSize?: string } = {}) {}

  record(path: string, values: readonly (readonly [WrittenAttribute, string | number])[]): this {
    this.out.snapshot([path.length < 1000 ? regions(...path.split("/")) : regions(path)], values);
    return this;
  }

  get text(): string {
    const size = this.run.worldSize === undefined ? [] : [[worldSize, this.run.worldSize] as const];
    this.out.globals([[channel, "test"], ...size]);
    return this.out.text();
  }
}
