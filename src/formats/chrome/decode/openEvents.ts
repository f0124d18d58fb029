import { NONE } from "../../../model/ids";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";

/** An end without a beginning, or a beginning without an end. */
interface Half {
  /** Number of the name; NONE for an end that does not say what it ends. */
  readonly name: number;
  readonly microseconds: number;
  /** Handle of an opened event and its lane, NONE for an end. */
  readonly event: number;
  readonly lane: number;
}

/** An event that was opened: what the sink gave, and what it is to be ended with. */
export type OpenEvent = Pick<Half, "event" | "lane">;

/**
 * Which beginning (`B`) an end (`E`) belongs to, on one thread: the innermost one of its name that is open and did not begin
 * later, without a name the innermost one. What was opened inside and is still open stays open until its own end comes.
 * Arguments do not tell events apart: an end need not repeat them.
 *
 * Events may be written in any order. Ends that find no beginning wait for the end of the file, and so does what one of these may
 * belong to: beginnings before it, and ends of events that did not begin after it.
 */
export class OpenEvents {
  private readonly stack: Half[] = [];
  private readonly closed = new Set<Half>();
  /** Open events by name, so that neither a deep stack nor many open ones of other names make an end slow. */
  private readonly byName = new Map<number, Half[]>();
  private readonly waiting: Half[] = [];
  private latestWaiting = -Infinity;

  get isEmpty(): boolean {
    return this.stack.length === 0 && this.waiting.length === 0;
  }

  begin(name: number, microseconds: number, event: number, lane: number): void {
    const half = { name, microseconds, event, lane };
    if (microseconds < this.latestWaiting) this.waiting.push(half);
    else this.open(half);
  }

  private open(half: Half): void {
    const { name } = half;
    this.stack.push(half);
    const same = this.byName.get(name);
    if (same) same.push(half);
    else this.byName.set(name, [half]);
  }

  /** @returns the event that ends, undefined where none is found now */
  end(name: number, microseconds: number): OpenEvent | undefined {
    const found = this.innermost(name, microseconds);
    if (found === undefined || found.microseconds < this.latestWaiting) {
      this.waiting.push({ name, microseconds, event: NONE, lane: NONE });
      this.latestWaiting = Math.max(this.latestWaiting, microseconds);
      return undefined;
    }
    return this.close(found);
  }

  /**
   * At the end of the file: what is left is joined in the order of time, beginnings first.
   *
   * @returns events that never ended, and the number of ends without a beginning
   */
  finish(
    end: (event: OpenEvent, microseconds: number) => void,
    task: Pick<Task, "check">,
  ): { unfinished: OpenEvent[]; unmatched: number } {
    let unmatched = 0;
    if (this.waiting.length > 0) {
      const halves = [...this.stack.filter((half) => !this.closed.has(half)), ...this.waiting];
      const order = (half: Half) => (half.event === NONE ? 1 : 0);
      halves.sort(cancellable((a, b) => a.microseconds - b.microseconds || order(a) - order(b), task));
      this.stack.length = this.waiting.length = 0;
      this.closed.clear();
      this.byName.clear();
      for (const [index, half] of halves.entries()) {
        if (index % STEPS_BETWEEN_CHECKS === 0) task.check();
        const { name, microseconds, event } = half;
        if (event !== NONE) {
          this.open(half);
          continue;
        }
        const found = this.innermost(name, microseconds);
        if (found === undefined) unmatched++;
        else end(this.close(found), microseconds);
      }
    }
    return { unfinished: this.stack.filter((half) => !this.closed.has(half)), unmatched };
  }

  private innermost(name: number, microseconds: number): Half | undefined {
    const found = name === NONE ? this.top() : this.top(this.byName.get(name) ?? []);
    return found !== undefined && found.microseconds <= microseconds ? found : undefined;
  }

  private top(of: Half[] = this.stack): Half | undefined {
    return of.at(-1);
  }

  /** Both lists keep only open events at their ends: what was closed below is dropped when it comes up. */
  private close(half: Half): OpenEvent {
    this.closed.add(half);
    const same = this.byName.get(half.name) ?? [];
    this.drop(same, false);
    if (same.length === 0) this.byName.delete(half.name);
    this.drop(this.stack, true);
    return half;
  }

  private drop(list: Half[], last: boolean): void {
    for (let half = list.at(-1); half !== undefined && this.closed.has(half); half = list.at(-1)) {
      list.pop();
      // The stack is the last to know of an event.
      if (last) this.closed.delete(half);
    }
  }
}
