import {
  databaseFiles,
  experimentXml,
  hpctrace,
  merged,
  metricDb,
  type WrittenDatabase,
  type WrittenNode,
} from "./writer";

/** Two ranks, a GPU stream; recursion, an inlined procedure, a loop, two calls on one line, and nodes of one path. */
const solve: WrittenNode = {
  element: "PF",
  attributes: { s: 12, l: 20, lm: 1, f: 1, n: 2 },
  children: [
    { element: "S", attributes: { s: 13, l: 21, it: 4 }, own: [1000, 2000, 0] },
    {
      element: "L",
      attributes: { s: 14, l: 22, f: 1, v: "0x4010" },
      children: [
        { element: "S", attributes: { s: 15, l: 23, it: 5 }, own: [30000, 41000.5, 0] },
        {
          element: "Pr",
          attributes: { s: 16, l: 5, lm: 1, f: 2, n: 3, a: 1 },
          children: [{ element: "S", attributes: { s: 17, l: 6 }, own: [500, 700, 0] }],
        },
      ],
    },
    {
      element: "C",
      attributes: { s: 18, l: 0, v: "0x4020" },
      children: [
        {
          element: "PF",
          attributes: { s: 31, l: 0, lm: 2, f: 3, n: 4 },
          children: [{ element: "S", attributes: { s: 32, l: 0 }, own: [0, 0, 900000] }],
        },
      ],
    },
  ],
};

export const twoRanks: WrittenDatabase = {
  threads: [
    [0, 0],
    [1, 0],
    [1, 500],
  ],
  modules: ["/home/user/program", "/usr/lib/libcuda.so"],
  files: ["./src/home/user/solve.c", "inline.h", "<unknown file> [libcuda.so]"],
  procedures: ["main", "solve", "<inline>", "<unknown procedure>", "<no activity>"],
  roots: [
    {
      element: "PF",
      attributes: { s: 10, l: 1, lm: 1, f: 1, n: 1 },
      children: [
        // Two calls and a statement on one line: one place.
        { element: "C", attributes: { s: 11, l: 3 }, children: [solve] },
        { element: "S", attributes: { s: 11, l: 3 }, own: [7, 11, 0] },
        {
          element: "C",
          attributes: { s: 11, l: 3 },
          children: [
            {
              element: "PF",
              attributes: { s: 12, l: 20, lm: 1, f: 1, n: 2 },
              children: [{ element: "S", attributes: { s: 13, l: 21 }, own: [64, 0, 0] }],
            },
          ],
        },
      ],
    },
    {
      element: "PF",
      attributes: { s: 40, l: 0, lm: 1, f: 3, n: 5 },
      children: [{ element: "S", attributes: { s: 41, l: 0, it: 9 } }],
    },
  ],
};

export const ZERO = 1659713364904210000n;

export const tracedRanks: WrittenDatabase = {
  ...twoRanks,
  trace: `<TraceDBTable><TraceDB i="0" u="1000000000" db-glob="*.hpctrace" db-min-time="${ZERO}" db-max-time="${ZERO + 9000n}" db-header-sz="32"/></TraceDBTable>\n`,
};

/** One file a thread. */
export const filesOfThreads = databaseFiles(twoRanks);

/** One file of all threads, values and traces. */
export const mergedFiles = {
  "experiment.xml": experimentXml(tracedRanks),
  "experiment-1.mdb": merged(
    tracedRanks.threads.map(([rank, thread], index) => ({ rank, thread, bytes: metricDb(tracedRanks, index) })),
  ),
  "experiment.mt": merged([
    {
      rank: 0,
      thread: 0,
      bytes: hpctrace([
        [ZERO, 9],
        [ZERO + 1000n, 4],
        [ZERO + 5000n, 5],
      ]),
    },
    { rank: 1, thread: 500, bytes: hpctrace([[ZERO + 2000n, 777]], true) },
  ]),
};

/** The sums alone, and what formulas make of them. */
export const sumsAlone = {
  "experiment.xml": experimentXml({
    ...twoRanks,
    version: "2.0",
    doctype: '<!DOCTYPE HPCToolkitExperiment [\n<!ELEMENT Header (Info*)>\n<!ENTITY title "a > b">\n]>\n',
    moreMetrics:
      `<Metric i="10" n="cycles:Sum (I)" v="derived-incr" t="inclusive" show="1"><MetricFormula t="finalize" frm="$10"/></Metric>` +
      `<Metric i="11" n="cycles per usec" v="derived" t="nil" show="1" fmt="%.2f"><MetricFormula frm="$10 / $2"/></Metric>` +
      `<Metric i="12" n="share" v="derived" t="nil" show="1" show-percent="0"><MetricFormula t="finalize" frm="100 * $2 / @2"/></Metric>` +
      `<Metric i="13" n="CPUTIME (usec):Mean (I)" v="derived-incr" t="inclusive" show="1"><MetricFormula t="combine" frm="sum($13, $13)"/><MetricFormula t="finalize" frm="$13 / 3"/></Metric>` +
      `<Metric i="14" n="broken" v="derived" t="nil" show="1"><MetricFormula frm="$2 +"/></Metric>`,
    moreValues: (id) => `<M n="10" v="${1000 * (20 - id)}"/><M n="13" v="${30 * id}"/>`,
  }),
};
