import type { DataSet } from "../../model/dataSet";
import { CancelledError, RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import { memoryColumnFiles } from "../../formats/memoryColumns";
import type { OpeningFiles } from "./traceCache";

/**
 * The trace of an open data set. The profile is there first, with what was counted of events; columns are made when a question or an
 * export needs them, once for all of them.
 */
export class OpenTrace {
  /** From there on to the columns written; null where no question needed any, or there are none. */
  seconds: number | null = null;
  private making: Promise<void> | undefined;
  private closed = false;

  /** @param newFiles where columns go that are made later; absent: they stay in memory */
  constructor(
    private dataSet: DataSet,
    private readonly newFiles: (() => OpeningFiles) | undefined,
  ) {
    if (dataSet.trace) this.seconds = 0;
  }

  /**
   * The data set with the columns of its trace, where it has events.
   *
   * @throws FormatError where its files have changed since they were read
   * @throws CancelledError
   */
  async withColumns(task: Task): Promise<DataSet> {
    while (this.dataSet.trace === undefined && this.dataSet.readTrace !== undefined) {
      task.check();
      this.making ??= this.make(task).finally(() => (this.making = undefined));
      await this.making.catch((problem: unknown) => {
        // That another question was cancelled does not end this one: it makes them itself.
        task.check();
        if (this.closed || !(problem instanceof CancelledError)) throw problem;
      });
    }
    return this.dataSet;
  }

  /** Whether columns are there, or made for somebody. */
  get hasColumns(): boolean {
    return this.dataSet.trace !== undefined || this.making !== undefined;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.making?.catch(() => undefined);
    await this.dataSet.trace?.close();
  }

  private async make(asker: Task): Promise<void> {
    const started = performance.now();
    const files = this.newFiles?.();
    const task: Task = {
      check: () => {
        asker.check();
        if (this.closed) throw new RequestError(`${this.dataSet.name} is not open any more.`);
      },
      progress: (fraction, message) => {
        task.check();
        asker.progress(fraction, message);
      },
    };
    try {
      const trace = await this.dataSet.readTrace?.(files ?? memoryColumnFiles, task);
      this.dataSet = { ...this.dataSet, trace };
      this.seconds = (performance.now() - started) / 1000;
    } catch (problem) {
      await files?.close();
      throw problem;
    }
  }
}
