import { entryOf } from "../../../../src/model/maps";

/** A sample as a reader that knows only the usual form finds it: one expression per line, all of the file in memory. */
export interface NaiveSample {
  readonly thread: number;
  readonly seconds: number;
  readonly period: number;
  readonly event: string;
  /** Innermost first: address, name and load module. */
  readonly frames: (readonly [address: string, name: string, module: string])[];
}

const EVENT = /^(\S.*?) +(?:\d+\/)?(\d+) +(?:\[\d+\] )?(\d+\.\d{6}): +(?:(\d+) )?(\S+):\s*$/;
const FRAME = /^\t *([0-9a-f]+) (.+?)(?:\+0x[0-9a-f]+)? \((\S+)\)$/;

/** @throws Error for a line that is neither an event, a frame, a comment nor empty */
export function naiveSamples(text: string): NaiveSample[] {
  const samples: NaiveSample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const event = EVENT.exec(line);
    if (event) {
      const [, , thread, seconds, period = "0", name] = event;
      samples.push({
        thread: Number(thread),
        seconds: Number(seconds),
        period: Number(period),
        event: name,
        frames: [],
      });
      continue;
    }
    const frame = FRAME.exec(line);
    if (frame === null) throw new Error(`not understood: ${line}`);
    samples[samples.length - 1].frames.push([frame[1], frame[2], frame[3]]);
  }
  return samples;
}

/** Sums by thread, event and path, from outside in: number of samples, and their periods. */
export function foldedSums(samples: readonly NaiveSample[]): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const { thread, period, event, frames } of samples) {
    const path = frames
      .toReversed()
      .map(([, name, module]) => `function ${name} (${module === "[unknown]" ? "" : module})`);
    const sum = entryOf(sums, `${thread} ${event} ${withoutRuns(path).join("/")}`, (): [number, number] => [0, 0]);
    sum[0]++;
    sum[1] += period;
  }
  return sums;
}

/** Frames without a name side by side, of one load module, are one. */
export function withoutRuns(path: readonly string[]): string[] {
  return path.filter((frame, at) => !frame.startsWith("function [unknown] (") || frame !== path[at - 1]);
}
