/** The parts of `npm run bench`, each as rows of one table. A part runs in a process of its own: some measure its memory. */
import { benchActivation } from "./activation";
import { shortName } from "../../src/model/shortName";
import { benchBrushing, RANKS as BRUSHED_RANKS } from "./brushing";
import { benchEnsembles } from "./ensembles";
import { benchEnsembleDrawing, RUNS as DRAWN_RUNS } from "./ensembleDrawing";
import { benchFirstPicture } from "./firstPicture";
import { benchLinks } from "./links";
import { CONTEXTS, RANKS } from "./generatedRegistry";
import { benchManyRanks, RANKS as MANY_RANKS } from "./manyRanks";
import { benchOperations } from "./operations";
import { INPUT_BYTES, inputs, LARGE_INPUT_BYTES, LARGE_INPUTS, LEAST_INPUT_BYTES } from "./inputs";
import { benchOverview } from "./overview";
import { benchPajeModel, benchStream } from "./overviewStream";
import { benchReading, type Reading } from "./reading";
import { benchReadingThreads, RANK_FILES } from "./readingThreads";
import { benchSuperGraph, calibrate } from "./superGraph";
import { benchTimeline, EVENTS } from "./timeline";
import { benchTopology, benchTreemap } from "./treemap";
import { benchTracker, type TrackerBench } from "./tracker";

export interface Row {
  readonly what: string;
  readonly figure: string;
  /** What it should be at most, in the figure's unit. */
  readonly budget?: string;
  readonly holds?: boolean;
  readonly note?: string;
}

const ACTIVATION_BUDGET_MS = 50;
const OPEN_BUDGET_S = 20;
const CANCEL_BUDGET_MS = 200;
/** From the click to the redraw. */
const REDRAW_BUDGET_MS = 200;
const MESSAGE_BUDGET_MB = 1;
/** Thirty frames a second. */
const FRAME_BUDGET_MS = 1000 / 30;

/** As many as the largest case of Dosimont et al. 2014, whose tools took 3,155 s for it. */
const STREAM_EVENTS = 218_000_000;
const STREAM_BUDGET_S = 60;
const LARGE_STREAM = "large:overview";

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  activation: async () => {
    const times = (await benchActivation()).sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    return [
      {
        what: "activation",
        figure: `${median} ms`,
        ...budget(median, ACTIVATION_BUDGET_MS, "ms"),
        note: `as VS Code reports it; median of ${times.length} starts, ${times[0]} to ${times.at(-1)} ms`,
      },
    ];
  },
  ...readingParts("read", Object.keys(inputs), INPUT_BYTES),
  ...readingParts("least", Object.keys(inputs), LEAST_INPUT_BYTES),
  ...readingParts("large", LARGE_INPUTS, LARGE_INPUT_BYTES, 1),
  [LARGE_STREAM]: () => streamRows(STREAM_EVENTS),
  threads: async () =>
    (await benchReadingThreads()).map(({ threads, megabytes, speed, times }) => ({
      what: `reading ${RANK_FILES} files of one run, ${digits(megabytes)} MB, to the profile, ${threads === 1 ? "one thread" : `${threads} threads`}`,
      figure: `${digits(speed)} MB/s`,
      note: threads === 1 ? "" : `${digits(times)} times one thread; aim 1.6 on two cores`,
    })),
  ensembles: async () =>
    (await benchEnsembles()).map(({ what, seconds, budget: most, megabytes, bars }) => ({
      what,
      figure: `${digits(seconds)} s`,
      ...budget(seconds, most, "s"),
      note: `to the super graph of ${bars} bars; ${digits(megabytes)} MB at most`,
    })),
  superGraph: async () =>
    benchSuperGraph().map((row) => ({
      what: `super graph by ${row.groupBy}, ${row.name}, ${row.contexts.toLocaleString("en")} contexts`,
      figure: `${digits(row.totalMs)} ms`,
      ...(row.budgetMs === undefined ? {} : budget(row.totalMs, row.budgetMs, "ms")),
      note: `${digits(row.ratio)} calibration loops; layout ${digits(row.layoutMs)} ms; median of ${row.runs}`,
    })),
  firstPicture: async () =>
    benchFirstPicture().map((row) => ({
      what: `first picture, ${row.name}, ${row.contexts.toLocaleString("en")} contexts, beyond opening`,
      figure: `${digits(row.medianMs)} ms`,
      ...(row.budgetMs === undefined ? {} : budget(row.medianMs, row.budgetMs, "ms")),
      note: `time of the processor; ${digits(row.coldMs)} ms the first time; ${row.attempts} attempts, ${row.bars} bars`,
    })),
  ensembleDrawing: async () => {
    const { bars, targetMs, brushMs, dragged } = await benchEnsembleDrawing();
    const of = `ensemble of ${DRAWN_RUNS} runs with ${bars} bars, one after the other`;
    return [
      { what: `another target, ${of}`, figure: `${digits(targetMs)} ms`, ...budget(targetMs, FRAME_BUDGET_MS, "ms") },
      { what: `other runs, ${of}`, figure: `${digits(brushMs)} ms`, ...budget(brushMs, FRAME_BUDGET_MS, "ms") },
      {
        what: "dragging along its columns, between frames",
        figure: `${digits(dragged.medianMs)} ms`,
        ...budget(dragged.medianMs, FRAME_BUDGET_MS, "ms"),
        note: `one of 20 over ${digits(dragged.slowMs)} ms, the longest ${digits(dragged.longestMs)}; ${dragged.frames} frames, ${dragged.answers} answers; drawn by the processor`,
      },
    ];
  },
  operations: async () => {
    const [rows, calibrationMs] = [await benchOperations(), calibrate()];
    const largest = Math.max(...rows.map(({ messageBytes }) => messageBytes));
    const { medianMs, slowMs, frames, brushes } = await benchBrushing();
    return [
      ...rows.map((row) => ({
        what: `super graph, ${shortName(row.what, 60)}, ${CONTEXTS.toLocaleString("en")} contexts on ${RANKS} ranks, click to redraw`,
        figure: `${digits(row.totalMs)} ms`,
        ...budget(row.totalMs, REDRAW_BUDGET_MS, "ms"),
        note: `${digits(row.totalMs / calibrationMs)} calibration loops; query ${digits(row.queryMs)}, layout ${digits(row.layoutMs)}, message ${digits(row.messageMs)}, drawing ${digits(row.drawMs)} ms; ${digits(row.cpuMs)} ms of the processor before drawing; ${row.bars} bars`,
      })),
      {
        what: "largest message of these",
        figure: `${digits(largest / 1e6)} MB`,
        ...budget(largest / 1e6, MESSAGE_BUDGET_MB, "MB"),
      },
      {
        what: `brushing a histogram of ${BRUSHED_RANKS.toLocaleString("en")} ranks, between frames`,
        figure: `${digits(medianMs)} ms`,
        ...budget(medianMs, FRAME_BUDGET_MS, "ms"),
        note: `one of 20 over ${digits(slowMs)} ms; ${frames} frames, ${brushes} brushes; drawn by the processor`,
      },
    ];
  },
  ranks: async () => {
    const { megabytes, openSeconds, peakBytes, brushMs, stateBytes } = await benchManyRanks();
    const run = `a run of ${MANY_RANKS.toLocaleString("en")} rank files, ${digits(megabytes)} MB`;
    return [
      { what: `opening ${run}`, figure: `${digits(openSeconds)} s`, ...budget(openSeconds, OPEN_BUDGET_S, "s") },
      {
        what: "memory for it, above idle",
        figure: `${digits(peakBytes / 1e6)} MB`,
        ...budget(peakBytes / 1e6, 1500, "MB"),
      },
      {
        what: "another hundred ranks of it, until their histogram and graph are there",
        figure: `${digits(brushMs)} ms`,
      },
      {
        what: "what the window keeps of it",
        figure: `${digits(stateBytes / 1e3)} KB`,
        ...budget(stateBytes / 1e3, 10, "KB"),
      },
    ];
  },
  timeline: async () => [...(await timelineRows(1000, EVENTS)), ...(await timelineRows(8192, 1_000_000))],
  overview: async () => [...overviewRows(700, 30, 20), ...overviewRows(4096, 100, 2000), ...(await pajeModelRows())],
  // A part of its own: the most memory of a process is what it ever had, and partitions above have more.
  stream: () => streamRows(STREAM_EVENTS / 10),
  treemap: treemapRows,
  tracker: async () => trackerRows(await benchTracker()),
  links: async () =>
    (await benchLinks()).map(({ what, value, unit, budget: most }) => ({
      what,
      figure: `${digits(value)} ${unit}`,
      ...(most === undefined ? {} : budget(value, most, unit)),
    })),
};

const FIRST_PAINT_BUDGET_MS = 1000;
const FRAME_LIMIT_MS = 200;
const PAGE_BUDGET_MB = 200;

async function timelineRows(lanes: number, events: number): Promise<Row[]> {
  const bench = await benchTimeline(lanes, events);
  const what = `a timeline of ${events.toLocaleString("en")} events on ${lanes.toLocaleString("en")} lanes`;
  return [
    {
      what: `levels of detail of ${what}`,
      figure: `${digits(bench.finishSeconds)} s`,
      note: `with its columns; ${digits(bench.levelBytes / 1e6)} MB stay in memory`,
    },
    {
      what: `first drawing of ${what}`,
      figure: `${digits(bench.firstPaintMs)} ms`,
      ...budget(bench.firstPaintMs, FIRST_PAINT_BUDGET_MS, "ms"),
    },
    {
      what: `zooming and panning ${what}, between frames`,
      figure: `${digits(bench.frameMs)} ms`,
      ...budget(bench.frameMs, FRAME_BUDGET_MS, "ms"),
      note: `${bench.frames} frames; drawn by the processor; marks of a window ${digits(bench.marksMs)} ms, at most ${digits(bench.slowestMarksMs)}`,
    },
    {
      what: `longest of these frames, ${lanes.toLocaleString("en")} lanes`,
      figure: `${digits(bench.slowestFrameMs)} ms`,
      ...budget(bench.slowestFrameMs, FRAME_LIMIT_MS, "ms"),
    },
    {
      what: `memory of its page, ${lanes.toLocaleString("en")} lanes`,
      figure: `${digits(bench.pageBytes / 1e6)} MB`,
      ...budget(bench.pageBytes / 1e6, PAGE_BUDGET_MB, "MB"),
    },
  ];
}

/** Largest model of which all partitions are measured: leaves. */
const MOST_WITH_ALL = 1000;

function overviewRows(leaves: number, slices: number, partitionBudgetMs: number): Row[] {
  const bench = benchOverview(leaves, slices, leaves <= MOST_WITH_ALL);
  const what = `${leaves.toLocaleString("en")} resources × ${slices} slices × 4 states`;
  return [
    {
      what: `one partition of ${what}`,
      figure: `${digits(bench.partitionMs)} ms`,
      ...budget(bench.partitionMs, partitionBudgetMs, "ms"),
      note: `time of the processor; gains and losses of all areas ${digits(bench.areasMs)} ms once`,
    },
    ...(bench.significantMs === undefined
      ? []
      : [
          {
            what: `all significant partitions of ${what}`,
            figure: `${digits(bench.significantMs)} ms`,
            note: `aim 1,000 ms; ${bench.partitions} partitions; time of the processor`,
          },
        ]),
  ];
}

const TREEMAP_LEAVES = 100_000;
const TREEMAP_BUDGET_MS = 200;
/** Each with a link of its own. */
const TOPOLOGY_HOSTS = 2475;

async function treemapRows(): Promise<Row[]> {
  const placedMs = benchTreemap(TREEMAP_LEAVES);
  const { marks, edges, layoutMs, frameMs, slowestFrameMs, frames } = await benchTopology(TOPOLOGY_HOSTS);
  return [
    {
      what: `places of a treemap of ${TREEMAP_LEAVES.toLocaleString("en")} leaves`,
      figure: `${digits(placedMs)} ms`,
      ...budget(placedMs, TREEMAP_BUDGET_MS, "ms"),
      note: "time of the processor",
    },
    {
      what: `zooming a topology of ${marks.toLocaleString("en")} marks, ${edges.toLocaleString("en")} links, between frames`,
      figure: `${digits(frameMs)} ms`,
      ...budget(frameMs, FRAME_BUDGET_MS, "ms"),
      note: `${frames} frames, at most ${digits(slowestFrameMs)} ms; drawn by the processor; marks at rest after ${digits(layoutMs / 1000)} s`,
    },
  ];
}

async function pajeModelRows(): Promise<Row[]> {
  const { megabytes, speed, newlineSpeed, pjDumpSpeed } = await benchPajeModel(INPUT_BYTES);
  const beside = pjDumpSpeed === undefined ? "pj_dump is not installed" : `pj_dump ${digits(pjDumpSpeed)} MB/s`;
  return [
    {
      what: `a Paje trace of ${digits(megabytes)} MB to its microscopic model of 30 slices`,
      figure: `${digits(speed)} MB/s`,
      note: `aim 300, of CPU time; ${beside}; ${digits(newlineSpeed / speed)} × a newline scan of the same bytes`,
    },
  ];
}

async function streamRows(events: number): Promise<Row[]> {
  const { megabytes, cpuSeconds, wallSeconds, peakBytes, partitions } = await benchStream(events);
  const budgetS = (STREAM_BUDGET_S * events) / STREAM_EVENTS;
  const what = `heatflow overview - of ${events.toLocaleString("en")} events that another process writes, ${digits(megabytes)} MB`;
  return [
    {
      what,
      figure: `${digits(cpuSeconds)} s`,
      ...budget(cpuSeconds, budgetS, "s"),
      note: `the reader's CPU time; ${digits(megabytes / cpuSeconds)} MB/s; ${digits(wallSeconds)} s until all was there, with the writer; ${partitions} partitions`,
    },
    {
      what: "memory of its process",
      figure: `${digits(peakBytes / 1e6)} MB`,
      ...budget(peakBytes / 1e6, 1000, "MB"),
    },
  ];
}

function readingParts(
  kind: string,
  names: readonly string[],
  bytes: number,
  rounds?: number,
): Record<string, () => Promise<Row[]>> {
  const measure = (name: string) => async () => readingRows(await benchReading(name, bytes, rounds));
  return Object.fromEntries(names.map((name) => [`${kind}:${name}`, measure(name)]));
}

/** A speed below its aim is no failure, memory over its budget is. */
function readingRows(reading: Reading): Row[] {
  const {
    label,
    megabytes,
    speed,
    cpuSpeed,
    aim,
    timesScan,
    peakBytes,
    mostBytes,
    mostBytesAre,
    longestDeafMs,
    columnSpeed,
  } = reading;
  const size = `${digits(megabytes)} MB`;
  return [
    {
      what: `reading ${label}, ${size}, to the profile`,
      figure: `${digits(speed)} MB/s`,
      note: `${aim > 0 ? `aim ${aim}; ` : ""}${digits(cpuSpeed)} by CPU time; ${digits(timesScan)} × a newline scan of the same bytes`,
    },
    ...(columnSpeed === undefined
      ? []
      : [
          {
            what: "columns of its trace, when they are asked for",
            figure: `${digits(columnSpeed)} MB/s`,
            note: "a second pass over the file",
          },
        ]),
    {
      what: `memory for it, above idle`,
      figure: `${digits(peakBytes / 1e6)} MB`,
      ...budget(peakBytes / 1e6, mostBytes / 1e6, "MB"),
      note: `${digits(peakBytes / 1e6 / megabytes)} × the input; at most ${mostBytesAre}`,
    },
    {
      what: "longest time until a cancel is noticed",
      figure: `${digits(longestDeafMs)} ms`,
      ...budget(longestDeafMs, CANCEL_BUDGET_MS, "ms"),
    },
  ];
}

/** Of what a traced run may take more, as multiples of the plain one. */
const TRACED_BUDGETS: Readonly<Record<string, { readonly most: number; readonly aim?: number }>> = {
  "25 metrics": { most: 1.03, aim: 1.01 },
  "100 metrics": { most: 1.08, aim: 1.03 },
  instrument: { most: 1.5 },
};

function trackerRows({ plainSeconds, pairs, ways, emptyRegion, twoReadings, kept }: TrackerBench): Row[] {
  const times = (ratio: number) => `${Number(ratio.toFixed(3))} ×`;
  return [
    ...ways.map(({ name, ratio, least, most, runTimeRatio }) => {
      const { most: atMost, aim } = TRACED_BUDGETS[name];
      return {
        what: `miniheat traced with ${name}, beside as it is`,
        figure: times(ratio),
        budget: times(atMost),
        holds: ratio <= atMost,
        note: `${aim === undefined ? "" : `aim ${times(aim)}; `}time of processors, median of ${pairs} pairs, ${times(least)} to ${times(most)}; run time ${times(runTimeRatio)}; ${digits(plainSeconds)} s as it is`,
      };
    }),
    {
      what: "an empty region, beside two readings of the clock",
      figure: times(emptyRegion / twoReadings),
      note: `aim ${times(2)}; ${digits(emptyRegion)} and ${digits(twoReadings)} ns`,
    },
    ...kept.map(({ threads, perSecond, dropped }) => ({
      what: `events per second and thread that are kept, of a million, ${threads === 1 ? "one thread" : `${threads} threads`}`,
      figure: digits(perSecond),
      note: `aim 1,000,000; ${dropped.toLocaleString("en")} found no room`,
    })),
  ];
}

export { writeStream } from "./overviewStream";
export { writeInput } from "./reading";

export const partNames = Object.keys(parts);
/** Takes minutes: only where it is asked for. */
export const defaultParts = partNames.filter((name) => name !== LARGE_STREAM);

export async function rowsOf(part: string): Promise<Row[]> {
  return parts[part]();
}

function budget(value: number, most: number, unit: string): Pick<Row, "budget" | "holds"> {
  return { budget: `${digits(most)} ${unit}`, holds: value <= most };
}

function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
