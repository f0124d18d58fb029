import type { Warning } from "../../../model/dataSet";
import { FormatError, damagedFile } from "../../../model/errors";
import type { Task } from "../../../model/task";
import type { PieceWindow } from "../../byteSource";
import { endsEarly, JsonTokens, type Token } from "../../jsonTokens";
import type { EventScanner } from "./eventScanner";
import { INCOMPLETE } from "./valueScanner";

/** A single event larger than this is no event; memory must not grow with it. */
const MOST_EVENT_BYTES = 128 << 20;
/** Events that may each bring a thread of their own, or entries of a table: so many take some milliseconds. */
export const CHECK_EVERY = 512;

/** What becomes of a file's parts. */
export interface TraceParts {
  /** Lists of events by key, `traceEvents` among them: called with each event that the scanner has read. */
  readonly lists: Readonly<Record<string, () => void>>;
  /**
   * Reads the value of any other key, whose first token was read.
   *
   * @returns what is not whole, where the file ends inside
   */
  other(key: string, first: Token, tokens: JsonTokens): Promise<string | undefined>;
  /** Called between pieces of the file. */
  settle(task: Task): Promise<void>;
}

/** One file: a list of events, or an object that has lists of them and other keys. Its end may be missing. */
export class TraceReader {
  readonly warnings: Warning[] = [];
  private readonly tokens: JsonTokens;
  private notObjects = 0;
  private hasEvents = false;

  constructor(
    private readonly file: string,
    private readonly window: PieceWindow,
    private readonly scanner: EventScanner,
    private readonly parts: TraceParts,
    private readonly task: Task,
  ) {
    this.tokens = new JsonTokens(window, file, scanner.escapes);
  }

  /** @throws FormatError, CancelledError */
  async read(): Promise<void> {
    const { tokens, parts } = this;
    const first = await tokens.next();
    if (first === "[") {
      const closed = await this.list(parts.lists.traceEvents);
      if (closed) await this.rest();
    } else if (first === "{") await this.object();
    else throw tokens.unexpected(first, "a list of events, or an object with one");
    if (this.notObjects > 0)
      this.warnings.push({
        message: `${this.notObjects} entries of the list are no events: they were left out`,
        file: this.file,
      });
  }

  private async object(): Promise<void> {
    try {
      await this.keys();
    } catch (problem) {
      if (!this.hasEvents || !endsEarly(problem)) throw problem;
      this.truncated("what stands behind the events is not whole");
    }
  }

  private async keys(): Promise<void> {
    const { tokens, parts } = this;
    for (;;) {
      const token = await tokens.next();
      if (token === "}") break;
      if (token === ",") continue;
      if (token === "end") return this.truncated("the object that holds the events is not closed");
      if (token !== "string") throw tokens.unexpected(token, "a key");
      const key = tokens.text;
      const colon = await tokens.next();
      if (colon === "end") return this.truncated(`nothing follows the key ${key.slice(0, 100)}`);
      if (colon !== ":") throw tokens.unexpected(colon, "a colon after the key");
      const value = await tokens.next();
      if (value === "end") return this.truncated(`nothing follows the key ${key.slice(0, 100)}`);
      if (value === "[" && Object.hasOwn(parts.lists, key)) {
        this.hasEvents ||= key === "traceEvents";
        if (!(await this.list(parts.lists[key]))) return;
      } else {
        const cut = await parts.other(key, value, tokens);
        if (cut !== undefined) return this.truncated(cut);
      }
    }
    if (!this.hasEvents)
      throw new FormatError({
        file: this.file,
        found: "an object without events",
        expected: "a list under the key traceEvents",
        advice: "Open the file that the tracing tool wrote itself.",
      });
    await this.rest();
  }

  /** @returns false where the file ends inside */
  private async list(take: () => void): Promise<boolean> {
    const { window, scanner } = this;
    let count = 0;
    for (;;) {
      const { bytes, end } = window;
      let at = window.start;
      // Where an event begins that is not whole yet.
      for (;;) {
        while (at < end && (bytes[at] <= 32 || bytes[at] === 44)) at++;
        if (at >= end) break;
        if (bytes[at] === 123) {
          const after = scanner.scan(at);
          if (after === INCOMPLETE) break;
          take();
          at = after;
          if (++count % CHECK_EVERY === 0) this.task.check();
        } else if (bytes[at] === 93) {
          window.start = at + 1;
          await this.parts.settle(this.task);
          return true;
        } else {
          const after = scanner.skipValue(at);
          if (after === INCOMPLETE) break;
          if (++this.notObjects % CHECK_EVERY === 0) this.task.check();
          at = after;
        }
      }
      window.start = at;
      await this.parts.settle(this.task);
      if (!(await this.further(end - at))) {
        this.truncated(
          window.end > window.start ? "the last event is not whole: it was left out" : "the list is not closed",
        );
        return false;
      }
    }
  }

  /** Reads on until there is twice as much as there was: an event of many pieces is not scanned again with each of them. */
  private async further(had: number): Promise<boolean> {
    const { window } = this;
    if (had > MOST_EVENT_BYTES)
      throw damagedFile(
        this.file,
        { byte: window.positionOf(window.start) },
        `more than ${MOST_EVENT_BYTES} bytes without the end of an event`,
        "an event",
      );
    let isMore = false;
    while (window.end - window.start < 2 * had || !isMore) {
      if (!(await window.more())) return isMore;
      isMore = true;
    }
    return true;
  }

  private async rest(): Promise<void> {
    const byte = this.tokens.position;
    const token = await this.tokens.next();
    if (token === "end") return;
    this.warnings.push({
      message: "something follows the end of the trace: it was not read",
      file: this.file,
      at: { byte },
    });
  }

  private truncated(what: string): void {
    this.warnings.push({
      message: `the file ends early: ${what}. It may have been cut short, or the tool that wrote it was ended`,
      file: this.file,
      at: { byte: this.window.positionOf(this.window.end) },
      isCut: true,
    });
  }
}
