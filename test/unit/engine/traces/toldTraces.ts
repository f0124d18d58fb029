/** Traces of random tellings, and what their frames are called. */
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { FrameTable } from "../../../../src/model/frames";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import { FRAMES, frameOf, tell, type Told } from "../../formats/trace/tellings";

/** Two of the frames have one name: to who looks they are one function. */
export const FRAME_NAMES = ["solve", "MPI_Wait", "solve", "memcpy", "init"];

export function namedFrames(): FrameTable {
  const frames = new FrameTable(new StringTable());
  for (let frame = 0; frame < FRAMES; frame++)
    frames.intern({ name: FRAME_NAMES[frame], kind: "region", line: frame + 1 });
  return frames;
}

export async function toldTrace(told: readonly Told[]) {
  const parts = [];
  for (const one of told) {
    const builder = new TraceBuilder(memoryColumnFiles);
    await tell(one, builder);
    parts.push({ builder, frameOf });
  }
  return finishTrace(parts, {}, quietTask);
}
