/** How parts of the machine are connected, and what went over that in a window. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { TimeWindow } from "../scope";
import { messageSides, messageSums, type Movement, partInWindow } from "../traces/movement";
import { Union } from "../traces/movementSums";
import type { Elements } from "./elements";
import type { HardwareLink } from "./hardwareApi";
import type { ElementUse } from "./use";

const UNKNOWN = { share: NaN, by: undefined, bytes: NaN, bytesBack: NaN, count: 0, capacity: NaN, rate: NaN } as const;

/** As recorded: a line to a network link takes what that takes. */
export function topologyLinks(
  { topology }: Pick<DataSet, "topology">,
  { elements, ofResource }: Elements,
  uses: readonly ElementUse[],
): HardwareLink[] {
  return (topology?.links ?? []).flatMap(({ from: one, to: other, name }): HardwareLink[] => {
    const [from, to] = [ofResource[one], ofResource[other]];
    if (from === NONE || to === NONE || from === to) return [];
    const link = [from, to].find((end) => elements[end].kind === "link");
    const capacity = link === undefined ? NaN : uses[link].capacity;
    return [{ ...UNKNOWN, of: "topology", from, to, name, together: 1, capacity }];
  });
}

/** Sums of one connection while they grow. */
class Pair {
  private bytes = 0;
  private back = 0;
  private count = 0;
  private readonly time = new Union();
  private readonly wholeTime = new Union();
  private wholeBytes = 0;

  constructor(
    readonly from: number,
    readonly to: number,
  ) {}

  /** What of it is in the window. Parts come by ascending start. */
  add(isBack: boolean, bytes: number, count: number): void {
    if (isBack) this.back += bytes;
    else this.bytes += bytes;
    this.count += count;
  }

  lasts(from: number, to: number): void {
    this.time.add(from, to);
  }

  whole(bytes: number, from: number, to: number): void {
    this.wholeBytes += bytes;
    this.wholeTime.add(from, to);
  }

  link(of: HardwareLink["of"], seconds: number): HardwareLink {
    const { from, to, bytes, back, count, time, wholeTime, wholeBytes } = this;
    const rate = wholeTime.seconds > 0 && wholeBytes > 0 ? wholeBytes / wholeTime.seconds : NaN;
    const use = of === "transfers" && seconds > 0 ? { share: time.seconds / seconds, by: "transfers" as const } : {};
    return { ...UNKNOWN, ...use, of, from, to, name: "", together: 1, bytes, bytesBack: back, count, rate };
  }
}

class Pairs {
  private readonly pairs = new Map<string, Pair>();

  /** Of two elements, whichever of them data came from; the first one is the one that stands first. */
  of(a: number, b: number): Pair {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    return entryOf(this.pairs, `${from} ${to}`, () => new Pair(from, to));
  }

  links(of: HardwareLink["of"], seconds: number): HardwareLink[] {
    return [...this.pairs.values()]
      .sort((a, b) => a.from - b.from || a.to - b.to)
      .map((pair) => pair.link(of, seconds));
  }
}

/** Copies and migrations between devices, or the host and a device; bytes of a part of a transfer are spread evenly over its time. */
export function transferLinks(
  { ofDevice, host }: Elements,
  { trace, transfers, moves }: Movement,
  window: TimeWindow,
  isChosen: (location: number) => boolean,
): HardwareLink[] {
  const pairs = new Pairs();
  const elementOf = (device: number) => (device === NONE ? host : (ofDevice.get(device) ?? NONE));
  const within = { fromSeconds: window.from, toSeconds: window.to };
  for (let row = 0; row < transfers.count; row++) {
    if (!moves[transfers.direction[row]] || !isChosen(transfers.location[row])) continue;
    const [from, to] = [elementOf(transfers.fromDevice[row]), elementOf(transfers.toDevice[row])];
    if (from === NONE || to === NONE || from === to) continue;
    const [start, end] = [transfers.startSeconds[row], transfers.endSeconds[row]];
    const pair = pairs.of(from, to);
    pair.whole(transfers.bytes[row], start, end);
    const part = partInWindow(trace, within, start, end);
    if (!part) continue;
    pair.add(from > to, transfers.bytes[row] * part.share, Number(part.begins));
    pair.lasts(part.fromSeconds, part.toSeconds);
  }
  return pairs.links("transfers", window.to - window.from);
}

/** Messages from one machine to another; how long one was on its way is not how long it took a line. */
export async function messageLinks(
  { elements, ofResource }: Elements,
  trace: Trace,
  { contexts: { ofMessage }, locationOf }: Movement,
  window: TimeWindow,
  isChosen: (location: number) => boolean,
  task: Task,
): Promise<HardwareLink[]> {
  const machines = Int32Array.from(ofResource, (element) => {
    let at = element;
    while (at !== NONE && elements[at].kind !== "machine") at = elements[at].parent;
    return at;
  });
  const pairs = new Pairs();
  const sums = await messageSums(trace, ofMessage, { fromSeconds: window.from, toSeconds: window.to }, task);
  for (let row = 0; row < sums.rows; row++) {
    const side = messageSides[sums.side[row]];
    const [sender, receiver] = [sums.from[row], sums.to[row]];
    if (side === "collective" || sender === NONE || receiver === NONE) continue;
    const [from, to] = [machines[sender], machines[receiver]];
    if (from === NONE || to === NONE || from === to) continue;
    if (!isChosen(locationOf[side === "received" ? receiver : sender])) continue;
    pairs.of(from, to).add(from > to, sums.bytes[row], sums.count[row]);
  }
  return pairs.links("messages", 0);
}
