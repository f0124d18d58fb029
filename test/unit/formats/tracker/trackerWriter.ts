import fc from "fast-check";

/** A call in a random program: what it runs in turn, in nanoseconds of its own and further calls. */
export interface Call {
  readonly name: string;
  readonly steps: readonly (number | Call)[];
}

/** One process of a random run. */
export interface Process {
  readonly rank?: number;
  readonly ranks?: number;
  readonly run?: string;
  readonly startNanoseconds: number;
  /** Whole seconds since the epoch, which times of events begin at. */
  readonly baseSeconds?: number;
  /** Calls of each thread, one after the other from the start. */
  readonly threads: readonly (readonly Call[])[];
}

/** Sums by thread and path (`0 main/solve`), counted call by call. */
export type Sums = Map<string, { calls: number; inclusive: number; exclusive: number }>;

const NAMES = ["main", "solve", "smooth", "dot", "(anonymous namespace)::Grid::at(int)", 'say "hello"\\n'];

const { call } = fc.letrec<{ call: Call }>((tie) => ({
  call: fc.record({
    name: fc.constantFrom(...NAMES),
    steps: fc.array(fc.oneof({ depthSize: "small" }, fc.nat(5_000_000), tie("call")), { maxLength: 4 }),
  }),
}));

/** Random processes: recursion, several threads, calls that take no time. */
export const processes = fc.record({
  startNanoseconds: fc.nat(999_999_999),
  threads: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
});

interface Written {
  readonly text: string;
  readonly sums: Sums;
  /** Regions by thread, in the order in which they ended: path, start and end in nanoseconds since the start. */
  readonly regions: readonly {
    readonly thread: number;
    readonly path: string;
    readonly start: number;
    readonly end: number;
  }[];
}

export const BASE_SECONDS = 1_795_455_971;
const PROCESS = 4711;

/**
 * A recording as the tracker writes it, with a piece of sums after each call of a thread's first level.
 *
 * @param order of rows of contexts and frames
 */
export function written(process: Process, order: <Row>(rows: Row[]) => Row[] = (rows) => rows): Written {
  const frames = new Map(NAMES.map((name, number) => [name, number]));
  const contexts = new Map<string, { id: number; parent?: number; thread: number; frame: number }>();
  const sums: Sums = new Map();
  const events: string[] = [event({ ph: "M", name: "process_name", tid: 0, args: { name: "program" } })];
  const regions: { thread: number; path: string; start: number; end: number }[] = [];
  const shown = (nanoseconds: number) => (process.startNanoseconds + nanoseconds) / 1000;
  let nextId = 0;
  const frameRows = NAMES.map((name, frame) => frameRow(name, frame));
  process.threads.forEach((calls, thread) => {
    const rootId = nextId++;
    const tid = PROCESS + thread;
    const run = (one: Call, above: string | undefined, start: number): number => {
      const path = above === undefined ? `${thread} ${one.name}` : `${above}/${one.name}`;
      if (!contexts.has(path)) {
        const parent = above === undefined ? undefined : contexts.get(above)?.id;
        contexts.set(path, { id: nextId++, parent, thread: tid, frame: frames.get(one.name) ?? 0 });
        sums.set(path, { calls: 0, inclusive: 0, exclusive: 0 });
      }
      const sum = sums.get(path);
      if (sum === undefined) throw new Error("every context has sums");
      sum.calls++;
      let time = start;
      for (const step of one.steps) {
        if (typeof step === "number") {
          time += step;
          sum.exclusive += step;
        } else time = run(step, path, time);
      }
      sum.inclusive += time - start;
      const args = { context: contexts.get(path)?.id };
      const dur = (time - start) / 1000;
      events.push(event({ ph: "X", name: one.name, cat: "computing", tid, ts: shown(start), dur, args }));
      regions.push({ thread, path, start, end: time });
      return time;
    };
    let time = 0;
    const before = new Map<string, number[]>();
    for (const one of calls) {
      time = run(one, undefined, time);
      const rows = [...contexts].flatMap(([path, { id, parent = rootId, thread: of, frame }]) => {
        const { calls: count, inclusive, exclusive } = sums.get(path) ?? { calls: 0, inclusive: 0, exclusive: 0 };
        const [had, had2, had3] = before.get(path) ?? [0, 0, 0];
        before.set(path, [count, inclusive, exclusive]);
        return of === tid && count !== had
          ? [[id, parent, frame, count - had, inclusive - had2, exclusive - had3]]
          : [];
      });
      if (before.size === rows.length)
        events.push(event({ ph: "M", name: "heatflow_frames", tid: 0, args: { rows: frameRows } }));
      events.push(event({ ph: "M", name: "heatflow_contexts", tid, args: { rows } }));
    }
  });
  const rows = [...contexts].map(([path, context]) => ({ ...context, ...sums.get(path) }));
  const { rank, ranks } = process;
  const head = {
    schemaVersion: 1,
    displayTimeUnit: "ms",
    heatflow: {
      version: 1,
      program: "program",
      process: PROCESS,
      run: process.run,
      startNanoseconds: process.startNanoseconds,
    },
    ...(rank === undefined ? {} : { distributedInfo: { rank, world_size: ranks } }),
    deviceProperties: [],
  };
  // The zero has more digits than a number of JavaScript.
  const text =
    `${JSON.stringify(head).slice(0, -1)},"baseTimeNanoseconds":${process.baseSeconds ?? BASE_SECONDS}000000000,\n"traceEvents":[\n${events.join(",\n")}\n],\n` +
    `"contexts":[\n${order(rows)
      .map((row) => JSON.stringify(row))
      .join(",\n")}\n],\n` +
    `"lines":[\n${order(frameRows)
      .map((row) => JSON.stringify(row))
      .join(",\n")}\n],\n` +
    `"heatflowEnd":{"eventsDropped":0,"eventsTooShort":0,"regionsTooDeep":0}}\n`;
  return { text, sums, regions };
}

function frameRow(name: string, frame: number) {
  return {
    frame,
    name,
    category: "computing",
    file: "src/main.cpp",
    line: 10 + frame,
    module: "/bin/program",
    offset: 4096 + frame,
  };
}

function event(fields: object): string {
  return JSON.stringify({ pid: PROCESS, ...fields });
}
