import { IntColumn } from "../../model/columns";
import type { Warning } from "../../model/dataSet";
import { entryOf } from "../../model/maps";
import { counted } from "../../model/texts";
import { NONE } from "../../model/ids";
import { headText } from "../cursor";
import type { CallChains } from "./callChains";
import { type EventLine, eventLineOf, OTHER_RECORD } from "./eventLine";
import { isFieldLine } from "./flatFrame";
import { isFrameText } from "./frameLine";
import type { Samples } from "./samples";
import type { StackRoots } from "./stackRoots";

const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;
/** More of a line is only looked at where it is a frame or its place. */
const MOST_BYTES = 4096;
const MOST_HEADER_LINES = 1000;
/** Less than the last of six digits, which the header's time has, and more than a number of seconds is off by. */
const TIME_TOLERANCE_SECONDS = 1e-7;

/** Takes the lines of one file apart: comments, and samples, each a line of its own with its frames below it. */
export class ScriptScanner {
  /** What the header says, by key. */
  readonly globals = new Map<string, string[]>();
  private headerLines = 0;
  /** Number of the line that was read last. */
  private number = 0;
  private sample: EventLine | undefined;
  /** The latest line where it may begin a sample, which only the next line tells. */
  private waiting: EventLine | undefined;
  private waitingNumber = 0;
  /** Whether no frame of the sample's call chain came yet. */
  private isFirst = true;
  /** Frames of the sample, innermost first, and their places. */
  private readonly frames = new IntColumn();
  private readonly places = new IntColumn();
  /** Events of which a sample had an empty line behind it: those with call chains, also where a chain is empty. */
  private readonly chained = new Set<string>();
  private withoutFrames = 0;
  private notUnderstood = 0;
  private firstNotUnderstood = 0;
  private isCut = false;

  constructor(
    private readonly file: string,
    private readonly chains: CallChains,
    private readonly samples: Samples,
    private readonly roots: StackRoots,
  ) {}

  /** Reads whole lines. */
  scan(bytes: Uint8Array, from: number, end: number): void {
    for (let start = from; start < end;) {
      const newline = bytes.indexOf(NEWLINE, start);
      this.number++;
      this.line(bytes, start, newline);
      start = newline + 1;
    }
  }

  /** @param rest of the file: a line without an end, with one; empty where there is none */
  finish(rest: Uint8Array): void {
    this.scan(rest, 0, rest.length);
    this.settle(this.waiting?.evidence === "likely");
    const { sample } = this;
    const isOpen = sample !== undefined && sample.frame === undefined;
    this.isCut = rest.length > 0 || (isOpen && (this.frames.length > 0 || this.chained.has(sample.event)));
    this.endSample();
  }

  /** What a user should know of the file. */
  warnings(): Warning[] {
    const { file, samples } = this;
    const warnings: Warning[] = [];
    if (this.withoutFrames > 0)
      warnings.push({
        message: `${counted(this.withoutFrames, "sample")} without a function, counted as [unknown]`,
        file,
      });
    if (this.notUnderstood > 0)
      warnings.push({
        message: `${counted(this.notUnderstood, "line")} passed over, this one first: neither sample nor frame nor source line`,
        file,
        at: { line: this.firstNotUnderstood },
      });
    if (this.isCut)
      warnings.push({
        message: "the file ends inside of a sample: its last call chain may lack functions, and samples may be missing",
        file,
        at: { line: this.number },
        isCut: true,
      });
    const last = Number(this.globals.get("time of last sample")?.[0]);
    if (last > samples.lastSeconds + TIME_TOLERANCE_SECONDS)
      warnings.push({
        message: `the header tells of samples until ${last} s, and the last one here is of ${samples.lastSeconds} s: the file was cut, or perf script was told to leave samples out`,
        file,
      });
    return warnings;
  }

  /** The line `bytes[start] … bytes[lineEnd - 1]`. */
  private line(bytes: Uint8Array, start: number, lineEnd: number): void {
    let end = lineEnd;
    while (end > start && bytes[end - 1] <= SPACE) end--;
    if (end === start) {
      this.settle(this.waiting?.evidence === "likely");
      if (this.sample !== undefined) this.chained.add(this.sample.event);
      return this.endSample();
    }
    let at = start;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    const isTab = bytes[start] === TAB;
    const mayBePlace = at > start && !isTab && this.awaitsPlace();
    if (mayBePlace && this.setPlace(this.chains.knownPlace(bytes, at, end))) return;
    const isKnown = isTab || (this.mayBeFrame(bytes, at) && this.chains.isKnownFrame(bytes, at, end));
    if (isKnown && this.calledFrame(bytes, at, end)) return;
    const text = headText(bytes.subarray(start, end), MOST_BYTES);
    const sample = isTab ? undefined : eventLineOf(text);
    if (sample?.evidence === "sure") {
      this.settle(this.waiting?.evidence === "likely");
      return this.begin(sample, bytes, start, end);
    }
    if (bytes[start] === HASH) return this.header(textOf(bytes, start, end));
    // A name may end like an event's, but then it has no load module behind it.
    const isFrame = !isTab && (sample === undefined || !text.endsWith(":")) && !isFieldLine(text) && isFrameText(text);
    if (isFrame && this.calledFrame(bytes, at, end)) return;
    if (this.sample !== undefined && isFieldLine(text)) return;
    if (sample !== undefined) return this.wait(sample);
    this.settle(false);
    if (!mayBePlace || !this.setPlace(this.chains.place(bytes, at, end))) this.pass(this.number);
  }

  /** A line that begins a sample if the next one is a frame. */
  private wait(sample: EventLine): void {
    this.settle(this.waiting?.evidence === "likely");
    this.waiting = sample;
    this.waitingNumber = this.number;
  }

  /** Decides on the line that is waiting. */
  private settle(isSample: boolean): void {
    const { waiting } = this;
    if (waiting === undefined) return;
    this.waiting = undefined;
    if (!isSample) return this.pass(this.waitingNumber);
    this.endSample();
    if (waiting.event !== OTHER_RECORD) this.sample = waiting;
  }

  private begin(sample: EventLine, bytes: Uint8Array, start: number, end: number): void {
    this.endSample();
    if (sample.event === OTHER_RECORD) return;
    this.sample = sample;
    const { frame } = sample;
    if (frame === undefined) return;
    const frameEnd = frame.end === undefined ? end : start + frame.end;
    if (!this.frame(bytes, start + frame.start, frameEnd)) this.pass(this.number);
  }

  /** A frame of a call chain. @returns whether there is one, and a sample for it */
  private calledFrame(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.mayBeFrame(bytes, start)) return false;
    this.settle(true);
    // The frame in the line of a sample with a call chain is the symbol of its data.
    if (this.sample?.frame !== undefined && this.isFirst) this.frames.length = this.places.length = 0;
    this.isFirst = false;
    return this.frame(bytes, start, end);
  }

  private endSample(): void {
    if (this.sample === undefined) return;
    if (this.frames.length === 0) this.withoutFrames++;
    else if (!this.isFirst) this.roots.add(this.chains.isRooted(this.frames));
    this.samples.add(this.sample, this.chains.contextOf(this.frames, this.places));
    this.sample = undefined;
    this.isFirst = true;
    this.frames.length = this.places.length = 0;
  }

  /** @returns whether there is one */
  private frame(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.sample === undefined || !isHexadecimal(bytes[start])) return false;
    const frame = this.chains.frameLine(bytes, start, end);
    if (frame === NONE) return false;
    this.frames.push(frame);
    this.places.push(NONE);
    return true;
  }

  /** Whether a frame can stand here: of the sample that was begun, or of one that its frames tell. */
  private mayBeFrame(bytes: Uint8Array, at: number): boolean {
    return (this.sample !== undefined || this.waiting !== undefined) && isHexadecimal(bytes[at]);
  }

  private awaitsPlace(): boolean {
    const { length, values } = this.places;
    return length > 0 && values[length - 1] === NONE;
  }

  private setPlace(place: number): boolean {
    if (place === NONE) return false;
    this.places.values[this.places.length - 1] = place;
    return true;
  }

  /** `# hostname : login1` */
  private header(text: string): void {
    const colon = text.indexOf(":");
    if (colon < 0 || ++this.headerLines > MOST_HEADER_LINES) return;
    const [key, value] = [text.slice(1, colon).trim(), text.slice(colon + 1).trim()];
    if (key !== "" && value !== "") entryOf(this.globals, key, () => []).push(value);
  }

  private pass(number: number): void {
    if (this.notUnderstood++ === 0) this.firstNotUnderstood = number;
  }
}

function isHexadecimal(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, Math.min(end, start + MOST_BYTES))).toString();
}
