import { describe, expect, it } from "vitest";
import { hpctoolkitV2 } from "../../../../../src/formats/hpctoolkit/v2/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { FormatError } from "../../../../../src/model/errors";
import { type Fixture, formatLaws, readFixture } from "../../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { filesOfThreads, mergedFiles, sumsAlone, tracedRanks, twoRanks, ZERO } from "./databases";
import { databaseFiles, experimentXml, hpctrace, metricDb, merged, threadFile, type WrittenDatabase } from "./writer";

async function open(fixture: Fixture, named?: readonly string[]): Promise<DataSet> {
  const dataSets = await readFixture(hpctoolkitV2, fixture, { open: named });
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

/** Values by path and place: `main|3 rank 0`. */
function values(dataSet: DataSet, metric: string): Record<string, number> {
  const index = metricNamed(dataSet, metric);
  const paths = shortPaths(dataSet);
  return Object.fromEntries(
    [...cellsOf(dataSet, index)].map(([context, location, value]) => {
      const { rank, stream } = dataSet.locations[location];
      return [`${paths[context]} ${stream >= 0 ? `stream ${stream}` : `rank ${rank}`}`, value];
    }),
  );
}

/** Functions by name, lines and loops by number. */
function shortPaths({ frames, tree }: DataSet): string[] {
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const { kind, name, line } = frames.get(tree.frame[context] as never);
    const own = kind === "line" ? `${line}` : kind === "loop" ? `loop ${line}` : name;
    paths.push(tree.parent[context] < 0 ? own : `${paths[tree.parent[context]]}|${own}`);
  }
  return paths;
}

describe("HPCToolkit 2 databases", () => {
  it("give each statement's own time, by thread, and nothing to the frames above it", async () => {
    for (const fixture of [filesOfThreads, mergedFiles]) {
      const dataSet = await open(fixture);
      expect(values(dataSet, "CPUTIME")).toEqual({
        "main|3 rank 0": 7e-6,
        "main|3 rank 1": 11e-6,
        "main|3|solve|21 rank 0": 0.001064,
        "main|3|solve|21 rank 1": 0.002,
        "main|3|solve|loop 22|23 rank 0": 0.03,
        "main|3|solve|loop 22|23 rank 1": 0.0410005,
        "main|3|solve|loop 22|<inline>|6 rank 0": 0.0005,
        "main|3|solve|loop 22|<inline>|6 rank 1": 0.0007,
      });
      expect(values(dataSet, "CPUTIME (GPU streams)")).toEqual({
        "main|3|solve|0x4020|<unknown procedure>|(no line) stream 500": 0.9,
      });
      expect(dataSet.warnings.filter(({ message }) => !/samples of the traces|trace's samples/.test(message))).toEqual(
        [],
      );
    }
  });

  it("keep the tool's own exclusive values as a metric that does not add up", async () => {
    const dataSet = await open(filesOfThreads);
    const tool = dataSet.metrics[metricNamed(dataSet, "CPUTIME")].toolExclusive ?? -1;
    expect(dataSet.metrics[tool]).toMatchObject({
      name: "CPUTIME (E)",
      recordedName: "CPUTIME (usec) (E)",
      additive: false,
    });
    expect(values(dataSet, "CPUTIME (E)")).toMatchObject({
      "main rank 0": 7e-6,
      "main|3|solve rank 0": 0.031064,
      "main|3|solve|loop 22 rank 0": 0.03,
      "main|3|solve|loop 22|23 rank 0": 0.03,
    });
  });

  it("have frames with definition lines, modules and the paths that files had before they were copied", async () => {
    const { frames, tree, sourceCopies } = await open(filesOfThreads);
    const all = Array.from(tree.frame, (frame) => frames.get(frame as never));
    expect(all).toContainEqual({
      name: "solve",
      kind: "function",
      file: "/home/user/solve.c",
      line: 20,
      module: "/home/user/program",
    });
    expect(all).toContainEqual({
      name: "<inline>",
      kind: "inlined",
      file: "inline.h",
      line: 5,
      module: "/home/user/program",
    });
    expect(all).toContainEqual({
      name: "<unknown procedure>",
      kind: "function",
      module: "/usr/lib/libcuda.so",
      address: 31,
    });
    expect(all).toContainEqual({
      name: "loop at /home/user/solve.c:22",
      kind: "loop",
      file: "/home/user/solve.c",
      line: 22,
      address: 0x4010,
    });
    expect(all).toContainEqual({ name: "0x4020", kind: "instruction", file: "/home/user/solve.c", address: 0x4020 });
    expect(sourceCopies).toEqual({
      folder: "/test/src",
      files: new Map([["/home/user/solve.c", "/test/src/home/user/solve.c"]]),
    });
  });

  it("have traces as lanes: a sample holds until the next one, the last one has no length", async () => {
    const { trace, topology, frames, locations, warnings, tree } = await open(mergedFiles, ["experiment.mt"]);
    expect(trace?.zeroNanoseconds).toBe(ZERO);
    expect(trace?.endSeconds).toBe(5e-6);
    expect(trace?.lanes.map(({ name, events }) => [name, events])).toEqual([
      ["rank 0, thread 0", 3],
      ["rank 1, stream 500", 1],
    ]);
    expect(trace?.lanes.map(({ location }) => locations[location].rank)).toEqual([0, 1]);
    const first = await trace?.readEvents(0, 0, 9);
    expect(Array.from(first?.startSeconds ?? [])).toEqual([0, 1e-6, 5e-6]);
    expect(Array.from(first?.endSeconds ?? [])).toEqual([1e-6, 5e-6, 5e-6]);
    expect(Array.from(first?.frame ?? [], (frame) => frames.nameOf(frame))).toEqual([
      "<no activity>",
      "solve",
      "solve",
    ]);
    expect(Array.from(first?.category ?? [], (one) => trace?.categories[one].kind)).toEqual([
      "idle",
      "compute",
      "compute",
    ]);
    expect(shortPaths({ frames, tree } as DataSet)[first?.context[2] ?? -1]).toBe("main|3|solve|loop 22|23");
    const second = await trace?.readEvents(1, 0, 9);
    expect(trace?.categories[second?.category[0] ?? 0].kind).toBe("gpuCompute");
    expect(topology?.resources.map(({ type, name }) => `${type} ${name}`)).toEqual([
      "process rank 0",
      "thread thread 0",
      "process rank 1",
      "stream stream 500",
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "1 samples of the traces are of contexts that the database does not have",
      expect.stringContaining("samples have 5.00 µs where the profile has 75.3 ms of CPUTIME"),
    ]);
  });

  it("have sums and formulas where there are no files of threads", async () => {
    const dataSet = await open(sumsAlone);
    const time = dataSet.metrics[metricNamed(dataSet, "CPUTIME")];
    expect(time).toMatchObject({ additive: true, reducedOverRanks: true, unit: "s", kind: "time" });
    const sums = values(dataSet, "CPUTIME");
    expect(sums["main|3|solve|loop 22|23 rank -1"]).toBeCloseTo(0.0710005, 6);
    // Nodes 3 and 17 are the same call: sums first, then the formula.
    expect(dataSet.metrics[metricNamed(dataSet, "cycles per usec")]).toMatchObject({ additive: false, kind: "rate" });
    const main = 7 + 11 + 1000 + 2000 + 30000 + 41000.5 + 500 + 700 + 900000 + 64;
    expect(values(dataSet, "cycles per usec")["main rank -1"]).toBeCloseTo(
      (1000 * 18) / Number(main.toPrecision(6)),
      12,
    );
    expect(values(dataSet, "share")["main rank -1"]).toBe(100);
    expect(values(dataSet, "CPUTIME:Mean (I)")["main rank -1"]).toBeCloseTo((30 * 2) / 3 / 1e6, 18);
    expect(dataSet.notRecorded).toContain(
      "no values of single ranks and threads in this recording, only sums over them",
    );
    expect(dataSet.warnings.map(({ message }) => message)).toContain(
      "the formula of broken is left out: it ends where a value should be",
    );
  });

  it("have the sum that a mean is computed of where there is no other sum, and the mean beside it", async () => {
    const mean = (frm: string) =>
      `<Metric i="13" n="cycles:Mean (I)" v="derived-incr" t="inclusive" show="1"><MetricFormula t="combine" frm="sum($13, $13)"/><MetricFormula t="finalize" frm="${frm}"/></Metric>`;
    const withMean = (frm: string) =>
      open({
        "experiment.xml": experimentXml({
          ...twoRanks,
          moreMetrics: mean(frm),
          moreValues: (id) => (id > 2 ? "" : `<M n="13" v="60"/>`),
        }),
      });
    const dataSet = await withMean("$13 / 3");
    expect(dataSet.metrics.slice(-2).map(({ name, additive, note }) => [name, additive, note])).toEqual([
      ["cycles", true, undefined],
      ["cycles:Mean (I)", false, undefined],
    ]);
    expect(values(dataSet, "cycles")).toEqual({ "main rank -1": 60 });
    expect(values(dataSet, "cycles:Mean (I)")).toEqual({ "main rank -1": 20 });
    const [stored] = (await withMean("$13")).metrics.slice(-1);
    expect(stored).toMatchObject({ name: "cycles", note: expect.stringContaining("averages") });
  });

  it("leave a cut file of a thread out, and say so", async () => {
    const name = threadFile([1, 0], "metric-db");
    const cut = (filesOfThreads[name] as Buffer).subarray(0, -8);
    const dataSet = await open({ ...filesOfThreads, [name]: cut });
    expect(dataSet.locations.map(({ rank, stream }) => [rank, stream])).toEqual([
      [-1, -1],
      [0, -1],
      [1, 500],
    ]);
    expect(dataSet.warnings[0].message).toMatch(
      /byte 312.*found the end of the values after 312 bytes; expected 320 bytes: 18 nodes/,
    );
  });

  it("keep the recorded sums where values of only some threads are there, and say which have how much", async () => {
    const [first, second] = twoRanks.threads.map((thread) => threadFile(thread, "metric-db"));
    const some = { "experiment.xml": filesOfThreads["experiment.xml"], [first]: filesOfThreads[first] };
    const dataSet = await open(some);
    expect(dataSet.metrics.map(({ name, reducedOverRanks }) => [name, reducedOverRanks])).toEqual([
      ["CPUTIME", true],
      ["CPUTIME (E)", true],
      ["CPUTIME (1 thread)", false],
      ["CPUTIME (E) (1 thread)", false],
    ]);
    expect(values(dataSet, "CPUTIME (1 thread)")["main|3|solve|loop 22|23 rank 0"]).toBe(0.03);
    expect(values(dataSet, "CPUTIME")["main|3|solve|loop 22|23 rank -1"]).toBeCloseTo(0.0710005, 6);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/value files of 1 thread, with 31\.6 ms of 975 ms of CPUTIME: the sums over all threads/),
    ]);
    expect(dataSet.notRecorded).not.toContainEqual(expect.stringContaining("single ranks"));
    // Where the tool says how many threads there were, so do we.
    const text = String(filesOfThreads["experiment.xml"])
      .replace(
        "</MetricTable>",
        `<Metric i="12" n="CPUTIME (usec):Mean:num-src (I)" v="derived-incr" t="inclusive" show="0"/></MetricTable>`,
      )
      .replace("<SecCallPathProfileData>", `<SecCallPathProfileData><M n="12" v="3"/>`);
    const counted = await open({ ...some, [second]: filesOfThreads[second], "experiment.xml": text });
    expect(counted.metrics[2].name).toBe("CPUTIME (2 of 3 threads)");
  });

  it("take the columns of value files for what their names say, where nothing else does", async () => {
    const text = String(filesOfThreads["experiment.xml"]).replace(/(<MetricDB [^>]*) t="\w+" partner="\d"/g, "$1");
    const dataSet = await open({ ...filesOfThreads, "experiment.xml": text });
    const whole = await open(filesOfThreads);
    expect(text).not.toMatch(/<MetricDB [^>]*(?:t|partner)=/);
    expect(values(dataSet, "CPUTIME")).toEqual(values(whole, "CPUTIME"));
    expect(dataSet.metrics).toEqual(whole.metrics);
  });

  it("give metrics of one name names of their own", async () => {
    const text = String(filesOfThreads["experiment.xml"]).replace(
      /(<MetricDB [^>]*n=")[^"]*" t="\w+" partner="\d"/g,
      '$1time" t="nil"',
    );
    const { metrics } = await open({ ...filesOfThreads, "experiment.xml": text });
    expect(metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(["time", "time (2)"]));
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  });

  it("have traces of the first version, whose header has no flags", async () => {
    const samples = [
      [ZERO, 9],
      [ZERO + 1000n, 4],
    ] as const;
    const { trace } = await open({
      "experiment.xml": experimentXml(tracedRanks),
      [threadFile([0, 0], "hpctrace")]: hpctrace(samples, false, "01.00"),
    });
    const events = await trace?.readEvents(0, 0, 9);
    expect(Array.from(events?.startSeconds ?? [])).toEqual([0, 1e-6]);
    expect(Array.from(events?.endSeconds ?? [])).toEqual([1e-6, 1e-6]);
  });

  it("make metrics of `view` formulas, of those of an order, and never show what is never to be shown", async () => {
    const stored = (i: number, name: string, order: number, more: string) =>
      `<Metric i="${i}" n="${name}" o="${order}" v="derived-incr" show="4" ${more}><MetricFormula t="combine" frm="sum($${i}, $${i})"/><MetricFormula t="finalize" frm="$${i}"/></Metric>`;
    const moreMetrics =
      stored(10, "ACUMU:Sum (I)", 7, 't="inclusive" partner="11"') +
      stored(11, "ACUMU:Sum (E)", -1, 't="exclusive" partner="10"') +
      stored(12, "LAUNCHES:Sum (I)", 9, 't="inclusive" partner="13"') +
      stored(13, "LAUNCHES:Sum (E)", -1, 't="exclusive" partner="12"') +
      `<Metric i="14" n="REGISTERS:Sum (I)" o="8" v="derived-incr" t="inclusive" partner="15" show="1"><MetricFormula t="combine" frm="sum($14, $14)"/><MetricFormula t="finalize" frm="$14"/><MetricFormula t="view" frm="#7/#9"/></Metric>` +
      `<Metric i="15" n="REGISTERS:Sum (E)" o="-1" v="derived-incr" t="exclusive" partner="14" show="1" fmt="%6.2f %%"><MetricFormula t="view" frm="100 * #7 / #9"/><MetricFormula t="finalize" frm="$15"/></Metric>` +
      `<Metric i="16" n="NOTHING" o="-1" v="derived-incr" t="nil" show="1"><MetricFormula t="view" frm="#77"/></Metric>`;
    const database = {
      ...twoRanks,
      moreMetrics,
      moreValues: (id: number) =>
        `<M n="10" v="${120 * id}"/><M n="11" v="${30 * id}"/><M n="12" v="${2 * id}"/><M n="13" v="${3 * id}"/><M n="14" v="5"/><M n="15" v="5"/>`,
    };
    const dataSet = await open({ "experiment.xml": experimentXml(database) });
    expect(dataSet.metrics.map(({ name, unit, kind, additive }) => [name, unit, kind, additive])).toEqual([
      ["CPUTIME", "s", "time", true],
      ["CPUTIME (E)", "s", "time", false],
      ["REGISTERS:Sum (I)", "1", "rate", false],
      ["REGISTERS:Sum (E)", "%", "rate", false],
    ]);
    expect(values(dataSet, "REGISTERS:Sum (I)")["main rank -1"]).toBe(60);
    expect(values(dataSet, "REGISTERS:Sum (E)")["main rank -1"]).toBe(1000);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "the formula of NOTHING is left out: there is no metric of order 77",
    ]);
  });

  it("say that a merged file has no end mark", async () => {
    const cut = mergedFiles["experiment.mt"].subarray(0, -20);
    const { warnings } = await open({ ...mergedFiles, "experiment.mt": cut });
    expect(warnings.map(({ message }) => message)).toContain(
      "the end mark of the merged file is missing: it may not be complete",
    );
  });

  it.each([
    ["overlap", 8 + 16 + 8, 1n << 40n, /left out: .*found a file from byte \d+ to \d+; expected parts that follow/],
    ["lie in the table", 16, 8n, /left out: .*found a file from byte 8/],
    ["start beyond any file", 16, -1n, /left out: .*found an offset 18446744073709551615/],
  ])("refuse parts of a merged file that %s", async (_, at, offset, message) => {
    const bytes = Buffer.from(mergedFiles["experiment-1.mdb"]);
    bytes.writeBigInt64BE(offset, at);
    const { warnings, locations } = await open({ ...mergedFiles, "experiment-1.mdb": bytes });
    expect(warnings[0].message).toMatch(message);
    expect(locations.some(({ rank }) => rank < 0)).toBe(true);
  });

  it("refuse counts that no file could hold, before room is made for them", async () => {
    const name = threadFile([0, 0], "metric-db");
    const bytes = Buffer.from(filesOfThreads[name] as Buffer);
    bytes.writeUInt32BE(0xffffffff, 24);
    bytes.writeUInt32BE(0xffffffff, 28);
    const { warnings } = await open({ ...filesOfThreads, [name]: bytes });
    expect(warnings[0].message).toMatch(/4294967295 nodes with 4294967295 values each/);
  });

  it("make no room for nodes that no file of values could be of", async () => {
    const nameless = '<PF n="1" l="1"/>'.repeat(200_000);
    const columns = Array.from(
      { length: 4_000 },
      (_, at) => `<MetricDB i="${at + 2}" n="m${at}" t="nil" db-id="${at + 2}"/>`,
    );
    const text = String(filesOfThreads["experiment.xml"])
      .replace("</MetricDBTable>", `${columns.join("")}</MetricDBTable>`)
      .replace("</SecCallPathProfileData>", `${nameless}</SecCallPathProfileData>`);
    const name = threadFile([0, 0], "metric-db");
    const wide = Buffer.alloc(32 + 18 * 4_002 * 8);
    (filesOfThreads[name] as Buffer).copy(wide, 0, 0, 32);
    wide.writeUInt32BE(18, 24);
    wide.writeUInt32BE(4_002, 28);
    await expect(open({ "experiment.xml": text, [name]: wide })).rejects.toThrow(/values of other nodes or metrics/);
  });

  it("say where experiment.xml is missing, whichever other file is opened", async () => {
    const name = threadFile([0, 0], "metric-db");
    const alone = { [name]: filesOfThreads[name] };
    await expect(open(alone)).rejects.toThrow(/without the experiment.xml/);
  });

  it("keep values apart that belong to other nodes", async () => {
    const other = { ...twoRanks, roots: twoRanks.roots.slice(0, 1) };
    const name = threadFile([0, 0], "metric-db");
    const dataSet = await open({ ...filesOfThreads, [name]: metricDb(other, 0) });
    expect(dataSet.warnings.map(({ message }) => message)).toContain(
      "values of another database are left out: it has 16 nodes with 2 values, the tree 18 and 2",
    );
  });

  it("keep the addresses of kernels exact, two that stand a byte apart as two", async () => {
    const kernel = [
      "0xffffffff81000ab4",
      "0xffffffff81000ab5",
      "{[0xfffffffffffffff0-0xfffffffffffffff4)}",
      "0x10000000000000",
    ];
    const database: WrittenDatabase = {
      threads: [[0, 0]],
      procedures: ["<vmlinux>"],
      roots: [
        {
          element: "PF",
          attributes: { s: 1, l: 0, n: 1 },
          children: kernel.map((v, at) => ({ element: "S", attributes: { s: 5, l: 0, v }, own: [at + 1] })),
        },
      ],
    };
    expect(values(await open(databaseFiles(database)), "CPUTIME")).toEqual({
      "<vmlinux>|0xffffffff81000ab4 rank 0": 1e-6,
      "<vmlinux>|0xffffffff81000ab5 rank 0": 2e-6,
      "<vmlinux>|0xfffffffffffffff0 rank 0": 3e-6,
      "<vmlinux>|0x10000000000000 rank 0": 4e-6,
    });
  });

  it("say what is wrong, and on which line", async () => {
    const text = String(filesOfThreads["experiment.xml"]);
    const broken = async (from: string | RegExp, to: string) =>
      open({ ...filesOfThreads, "experiment.xml": text.replace(from, to) });
    await expect(broken('<M n="2"', '<M n="99"')).rejects.toThrow(
      /line 24: found a value of metric 99; expected a metric/,
    );
    const sums = sumsAlone["experiment.xml"].replace(/<M n="2" v="[^"]*"/, '<M n="2" v="1,5"');
    await expect(open({ "experiment.xml": sums })).rejects.toThrow(/value "1,5"; expected a number/);
    await expect(broken(' lm="1" f="1" n="1"', ' lm="7" f="1" n="1"')).rejects.toThrow(/load module 7/);
    await expect(broken('<PF i="2"', '<PF i="3"')).rejects.toThrow(/node 3 twice/);
    await expect(broken('<PF i="2"', '<PF i="2147483640"')).rejects.toThrow(/node 2147483640 .* which has 18 nodes/);
    await expect(broken('version="2.2"', 'version="4.0"')).rejects.toThrow(
      /line 2: found version "4\.0"; expected a database of version 2\. Not supported: version 4\.0; run hpcprof(?!.*damaged)/,
    );
    await expect(broken('version="2.2"', 'version="2.x"')).rejects.toThrow(/version "2.x"; .*damaged/);
    await expect(broken("</SecCallPathProfile>", "")).rejects.toThrow(/found text that is no XML/);
    await expect(broken(/<\/L>[^]*/, "")).rejects.toThrow(/found the end of the file .*unclosed/);
    await expect(broken(/<SecCallPathProfileData>[^]*<\/SecCallPathProfileData>/, "")).rejects.toThrow(
      /no call path profile/,
    );
  });

  it("never look up what declarations name", async () => {
    const bomb = `<!DOCTYPE HPCToolkitExperiment [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>\n`;
    const files = (use: string, doctype = bomb) => ({
      "experiment.xml": experimentXml({ ...twoRanks, threads: [], doctype }).replace('n="main"', `n="main${use}"`),
    });
    const opened = await open(files(""));
    expect(pathsOf(opened)).toContainEqual(["main"]);
    for (const name of ["b", "f", "constructor", "__proto__", "toString"])
      await expect(open(files(`&${name};`))).rejects.toThrow(
        /found a reference to something that only declarations could define/,
      );
    const external = `<!DOCTYPE HPCToolkitExperiment SYSTEM "http://example.invalid/experiment.dtd">\n`;
    expect(pathsOf(await open(files("", external)))).toContainEqual(["main"]);
    await expect(
      open(files("", `<!DOCTYPE x [<!-- <HPCToolkitExperiment -->${"<!ELEMENT a (b)>".repeat(400_000)}]>`)),
    ).rejects.toThrow(/more than 4194304 bytes before the first element/);
    const attribute = `<HPCToolkitExperiment version="2.0"><Header n="${"A".repeat(65 << 20)}`;
    await expect(open({ "experiment.xml": attribute })).rejects.toThrow(
      /found a text or an attribute of more than 64 MB/,
    );
  });

  it("take any name for a name", async () => {
    const procedures = ["__proto__", "constructor", '<img src=x onerror="alert(1)">', "n".repeat(100_000), "toString"];
    const database: WrittenDatabase = {
      threads: [[0, 0]],
      modules: ["__proto__"],
      files: ["constructor"],
      procedures,
      roots: procedures.map((_, at) => ({
        element: "PF",
        attributes: { s: at + 1, l: 1, lm: 1, f: 1, n: at + 1 },
        children: [{ element: "S", attributes: { s: 100 + at, l: 2 }, own: [at + 1] }],
      })),
    };
    const dataSet = await open(databaseFiles(database));
    expect(new Set(pathsOf(dataSet).map(([name]) => name))).toEqual(new Set(procedures));
    expect(Object.values(values(dataSet, "CPUTIME")).sort()).toEqual([1e-6, 2e-6, 3e-6, 4e-6, 5e-6]);
  });

  it("may be 100,000 calls deep", async () => {
    const depth = 100_000;
    const head = experimentXml({ threads: [], procedures: ["f"], roots: [] });
    const [before, after] = head.split(/(?<=<SecCallPathProfileData>\n)/);
    const down = Array.from({ length: depth }, (_, at) => `<PF i="${at + 2}" n="1" l="1"><M n="2" v="${depth - at}"/>`);
    const dataSet = await open({ "experiment.xml": before + down.join("") + "</PF>".repeat(depth) + after });
    expect(dataSet.tree.size).toBe(depth);
    const own = [...cellsOf(dataSet, metricNamed(dataSet, "CPUTIME"))];
    expect(own).toHaveLength(depth);
    expect(own.every(([, , value]) => value === 1e-6)).toBe(true);
    await expect(open({ "experiment.xml": before + down.join("") })).rejects.toThrow(/end of the file/);
  });

  it("keep what the whole program has beyond its procedures", async () => {
    const bytes = Buffer.from(metricDb({ ...twoRanks, threads: [[0, 0]] }, 0));
    bytes.writeDoubleBE(bytes.readDoubleBE(32) + 5e6, 32);
    const dataSet = await open({
      "experiment.xml": filesOfThreads["experiment.xml"],
      [threadFile([0, 0], "metric-db")]: bytes,
    });
    expect(values(dataSet, "CPUTIME")["(no region) rank 0"]).toBeCloseTo(5, 9);
  });

  it("are one data set, whichever files of it are opened", async () => {
    const names = Object.keys(filesOfThreads);
    for (const some of [names, names.slice(1), [names[2]]])
      expect((await open(filesOfThreads, some)).files).toHaveLength(4);
  });

  it("read a table by rank in place of files of threads", async () => {
    const table = [
      { id: 1, inc: [100, 300], exc: [0, 0] },
      { id: 2, inc: [100, 300], exc: [0, 0] },
      { id: 5, inc: [60, 300], exc: [60, 300] },
    ];
    const fixture = {
      "experiment.xml": filesOfThreads["experiment.xml"],
      "metrics.json": table.map((line) => JSON.stringify(line)).join("\n"),
    };
    const dataSet = await open(fixture);
    expect(values(dataSet, "CPUTIME")).toEqual({
      "main rank 0": 4e-5,
      "main|3|solve|21 rank 0": 6e-5,
      "main|3|solve|21 rank 1": 3e-4,
    });
    await expect(open({ ...fixture, "metrics.json": '{"id":1,"inc":[1],"exc":[1]}\n{"id":2}' })).rejects.toThrow(
      /line 2: found other JSON/,
    );
    await expect(open({ ...fixture, "metrics.json": '{"id":1,"inc":[1],"exc":[1]}\n{"id"' })).rejects.toBeInstanceOf(
      FormatError,
    );
  });
});

formatLaws(hpctoolkitV2, { "files of threads": filesOfThreads, "sums alone": sumsAlone }, undefined, 0.25);
formatLaws(
  hpctoolkitV2,
  { "merged files": mergedFiles },
  ["experiment.xml", "experiment-1.mdb", "experiment.mt"],
  0.25,
);
formatLaws(
  hpctoolkitV2,
  { "a file of a thread": databaseFiles({ ...tracedRanks, threads: [[3, 0]] }) },
  [threadFile([3, 0], "metric-db")],
  0.25,
);
formatLaws(
  hpctoolkitV2,
  {
    "merged values": {
      ...mergedFiles,
      "experiment-1.mdb": merged([{ rank: 0, thread: 1, bytes: metricDb(twoRanks, 0) }]),
    },
  },
  ["experiment-1.mdb"],
  0.25,
);
