import { IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";
import type { Entities } from "../decode/entities";
import type { LinkFact } from "../decode/facts";

/** More lines than any drawing of a machine has: such links are messages. */
const MOST_LINES = 1 << 20;

/**
 * Tells lines of the topology from messages. SimGrid declares how hosts and links are connected by links of no length at the trace's
 * zero; so a link type is topology where all of its links are such, and they wait here until one is not, or the trace has ended.
 */
export class TopologyLinks {
  /** Types with links that have a length or another time. */
  private readonly messages = new Set<number>();
  private readonly waiting = new Map<number, WaitingLinks>();
  /** How many lines the topology has. */
  count = 0;

  /**
   * @param resourceOf number of a container's resource
   * @param zeroSeconds earliest time of the lines so far
   */
  constructor(
    private readonly entities: Entities,
    private readonly sink: TraceSink,
    private readonly resourceOf: (container: number) => number,
    private readonly zeroSeconds: () => number,
  ) {}

  /** @returns false where the link is a message */
  keep(link: Readonly<LinkFact>): boolean {
    if (this.messages.has(link.type)) return false;
    const waiting = this.waiting.get(link.type) ?? new WaitingLinks(link.startSeconds);
    this.waiting.set(link.type, waiting);
    const both = link.from !== NONE && link.to !== NONE;
    if (
      both &&
      link.startSeconds === waiting.seconds &&
      link.endSeconds === waiting.seconds &&
      // Lines after the present earliest line are also after the earliest of all.
      !(waiting.seconds > this.zeroSeconds()) &&
      Number.isNaN(link.bytes) &&
      waiting.from.length < MOST_LINES
    ) {
      waiting.add(link.from, link.to, link.value);
      return true;
    }
    this.messages.add(link.type);
    this.waiting.delete(link.type);
    this.giveBack(waiting);
    return false;
  }

  /** No further link will come: what still waits is topology. */
  finish(task: Pick<Task, "check">): void {
    for (const [type, waiting] of this.waiting) {
      const { from, to, value, seconds } = waiting;
      if (seconds !== this.zeroSeconds()) {
        this.giveBack(waiting);
        continue;
      }
      for (let at = 0; at < from.length; at++) {
        const ends = { from: this.resourceOf(from.values[at]), to: this.resourceOf(to.values[at]) };
        if (ends.from === NONE || ends.to === NONE) continue;
        if (++this.count % 4096 === 0) task.check();
        const name = value.values[at] === NONE ? "" : this.entities.valueNameOf(value.values[at]);
        this.sink.resourceLink({ ...ends, type: this.entities.types[type].name, name });
      }
    }
    this.waiting.clear();
  }

  /** Links that are messages after all. */
  private giveBack({ from, to, seconds }: WaitingLinks): void {
    for (let at = 0; at < from.length; at++) {
      const [start, end] = [this.resourceOf(from.values[at]), this.resourceOf(to.values[at])];
      this.sink.message("message", start, end, seconds, seconds, Number.NaN, NONE);
    }
  }
}

class WaitingLinks {
  readonly from = new IntColumn();
  readonly to = new IntColumn();
  readonly value = new IntColumn();

  /** @param seconds the time of all of them */
  constructor(readonly seconds: number) {}

  add(from: number, to: number, value: number): void {
    this.from.push(from);
    this.to.push(to);
    this.value.push(value);
  }
}
