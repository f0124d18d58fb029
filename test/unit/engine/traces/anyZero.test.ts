import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { overviewArguments } from "../../../../src/cli/overviewCommand";
import { localEngine } from "../../../../src/engine/localEngine";
import { RequestError } from "../../../../src/model/errors";
import { casesOf } from "../../randomCases";
import { decimalText } from "../../formats/paje/decimals";
import { type Step, steps, textOf } from "../../formats/paje/randomSteps";
import { EventWriter } from "../../formats/caliper/traceFixtures";
import { region } from "../../formats/caliper/caliWriter";
import { written as perfText } from "../../formats/perf/perfWriter";
import { type Call, written as trackerText } from "../../formats/tracker/trackerWriter";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-zero-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
let written = 0;

/** What all that shows a run over time says of one; a question that is refused says why. */
async function answersOf(texts: readonly string[], ending: string) {
  const files = texts.map((text) => {
    const file = path.join(folder, `${written++}`, `run${ending}`);
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, text);
    return file;
  });
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: files });
  const { id: dataSet, defaultMetric: metric } = info;
  const facts = await engine.timelineFacts({ dataSet });
  const lanes = [...facts.lanes.keys()];
  const length = facts.endSeconds - facts.startSeconds;
  const answers: unknown[] = [];
  const ask = async (what: string, question: () => Promise<unknown>) => {
    const answer = await question().catch((problem: unknown) => {
      if (problem instanceof RequestError) return problem.message;
      throw problem;
    });
    answers.push([what, answer]);
  };
  answers.push(["facts", facts]);
  for (const [from, to] of [
    [0, 1],
    [0.25, 0.5],
  ]) {
    const window = { fromSeconds: facts.startSeconds + from * length, toSeconds: facts.startSeconds + to * length };
    const all = { dataSet, lanes, ...window };
    const rows = lanes.map((lane) => ({ lane, depth: 0, rows: 2 }));
    await ask("sums", () => engine.timelineSums(all));
    await ask("waits", () => engine.timelineWaits(all));
    await ask("path", () => engine.timelinePath({ ...all, withFunctions: true }));
    await ask("messages", () => engine.timelineMessages({ ...all, leastBytes: 0, most: 100 }));
    await ask("marks", () =>
      engine.timelineMarks({ dataSet, look: "depth", ...window, pixelSeconds: length / 64, lanes: rows } as never),
    );
    await ask("bound by", () =>
      engine.boundBy({ dataSet, window: { from: window.fromSeconds, to: window.toSeconds } }),
    );
    await ask("areas", () => engine.resourceAreas({ scope: { dataSet }, cut: {}, ...window }));
    for (const slices of [3, 8])
      await ask("overview", () =>
        engine.overview({
          dataSet,
          kind: "spatiotemporal",
          slices,
          normalize: false,
          metric: "duration",
          hierarchy: { kind: "recorded" },
          ...window,
        }),
      );
  }
  await ask("clock", () => engine.clock({ dataSet }));
  await ask("strip", () => engine.timelineStrip({ dataSet, columns: 10, rows: 10 }));
  await ask("total", () => engine.total({ dataSet, metric, over: "sum" }));
  await engine.dispose();
  for (const options of [[], ["--from", "0.5", "--to", "1.5"]]) {
    const asked = overviewArguments([...files, "--slices", "4", "--json", ...options], folder);
    await ask("command line", async () => asked.text(await asked.run(localEngine(grammars))));
  }
  return answers;
}

/** The same for each zero as for the first one, which is 0. */
async function expectSame(zeros: readonly number[], textsOf: (zero: number) => readonly string[], ending: string) {
  const expected = await answersOf(textsOf(0), ending);
  for (const zero of zeros) expect(await answersOf(textsOf(zero), ending), `zero ${zero}`).toEqual(expected);
}

const runs = (cases: number) => ({ numRuns: casesOf(cases) });

describe("a trace whose clock begins anywhere is the one that begins at 0", () => {
  it("of Paje", async () => {
    await fc.assert(
      fc.asyncProperty(
        steps.filter((all) => all.some(({ does }) => does === "push")),
        (all) => expectSame([1_700_000_000.25, -2, -1e6], (zero) => [textOf(all, zero)], ".trace"),
      ),
      runs(40),
    );
  });

  it("of Paje to the nanosecond, up to the time of day and before 1970", async () => {
    // Eighths of a second become odd numbers of nanoseconds.
    const retimed = (all: readonly Step[], zero: number) =>
      textOf(all).replace(/^(6|7|8|1[1-6]) (\d+(?:\.\d+)?)/gm, (_, id: string, time: string) => {
        const units = BigInt(Number(time) * 8) * 123_456_789n + BigInt(zero) * 1_000_000_000n;
        return `${id} ${decimalText(units, 9)}`;
      });
    await fc.assert(
      fc.asyncProperty(
        steps.filter((all) => all.some(({ does }) => does === "push")),
        fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }),
        (all, zero) => expectSame([1_700_000_000, zero], (at) => [retimed(all, at)], ".trace"),
      ),
      runs(25),
    );
  });

  const events = fc.array(
    fc.record({
      tid: fc.nat(1),
      pid: fc.nat(1),
      at: fc.nat(40),
      length: fc.nat(12),
      name: fc.constantFrom("solve", "MPI_Recv", "MPI_Send", "idle"),
    }),
    { minLength: 1, maxLength: 20 },
  );
  // In whole and in eighths of microseconds, which the format has as decimals.
  it("of Chrome, whichever event stands first", async () => {
    await fc.assert(
      fc.asyncProperty(events, async (all) => {
        const textsOf = (zero: number) => [
          JSON.stringify(
            all.map(({ at, length, name, pid, tid }) => ({
              ph: "X",
              name,
              pid,
              tid,
              ts: zero + at / 8,
              dur: length / 8,
            })),
          ),
        ];
        await expectSame([1.7e9, -20, 0.125, 86_400_000.5], textsOf, ".json");
      }),
      runs(40),
    );
  });

  it("of Chrome to the nanosecond, up to the time of day and before 1970", async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: -4e15, max: 4e15 }), async (all, zero) => {
        // Decimals of microseconds as they are written: doubles of the time of day have no nanoseconds.
        const textsOf = (microseconds: number) => {
          const rows = all.map(({ at, length, name, pid, tid }) => {
            const start = decimalText(BigInt(at) * 1234n + BigInt(microseconds) * 1000n, 3);
            return `{"ph":"X","name":"${name}","pid":${pid},"tid":${tid},"ts":${start},"dur":${decimalText(BigInt(length) * 1234n, 3)}}`;
          });
          return [`[${rows.join(",")}]`];
        };
        await expectSame([1.7e15, zero], textsOf, ".json");
      }),
      runs(25),
    );
  });

  it("of perf, whichever sample stands first", async () => {
    const sample = fc.record({ process: fc.nat(1), at: fc.nat(40), name: fc.constantFrom("main", "solve") });
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 12 }), async (all) => {
        const textsOf = (zero: number) => [
          perfText(
            all.map(({ process, at, name }) => ({
              command: "solver",
              process,
              thread: process,
              period: 250_000,
              event: "cycles:u",
              microseconds: (zero + at / 8) * 1e6,
              frames: [{ name, offset: 16, module: "/opt/solver", inlined: "no" as const }],
            })),
          ),
        ];
        await expectSame([1, 1_700_000_000.25, 86_400.5], textsOf, ".txt");
      }),
      runs(20),
    );
  });

  it("of perf to the nanosecond, up to the time of day", async () => {
    const sample = fc.record({
      process: fc.nat(1),
      units: fc.integer({ min: 0, max: 10_000_000_000 }),
      name: fc.constantFrom("main", "solve"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(sample, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4_000_000_000 }),
        async (all, zero) => {
          const textsOf = (at: number) => {
            const units = all.map((one) => BigInt(one.units) + BigInt(at) * 1_000_000_000n);
            const text = perfText(
              all.map(({ process, name }) => ({
                command: "solver",
                process,
                thread: process,
                period: 250_000,
                event: "cycles:u",
                microseconds: 0,
                frames: [{ name, offset: 16, module: "/opt/solver", inlined: "no" as const }],
              })),
            );
            return [text.replace(/ \d+\.\d{6}:/g, () => ` ${decimalText(units.shift() ?? 0n, 9)}:`)];
          };
          await expectSame([1_700_000_000, zero], textsOf, ".txt");
        },
      ),
      runs(20),
    );
  });

  it("of Caliper, by the start of each process", async () => {
    const started = (seconds: number, nanoseconds: string) => ({ seconds: String(seconds), nanoseconds });
    const textsOf = (zero: number) =>
      [0, 1].map((rank) => {
        const writer = new EventWriter(rank, started(1_600_000_000 + zero + rank, "250000000"));
        writer.begin(region, "main", 0).begin(region, "solve", 125_000_000).end(500_000_000).end(2_000_000_000);
        return writer.text();
      });
    await expectSame([100_000_000, -1_600_000_000, 3], textsOf, ".cali");
  });

  it("of the tracker, by the start of the recording", async () => {
    const calls: Call[] = [{ name: "main", steps: [125_000, { name: "solve", steps: [250_000] }, 125_000] }];
    const textsOf = (zero: number) => [
      trackerText({ startNanoseconds: 250_000_000, baseSeconds: 1_600_000_000 + zero, threads: [calls] }).text,
    ];
    await expectSame([100_000_000, -1_000_000, 3], textsOf, ".json");
  });
});
