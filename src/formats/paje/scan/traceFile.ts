import path from "node:path";
import type { Task } from "../../../model/task";
import { FormatError } from "../../../model/errors";
import { PieceWindow } from "../../byteSource";
import type { ReadContext } from "../../format";
import { wholeLines, unfinishedLine } from "../../lines";
import { TRUNCATED } from "../../warnings";
import { EVENT_KINDS, type EventDefinition, FILE_NAME } from "./eventKinds";
import { Fields } from "./fields";
import { Header } from "./header";
import { LineScanner, TOO_LONG, UNCLOSED_QUOTE } from "./lineScanner";
import type { Problems } from "./problems";
import type { Simulation } from "../decode/simulation";
import type { StateLines } from "./stateLines";

const NEWLINE = 10;
const BLANK = 32;
const HASH = 35;
const PERCENT = 37;
/** A longer line is no event of a trace. */
const MOST_LINE_BYTES = 16 << 20;
/** Comments at the head of a file that are kept, and how much of each. */
const MOST_COMMENTS = 20;
const MOST_COMMENT_BYTES = 1000;
/** A line may declare a container, with all that comes with it: so many take some milliseconds. */
const LINES_BETWEEN_CHECKS = 1024;
const TRACE_FILE = EVENT_KINDS.indexOf("PajeTraceFile");

/** What the files of a trace hold besides its events. */
export interface TraceText {
  /** Comments before the first definition: what tools say of themselves. */
  readonly comments: string[];
  /** Fields that nothing is read from, by event. */
  readonly unused: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads one file of a trace, line by line, into a simulation. */
export class TraceFile {
  private readonly header: Header;
  private readonly fields = new Fields();
  private readonly scanner: LineScanner;
  private line = 0;
  private readonly comments: string[] = [];
  private headed = false;

  constructor(
    private readonly file: string,
    private readonly simulation: Simulation,
    private readonly problems: Problems,
    private readonly include: (fileName: string, line: number) => Promise<void>,
    private readonly stateLines?: StateLines,
  ) {
    this.header = new Header(file, problems);
    this.scanner = new LineScanner(this.fields, simulation.tokens, simulation.time);
    this.fields.file = file;
  }

  /** @param settle awaited once per piece of the file */
  async read(
    context: Pick<ReadContext, "open">,
    settle: () => Promise<void>,
    task: Task,
  ): Promise<TraceText & { modifiedAt?: number }> {
    const source = await context.open(this.file);
    const window = new PieceWindow(source, task);
    try {
      const tooLong = () => this.endless(window.positionOf(window.start));
      for await (const end of wholeLines(window, MOST_LINE_BYTES, tooLong)) {
        await this.readLines(window.bytes, window.start, end, task);
        await settle();
      }
      const rest = unfinishedLine(window);
      const { records } = this.simulation;
      await this.readLines(rest, 0, rest.length, task);
      if (!isBlankOrComment(rest)) this.noteEnd(window.positionOf(window.end), this.simulation.records > records);
    } finally {
      await window.settle();
      await source.close();
    }
    return { comments: this.comments, unused: this.header.unused, modifiedAt: source.modifiedAt };
  }

  /** What a file that has no line end at its end lacks; nothing where its last line ends the last container. */
  private noteEnd(byte: number, wasRead: boolean): void {
    if (wasRead && this.simulation.isComplete) return;
    const message = wasRead
      ? "the last line has no line end: it was read, but its last field may be cut, and what came later is missing"
      : "the file ends in the middle of a line: what stands before it was read, the rest is missing";
    this.problems.note(TRUNCATED, this.file, { byte }, () => message);
  }

  private async readLines(bytes: Uint8Array, start: number, end: number, task: Task): Promise<void> {
    for (let at = start; at < end;) {
      at = this.scanLines(bytes, at, end, task);
      if (this.fileName !== undefined) await this.include(this.fileName, this.line);
      this.fileName = undefined;
    }
  }

  private readonly definitionOf = (id: number): EventDefinition | undefined => {
    const definition = this.header.definition(id);
    return definition !== undefined && definition.code >= 0 ? definition : undefined;
  };

  /** The file that the line just read wants to be read here. */
  private fileName?: string;

  /** @returns where it stopped: the end, or behind a line that names another file */
  private scanLines(bytes: Uint8Array, start: number, end: number, task: Task): number {
    const { header, scanner, fields, simulation, stateLines } = this;
    const { bySmallId } = header;
    fields.bytes = bytes;
    let at = start;
    while (at < end) {
      if (stateLines !== undefined && !header.isOpen) {
        at = stateLines.scan(bytes, at, end, LINES_BETWEEN_CHECKS, this.definitionOf);
        this.line += stateLines.lines;
        if (stateLines.lines > 0) {
          this.headed = true;
          task.check();
          continue;
        }
      }
      fields.line = ++this.line;
      if (this.line % LINES_BETWEEN_CHECKS === 0) task.check();
      let byte = bytes[at];
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      const first = at;
      let id = 0;
      let digit = byte - 48;
      while (digit >= 0 && digit <= 9) {
        id = id * 10 + digit;
        digit = (byte = bytes[++at]) - 48;
      }
      if (at === first || byte > BLANK) {
        at = this.otherLine(bytes, first);
        continue;
      }
      const definition = id < 1024 ? bySmallId[id] : header.definition(id);
      this.headed = true;
      header.interrupt(this.line);
      if (definition === undefined || definition.code < 0) {
        if (definition === undefined)
          this.note("of an event that is not defined", `left out: event ${id}, which is not defined`);
        else this.note("of an event that cannot be read", `left out: an event ${id}, whose definition cannot be used`);
        at = bytes.indexOf(NEWLINE, at) + 1;
        continue;
      }
      at = scanner.scan(bytes, at, definition);
      if (scanner.unusual !== 0 || scanner.found < definition.roles.length)
        if (!this.accept(definition.needed, definition.roles)) continue;
      if (!simulation.carryOut(definition, fields)) continue;
      simulation.records++;
      if (definition.code === TRACE_FILE) {
        this.fileName = fields.textOf(FILE_NAME);
        return at;
      }
    }
    return at;
  }

  /** Whether a line with too many or too few fields is read all the same. */
  private accept(needed: number, roles: Uint8Array): boolean {
    const { scanner, fields } = this;
    if (scanner.unusual === UNCLOSED_QUOTE)
      this.note("with a quote that is not closed", "a quote that is not closed on its line");
    if (scanner.unusual === TOO_LONG)
      this.note("with more fields than defined", "more fields than its event is defined with");
    if (scanner.found === roles.length) return true;
    const missing = `${scanner.found} fields where its event is defined with ${roles.length}`;
    if (scanner.found < needed) {
      this.note("with too few fields", `left out: ${missing}`);
      return false;
    }
    this.note("with too few fields", missing);
    for (let at = scanner.found; at < roles.length; at++) {
      fields.start[roles[at]] = fields.end[roles[at]] = 0;
      fields.number[roles[at]] = Number.NaN;
      fields.token[roles[at]] = this.simulation.tokens.internText("");
    }
    return true;
  }

  /** Empty lines, comments, definitions, and lines that are nothing of that. @returns where the next line starts */
  private otherLine(bytes: Uint8Array, first: number): number {
    let start = first;
    const end = bytes.indexOf(NEWLINE, start);
    while (bytes[start] <= BLANK && start < end) start++;
    if (start === end) return end + 1;
    const text = (most: number) => Buffer.from(bytes.subarray(start, Math.min(end, start + most))).toString();
    if (bytes[start] === PERCENT) {
      this.headed = true;
      this.header.readLine(text(4096), this.line);
      this.stateLines?.forget();
    } else if (bytes[start] === HASH) {
      const comment =
        this.headed || this.comments.length === MOST_COMMENTS ? "" : text(MOST_COMMENT_BYTES).slice(1).trim();
      if (comment !== "") this.comments.push(comment);
    } else
      this.note("that start with no event's number", `left out: a line that starts with ${JSON.stringify(text(30))}`);
    return end + 1;
  }

  private note(kind: string, message: string): void {
    this.problems.note(`lines ${kind}`, this.file, { line: this.line }, () => message);
  }

  private endless(byte: number): FormatError {
    return new FormatError({
      file: this.file,
      at: { byte },
      found: `a line of more than ${MOST_LINE_BYTES} bytes`,
      expected: "one event per line",
      advice: `Look at ${path.basename(this.file)} in an editor: something other than a trace may have been added to it.`,
    });
  }
}

function isBlankOrComment(line: Uint8Array): boolean {
  const first = line.find((byte) => byte > BLANK);
  return first === undefined || first === HASH;
}
