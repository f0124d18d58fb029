/** What the host says of marks that are pointed at, or selected: each is asked about once. */
import type { Explained } from "../../src/protocol/panel";

/** What is only passed over is not asked about. */
const POINTED_MS = 120;

export class Explanations {
  private readonly known = new Map<number, Explained>();
  private readonly asked = new Set<number>();
  private timer: number | undefined;

  constructor(private readonly ask: (mark: number) => void) {}

  of(mark: number | undefined): Explained | undefined {
    return mark === undefined ? undefined : this.known.get(mark);
  }

  /** Other marks are on screen. */
  begin(): void {
    this.point(undefined);
    this.known.clear();
    this.asked.clear();
  }

  hear(mark: number, explained: Explained): void {
    this.known.set(mark, explained);
  }

  /** Pointed at, undefined: nothing any more. */
  point(mark: number | undefined): void {
    window.clearTimeout(this.timer);
    if (mark !== undefined && !this.known.has(mark)) this.timer = window.setTimeout(() => this.ask(mark), POINTED_MS);
  }

  /** Selected: it is asked about at once. */
  want(mark: number): void {
    if (this.known.has(mark) || this.asked.has(mark)) return;
    this.asked.add(mark);
    this.ask(mark);
  }
}
