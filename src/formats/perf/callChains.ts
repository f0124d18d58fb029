import { IntColumn } from "../../model/columns";
import { NONE } from "../../model/ids";
import { PairTable } from "../../model/pairTable";
import { ByteStrings, hashOf } from "../byteStrings";
import type { ProfileBuilder } from "../profileBuilder";
import { type FrameLine, frameLineOf, placeLineOf, UNKNOWN } from "./frameLine";

/** A line of the file that is no frame. */
const NO_FRAME = -2;

/**
 * Call chains as calling contexts: function, line of the call, called function, …, sampled line. Lines of a file repeat: each
 * distinct one is taken apart once, and known by its bytes from then on.
 */
export class CallChains {
  private readonly lines = new ByteStrings();
  /** By line: the frame's description; undefined for lines that are no frame. */
  private readonly frameLines: (FrameLine | undefined)[] = [];
  /** By line: its frame where it is no inlined one. */
  private readonly frames = new IntColumn();
  /** By line: string of its load module. */
  private readonly modules = new IntColumn();
  private readonly placeTexts = new ByteStrings();
  /** By place: frame of its source line; NONE where that is not known. */
  private readonly places = new IntColumn();
  private readonly isInlinedPlace: boolean[] = [];
  /** Inlined frames by line and module of the frame around them. */
  private readonly inlined = new PairTable();
  private readonly inlinedFrames = new IntColumn();
  /** Whether a frame's source line is known. */
  hasPlaces = false;
  /** Whether any sample has callers. */
  hasCalls = false;

  constructor(private readonly builder: ProfileBuilder) {}

  /** The number of the frame that stands in `bytes[start] … bytes[end - 1]`; NONE for any other text. */
  frameLine(bytes: Uint8Array, start: number, end: number): number {
    const line = this.lines.intern(bytes, start, end, hashOf(bytes, start, end));
    if (line === this.frameLines.length) this.addLine(textOf(bytes, start, end));
    return this.frames.values[line] === NO_FRAME ? NONE : line;
  }

  /** The number of the place that stands in `bytes[start] … bytes[end - 1]`. */
  place(bytes: Uint8Array, start: number, end: number): number {
    const number = this.placeTexts.intern(bytes, start, end, hashOf(bytes, start, end));
    if (number === this.places.length) {
      const { place, isInlined } = placeLineOf(textOf(bytes, start, end));
      const { frames } = this.builder;
      const frame = place && frames.intern({ ...place, name: `${place.file}:${place.line}`, kind: "line" });
      if (frame !== undefined) this.hasPlaces = true;
      this.places.push(frame ?? NONE);
      this.isInlinedPlace.push(isInlined);
    }
    return number;
  }

  /** As {@link place}, where the same text was a place before; else NONE. */
  knownPlace(bytes: Uint8Array, start: number, end: number): number {
    return this.placeTexts.find(bytes, start, end, hashOf(bytes, start, end));
  }

  /**
   * The context of a sample, its frames given innermost first. Where one address has several lines and its function is named
   * each time, the function is one frame, in which code of further lines is inlined that the file has no name for.
   *
   * @param places of the frames; NONE where there is none
   */
  contextOf(lines: IntColumn, places: IntColumn): number {
    const { tree } = this.builder;
    if (lines.length > 1) this.hasCalls = true;
    let [context, module, line, first] = [NONE, NONE, NONE, NONE] as number[];
    for (let at = lines.length - 1; at >= 0; at--) {
      const place = places.values[at];
      const sourceLine = place === NONE ? NONE : this.places.values[place];
      const isFurtherLine = lines.values[at] === line && sourceLine !== NONE && first !== NONE && sourceLine !== first;
      if (!isFurtherLine) {
        line = lines.values[at];
        first = sourceLine;
        const isInlined = this.frames.values[line] === NONE || (place !== NONE && this.isInlinedPlace[place]);
        if (!isInlined) module = this.modules.values[line];
        context = tree.child(context, isInlined ? this.inlinedFrame(line, module) : this.frames.values[line]);
      }
      if (sourceLine !== NONE) context = tree.child(context, sourceLine);
    }
    return context === NONE ? tree.child(NONE, this.unknownFrame()) : context;
  }

  /** Of samples without any frame. */
  private unknownFrame(): number {
    return this.builder.frames.intern({ name: UNKNOWN, kind: "function" });
  }

  private addLine(text: string): void {
    const { frames } = this.builder;
    const line = frameLineOf(text);
    this.frameLines.push(line);
    const isFunction = line !== undefined && !line.isInlined;
    this.frames.push(line === undefined ? NO_FRAME : isFunction ? this.intern(line, "function", line.module) : NONE);
    this.modules.push(line?.module === undefined ? NONE : frames.strings.intern(line.module));
  }

  private inlinedFrame(line: number, module: number): number {
    const pair = this.inlined.numberOf(line, module);
    const described = this.frameLines[line];
    if (pair === this.inlinedFrames.length && described !== undefined) {
      const { strings } = this.builder.frames;
      this.inlinedFrames.push(this.intern(described, "inlined", module === NONE ? undefined : strings.get(module)));
    }
    return this.inlinedFrames.values[pair];
  }

  private intern({ name, file, address }: FrameLine, kind: "function" | "inlined", module: string | undefined): number {
    // A name needs no address, and would fall apart into its call sites with one.
    return this.builder.frames.intern({ name, kind, file, module, ...(name === UNKNOWN ? { address } : {}) });
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}
