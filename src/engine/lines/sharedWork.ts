import { CancelledError } from "../../model/errors";
import type { Task } from "../../model/task";

interface Asker {
  readonly task: Task;
  readonly reject: (reason: unknown) => void;
}

/** Work that several questions wait for: each gets its progress, and the work ends when the last question is cancelled, or when it is stopped. */
export class SharedWork<Result> {
  readonly result: Promise<Result>;
  private readonly askers = new Set<Asker>();
  private stopped = false;

  constructor(work: (task: Task) => Promise<Result>) {
    this.result = work({
      check: () => this.toAskers((task) => task.check()),
      progress: (fraction, message) => this.toAskers((task) => task.progress(fraction, message)),
    });
    // The waiting questions get the error; there may be none, which is no unhandled rejection.
    this.result.catch(() => undefined);
  }

  /** Every waiting question gets a CancelledError. */
  stop(): void {
    this.stopped = true;
  }

  /** @throws CancelledError as soon as the task is cancelled, or where the work was stopped */
  wait(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const asker = { task, reject };
      this.askers.add(asker);
      this.result.then(resolve, reject).finally(() => this.askers.delete(asker));
    });
  }

  private toAskers(report: (task: Task) => void): void {
    for (const asker of this.askers) {
      try {
        report(asker.task);
      } catch (error) {
        asker.reject(error);
        this.askers.delete(asker);
        if (this.askers.size === 0) this.stopped = true;
      }
    }
    if (this.stopped) throw new CancelledError();
  }
}
