/** What sets of contexts moved: bytes, counts and times, by direction, device pair and partner. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Chosen } from "../../model/members";
import { type Resource, resourcePath } from "../../model/resources";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import {
  chosenLocations,
  messageSides,
  messageSums,
  type Movement,
  type MovementWindow,
  partInWindow,
  type TransferPart,
} from "./movement";
import type { Moved, MovedAmount, MovedPartners, MovedTransfers } from "./movementApi";

/** Whose movement is wanted. */
export interface MovementSelection extends MovementWindow {
  readonly chosen?: Chosen | undefined;
}

/** Partners of messages that are named, those with most bytes. */
const MOST_PARTNERS = 5;

/** Time that intervals cover together; they come by ascending start. */
export class Union {
  seconds = 0;
  private end = -Infinity;

  add(from: number, to: number): void {
    const start = Math.max(from, this.end);
    if (!(to > start)) return;
    this.seconds += to - start;
    this.end = to;
  }
}

interface Amount {
  bytes: number;
  count: number;
}

/** Sums of one group while they grow. */
interface Sums {
  readonly parts: Map<string, MutablePart>;
  readonly moving: Union;
  /** Of messages sent, and of those that were received alone; by resource, NONE: not recorded. */
  readonly receivers: Map<number, Amount>;
  readonly senders: Map<number, Amount>;
  readonly collectives: Amount;
}

interface MutablePart extends Amount {
  readonly direction: number;
  readonly fromDevice: number;
  readonly toDevice: number;
  readonly time: Union;
}

/**
 * @param groupsOf the groups that a context is in, by their numbers; it is asked for {@link NONE}, too
 * @returns one answer per group
 */
export async function movedBy(
  dataSet: DataSet,
  movement: Movement,
  { chosen, fromSeconds, toSeconds }: MovementSelection,
  groupsOf: (context: number) => readonly number[],
  groups: number,
  task: Task,
): Promise<Moved[]> {
  const { trace, transfers, locationOf } = movement;
  const window = { fromSeconds, toSeconds };
  const isChosen = chosenLocations(dataSet, chosen);
  const sums = Array.from({ length: groups }, emptySums);
  for (let row = 0; row < transfers.count; row++) {
    const own = groupsOf(transfers.context[row]);
    if (own.length === 0 || !isChosen(transfers.location[row])) continue;
    const part = partInWindow(trace, window, transfers.startSeconds[row], transfers.endSeconds[row]);
    if (part) for (const group of own) addTransfer(sums[group], movement, row, part);
  }
  const isWhole = fromSeconds === undefined && toSeconds === undefined;
  const messages = isWhole ? movement.messages : await messageSums(trace, movement.contexts.ofMessage, window, task);
  for (let row = 0; row < messages.rows; row++) {
    const side = messageSides[messages.side[row]];
    const [owner, partner] = side === "received" ? [messages.to, messages.from] : [messages.from, messages.to];
    if (!isChosen(owner[row] === NONE ? NONE : locationOf[owner[row]])) continue;
    for (const group of groupsOf(messages.context[row])) {
      const { collectives, receivers, senders } = sums[group];
      const partners = side === "received" ? senders : receivers;
      const amount =
        side === "collective" ? collectives : entryOf(partners, partner[row], () => ({ bytes: 0, count: 0 }));
      amount.count += messages.count[row];
      amount.bytes += messages.bytes[row];
    }
  }
  return sums.map((one) => movedOf(dataSet, movement, one));
}

function emptySums(): Sums {
  return {
    parts: new Map(),
    moving: new Union(),
    receivers: new Map(),
    senders: new Map(),
    collectives: { bytes: 0, count: 0 },
  };
}

function addTransfer(
  { parts, moving }: Sums,
  { transfers, moves }: Movement,
  row: number,
  { fromSeconds, toSeconds, share, begins }: TransferPart,
): void {
  const { direction, fromDevice, toDevice, bytes } = transfers;
  const part = entryOf(parts, `${direction[row]} ${fromDevice[row]} ${toDevice[row]}`, () => ({
    direction: direction[row],
    fromDevice: fromDevice[row],
    toDevice: toDevice[row],
    bytes: 0,
    count: 0,
    time: new Union(),
  }));
  part.bytes += bytes[row] * share;
  if (begins) part.count++;
  part.time.add(fromSeconds, toSeconds);
  if (moves[direction[row]]) moving.add(fromSeconds, toSeconds);
}

function movedOf(
  dataSet: DataSet,
  { trace, moves }: Movement,
  { parts, moving, receivers, senders, collectives }: Sums,
): Moved {
  const listed = [...parts.values()].map(({ direction, fromDevice, toDevice, bytes, count, time }): MovedTransfers => {
    const name = trace.transferDirections[direction];
    return { direction: name, moves: moves[direction], fromDevice, toDevice, bytes, count, seconds: time.seconds };
  });
  listed.sort(
    (a, b) =>
      b.bytes - a.bytes ||
      b.seconds - a.seconds ||
      compareText(a.direction, b.direction) ||
      a.fromDevice - b.fromDevice ||
      a.toDevice - b.toDevice,
  );
  const { resources = [] } = dataSet.topology ?? {};
  return {
    transfers: { ...sumOf(listed.filter((part) => part.moves)), seconds: moving.seconds },
    parts: listed,
    messages: partnersOf(receivers, resources),
    received: partnersOf(senders, resources),
    collectives,
  };
}

function partnersOf(partners: ReadonlyMap<number, Amount>, resources: readonly Resource[]): MovedPartners {
  const known = [...partners].filter(([partner]) => partner !== NONE);
  known.sort(([one, a], [other, b]) => b.bytes - a.bytes || b.count - a.count || one - other);
  return {
    ...sumOf([...partners.values()]),
    partners: known.length,
    heaviest: known
      .slice(0, MOST_PARTNERS)
      .map(([partner, amount]) => ({ partner: resourcePath(resources, partner), ...amount })),
  };
}

function sumOf(amounts: readonly MovedAmount[]): MovedAmount {
  return {
    bytes: amounts.reduce((sum, { bytes }) => sum + bytes, 0),
    count: amounts.reduce((sum, { count }) => sum + count, 0),
  };
}
