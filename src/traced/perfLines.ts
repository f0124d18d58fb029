import { createReadStream, createWriteStream } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import readline from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readElf } from "./elf";
import { readLines } from "./lineTable";
import { type Machine } from "./machine";
import { printed } from "./processes";

/** A function at an address, and its line there. */
export interface InlinedFrame {
  readonly name: string;
  /** `FILE:LINE`. */
  readonly place: string;
}

/** What stands at addresses of a load module, by address as perf prints it: the innermost inlined function first. */
export type Places = ReadonlyMap<string, ReadonlyMap<bigint, readonly InlinedFrame[]>>;

/** A frame of a call chain that a file's debug information may know: `	    11ce work+0x4e (/home/user/solve)`. */
interface FrameText {
  readonly module: string;
  /** As it is asked for. */
  readonly address: bigint;
  readonly hexadecimal: string;
  readonly isInlined: boolean;
}

/** So many addresses are asked for at a time. */
const MOST_ASKED = 10_000;
const INLINED = "(inlined)";

/**
 * Writes a text of `perf script` once more, with the line of each frame below it and functions that were inlined as frames. perf's own
 * `+srcline` leaves out what was inlined where it follows frame pointers, takes the line behind a call for the call's, and in older
 * versions starts a program for each address.
 *
 * @param areReturns whether addresses of callers are those behind their calls: by frame pointers, where perf corrects none
 */
export async function addLines(
  text: string,
  target: string,
  areReturns: boolean,
  machine: Machine,
  recorded: { readonly buildIds: ReadonlyMap<string, string>; readonly endedMs: number },
  signal: AbortSignal,
): Promise<void> {
  const asked = new Map<string, Set<bigint>>();
  for await (const { frame } of framesOf(text, areReturns)) {
    if (frame === undefined) continue;
    const known = asked.get(frame.module) ?? new Set();
    asked.set(frame.module, known.add(frame.address));
  }
  const places = new Map<string, Map<bigint, InlinedFrame[]>>();
  for (const [module, addresses] of asked)
    if (path.isAbsolute(module)) places.set(module, await placesIn(module, [...addresses], machine, recorded, signal));
  await pipeline(Readable.from(withPlaces(text, areReturns, places)), createWriteStream(target));
}

/** Lines of a text, each with its frame where it is one. */
async function* framesOf(text: string, areReturns: boolean): AsyncGenerator<{ line: string; frame?: FrameText }> {
  let isInnermost = true;
  for await (const line of readline.createInterface({ input: createReadStream(text), crlfDelay: Infinity })) {
    const frame = line.startsWith("\t") ? frameOf(line, areReturns && !isInnermost) : undefined;
    yield frame === undefined ? { line } : { line, frame };
    // Inlined functions stand at the address of the frame that they are in.
    if (!line.startsWith("\t")) isInnermost = true;
    else if (frame?.isInlined !== true) isInnermost = false;
  }
}

function frameOf(line: string, isReturn: boolean): FrameText | undefined {
  const hexadecimal = /^[0-9a-f]{1,16}(?= )/.exec(line.trimStart().slice(0, 17))?.[0];
  if (hexadecimal === undefined) return undefined;
  const isInlined = line.endsWith(INLINED);
  const open = line.lastIndexOf(" (/");
  if (!isInlined && (open < 0 || !line.endsWith(")"))) return undefined;
  const address = BigInt(`0x${hexadecimal}`);
  return {
    module: isInlined ? "" : line.slice(open + 2, -1),
    hexadecimal,
    isInlined,
    address: isReturn && address > 0n ? address - 1n : address,
  };
}

async function* withPlaces(text: string, areReturns: boolean, places: Places): AsyncGenerator<string> {
  // What perf says of inlined functions, until the frame that they are in is known.
  let kept = "";
  for await (const { line, frame } of framesOf(text, areReturns)) {
    if (frame?.isInlined) {
      kept += `${line}\n`;
      continue;
    }
    const found = frame && places.get(frame.module)?.get(frame.address);
    if (frame === undefined || found === undefined || found.length === 0) yield `${kept}${line}\n`;
    else {
      const inlined = found
        .slice(0, -1)
        .map(({ name, place }) => `\t${frame.hexadecimal} ${name} ${INLINED}\n  ${place}\n`);
      yield `${inlined.join("")}${line}\n  ${found[found.length - 1].place}\n`;
    }
    kept = "";
  }
}

/** Asks addr2line, while the file is the one that was recorded. */
async function placesIn(
  module: string,
  offsets: readonly bigint[],
  machine: Machine,
  { buildIds, endedMs }: { readonly buildIds: ReadonlyMap<string, string>; readonly endedMs: number },
  signal: AbortSignal,
): Promise<Map<bigint, InlinedFrame[]>> {
  const found = new Map<bigint, InlinedFrame[]>();
  const elf = await readElf(module);
  const command = machine.find("addr2line");
  if (elf === undefined || command === undefined) return found;
  const recordedId = buildIds.get(module);
  // Of what has no number of its build its time says whether it was built again.
  const isSame = recordedId === undefined ? (await fs.stat(module)).mtimeMs <= endedMs : recordedId === elf.buildId;
  if (!isSame) return found;
  const known = offsets.flatMap((offset) => {
    const address = elf.addressOf(offset);
    return address === undefined ? [] : [{ offset, address }];
  });
  for (let at = 0; at < known.length; at += MOST_ASKED) {
    const part = known.slice(at, at + MOST_ASKED);
    const addresses = part.map(({ address }) => `0x${address.toString(16)}`);
    const args = ["-e", module, "-a", "-i", "-f", "-C", ...addresses];
    const said = await printed({ title: "", command, args, env: {}, cwd: path.dirname(module) }, signal);
    said
      ?.split(/^0x[0-9a-f]+\n/m)
      .slice(1)
      .forEach((text, index) => {
        const frames = inlinedFrames(text);
        if (frames !== undefined) found.set(part[index].offset, frames);
      });
  }
  await correctFiles(module, known, found, signal);
  return found;
}

/**
 * addr2line of binutils 2.40 takes a sequence of a DWARF 5 line table that never sets its file as one of file 0, not 1: functions of headers
 * stand in the wrong file, on the right line. Places of calls that were inlined come from elsewhere and are right.
 */
async function correctFiles(
  module: string,
  known: readonly { readonly offset: bigint; readonly address: bigint }[],
  found: Map<bigint, InlinedFrame[]>,
  signal: AbortSignal,
): Promise<void> {
  const placed = known.filter(({ offset }) => found.has(offset));
  const addresses = placed.map(({ address }) => address);
  const lines = await readLines(module, addresses, signal);
  for (const { offset, address } of placed) {
    const [innermost, ...callers] = found.get(offset) ?? [];
    const own = lines.get(address);
    // Another line is another piece of code, where a linker has made one of two that are alike.
    if (own !== undefined && innermost.place.endsWith(`:${own.line}`))
      found.set(offset, [{ ...innermost, place: `${own.file}:${own.line}` }, ...callers]);
  }
}

/** Lines by twos: a function, and `FILE:LINE`. @returns undefined where a line is not known */
function inlinedFrames(text: string): InlinedFrame[] | undefined {
  const lines = text.trimEnd().split("\n");
  const frames: InlinedFrame[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const place = lines[at + 1].replace(/ \(discriminator \d{1,9}\)$/, "");
    if (!/:[1-9]\d{0,8}$/.test(place) || place.startsWith("?")) return undefined;
    frames.push({ name: lines[at], place });
  }
  return frames;
}

/** Numbers of builds, by file, as `perf buildid-list` prints them. */
export function buildIdsIn(text: string): Map<string, string> {
  const ids = text.split("\n").map((line) => /^([0-9a-f]{8,128}) (\/.+)$/.exec(line.trim()));
  return new Map(ids.flatMap((id) => (id === null ? [] : [[id[2], id[1]] as const])));
}
