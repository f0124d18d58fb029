/** Columns of events in a second reading: the profile comes first, and most of what is opened is never looked at event by event. */
import type { ColumnFiles } from "../model/columnFile";
import type { DataSet } from "../model/dataSet";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";
import type { Trace } from "../model/trace";
import type { ByteSource } from "./byteSource";
import type { Format, ReadContext, RecordingFile } from "./format";
import { closeTraces } from "./reading";

/** One reading: how its files are opened, what they were like then, and how they are opened once more. */
export class FirstReading {
  private readonly states = new Map<string, string>();

  constructor(
    private readonly format: Format,
    private readonly files: readonly RecordingFile[],
    private readonly context: ReadContext,
    private readonly again: <Result>(task: Task, use: (context: ReadContext) => Promise<Result>) => Promise<Result>,
  ) {}

  async dataSets(task: Task): Promise<DataSet[]> {
    const { context } = this;
    const open = async (file: string) => {
      const source = await context.open(file);
      this.states.set(file, stateOf(source));
      return source;
    };
    const noteOpened = (file: string, state: string, isCut: boolean) => {
      this.states.set(file, state);
      context.noteOpened?.(file, state, isCut);
    };
    const dataSets = await this.format.read(this.files, { ...context, open, noteOpened }, task);
    return dataSets.map((dataSet) =>
      dataSet.outline === undefined || dataSet.trace !== undefined
        ? dataSet
        : {
            ...dataSet,
            readTrace: (columnFiles, ofTrace) =>
              this.again(ofTrace, (context) => this.traceOf(dataSet, context, columnFiles, ofTrace)),
            ...this.innermostOf(dataSet),
          },
    );
  }

  /** Of formats that tell states in one pass, the pass over the file of a data set, unless it has changed. */
  private innermostOf(dataSet: DataSet): Pick<DataSet, "readInnermost"> {
    const { format } = this;
    const own = this.files.find(({ file }) => file === dataSet.files[0]);
    if (!format.readInnermost || own === undefined) return {};
    return {
      readInnermost: (taker, options, task) =>
        this.again(task, (context) => {
          const unchanged = { ...context, open: (file: string) => this.openUnchanged(file, context) };
          return format.readInnermost?.(own, unchanged, taker, options, task) ?? Promise.reject(changedSince(own.file));
        }),
    };
  }

  private async openUnchanged(file: string, context: ReadContext): Promise<ByteSource> {
    const source = await context.open(file);
    const state = this.states.get(file);
    if (state === undefined || state === stateOf(source)) return source;
    await source.close();
    throw changedSince(file);
  }

  /**
   * Reads the files of one data set again, this time with columns: all numbers of frames, contexts and resources are those of the
   * first reading, since a reading of the same bytes gives the same.
   *
   * @throws FormatError where a file has changed since
   */
  private async traceOf(dataSet: DataSet, context: ReadContext, columnFiles: ColumnFiles, task: Task): Promise<Trace> {
    let changed: FormatError | undefined;
    const open = (file: string) =>
      this.openUnchanged(file, context).catch((problem: unknown) => {
        // What was not there at first, and is not now, has not changed.
        if (problem instanceof FormatError && this.states.has(file)) changed ??= problem;
        throw problem;
      });
    const again: ReadContext = {
      ...context,
      columnFiles,
      outlineOnly: false,
      open,
      head: async (file) => {
        // What a changed file begins with says nothing.
        if (this.states.has(file)) await (await open(file)).close();
        return context.head(file);
      },
      attempt: (_, read) => read(),
    };
    const own = this.files.filter(({ file }) => dataSet.files.includes(file));
    let read: DataSet[] = [];
    try {
      read = await this.format.read(own.length > 0 ? own : this.files, again, task);
      const same = read.find(({ files }) => files.join("\n") === dataSet.files.join("\n"));
      if (changed !== undefined) throw changed;
      if (!same?.trace || same.frames.size !== dataSet.frames.size || same.tree.size !== dataSet.tree.size)
        throw changedSince(dataSet.files[0]);
      const { trace } = same;
      read = read.filter((one) => one !== same);
      return trace;
    } catch (problem) {
      throw changed ?? problem;
    } finally {
      await closeTraces(read);
    }
  }
}

/** What a file is like: another state is another file. */
export function stateOf({ size, modifiedAt, version }: ByteSource): string {
  return version ?? `${size} ${modifiedAt}`;
}

function changedSince(file: string): FormatError {
  return new FormatError({
    file,
    found: "that the file has changed since its profile was read",
    expected: "the recording that was opened, whose events are read when they are asked for",
    advice: "Close the recording and open it again.",
  });
}
