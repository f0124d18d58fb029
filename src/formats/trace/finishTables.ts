/** Messages, transfers and counters: final numbers, one clock, order by time. */
import type { Task } from "../../model/task";
import { isArrow, messageKinds } from "../../model/trace";
import { contentOrder, messageRows, pointOrder, pointRows, transferRows } from "./eventTables";
import type { Rows } from "./rows";
import { sortRows } from "./sorting";
import { StoredRows } from "./storedRows";
import type { StoredTrace } from "./storedTrace";
import type { Table } from "./table";
import type { TimeSpan, TraceStorage } from "./parts";
import type { PlacedCounter, PlacedPart } from "./parts";
import { renumber } from "./renumber";

const MESSAGE = messageKinds.indexOf("message");

export async function finishMessages(
  parts: readonly PlacedPart[],
  stored: StoredTrace,
  span: TimeSpan,
  { memory, file }: TraceStorage,
  task: Task,
): Promise<void> {
  const tables = parts.map(({ columns }) => columns.messages);
  const kept = (stored.messageRows = new StoredRows(messageRows, memory, file));
  const shown = { count: 0, bytes: 0 };
  let arrows = 0;
  const source = drain(tables, (rows, part) => {
    const { clock, resourceOf, resourceShift } = parts[part];
    const [time, sent, received] = rows.f64;
    const [from, to] = rows.i32;
    for (let at = 0; at < rows.count; at++) {
      sent[at] = clock.at(sent[at], resourceShift.get(from[at]) ?? 0);
      received[at] = clock.at(received[at], resourceShift.get(to[at]) ?? 0);
      // Where nothing says when, it stands at the end.
      time[at] = !Number.isNaN(sent[at]) ? sent[at] : !Number.isNaN(received[at]) ? received[at] : Infinity;
      span.add(sent[at]);
      span.add(received[at]);
    }
    renumber(from, rows.count, resourceOf);
    renumber(to, rows.count, resourceOf);
  });
  await sortRows(source, countOf(tables), messageRows, contentOrder, memory, task, (rows, first, end) => {
    const [, sent, , bytes] = rows.f64;
    const kind = rows.u8[0];
    for (let at = first; at < end; at++) {
      if (isArrow(messageKinds[kind[at]])) arrows++;
      if (kind[at] !== MESSAGE || Number.isNaN(sent[at])) continue;
      shown.count++;
      if (bytes[at] > 0) shown.bytes += bytes[at];
    }
    kept.append(rows, first, end);
  });
  kept.finish();
  stored.messages = shown;
  stored.arrows = arrows;
}

export async function finishTransfers(
  parts: readonly PlacedPart[],
  stored: StoredTrace,
  span: TimeSpan,
  { memory, file }: TraceStorage,
  task: Task,
): Promise<void> {
  const tables = parts.map(({ columns }) => columns.transfers);
  const kept = (stored.transferRows = new StoredRows(transferRows, memory, file));
  const source = drain(tables, (rows, part) => {
    const { builder, clock, laneOf, frameOf, contextOf, directionOf } = parts[part];
    const [start, end] = rows.f64;
    const [lane, , , frame, context] = rows.i32;
    for (let at = 0; at < rows.count; at++) {
      const shift = builder.shifts[lane[at]] ?? 0;
      start[at] = clock.at(start[at], shift);
      end[at] = clock.at(end[at], shift);
      span.add(start[at]);
      span.add(end[at]);
    }
    renumber(lane, rows.count, laneOf);
    renumber(frame, rows.count, frameOf);
    renumber(context, rows.count, contextOf);
    renumber(rows.u8[0], rows.count, directionOf);
  });
  await sortRows(source, countOf(tables), transferRows, contentOrder, memory, task, (rows, first, end) =>
    kept.append(rows, first, end),
  );
  kept.finish();
}

export async function finishPoints(
  parts: readonly PlacedPart[],
  counters: readonly PlacedCounter[],
  stored: StoredTrace,
  span: TimeSpan,
  { memory, file }: TraceStorage,
  task: Task,
): Promise<void> {
  const tables = parts.map(({ columns }) => columns.points);
  const kept = (stored.pointRows = new StoredRows(pointRows, memory, file));
  const points = new Float64Array(counters.length);
  const minimum = new Float64Array(counters.length).fill(Number.NaN);
  const maximum = new Float64Array(counters.length).fill(Number.NaN);
  const source = drain(tables, (rows, part) => {
    const { builder, clock, counterOf, resourceShift } = parts[part];
    const shifts = builder.counters.values.map(({ resource }) => resourceShift.get(resource) ?? 0);
    const [seconds, value] = rows.f64;
    const counter = rows.i32[0];
    for (let at = 0; at < rows.count; at++) {
      seconds[at] = clock.at(seconds[at], shifts[counter[at]]);
      span.add(seconds[at]);
      const final = (counter[at] = counterOf[counter[at]]);
      points[final]++;
      // Others are no values (semantics 9).
      if (!Number.isFinite(value[at])) continue;
      if (!(minimum[final] <= value[at])) minimum[final] = value[at];
      if (!(maximum[final] >= value[at])) maximum[final] = value[at];
    }
  });
  const order = pointOrder(counters.length);
  await sortRows(source, countOf(tables), pointRows, order, memory, task, (rows, first, end) =>
    kept.append(rows, first, end),
  );
  kept.finish();
  stored.setCounters(
    counters.map((counter, index) => ({
      ...counter,
      points: points[index],
      minimum: minimum[index],
      maximum: maximum[index],
    })),
  );
}

function countOf(tables: readonly Table[]): number {
  return tables.reduce((sum, { count }) => sum + count, 0);
}

/** All rows of all tables with their final numbers; what is read is given back. */
async function* drain(tables: readonly Table[], finalize: (rows: Rows, part: number) => void): AsyncGenerator<Rows> {
  for (const [part, table] of tables.entries()) {
    for await (const rows of table.drain()) {
      finalize(rows, part);
      yield rows;
    }
    await table.close();
  }
}
