/**
 * HPCToolkit 4 `trace.db`: for each thread or GPU stream, when it came into which context. Times are nanoseconds since the
 * epoch, beyond 2^53: they become nanoseconds since the earliest one, which are exact (formats.md 1b).
 */
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import { openDbFile, u64 } from "./container";
import type { FileWindows } from "./fileWindows";

export interface TraceLine {
  /** Index of the profile of the same thread or stream. */
  readonly profile: number;
  readonly samples: number;
  readonly startsAt: number;
}

/** Some samples of a line, ascending. The columns are reused for the next ones. */
export interface TraceSamples {
  readonly count: number;
  /** Since the earliest time of the database. */
  readonly nanoseconds: Float64Array;
  /** 0: the thread does not run. */
  readonly context: Uint32Array;
}

const LINE_BYTES = 24;
const SAMPLE_BYTES = 12;
/** Samples that are read at once. */
const BATCH = 1 << 15;

export class TraceDb {
  private readonly nanoseconds = new Float64Array(BATCH);
  private readonly context = new Uint32Array(BATCH);

  private constructor(
    private readonly windows: FileWindows,
    readonly lines: readonly TraceLine[],
    /** Nanoseconds since the epoch. */
    readonly earliest: bigint,
    readonly latest: bigint,
  ) {}

  /** @throws FormatError, CancelledError */
  static async open(source: ByteSource, task: Task): Promise<TraceDb> {
    const { windows, sections } = await openDbFile(source, "trce");
    const { position } = sections[0];
    const header = await windows.view(position, 32, "the table of traces");
    const [at, count, stride] = [u64(header, 0), header.getUint32(8, true), header.getUint8(12)];
    const [earliest, latest] = [header.getBigUint64(16, true), header.getBigUint64(24, true)];
    if (count > 0 && stride < LINE_BYTES)
      throw windows.problem(position + 12, `traces of ${stride} bytes`, `at least ${LINE_BYTES} bytes each`);
    windows.check(at, count * stride, `${count} traces of ${stride} bytes`);
    const lines: TraceLine[] = [];
    let claimed = 0;
    for (let index = 0; index < count; index++) {
      if (index % 1024 === 0) task.check();
      const here = at + index * stride;
      const view = await windows.view(here, LINE_BYTES, `trace ${index}`);
      const [start, end] = [u64(view, 8), u64(view, 16)];
      if (!(end >= start) || (end - start) % SAMPLE_BYTES !== 0)
        throw windows.problem(here + 8, `trace ${index} from byte ${start} to ${end}`, "a whole number of samples");
      windows.check(start, end - start, `samples of trace ${index}`);
      claimed += end - start;
      if (claimed > windows.size)
        throw windows.problem(here, `traces that share samples (trace ${index})`, "samples of its own in each trace");
      lines.push({ profile: view.getUint32(0, true), samples: (end - start) / SAMPLE_BYTES, startsAt: start });
    }
    return new TraceDb(windows, lines, earliest, latest);
  }

  /** All samples of a line. @throws FormatError where times go back */
  async *read(line: TraceLine, task: Task): AsyncGenerator<TraceSamples> {
    const { windows, nanoseconds, context } = this;
    const [baseHigh, baseLow] = [Number(this.earliest >> 32n), Number(this.earliest & 0xffffffffn)];
    let last = Number.NEGATIVE_INFINITY;
    for (let first = 0; first < line.samples; first += BATCH) {
      task.check();
      const count = Math.min(BATCH, line.samples - first);
      const position = line.startsAt + first * SAMPLE_BYTES;
      const view = await windows.view(position, count * SAMPLE_BYTES, "samples");
      for (let row = 0, at = 0; row < count; row++, at += SAMPLE_BYTES) {
        const [high, low] = [view.getUint32(at + 4, true), view.getUint32(at, true)];
        const time = (high - baseHigh) * 2 ** 32 + (low - baseLow);
        if (time < last)
          throw windows.problem(position + at, "a sample that is earlier than the one before it", "ascending times");
        last = time;
        nanoseconds[row] = time;
        context[row] = view.getUint32(at + 8, true);
      }
      yield { count, nanoseconds, context };
    }
  }
}
