import { IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";
import type { Entities } from "../decode/entities";
import type { LinkFact } from "../decode/facts";

/** More lines than any drawing of a machine has: such links are messages. */
const MOST_LINES = 1 << 20;

/**
 * Tells lines of the topology from messages. SimGrid declares how hosts and links are connected by links of no length at time
 * 0; so a link type is topology where all of its links are such, and they wait here until one is not, or the trace has ended.
 */
export class TopologyLinks {
  /** Types with links that have a length or another time. */
  private readonly messages = new Set<number>();
  private readonly waiting = new Map<number, WaitingLinks>();
  /** How many lines the topology has. */
  count = 0;

  /** @param resourceOf number of a container's resource */
  constructor(
    private readonly entities: Entities,
    private readonly sink: TraceSink,
    private readonly resourceOf: (container: number) => number,
  ) {}

  /** @returns false where the link is a message */
  keep(link: Readonly<LinkFact>): boolean {
    if (this.messages.has(link.type)) return false;
    const waiting = this.waiting.get(link.type) ?? new WaitingLinks();
    this.waiting.set(link.type, waiting);
    const both = link.from !== NONE && link.to !== NONE;
    if (
      both &&
      link.startSeconds === 0 &&
      link.endSeconds === 0 &&
      Number.isNaN(link.bytes) &&
      waiting.from.length < MOST_LINES
    ) {
      waiting.add(link.from, link.to, link.value);
      return true;
    }
    this.messages.add(link.type);
    this.waiting.delete(link.type);
    const { from, to } = waiting;
    for (let at = 0; at < from.length; at++) {
      const [start, end] = [this.resourceOf(from.values[at]), this.resourceOf(to.values[at])];
      this.sink.message("message", start, end, 0, 0, Number.NaN, NONE);
    }
    return false;
  }

  /** No further link will come: what still waits is topology. */
  finish(task: Pick<Task, "check">): void {
    for (const [type, { from, to, value }] of this.waiting)
      for (let at = 0; at < from.length; at++) {
        const ends = { from: this.resourceOf(from.values[at]), to: this.resourceOf(to.values[at]) };
        if (ends.from === NONE || ends.to === NONE) continue;
        if (++this.count % 4096 === 0) task.check();
        const name = value.values[at] === NONE ? "" : this.entities.valueNameOf(value.values[at]);
        this.sink.resourceLink({ ...ends, type: this.entities.types[type].name, name });
      }
    this.waiting.clear();
  }
}

class WaitingLinks {
  readonly from = new IntColumn();
  readonly to = new IntColumn();
  readonly value = new IntColumn();

  add(from: number, to: number, value: number): void {
    this.from.push(from);
    this.to.push(to);
    this.value.push(value);
  }
}
