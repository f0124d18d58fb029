type Send = (fraction: number | undefined, message: string | undefined) => void;

/**
 * Passes progress on at most once in a time, the first at its end: an answer that is there sooner is not announced. The last report of each
 * time is passed on when it is over, since work that waits for other work may have nothing to add.
 */
export class PacedReports {
  private sentAt = performance.now();
  private later: NodeJS.Timeout | undefined;
  private last: Parameters<Send> = [undefined, undefined];

  constructor(
    private readonly everyMs: number,
    private readonly send: Send,
  ) {}

  report(fraction: number | undefined, message: string | undefined): void {
    this.last = [fraction, message];
    const left = this.sentAt + this.everyMs - performance.now();
    if (left <= 0) this.sendLast();
    else this.later ??= setTimeout(() => this.sendLast(), left);
  }

  /** The work has ended: what was not passed on is left out. */
  end(): void {
    clearTimeout(this.later);
    this.later = undefined;
  }

  private sendLast(): void {
    this.end();
    this.sentAt = performance.now();
    const [fraction, message] = this.last;
    this.send(fraction, message);
  }
}
