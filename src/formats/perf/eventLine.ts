import { headText } from "../cursor";
import type { Head } from "../format";

/** The first line of a sample: `solve 4711/4712 [003] 12345.678901:     250000 cpu-clock:u: `. */
export interface EventLine {
  /** Name of the thread, which may have spaces. */
  readonly command: string;
  /** The operating system's number of the process; undefined where only that of the thread is printed. */
  readonly process: number | undefined;
  readonly thread: number;
  /** As printed: seconds since the system's start, to six or nine digits. */
  readonly seconds: string;
  /** How many events the sample stands for; undefined where that is not printed. */
  readonly period: number | undefined;
  /** With its modifiers: `cycles:u`. */
  readonly event: string;
  /** Where in the line a frame stands, of samples without a call chain; -1 where none does. */
  readonly frameAt: number;
}

/** What has the place of the event where the line is no sample's, but another record's (`--show-mmap-events`). */
export const OTHER_RECORD = "PERF_RECORD_";
/** What stands before the frame of a sample without a call chain is never longer. */
const MOST_CHARACTERS = 2000;
const TIME = /[ \t](\d{1,12}\.\d{6}(?:\d{3})?)$/;
const MOST_TIME = 1 + 12 + 1 + 9;
/** Between the event's name and the end of an address that stands in the same line, which takes 16 columns. */
const ADDRESS_COLUMNS = 18;
/** What stands above the first sample beside comments: warnings that were written into the same file. */
const MOST_OTHER_LINES = 20;

/** Whether a file is what `perf script` prints, maybe below the header that `--header` asks for. */
export function isPerfScript({ bytes }: Head): boolean {
  let others = 0;
  for (let start = 0; start < bytes.length && others < MOST_OTHER_LINES;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = headText(bytes.subarray(start, end), MOST_CHARACTERS);
    if (eventLineOf(line) !== undefined) return true;
    if (line.trim() !== "" && !line.startsWith("#")) others++;
    start = end + 1;
  }
  return false;
}

/**
 * Takes the first line of a sample apart. Only the time has a form that nothing else in it has: what stands before it is read
 * backwards from there.
 *
 * @param line one character per byte
 * @returns undefined for any other line
 */
export function eventLineOf(line: string): EventLine | undefined {
  const text = line.length > MOST_CHARACTERS ? line.slice(0, MOST_CHARACTERS) : line;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    if (colon + 1 < text.length && text[colon + 1] !== " ") continue;
    const seconds = TIME.exec(text.slice(Math.max(0, colon - MOST_TIME), colon))?.[1];
    const of = seconds === undefined ? undefined : threadOf(text.slice(0, colon - seconds.length));
    const what = of && eventOf(text, colon + 1);
    if (seconds !== undefined && what) return { ...of, seconds, ...what };
  }
  return undefined;
}

/** `solve 4711/4712 [003] `: the processor's number is passed over, as is what `-F +misc` prints behind it. */
function threadOf(text: string): Pick<EventLine, "command" | "process" | "thread"> | undefined {
  const words = text.trim().split(/\s+/);
  let last = words.length - 1;
  if (/^[A-Z]{1,8}$/.test(words[last])) last--;
  if (/^\[\d{1,6}\]$/.test(words[last])) last--;
  if (last < 1) return undefined;
  const numbers = /^(?:(-1|\d{1,10})\/)?(-1|\d{1,10})$/.exec(words[last]);
  if (numbers === null) return undefined;
  const [, process, thread] = numbers;
  return {
    command: fromBytes(words.slice(0, last).join(" ")),
    process: process === undefined ? undefined : Number(process),
    thread: Number(thread),
  };
}

function eventOf(text: string, from: number): Pick<EventLine, "period" | "event" | "frameAt"> | undefined {
  const rest = text.slice(from);
  if (rest.trimStart().startsWith(OTHER_RECORD)) return { period: undefined, event: OTHER_RECORD, frameAt: -1 };
  const period = /^ *(\d{1,20}) +(?=\S)/.exec(rest);
  const at = period ? period[0].length : rest.length - rest.trimStart().length;
  const colon = rest.indexOf(": ", at);
  const end = colon >= 0 ? colon : rest.trimEnd().length - 1;
  if (end <= at || rest[end] !== ":") return undefined;
  const address = /^ +[0-9a-f]{1,16}(?=\s|$)/.exec(rest.slice(end + 1));
  const hasFrame = address !== null && address[0].length >= ADDRESS_COLUMNS;
  return {
    period: period ? Number(period[1]) : undefined,
    event: fromBytes(rest.slice(at, end)),
    frameAt: hasFrame ? from + end + 1 : -1,
  };
}

function fromBytes(text: string): string {
  return Buffer.from(text, "latin1").toString();
}
