/** A run as a clock: what was done in each of twelve sectors, and what it is bound by. Times are seconds of the trace. */
import * as v from "valibot";
import { type EventKind, eventKinds } from "../model/eventKinds";
import { largestIn } from "../model/longLists";
import { amount, count, name } from "./bounds";
import { numbers } from "./columns";

export { computingWord } from "../model/boundBy";

export const SECTORS = 12;

const share = v.pipe(v.number(), v.finite(), v.minValue(0));
const positive = (most: number) => numbers(most, (one) => one >= 0);

/** What a stretch is bound by: in words, and as shares of its time. */
export const bound = v.object({
  title: name,
  /** The title with its figures. */
  sentence: name,
  /** Computing is the kernels of GPUs. */
  isOfGpus: v.boolean(),
  /** `2 GPUs`: over whom. */
  over: name,
  /** Absent where no time passed. */
  shares: v.optional(
    v.object({
      computing: share,
      exposed: share,
      neither: share,
      /** Of the movement; absent where there is none. */
      hidden: v.optional(share),
      /** Communication is the larger part of what is exposed. */
      isCommunication: v.boolean(),
    }),
  ),
});
export type BoundShown = v.InferOutput<typeof bound>;

export const clockSchema = v.pipe(
  v.object({
    from: amount,
    to: amount,
    /** Where the run ends: behind it nothing is known. */
    end: amount,
    /** Sector by sector and kind by kind: seconds, summed over all lanes. */
    kinds: positive(SECTORS * eventKinds.length),
    /** By sector: shares of the lanes' time, and of the GPUs'; none where there are none. */
    cpu: positive(SECTORS),
    gpu: positive(SECTORS),
    /** In which data were moved and nothing computed, of the time of those that it is bound by. */
    exposed: positive(SECTORS),
    /** None where no sizes were recorded. */
    bytes: positive(SECTORS),
    cpuLanes: count,
    gpuLanes: count,
    isMpi: v.boolean(),
    bound,
  }),
  v.check(
    ({ kinds, cpu, gpu, exposed, bytes }) =>
      kinds.length === SECTORS * eventKinds.length &&
      exposed.length === SECTORS &&
      [cpu, gpu, bytes].every(({ length }) => length === SECTORS || length === 0),
  ),
);
export type ClockShown = v.InferOutput<typeof clockSchema>;

/** What most of the time of a sector, or of one of its rows beside the clock, was spent on; behind these marks: of the whole run. */
export function longestKind({ kinds }: Pick<ClockShown, "kinds">, mark: number): EventKind | undefined {
  const isWanted = (cell: number) => mark >= 2 * SECTORS || Math.floor(cell / eventKinds.length) === mark % SECTORS;
  const sums = new Float64Array(eventKinds.length);
  kinds.forEach((seconds, cell) => {
    if (isWanted(cell)) sums[cell % eventKinds.length] += seconds;
  });
  const most = largestIn(sums);
  return most > 0 ? eventKinds[sums.indexOf(most)] : undefined;
}
