import { CancelledError } from "./errors";

/** A piece of long work: reports its progress here, and finds out here that it was cancelled. */
export interface Task {
  /** @param fraction 0 to 1, or undefined when it is not known @throws CancelledError */
  progress(fraction: number | undefined, message?: string): void;
  /** Cheap enough for inner loops every few thousand steps. @throws CancelledError */
  check(): void;
  /**
   * Calls back when the task is cancelled from outside. Given by callers in the window, whose cancel button must reach a
   * worker that is busy; `taskOf` and `quietTask` have none.
   */
  readonly onCancel?: (listener: () => void) => void;
}

/** A task without progress and cancelling: for the command line and for tests. */
export const quietTask: Task = { progress: () => undefined, check: () => undefined };

/** How many cheap steps of a loop pass between two checks of a task: a fraction of a millisecond. */
export const STEPS_BETWEEN_CHECKS = 1 << 14;

/** A comparison for sorting that looks at the task now and then: nothing else can interrupt a sort. */
export function cancellable<Item>(
  compare: (a: Item, b: Item) => number,
  task: Pick<Task, "check">,
): (a: Item, b: Item) => number {
  let steps = 0;
  return (a, b) => {
    if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
    return compare(a, b);
  };
}

/** A task over two functions: one for progress, one that says whether to stop. */
export function taskOf(
  cancelled: () => boolean,
  onProgress: (fraction: number | undefined, message?: string) => void,
): Task {
  const check = () => {
    if (cancelled()) throw new CancelledError();
  };
  return {
    check,
    progress(fraction, message) {
      check();
      onProgress(fraction, message);
    },
  };
}
