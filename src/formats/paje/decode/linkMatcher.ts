import { NONE } from "../../../model/ids";
import { quietTask, type Task } from "../../../model/task";
import { type EventDefinition, KEY, SIZE, TAG } from "../scan/eventKinds";
import type { LinkFact, PajeFacts } from "./facts";
import type { Fields } from "../scan/fields";
import { OpenLinks } from "./openLinks";
import type { Problems } from "../scan/problems";

/** Joins starts and ends of links by key, whichever comes first. */
export class LinkMatcher {
  /** Number of links with only one recorded side, and the key of the first of them. */
  unmatched = 0;
  example?: string;
  private open = new OpenLinks();
  private readonly fact: LinkFact & { slot: number } = {
    type: NONE,
    container: NONE,
    from: NONE,
    to: NONE,
    startSeconds: Number.NaN,
    endSeconds: Number.NaN,
    value: NONE,
    bytes: Number.NaN,
    tag: NONE,
    slot: NONE,
    key: () => this.open.keyOf(this.fact.slot),
  };

  constructor(
    private readonly facts: PajeFacts,
    private readonly problems: Problems,
  ) {}

  /** @param end the container at this side */
  side(
    isStart: boolean,
    container: number,
    type: number,
    end: number,
    seconds: number,
    value: number,
    { has }: EventDefinition,
    fields: Fields,
  ): void {
    const { open } = this;
    const { bytes: line, start, end: ends, hash, number } = fields;
    const bytes = has[SIZE] && number[SIZE] >= 0 ? number[SIZE] : Number.NaN;
    const tag = has[TAG] && Number.isInteger(number[TAG]) && Math.abs(number[TAG]) < 2 ** 31 ? number[TAG] : NONE;
    const other = open.find(container, type, line, start[KEY], ends[KEY], hash[KEY]);
    if (other !== NONE && open.isStart[other] !== (isStart ? 1 : 0)) {
      if (open.value[other] !== value)
        this.note(fields, "with a value that is not the one of the link's other side", () => {
          return `the two sides of link ${fields.shown(KEY)} have different values: that of its start is taken`;
        });
      const fact = this.half(other);
      fact.bytes = Number.isNaN(bytes) ? fact.bytes : bytes;
      fact.tag = tag === NONE ? fact.tag : tag;
      if (isStart) {
        fact.from = end;
        fact.startSeconds = seconds;
        fact.value = value;
      } else {
        fact.to = end;
        fact.endSeconds = seconds;
      }
      this.facts.link(fact);
      open.close(other);
      return;
    }
    if (other !== NONE)
      this.note(fields, "with a key of a link that is not complete", () => {
        return `a second link ${fields.shown(KEY)} before the first one is complete: they are matched in their order`;
      });
    const link = open.open(container, type, line, start[KEY], ends[KEY], hash[KEY], other);
    open.isStart[link] = isStart ? 1 : 0;
    open.end[link] = end;
    open.seconds[link] = seconds;
    open.value[link] = value;
    open.bytes[link] = bytes;
    open.tag[link] = tag;
    if (open.full) this.finish(quietTask);
  }

  /** Reports links whose other side never came. */
  finish(task: Pick<Task, "check">): void {
    for (const link of this.open.all()) {
      if (this.unmatched % 4096 === 0) task.check();
      const fact = this.half(link);
      this.unmatched++;
      this.example ??= fact.key();
      this.facts.link(fact);
    }
    this.open = new OpenLinks();
  }

  /** Fills in the link from its one side. */
  private half(link: number): LinkFact & { slot: number } {
    const { open, fact } = this;
    const isStart = open.isStart[link] === 1;
    fact.type = open.type[link];
    fact.container = open.container[link];
    fact.from = isStart ? open.end[link] : NONE;
    fact.to = isStart ? NONE : open.end[link];
    fact.startSeconds = isStart ? open.seconds[link] : Number.NaN;
    fact.endSeconds = isStart ? Number.NaN : open.seconds[link];
    fact.value = open.value[link];
    fact.bytes = open.bytes[link];
    fact.tag = open.tag[link];
    fact.slot = link;
    return fact;
  }

  private note({ file, line }: Fields, kind: string, message: () => string): void {
    this.problems.note(`lines ${kind}`, file, { line }, message);
  }
}
