/** Overhead of a recording, as the tracker measured it in the program itself (tracker/README.md, The file). */
import type { RecordingCost } from "../../model/recordingCost";
import type { FrameRows } from "./frameRows";

/** Nanoseconds that recording one call takes: those that its caller has in its time, and those that it has itself. */
export interface CallCost {
  readonly caller: number;
  readonly callee: number;
}

/** Cost of the calls of one file. */
export interface FileCost {
  readonly function: CallCost;
  readonly region: CallCost;
  /** CPU time of the program's threads while it was recorded. */
  readonly processorNanoseconds: number;
}

/** The parts of a file that its cost follows from. */
interface CostedFile {
  readonly cost: FileCost | undefined;
  readonly contexts: { recordedCalls(frames: Pick<FrameRows, "everyOf">): ReadonlyMap<number, number> };
  readonly frames: Pick<FrameRows, "everyOf" | "isFunction">;
}

/** @param globals simple values of a whole file @returns undefined for recordings of earlier trackers */
export function fileCost(globals: ReadonlyMap<string, string>): FileCost | undefined {
  const number = (key: string) => {
    const value = Number(globals.get(`recordingCost.${key}`) ?? Number.NaN);
    return value >= 0 ? value : Number.NaN;
  };
  const ofCall = (kind: string): CallCost => ({
    caller: number(`${kind}.callerNanoseconds`),
    callee: number(`${kind}.calleeNanoseconds`),
  });
  const cost = {
    function: ofCall("function"),
    region: ofCall("region"),
    processorNanoseconds: number("processorNanoseconds"),
  };
  const numbers = [...Object.values(cost.function), ...Object.values(cost.region), cost.processorNanoseconds];
  return numbers.every(Number.isFinite) && cost.processorNanoseconds > 0 ? cost : undefined;
}

/** Overhead of a run, from its files that were recorded to the end. @returns undefined if no file has a measurement */
export function runCost(files: readonly CostedFile[]): RecordingCost | undefined {
  let [nanoseconds, ran] = [0, 0];
  for (const { cost, contexts, frames } of files) {
    if (cost === undefined) continue;
    ran += cost.processorNanoseconds;
    for (const [frame, calls] of contexts.recordedCalls(frames)) {
      const { caller, callee } = frames.isFunction(frame) ? cost.function : cost.region;
      nanoseconds += calls * (caller + callee);
    }
  }
  return ran > 0 ? { seconds: nanoseconds / 1e9, processorSeconds: ran / 1e9 } : undefined;
}
