import { CancelledError } from "../../model/errors";
import type { Task } from "../../model/task";

/** A piece of work of which only the newest is wanted. */
export interface Run {
  readonly task: Task;
  /** Another run was started since: this one's answer is of no use. */
  readonly superseded: boolean;
}

/** Latest wins: starting a run cancels the one before, so that answers never arrive out of order. */
export class Latest {
  private cancelCurrent: (() => void) | undefined;

  start(onProgress: (fraction: number | undefined, message?: string) => void = () => undefined): Run {
    this.cancelCurrent?.();
    const listeners: (() => void)[] = [];
    let cancelled = false;
    const check = () => {
      if (cancelled) throw new CancelledError();
    };
    const cancel = () => {
      cancelled = true;
      for (const listener of listeners) listener();
    };
    const task: Task = {
      check,
      progress(fraction, message) {
        check();
        onProgress(fraction, message);
      },
      // A task may be handed on when it is cancelled already.
      onCancel: (listener) => (cancelled ? listener() : void listeners.push(listener)),
    };
    this.cancelCurrent = cancel;
    const isCurrent = () => this.cancelCurrent === cancel;
    return {
      task,
      get superseded() {
        return !isCurrent();
      },
    };
  }

  /** Nothing is wanted any more: the current run is cancelled, and superseded by nothing. */
  abandon(): void {
    this.cancelCurrent?.();
    this.cancelCurrent = undefined;
  }

  /** Cancels the current run, which learns of it as {@link CancelledError} and is not superseded. */
  cancel(): void {
    this.cancelCurrent?.();
  }
}
