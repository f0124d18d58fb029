import { IntColumn } from "../../model/columns";
import type { NamelessFrames } from "../../model/dataSet";
import { ANY_ADDRESS } from "../../model/frames";
import { NONE } from "../../model/ids";
import { PairTable } from "../../model/pairTable";
import { ByteStrings, hashOf } from "../byteStrings";
import type { ProfileBuilder } from "../profileBuilder";
import { type FrameLine, frameLineOf, placeLineOf, UNKNOWN } from "./frameLine";
import { isLibcStart, isStart } from "./stackRoots";

/**
 * Call chains as calling contexts: function, line of the call, called function, …, sampled line. Lines of a file repeat: each
 * distinct one is taken apart once, and known by its bytes from then on.
 */
export class CallChains {
  private readonly lines = new ByteStrings();
  /** By line: the frame's description; undefined for lines that are no frame. */
  private readonly frameLines: (FrameLine | undefined)[] = [];
  /** Whether a stack may begin with a line, and whether the line is libc's call of main; by line. */
  private readonly starts: boolean[] = [];
  private readonly libcStarts: boolean[] = [];
  /** By line: its frame as a function of its own; NONE as long as it is none. */
  private readonly functions = new IntColumn();
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

  /** Runs of frames without a name, by context and innermost line. */
  private readonly runs = new PairTable();
  /** Samples of each run, and its maximum number of frames. */
  private readonly runSamples = new IntColumn();
  private readonly runFrames = new IntColumn();

  constructor(private readonly builder: ProfileBuilder) {}

  /** The number of the frame that stands in `bytes[start] … bytes[end - 1]`; NONE for any other text. */
  frameLine(bytes: Uint8Array, start: number, end: number): number {
    const line = this.lines.intern(bytes, start, end, hashOf(bytes, start, end));
    if (line === this.frameLines.length) this.addLine(textOf(bytes, start, end));
    return this.frameLines[line] === undefined ? NONE : line;
  }

  /** Whether the same text was a frame before. */
  isKnownFrame(bytes: Uint8Array, start: number, end: number): boolean {
    const line = this.lines.find(bytes, start, end, hashOf(bytes, start, end));
    return line !== NONE && this.frameLines[line] !== undefined;
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
   * The context of a sample, its frames given innermost first. What is called inlined is inlined into the frame around it where that
   * is of the same address, and else a function of its own: perf calls so what it knows by two names. Where one address has several
   * lines and its function is named each time, the function is one frame, in which code of further lines is inlined that perf has
   * no name for. Frames side by side of which perf knows no name, in one load module or in none, are one frame (semantics 16): their
   * addresses are places, of which nothing tells where a function begins.
   *
   * @param places of the frames; NONE where there is none
   */
  contextOf(lines: IntColumn, places: IntColumn): number {
    const { tree } = this.builder;
    if (lines.length > 1) this.hasCalls = true;
    let [context, module, own, first] = [NONE, NONE, NONE, NONE] as number[];
    let address = Number.NaN;
    let around = 0;
    for (let at = lines.length - 1; at >= 0; at--) {
      const line = lines.values[at];
      const described = this.frameLines[line];
      if (described === undefined) continue;
      if (this.isSameNameless(line, at === 0 ? NONE : lines.values[at - 1])) {
        address = described.address;
        around++;
        continue;
      }
      const place = places.values[at];
      const sourceLine = place === NONE ? NONE : this.places.values[place];
      const isFurtherLine = line === own && sourceLine !== NONE && first !== NONE && sourceLine !== first;
      if (!isFurtherLine) {
        own = line;
        first = sourceLine;
        const isCalledInlined = described.isInlined || (place !== NONE && this.isInlinedPlace[place]);
        const isInlined = isCalledInlined && described.address === address;
        if (!isInlined) module = this.modules.values[line];
        address = described.address;
        context = tree.child(context, isInlined ? this.inlinedFrame(line, module) : this.functionFrame(line));
      }
      if (this.isNameless(line)) this.noteRun(context, line, around + 1);
      around = 0;
      if (sourceLine !== NONE) context = tree.child(context, sourceLine);
    }
    return context === NONE ? tree.child(NONE, this.unknownFrame()) : context;
  }

  /** Whether a stack reaches the start of its thread. @param lines at least one, innermost first */
  isRooted(lines: IntColumn): boolean {
    let at = lines.length - 1;
    if (this.starts[lines.values[at]]) return true;
    while (at > 0 && this.isNameless(lines.values[at])) at--;
    return this.libcStarts[lines.values[at]];
  }

  private noteRun(context: number, line: number, frames: number): void {
    const run = this.runs.numberOf(context, line);
    if (run === this.runSamples.length) {
      this.runSamples.push(0);
      this.runFrames.push(0);
    }
    this.runSamples.values[run]++;
    this.runFrames.values[run] = Math.max(this.runFrames.values[run], frames);
  }

  /**
   * The frames without a name of each context that stands for some, of the address that most samples had; the lowest of several.
   *
   * @param contextOf final number of each context
   */
  namelessFrames(contextOf: Int32Array): Map<number, NamelessFrames> {
    const { runs, runSamples, runFrames } = this;
    const found = new Map<number, NamelessFrames & { samples: number }>();
    for (let run = 0; run < runs.size; run++) {
      const address = this.frameLines[runs.second[run]]?.address ?? NONE;
      const [samples, frames] = [runSamples.values[run], runFrames.values[run]];
      const context = contextOf[runs.first[run]];
      const known = found.get(context);
      const isMore =
        known === undefined || samples > known.samples || (samples === known.samples && address < known.address);
      if (isMore) found.set(context, { address, frames, samples });
    }
    return new Map([...found].map(([context, { address, frames }]) => [context, { address, frames }]));
  }

  /** Whether two frames have no name and one load module, or none: the one around the other is the same frame then. */
  private isSameNameless(line: number, inner: number): boolean {
    return (
      inner !== NONE &&
      this.isNameless(line) &&
      this.isNameless(inner) &&
      this.modules.values[line] === this.modules.values[inner]
    );
  }

  private isNameless(line: number): boolean {
    const described = this.frameLines[line];
    return described?.name === UNKNOWN && !described.isInlined;
  }

  /** Of samples without any frame. */
  private unknownFrame(): number {
    return this.builder.frames.intern({ name: UNKNOWN, kind: "function", address: ANY_ADDRESS });
  }

  private addLine(text: string): void {
    const line = frameLineOf(text);
    this.frameLines.push(line);
    this.starts.push(line !== undefined && isStart(line));
    this.libcStarts.push(line !== undefined && isLibcStart(line));
    this.functions.push(NONE);
    this.modules.push(line?.module === undefined ? NONE : this.builder.frames.strings.intern(line.module));
  }

  private functionFrame(line: number): number {
    const { values } = this.functions;
    const described = this.frameLines[line];
    if (values[line] === NONE && described !== undefined)
      values[line] = this.intern(described, "function", described.module);
    return values[line];
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

  private intern({ name, file }: FrameLine, kind: "function" | "inlined", module: string | undefined): number {
    // A function would fall apart into its call sites with their addresses.
    const address = name === UNKNOWN ? ANY_ADDRESS : undefined;
    return this.builder.frames.intern({ name, kind, file, module, address });
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}
