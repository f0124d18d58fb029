import { beginsWithField, type FieldFrame, frameBehind } from "./flatFrame";

/** The first line of a sample: `solve 4711/4712 [003] 12345.678901:     250000 cpu-clock:u: `. */
export interface EventLine {
  /** Name of the thread, which may have spaces; empty where it is not printed. */
  readonly command: string;
  /** The operating system's number of the process; undefined where only that of the thread is printed. */
  readonly process: number | undefined;
  /** Undefined where it is not printed. */
  readonly thread: number | undefined;
  /** Printed seconds since the system's start, with six or nine digits. Undefined if not printed. */
  readonly seconds: string | undefined;
  /** How many events the sample stands for; undefined where that is not printed. */
  readonly period: number | undefined;
  /** With its modifiers: `cycles:u`; empty where it is not printed. */
  readonly event: string;
  /** Range of the line in which a frame stands, of samples without a call chain; undefined where none does. */
  readonly frame: FieldFrame | undefined;
  /** Certainty that the line is a sample's. */
  readonly evidence: Evidence;
}

/**
 * `sure`: nothing else has this form. `likely`: it has a thread and an event but no time, so a frame, an empty line or another sample
 * must follow. `weak`: thread or event are not printed either, so a frame must follow.
 */
export type Evidence = "sure" | "likely" | "weak";

/** What has the place of the event where the line is no sample's, but another record's (`--show-mmap-events`). */
export const OTHER_RECORD = "PERF_RECORD_";
/** What stands before the frame of a sample without a call chain is never longer. */
const MAX_CHARACTERS = 2000;
const TIME = /(?:^|[ \t])(\d{1,12}\.\d{6}(?:\d{3})?)$/;
/** Microseconds without the zeros before them, as simpleperf writes them behind the processor. */
const SHORT_TIME = /\[\d{1,6}\][ \t]{1,10}(\d{1,12})\.(\d{1,5})$/;
const MAX_TIME = 1 + 12 + 1 + 9;
const MAX_SHORT_TIME = 8 + 10 + 12 + 1 + 5;
/** perf writes periods in ten columns, and numbers of threads in seven at most. */
const PERIOD_COLUMNS = 10;
/** Text before the time of a sample without a printed thread. */
const MAX_COMMAND = 100;
/** An address before a name. */
const ADDRESS = /^ {1,60}[0-9a-f]{1,16} (?=\S)/;
/** An address has 16 columns, a blank before it and one behind: no event's name begins so. */
const ADDRESS_COLUMNS = 18;
const EVENT = /^[A-Za-z'"{]\S{0,500}$/;

/** Signs of the thread's number: the process before it, or the processor or the kind of sample after it. */
const BEHIND_THREAD = /(?:\[\d{1,6}\]|\d\/\d{1,10}|\d[ \t]{1,20}[A-Zgp]{1,8})\s*$/;

type Who = Pick<EventLine, "command" | "process" | "thread">;
type What = Pick<EventLine, "period" | "event" | "frame">;

/**
 * Takes the first line of a sample apart. A time has a form that nothing else in the line has: what stands before it is read
 * backwards from there. Without one it is read backwards from the end of the event's name.
 *
 * @param line one character per byte
 * @returns undefined for any other line
 */
export function eventLineOf(line: string): EventLine | undefined {
  const isWhole = line.length <= MAX_CHARACTERS;
  const text = isWhole ? line.trimEnd() : line.slice(0, MAX_CHARACTERS);
  let weak: EventLine | undefined;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    if (!isBlank(text, colon + 1)) continue;
    const time = timeBefore(text, colon);
    if (time === undefined) continue;
    const { seconds } = time;
    const before = text.slice(0, time.start);
    const who = whoOf(before);
    const what = whatOf(text, colon + 1, isWhole);
    if (who && what && what.event !== "") return { ...who, seconds, ...what, evidence: "sure" };
    if (what && before.length <= MAX_COMMAND) weak ??= withoutField(who, before, seconds, what);
  }
  return weak ?? withoutTime(text, isWhole);
}

function timeBefore(text: string, end: number): { readonly start: number; readonly seconds: string } | undefined {
  const seconds = TIME.exec(text.slice(Math.max(0, end - MAX_TIME), end))?.[1];
  if (seconds !== undefined) return { start: end - seconds.length, seconds };
  const short = SHORT_TIME.exec(text.slice(Math.max(0, end - MAX_SHORT_TIME), end));
  if (short === null) return undefined;
  const [, whole, microseconds] = short;
  return { start: end - whole.length - 1 - microseconds.length, seconds: `${whole}.${microseconds.padStart(6, "0")}` };
}

function withoutField(who: Who | undefined, before: string, seconds: string | undefined, what: What): EventLine {
  const named = who ?? { command: fromBytes(before.trim()), process: undefined, thread: undefined };
  return { ...named, seconds, ...what, evidence: what.frame === undefined ? "weak" : "sure" };
}

function withoutTime(text: string, isWhole: boolean): EventLine | undefined {
  const other = text.indexOf(OTHER_RECORD);
  const owner = other < 0 ? undefined : whoOf(text.slice(0, other));
  if (owner) {
    const what = { period: undefined, event: OTHER_RECORD, frame: undefined };
    return { ...owner, seconds: undefined, ...what, evidence: "sure" };
  }
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    if (!isBlank(text, colon + 1)) continue;
    const start = startOfWord(text, colon);
    const event = text.slice(start, colon);
    if (!EVENT.test(event)) continue;
    const frame = frameBehind(text, colon + 1, isWhole);
    const { who, period, hasProcessor } = beforeEvent(text.slice(0, start));
    const isAlone = text.slice(colon + 1).trim() === "";
    if (who === undefined) {
      // Without a thread, too, only a name and what it stands for is left.
      if (!isAlone || period === undefined) return undefined;
      const command = fromBytes((lastNumber(text.slice(0, start))?.before ?? "").trim());
      const named = { command, process: undefined, thread: undefined };
      return { ...named, seconds: undefined, period, event: fromBytes(event), frame, evidence: "weak" };
    }
    // Behind the name stands nothing, a frame, or what a tracepoint says of itself.
    const hasFields = !isAlone && beginsWithField(text, colon + 1);
    if (!isAlone && !hasFields && frame === undefined && !hasProcessor) return undefined;
    return {
      ...who,
      seconds: undefined,
      period,
      event: fromBytes(event),
      frame,
      evidence: isAlone ? "likely" : "sure",
    };
  }
  return undefined;
}

/** `solve 4711/4712 [003]     250000 `: the last number is a period where it has a period's columns, or nothing else to be. */
function beforeEvent(text: string): { who: Who | undefined; period: number | undefined; hasProcessor: boolean } {
  const hasProcessor = /\[\d{1,6}\]/.test(text);
  const last = lastNumber(text);
  if (last !== undefined) {
    const hasColumns = last.columns > PERIOD_COLUMNS;
    const who = hasColumns || BEHIND_THREAD.test(last.before) ? whoOf(last.before) : undefined;
    if (who !== undefined || hasColumns) return { who, period: last.value, hasProcessor };
  }
  return { who: whoOf(text), period: undefined, hasProcessor };
}

/** The number at the end of a text, what stands before it, and how many columns it has with the blanks before it. */
function lastNumber(text: string): { before: string; value: number; columns: number } | undefined {
  const whole = text.trimEnd();
  let start = whole.length;
  while (start > 0 && whole[start - 1] >= "0" && whole[start - 1] <= "9") start--;
  const before = whole.slice(0, start).trimEnd();
  if (start === whole.length || (before.length === start && start > 0)) return undefined;
  return { before, value: Number(whole.slice(start)), columns: whole.length - before.length };
}

/** Few threads take all samples. */
const whoOf = remembered(readWho);

/** `solve 4711/4712 [003] `: the processor's number is passed over, as are what `-F +misc` and `-F +tod` print behind it. */
function readWho(text: string): Who | undefined {
  const words = text.trim().split(/\s+/);
  let last = words.length - 1;
  if (last > 1 && /^\d\d:\d\d:\d\d\.\d{6,9}$/.test(words[last]) && /^\d{4}-\d\d-\d\d$/.test(words[last - 1])) last -= 2;
  if (last > 0 && /^[A-Zgp]{1,8}$/.test(words[last])) last--;
  if (last > 0 && /^\[\d{1,6}\]$/.test(words[last])) last--;
  const numbers = /^(?:(-1|\d{1,10})\/)?(-1|\d{1,10})$/.exec(words[last]);
  if (numbers === null) return undefined;
  const [, process, thread] = numbers;
  return {
    command: fromBytes(words.slice(0, last).join(" ")),
    process: process === undefined ? undefined : Number(process),
    thread: Number(thread),
  };
}

/** Reads the text after the time. @returns undefined if perf does not print such a text */
function whatOf(text: string, from: number, isWhole: boolean): What | undefined {
  const rest = text.slice(from);
  if (rest.trimStart().startsWith(OTHER_RECORD)) return { period: undefined, event: OTHER_RECORD, frame: undefined };
  const count = /^\s*(\d{1,20})(?=\s|$)/.exec(rest);
  const at = rest.length - rest.slice(count?.[0].length ?? 0).trimStart().length;
  const period = count === null ? undefined : Number(count[1]);
  if (rest.slice(at) === "") return { period, event: "", frame: undefined };
  // A frame may be printed without the event. A number before the address is a period then.
  if (beginsWithAddress(rest)) return { period: undefined, event: "", frame: frameBehind(text, from, isWhole) };
  const behindCount = count?.[0].length ?? 0;
  if (beginsWithAddress(rest.slice(behindCount)))
    return { period, event: "", frame: frameBehind(text, from + behindCount, isWhole) };
  for (let colon = rest.indexOf(":", at); colon >= 0; colon = rest.indexOf(":", colon + 1)) {
    if (!isBlank(rest, colon + 1) || colon === at) continue;
    return { period, event: fromBytes(rest.slice(at, colon)), frame: frameBehind(text, from + colon + 1, isWhole) };
  }
  return undefined;
}

function beginsWithAddress(text: string): boolean {
  return (ADDRESS.exec(text)?.[0].length ?? 0) >= ADDRESS_COLUMNS;
}

/** Whether a line's end or white space is there. */
function isBlank(text: string, at: number): boolean {
  return at >= text.length || text[at] === " " || text[at] === "\t";
}

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && text[start - 1] !== " " && text[start - 1] !== "\t") start--;
  return start;
}

const MAX_REMEMBERED = 1000;

/** Answers for texts that come again and again; all are forgotten at once when there are too many. */
function remembered<Answer>(read: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = read(text);
    if (answers.size === MAX_REMEMBERED) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}

function fromBytes(text: string): string {
  return Buffer.from(text, "latin1").toString();
}
