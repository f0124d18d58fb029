/** A clock of the engine as its glyph is drawn. Pure. */
import type { BoundTimes, Clock } from "../../engine/api";
import { boundSentence, boundShares, boundTitle } from "../../model/boundBy";
import { eventKinds } from "../../model/eventKinds";
import { shorten } from "../../model/texts";
import type { BoundShown, ClockShown } from "../../protocol/clock";

const COMPUTING: number = eventKinds.indexOf("computing");
const KINDS = eventKinds.length;
/** Characters of a text that names a function. */
const MAX_TITLE = 300;

export function clockContent(clock: Clock): ClockShown {
  const { fromSeconds, toSeconds, endSeconds, sectors, cpuLanes, gpuLanes, bound, hasBytes, isMpi } = clock;
  const length = sectorLengths(clock);
  const share = (seconds: number, sector: number, places: number) =>
    length[sector] > 0 ? seconds / (length[sector] * places) : 0;
  const cpu = length.map((_, sector) => share(sectors.cpu[sector * KINDS + COMPUTING], sector, cpuLanes));
  const exposed = sectors.movement.map((one, at) => share(Math.max(0, one - sectors.hidden[at]), at, bound.count || 1));
  const gpu = sectors.computing.map((one, sector) => share(one, sector, bound.count));
  const none = new Float64Array(0);
  return {
    from: fromSeconds,
    to: toSeconds,
    end: endSeconds,
    kinds: sectors.cpu.map((seconds, at) => seconds + sectors.gpu[at]),
    cpu: cpuLanes > 0 ? cpu : none,
    gpu: bound.unit === "GPU" ? gpu : none,
    exposed,
    bytes: hasBytes ? sectors.bytes : none,
    cpuLanes,
    gpuLanes,
    isMpi,
    bound: boundShown(bound),
  };
}

/** Seconds of each sector that lie in the run. */
function sectorLengths({ fromSeconds, toSeconds, endSeconds, sectors: { count } }: Clock): Float64Array {
  const edge = (at: number) => Math.min(endSeconds, fromSeconds + ((toSeconds - fromSeconds) * at) / count);
  return Float64Array.from({ length: count }, (_, at) => edge(at + 1) - edge(at));
}

export function boundShown(times: BoundTimes): BoundShown {
  const shares = boundShares(times);
  const { unit, count } = times;
  const over = `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : unit === "process" ? "es" : "s"}`;
  const [title, sentence] = [boundTitle(times), boundSentence(times)].map((text) => shorten(text, MAX_TITLE));
  const bound: BoundShown = { title, sentence, over, isOfGpus: unit === "GPU" };
  return shares ? { ...bound, shares } : bound;
}
