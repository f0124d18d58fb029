/** Who moved how much to whom: ranks and groups of ranks, or the host and devices. */
import { FloatColumn, IntColumn } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { addTo, entryOf } from "../../model/maps";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import { membersAt } from "../members/membersAt";
import { axisOf, devicesOf, type Participants, ranksOf } from "./matrixAxes";
import {
  chosenLocations,
  isInWindow,
  locationsOfLanes,
  messageSides,
  type Movement,
  type MovementWindow,
  partInWindow,
  sideOf,
  timeOfMessage,
} from "./movement";
import type { CommunicationMatrix, MatrixAxis, MatrixBy, MatrixQuery, MatrixValues, MovedBeside } from "./movementApi";
import { PAGE } from "./movementContexts";
import { Union } from "./movementSums";

const MESSAGE: number = messageKinds.indexOf("message");
const COLLECTIVE: number = messageKinds.indexOf("collective");

/** What was moved at once. */
interface Move {
  readonly bytes: number;
  /** 1 where it begins in the window, else 0. */
  readonly count: number;
  /** The part of its time in the window; both NaN where that is not known. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly context: number;
}

/** One pass over messages, or over transfers. @throws CancelledError */
export async function communicationMatrix(
  dataSet: DataSet,
  movement: Movement,
  query: MatrixQuery,
  task: Task,
): Promise<Omit<CommunicationMatrix, "calls">> {
  const participants = query.of === "ranks" ? ranksOf(dataSet, movement) : devicesOf(dataSet, movement);
  const [rows, columns] = [query.rows, query.columns].map((range) =>
    axisOf(participants, range, query.level, query.mostRows),
  );
  const members = membersAt(dataSet.locations);
  const lanesAt = new Map<number, number[]>();
  locationsOfLanes(movement.trace, movement.locationOf).forEach((location, lane) => {
    if (location !== NONE) entryOf(lanesAt, location, () => []).push(lane);
  });
  const withMembers = (axis: MatrixAxis): MatrixAxis => ({
    ...axis,
    groups: axis.groups.map((group) => {
      const own = participants.locations.slice(group.first, group.last + 1).flat();
      const lanes = [...new Set(own.flatMap((location) => lanesAt.get(location) ?? []))].sort((a, b) => a - b);
      return { ...group, members: members(own), lanes };
    }),
  });
  const sums = new MatrixSums(participants, rows, columns, query.by);
  const isChosen = chosenLocations(dataSet, query.scope.chosen);
  if (query.of === "ranks") await addMessages(movement, query, isChosen, sums, task);
  else addTransfers(movement, query, isChosen, sums);
  return {
    levels: participants.levels.map(({ name }) => name),
    size: participants.names.length,
    rows: withMembers(rows),
    columns: withMembers(columns),
    ...sums.result(),
  };
}

/** Numbers of who takes part; NONE: nobody that is known. */
class MatrixSums {
  private readonly rowOf: Int32Array;
  private readonly columnOf: Int32Array;
  private readonly cellOf = new Map<number, number>();
  private readonly row = new IntColumn();
  private readonly column = new IntColumn();
  private readonly cells = new Values();
  private readonly contexts: Map<number, number>[] = [];
  private readonly ofRows = new Values();
  private readonly ofColumns = new Values();
  private readonly whole = new Values();
  private readonly others = new Map<string, { readonly moves: boolean; readonly values: Values }>();

  constructor(
    private readonly participants: Participants,
    rows: MatrixAxis,
    private readonly columns: MatrixAxis,
    private readonly by: MatrixBy,
  ) {
    this.rowOf = numbersOf(participants, rows);
    this.columnOf = numbersOf(participants, columns);
    rows.groups.forEach(() => this.ofRows.add());
    columns.groups.forEach(() => this.ofColumns.add());
    this.whole.add();
  }

  /** @param from, to indices into {@link Participants.numberOf} */
  move(from: number, to: number, move: Move): void {
    const row = this.rowOf[this.participants.numberOf[from]];
    const column = this.columnOf[this.participants.numberOf[to]];
    if (row === NONE || column === NONE) return;
    const cell = entryOf(this.cellOf, row * this.columns.groups.length + column, () => {
      this.row.push(row);
      this.column.push(column);
      this.contexts.push(new Map());
      return this.cells.add();
    });
    this.cells.count(cell, move);
    this.ofRows.count(row, move);
    this.ofColumns.count(column, move);
    this.whole.count(0, move);
    addTo(this.contexts[cell], move.context, this.amountOf(move));
  }

  beside(name: string, moves: boolean, move: Move): void {
    const { values } = entryOf(this.others, name, () => {
      const own = new Values();
      own.add();
      return { moves, values: own };
    });
    values.count(0, move);
  }

  result(): Pick<CommunicationMatrix, "cells" | "ofRows" | "ofColumns" | "total" | "beside"> {
    const size = this.columns.groups.length;
    const order = [...this.contexts.keys()].sort(
      (a, b) => this.row.values[a] * size + this.column.values[a] - this.row.values[b] * size - this.column.values[b],
    );
    return {
      cells: {
        row: Int32Array.from(order, (cell) => this.row.values[cell]),
        column: Int32Array.from(order, (cell) => this.column.values[cell]),
        ...this.cells.inOrder(order),
        context: Int32Array.from(order, (cell) => heaviestOf(this.contexts[cell])),
      },
      ofRows: this.ofRows.inOrder(),
      ofColumns: this.ofColumns.inOrder(),
      total: this.whole.only(),
      beside: [...this.others]
        .map(([name, { moves, values }]): MovedBeside => ({ name, moves, ...values.only() }))
        .sort((a, b) => b.bytes - a.bytes || b.seconds - a.seconds || compareText(a.name, b.name)),
    };
  }

  private amountOf({ bytes, count, fromSeconds, toSeconds }: Move): number {
    return this.by === "bytes" ? bytes : this.by === "count" ? count : toSeconds - fromSeconds || 0;
  }
}

/** By participant: its row; NONE: it is out of the range. */
function numbersOf({ names }: Participants, { groups }: MatrixAxis): Int32Array {
  const numbers = new Int32Array(names.length).fill(NONE);
  groups.forEach(({ first, last }, number) => numbers.fill(number, first, last + 1));
  return numbers;
}

/** The context with most; of equal ones the first of the tree, one that is known before what is not. */
function heaviestOf(contexts: ReadonlyMap<number, number>): number {
  let [most, found] = [-Infinity, NONE];
  for (const [context, amount] of contexts)
    if (amount > most || (amount === most && (found === NONE || (context !== NONE && context < found))))
      [most, found] = [amount, context];
  return found;
}

/** Growing sums; moves come by ascending time. */
class Values {
  private readonly bytes = new FloatColumn();
  private readonly counts = new FloatColumn();
  private readonly times: Union[] = [];

  /** @returns its number */
  add(): number {
    this.bytes.push(0);
    this.counts.push(0);
    return this.times.push(new Union()) - 1;
  }

  count(at: number, { bytes, count, fromSeconds, toSeconds }: Move): void {
    this.bytes.values[at] += bytes;
    this.counts.values[at] += count;
    this.times[at].add(fromSeconds, toSeconds);
  }

  only(): { readonly bytes: number; readonly count: number; readonly seconds: number } {
    return { bytes: this.bytes.values[0], count: this.counts.values[0], seconds: this.times[0].seconds };
  }

  inOrder(order: readonly number[] = [...this.times.keys()]): MatrixValues {
    return {
      bytes: Float64Array.from(order, (at) => this.bytes.values[at]),
      count: Float64Array.from(order, (at) => this.counts.values[at]),
      seconds: Float64Array.from(order, (at) => this.times[at].seconds),
    };
  }
}

function addTransfers(
  { trace, transfers, moves }: Movement,
  query: MovementWindow,
  isChosen: (location: number) => boolean,
  sums: MatrixSums,
): void {
  for (let row = 0; row < transfers.count; row++) {
    if (!isChosen(transfers.location[row])) continue;
    const part = partInWindow(trace, query, transfers.startSeconds[row], transfers.endSeconds[row]);
    if (!part) continue;
    const { fromSeconds, toSeconds, share, begins } = part;
    const bytes = transfers.bytes[row] * share;
    const move = { bytes, count: begins ? 1 : 0, fromSeconds, toSeconds, context: transfers.context[row] };
    const direction = transfers.direction[row];
    if (moves[direction]) sums.move(transfers.fromDevice[row] + 1, transfers.toDevice[row] + 1, move);
    else sums.beside(trace.transferDirections[direction], false, move);
  }
}

async function addMessages(
  { trace, contexts, locationOf }: Movement,
  query: MovementWindow,
  isChosen: (location: number) => boolean,
  sums: MatrixSums,
  task: Task,
): Promise<void> {
  const pace = new Pace(task);
  for (let first = 0; first < trace.links; first += PAGE) {
    task.progress(first / trace.links);
    await pace.breathe();
    const page = await trace.readMessages(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      if (page.kind[at] !== MESSAGE && page.kind[at] !== COLLECTIVE) continue;
      const side = messageSides[sideOf(page, at)];
      const [from, to] = [page.from[at], page.to[at]];
      const owner = side === "received" ? to : from;
      if (!isChosen(owner === NONE ? NONE : locationOf[owner])) continue;
      const begins = isInWindow(trace, query, timeOfMessage(page, at));
      const time = flight(trace, query, page.sentSeconds[at], page.receivedSeconds[at]);
      if (!begins && !(time.toSeconds > time.fromSeconds)) continue;
      const bytes = begins && page.bytes[at] > 0 ? page.bytes[at] : 0;
      const move = { bytes, count: begins ? 1 : 0, ...time, context: contexts.ofMessage[first + at] };
      if (side === "collective") sums.beside("collectives", true, move);
      else if (from === NONE || to === NONE)
        sums.beside(`messages without a known ${from === NONE ? "sender" : "receiver"}`, true, move);
      else sums.move(from, to, move);
    }
  }
}

/** The part of a message's time in the window; NaN where one of its ends is not recorded. */
function flight(
  trace: Trace,
  { fromSeconds = trace.startSeconds, toSeconds = trace.endSeconds }: MovementWindow,
  sent: number,
  received: number,
): Pick<Move, "fromSeconds" | "toSeconds"> {
  return { fromSeconds: Math.max(sent, fromSeconds), toSeconds: Math.min(received, toSeconds) };
}
