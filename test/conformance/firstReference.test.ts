/**
 * First pictures against those of an independent program: on random trees, on recordings, and on programs of the machine that tests run on
 * (semantics 2, rule 7).
 */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { graphArguments, graphJson } from "../../src/cli/graphCommand";
import { localEngine } from "../../src/engine/localEngine";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { lastOf } from "../../src/model/steps";
import { quietTask } from "../../src/model/task";
import type { FunctionAttributes } from "../../src/supergraph/grouping";
import { choose, FirstAttempts, LADDER } from "../../src/supergraph/first/choice";
import { firstBasis } from "../../src/supergraph/first/firstBasis";
import type { GraphBasis } from "../../src/supergraph/superGraph";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { seeds } from "../unit/randomCases";
import { functionsInOtherOrder } from "./callgrindOrder";
import { missingTools, record } from "./callgrindRuns";
import { type Dump, dumpOf } from "../unit/supergraph/first/dumped";
import { randomProgram } from "../unit/supergraph/first/randomPrograms";
import { basisOf as recordedBasis, sumsOf } from "../unit/supergraph/recordedGraph";
import { basisOf } from "../unit/supergraph/treeOf";

const shared = recordings();
const reference = path.join(shared ?? "", "first/reference");
const cases = path.join(shared ?? "", "first/cases");
const canCompare = fs.existsSync(path.join(reference, "r5.py")) && spawnSync("python3", ["--version"]).status === 0;

/** What the program says of a dump; null where nothing fits. */
const PROGRAM = `
import json, sys
from r5 import *
def leaf(x): return leaf(x[2]) if isinstance(x, tuple) else x
for name in sys.argv[1:]:
    D = Data(name); T = Tidy(D)
    try: G, opened, cur, steps, refused, alone = rule(T)
    except TypeError: print('null'); continue
    if cur is None: print('null'); continue
    p, B, E, b, g, K, h, drawn = cur
    bars = [[leaf(x['group']), x['level'], x['inc'], x['exc'] + x['hid']] for x in B]
    flows = [[leaf(B[a]['group']), leaf(B[c]['group']), w] for (a, c), w in E.items()]
    print(json.dumps(dict(filter=p, opened=[s[1] for s in steps if s[0] == 'expand'], passed=[s[1][1] for s in steps if s[0] == 'pass'],
        alone=alone, bars=bars, flows=flows, drawn=len(drawn), hidden=h)))
`;

interface Answer {
  readonly filter: number;
  readonly opened: readonly string[];
  readonly alone: readonly string[];
  readonly bars: readonly (readonly [string, number, number, number])[];
  readonly flows: readonly (readonly [string, string, number])[];
  readonly drawn: number;
  readonly hidden: number;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-first-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function answersOfReference(dumps: readonly Dump[]): ((Answer & { readonly passed: readonly string[] }) | null)[] {
  const files = dumps.map((dump, at) => {
    const file = path.join(folder, `${at}.json`);
    fs.writeFileSync(file, JSON.stringify(dump));
    return file;
  });
  const environment = { ...process.env, PYTHONPATH: reference, PYTHONDONTWRITEBYTECODE: "1", MAXLEV: "12" };
  const text = execFileSync("python3", ["-c", PROGRAM, ...files], { env: environment, maxBuffer: 1 << 28 }).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as never);
}

/** Ours, and whether nothing fits. */
function ownAnswer(basis: GraphBasis, attributes: FunctionAttributes): Answer & { readonly isBeyond: boolean } {
  const first = firstBasis({ ...basis, attributes });
  const { choice, picture, isBeyond } = lastOf(choose(new FirstAttempts(first, LADDER, quietTask)));
  const { bars, group, inclusive, own, flow } = picture.costed;
  const nameOf = (bar: number) => picture.groups.names[group[bar]];
  return {
    filter: choice.filter,
    opened: choice.opened.map(([, key]) => key),
    alone: choice.alone.map(([, key]) => key.split("\0")[0]),
    bars: bars.id.map((_, bar) => [nameOf(bar), bars.level[bar], inclusive[bar], own[bar]]),
    flows: Array.from(bars.source, (source, edge) => [nameOf(source), nameOf(bars.target[edge]), flow[edge]]),
    drawn: picture.drawn,
    hidden: picture.hidden,
    isBeyond,
  };
}

/** In an order of its own, and without the last digits: sums of the two are made in another order. */
function comparable({ filter, opened, alone, bars, flows, drawn, hidden }: Answer, total: number) {
  const digits = (value: number) => Number((value / total + 1).toPrecision(10));
  const sorted = (rows: readonly (readonly (string | number)[])[]) =>
    rows
      .map((row) => JSON.stringify(row.map((cell, at) => (typeof cell === "number" && at > 1 ? digits(cell) : cell))))
      .sort();
  return { filter, opened, alone, bars: sorted(bars), flows: sorted(flows), drawn, hidden: digits(hidden * total) };
}

function recordedAttributes({ frames, functions }: GraphBasis): FunctionAttributes {
  const frameOf = (id: number) => frames.get(functions.frame[id] as never);
  return {
    file: (id) => frameOf(id).file,
    className: () => undefined,
    module: (id) => frameOf(id).module,
  };
}

function isPositive(dataSet: DataSet, metric: number): boolean {
  return sumsOf(dataSet, metric).reduce((sum, value) => sum + value, 0) > 0;
}

function hasCosts(dataSet: DataSet): boolean {
  return dataSet.metrics.some(({ additive }, metric) => additive && isPositive(dataSet, metric));
}

/** Of the first metric that has something. */
async function isOfReference(file: string): Promise<void> {
  const dataSet = (await openRecordings([file], {}, quietTask)).find(hasCosts);
  if (!dataSet) throw new Error("nothing in it has a cost");
  const metric = dataSet.metrics.findIndex((one, at) => one.additive && isPositive(dataSet, at));
  const basis = recordedBasis(dataSet, metric);
  const attributes = recordedAttributes(basis);
  const [other] = answersOfReference([dumpOf(basis, attributes)]);
  if (other === null) throw new Error("the reference has no picture");
  const own = ownAnswer(basis, attributes);
  const opened = openedByBoth(own, other);
  expect(comparable({ ...own, opened }, basis.total)).toEqual(comparable(other, basis.total));
}

/** What was opened without fitting, since it had one finer name only, is listed by us alone. */
function openedByBoth(own: Answer, other: Answer & { readonly passed: readonly string[] }): string[] {
  return own.opened.filter((name) => other.opened.includes(name) || !other.passed.includes(name));
}

describe.runIf(canCompare)("the choice of first pictures", () => {
  const seen = { trees: 0, opened: 0, alone: 0, folded: 0, none: 0 };

  it("is that of the reference on random trees", () => {
    const all = seeds(300);
    const bases = all.map((seed) => basisOf(randomProgram(seed)));
    const dumps = bases.map((basis) => dumpOf(basis, recordedAttributes(basis)));
    const answers = answersOfReference(dumps);
    for (const [at, seed] of all.entries()) {
      const own = ownAnswer(bases[at], recordedAttributes(bases[at]));
      const other = answers[at];
      seen.trees++;
      expect(own.isBeyond, `seed ${seed}`).toBe(other === null);
      if (other === null) {
        seen.none++;
        continue;
      }
      const opened = openedByBoth(own, other);
      const total = bases[at].total;
      expect(comparable({ ...own, opened }, total), `seed ${seed}`).toEqual(comparable(other, total));
      if (own.opened.length > 0) seen.opened++;
      if (own.alone.length > 0) seen.alone++;
    }
  });

  it("was compared where groups are opened, and functions set alone", () => {
    expect(seen.opened).toBeGreaterThan(seen.trees / 4);
    expect(seen.alone).toBeGreaterThan(0);
    expect(seen.none).toBeLessThan(seen.trees / 2);
  });

  const files = canCompare
    ? fs.readdirSync(cases).filter((file) => file.endsWith(".gz") && !file.startsWith("cc1plus"))
    : [];

  const others = [
    "loops-cputime-t.d",
    "loops-cuda-nvidia-t.d",
    "loops-hip-amd-t.d",
    "recursion-cuda-nvidiapc-t.d",
    "small.d",
    "small.nostruct.d",
    "pipit-ping-pong",
    "viewer-vectorAdd",
    "viewer-loop-fork-cycles",
    "viewer-acc_f3",
    "viewer-d.foo",
    "viewer-d.x",
  ].map((name) => `data/hpctoolkit-v4/${name}`);
  others.push(
    ...["lulesh-json", "lulesh-cali", "cpi-json", "sw4-cuda-activity-profile-cali", "ordered-cali-mpi"].map(
      (name) => `data/caliper/caliper-${name}`,
    ),
    ...["example-cali", "simple-json", "timeseries-cali/timeseries.cali"].map((name) => `data/caliper/caliper-${name}`),
    "data/other/kineto/resnet50_worker0.pt.trace.json.gz",
    "data/other/kineto/gpu_metrics_input.json",
    "data/other/callgrind/callgrind.name-compression.log",
  );

  it.each([...files.map((file) => `first/cases/${file}`), ...others])("is that of the reference on %s", (file) =>
    isOfReference(path.join(shared ?? "", file)),
  );
});

/** Programs that a Debian system has, on files of this project. */
const PROGRAMS: readonly (readonly string[])[] = [
  ["sort", "--reverse", "package.json"],
  ["grep", "--count", "--extended-regexp", "([a-z]+)-([0-9]+)", "package-lock.json"],
  ["tar", "--create", "--file", "-", "docs"],
];
const canRecord = canCompare && missingTools() === undefined;

describe.runIf(canRecord)("the first picture of a program of this machine", () => {
  it.each(PROGRAMS.map((command) => [command[0], command] as const))(
    "is that of the reference: %s",
    async (name, command) => {
      const [file] = record(path.join(folder, name), "callgrind", [], command);
      await isOfReference(file);
      const other = path.join(folder, `${name}.callgrind.out`);
      fs.writeFileSync(other, functionsInOtherOrder(fs.readFileSync(file, "utf8"), 7));
      const first = await printed(file);
      expect(first.length).toBeGreaterThan(500);
      expect(await printed(file)).toBe(first);
      expect(await printed(other)).toBe(first);
    },
  );
});

async function printed(file: string): Promise<string> {
  const engine = localEngine(grammars);
  try {
    return graphJson(await graphArguments([file, "--first", "--json"], folder).run(engine));
  } finally {
    await engine.dispose();
  }
}
