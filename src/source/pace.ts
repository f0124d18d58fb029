import type { Task } from "../model/task";

/** Longest stretch of work, in milliseconds, before other events (a cancel among them) get their turn. */
const STRETCH = 25;

/** Lets long work breathe: between stretches the event loop runs, so that a cancel can arrive. */
export class Pace {
  private since = performance.now();

  constructor(private readonly task: Pick<Task, "check">) {}

  /** A stretch is over. Where work is short and often done, to ask for this costs less than to wait for nothing. */
  get isOver(): boolean {
    return performance.now() - this.since >= STRETCH;
  }

  /** Call as often as is convenient: it waits only when a stretch is over. @throws CancelledError */
  async breathe(): Promise<void> {
    this.task.check();
    if (!this.isOver) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.since = performance.now();
    this.task.check();
  }
}
