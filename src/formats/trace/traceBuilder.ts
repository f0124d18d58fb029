/** Collects what a reader tells of a trace and makes it one, whatever the order it was told in. */
import type { ColumnFiles } from "../../model/columnFile";
import type { Resource, ResourceLink, Topology } from "../../model/resources";
import type { Task } from "../../model/task";
import { type CategoryKind, type Lane, type MessageKind, messageKinds, type Trace } from "../../model/trace";
import { compareNames, compareText, joinTopologies } from "./topology";
import type { LaneStart, TraceSink } from "./traceSink";

interface Row {
  lane: number;
  start: number;
  end: number;
  frame: number;
  context: number;
  category: number;
}

interface Link {
  kind: number;
  from: number;
  to: number;
  sent: number;
  received: number;
  bytes: number;
  tag: number;
}

type TransferRow = Parameters<TraceSink["transfer"]>[0];

export class TraceBuilder implements TraceSink {
  readonly resources: Resource[] = [];
  readonly links: ResourceLink[] = [];
  readonly lanes: LaneStart[] = [];
  readonly shifts: number[] = [];
  readonly categories: { name: string; kind: CategoryKind }[] = [];
  readonly counters: { name: string; unit: string; resource: number; points: [number, number][] }[] = [];
  readonly directions: string[] = [];
  readonly rows: Row[] = [];
  readonly messages: Link[] = [];
  readonly transfers: TransferRow[] = [];

  constructor(readonly files: ColumnFiles) {}

  resource(resource: Resource): number {
    return this.resources.push(resource) - 1;
  }
  resourceLink(link: ResourceLink): void {
    this.links.push(link);
  }
  lane(lane: LaneStart): number {
    this.shifts.push(0);
    return this.lanes.push(lane) - 1;
  }
  category(name: string, kind: CategoryKind): number {
    const known = this.categories.findIndex((one) => one.name === name && one.kind === kind);
    return known >= 0 ? known : this.categories.push({ name, kind }) - 1;
  }
  begin(lane: number, start: number, frame: number, context: number, category: number): number {
    return this.rows.push({ lane, start, end: Number.NaN, frame, context, category }) - 1;
  }
  end(event: number, endSeconds: number): void {
    if (Number.isNaN(this.rows[event].end)) this.rows[event].end = endSeconds;
  }
  event(lane: number, start: number, end: number, frame: number, context: number, category: number): void {
    this.rows.push({ lane, start, end, frame, context, category });
  }
  message(
    kind: MessageKind,
    from: number,
    to: number,
    sent: number,
    received: number,
    bytes: number,
    tag: number,
  ): void {
    this.messages.push({ kind: messageKinds.indexOf(kind), from, to, sent, received, bytes, tag });
  }
  counter(name: string, unit: string, resource: number): number {
    const known = this.counters.findIndex((one) => one.name === name && one.unit === unit && one.resource === resource);
    return known >= 0 ? known : this.counters.push({ name, unit, resource, points: [] }) - 1;
  }
  point(counter: number, seconds: number, value: number): void {
    this.counters[counter].points.push([seconds, value]);
  }
  transferDirection(name: string): number {
    const known = this.directions.indexOf(name);
    return known >= 0 ? known : this.directions.push(name) - 1;
  }
  transfer(transfer: TransferRow): void {
    this.transfers.push({ ...transfer });
  }
  shift(lane: number, seconds: number): void {
    this.shifts[lane] = seconds;
  }
  async settle(): Promise<void> {}
  async discard(): Promise<void> {
    this.rows.length = 0;
  }
}

/** One reader's trace, with the final numbers of what it told of (absent: they are final already). */
export interface TracePart {
  readonly builder: TraceBuilder;
  readonly frameOf?: Int32Array;
  readonly contextOf?: Int32Array;
  readonly locationOf?: Int32Array;
}

/**
 * Makes one trace of the parts; the result does not depend on their order. Their builders are used up.
 *
 * @param options.zeroNanoseconds what second 0 is, in nanoseconds since the epoch
 */
export async function finishTrace(
  parts: readonly TracePart[],
  options: { readonly zeroNanoseconds?: bigint },
  task: Task,
): Promise<{ trace: Trace; topology: Topology }> {
  const { topology, finalOf } = joinTopologies(
    parts.map(({ builder, locationOf }) => ({
      resources: builder.resources.map((one) => ({ ...one, location: to(locationOf, one.location) })),
      links: builder.links,
    })),
  );
  task.check();
  const categories = distinct(
    parts.flatMap(({ builder }) => builder.categories),
    (one) => `${one.kind} ${one.name}`,
  );
  const directions = distinct(
    parts.flatMap(({ builder }) => builder.directions),
    (one) => one,
  );
  const lanes: { part: number; own: number; resource: number; location: number; name: string }[] = [];
  parts.forEach(({ builder, locationOf }, part) =>
    builder.lanes.forEach((lane, own) =>
      lanes.push({
        part,
        own,
        resource: to(finalOf[part], lane.resource),
        location: to(locationOf, lane.location),
        name: lane.name,
      }),
    ),
  );
  lanes.sort((a, b) => a.resource - b.resource || a.location - b.location || compareNames(a.name, b.name));
  const laneOf = parts.map(({ builder }) => new Int32Array(builder.lanes.length));
  lanes.forEach(({ part, own }, index) => (laneOf[part][own] = index));
  const rows: Row[][] = lanes.map(() => []);
  const messages: Link[] = [];
  const transfers: TransferRow[] = [];
  const counters: { name: string; unit: string; resource: number; points: [number, number][] }[] = [];
  let [first, last] = [Infinity, -Infinity];
  const seen = (seconds: number) => {
    if (seconds < first) first = seconds;
    if (seconds > last) last = seconds;
  };
  parts.forEach(({ builder, frameOf, contextOf }, part) => {
    const shifts = resourceShifts(builder);
    const shiftOf = (resource: number) => shifts.get(resource) ?? 0;
    for (const row of builder.rows) {
      const shift = builder.shifts[row.lane];
      const start = row.start + shift;
      const end = Number.isNaN(row.end) ? Number.NaN : Math.max(start, row.end + shift);
      seen(start);
      seen(end);
      const category = builder.categories[row.category];
      rows[laneOf[part][row.lane]].push({
        lane: laneOf[part][row.lane],
        start,
        end,
        frame: to(frameOf, row.frame),
        context: to(contextOf, row.context),
        category: categories.findIndex((one) => one.name === category.name && one.kind === category.kind),
      });
    }
    for (const link of builder.messages) {
      const [sent, received] = [link.sent + shiftOf(link.from), link.received + shiftOf(link.to)];
      seen(sent);
      seen(received);
      messages.push({ ...link, sent, received, from: to(finalOf[part], link.from), to: to(finalOf[part], link.to) });
    }
    for (const row of builder.transfers) {
      const shift = builder.shifts[row.lane];
      seen(row.startSeconds + shift);
      seen(row.endSeconds + shift);
      transfers.push({
        ...row,
        lane: laneOf[part][row.lane],
        startSeconds: row.startSeconds + shift,
        endSeconds: row.endSeconds + shift,
        direction: directions.indexOf(builder.directions[row.direction]),
        frame: to(frameOf, row.frame),
        context: to(contextOf, row.context),
      });
    }
    for (const counter of builder.counters) {
      const shift = shiftOf(counter.resource);
      const points = counter.points.map(([at, value]): [number, number] => [at + shift, value]);
      points.sort(([a], [b]) => a - b);
      points.forEach(([at]) => seen(at));
      counters.push({ ...counter, resource: to(finalOf[part], counter.resource), points });
    }
  });
  counters.sort((a, b) => a.resource - b.resource || compareNames(a.name, b.name) || compareText(a.unit, b.unit));
  const timeOf = (link: Link) => (Number.isNaN(link.sent) ? link.received : link.sent);
  messages.sort((a, b) => timeOf(a) - timeOf(b) || a.from - b.from || a.to - b.to || a.received - b.received);
  transfers.sort((a, b) => a.startSeconds - b.startSeconds || a.lane - b.lane || a.endSeconds - b.endSeconds);
  const depths: number[][] = [];
  const ownSeconds: Map<number, number>[] = [];
  const covered = rows.map((own, lane) => {
    for (const row of own) if (Number.isNaN(row.end)) row.end = Math.max(row.start, last);
    own.sort((a, b) => a.start - b.start || b.end - a.end);
    const instants = parts[lanes[lane].part].builder.lanes[lanes[lane].own].kind === "instants";
    depths[lane] = [];
    const seconds = (ownSeconds[lane] = new Map<number, number>());
    const open: Row[] = [];
    let [cursor, sum] = [-Infinity, 0];
    const spend = (until: number) => {
      for (let top = open.at(-1); top && cursor < until; top = open.at(-1)) {
        const stop = Math.min(until, top.end);
        if (stop > cursor) {
          sum += stop - cursor;
          seconds.set(top.frame, (seconds.get(top.frame) ?? 0) + stop - cursor);
          cursor = stop;
        }
        if (top.end <= until) open.pop();
        else break;
      }
      cursor = Math.max(cursor, until);
    };
    for (const row of own) {
      spend(row.start);
      while (open.length > 0 && (open[open.length - 1].end <= row.start || open[open.length - 1].end < row.end))
        open.pop();
      depths[lane].push(instants ? 0 : Math.min(open.length, 65535));
      open.push(row);
    }
    spend(Infinity);
    return sum;
  });
  const heaviest = ownSeconds.map((seconds) => [...seconds].sort(([f, a], [g, b]) => b - a || f - g));
  const made = lanes.map((lane, index): Lane => {
    const own = rows[index];
    return {
      name: lane.name,
      resource: lane.resource,
      location: lane.location,
      kind: parts[lane.part].builder.lanes[lane.own].kind,
      events: own.length,
      startSeconds: own[0]?.start ?? Number.NaN,
      endSeconds: own.length === 0 ? Number.NaN : own.reduce((most, row) => Math.max(most, row.end), -Infinity),
      coveredSeconds: covered[index],
    };
  });
  const real = messages.filter(({ kind }) => kind === 0);
  const trace: Trace = {
    zeroNanoseconds: options.zeroNanoseconds,
    startSeconds: first <= last ? first : 0,
    endSeconds: first <= last ? last : 0,
    lanes: made,
    categories,
    counters: counters.map(({ name, unit, resource, points }) => ({
      name,
      unit,
      resource,
      points: points.length,
      minimum: points.reduce((least, [, value]) => (value < least ? value : least), points[0]?.[1] ?? Number.NaN),
      maximum: points.reduce((most, [, value]) => (value > most ? value : most), points[0]?.[1] ?? Number.NaN),
    })),
    transferDirections: directions,
    events: rows.reduce((sum, own) => sum + own.length, 0),
    messages: { count: real.length, bytes: real.reduce((sum, { bytes }) => sum + (bytes > 0 ? bytes : 0), 0) },
    links: messages.length,
    transfers: transfers.length,
    bytes: 0,
    async readEvents(lane, from, count) {
      const some = rows[lane].slice(from, from + count);
      return {
        count: some.length,
        startSeconds: Float64Array.from(some, (row) => row.start),
        endSeconds: Float64Array.from(some, (row) => row.end),
        frame: Int32Array.from(some, (row) => row.frame),
        context: Int32Array.from(some, (row) => row.context),
        depth: Uint16Array.from(depths[lane].slice(from, from + count)),
        category: Uint8Array.from(some, (row) => row.category),
      };
    },
    async eventAt(lane, seconds, covering) {
      const found = rows[lane].findIndex((row) => row.start >= seconds || (covering === true && row.end > seconds));
      return found < 0 ? rows[lane].length : found;
    },
    async readMessages(from, count) {
      const some = messages.slice(from, from + count);
      return {
        count: some.length,
        from: Int32Array.from(some, (row) => row.from),
        to: Int32Array.from(some, (row) => row.to),
        sentSeconds: Float64Array.from(some, (row) => row.sent),
        receivedSeconds: Float64Array.from(some, (row) => row.received),
        bytes: Float64Array.from(some, (row) => row.bytes),
        tag: Int32Array.from(some, (row) => row.tag),
        kind: Uint8Array.from(some, (row) => row.kind),
      };
    },
    async readTransfers(from, count) {
      const some = transfers.slice(from, from + count);
      return {
        count: some.length,
        lane: Int32Array.from(some, (row) => row.lane),
        startSeconds: Float64Array.from(some, (row) => row.startSeconds),
        endSeconds: Float64Array.from(some, (row) => row.endSeconds),
        bytes: Float64Array.from(some, (row) => row.bytes),
        direction: Uint8Array.from(some, (row) => row.direction),
        fromDevice: Int32Array.from(some, (row) => row.fromDevice),
        toDevice: Int32Array.from(some, (row) => row.toDevice),
        bandwidth: Float64Array.from(some, (row) => row.bandwidth),
        frame: Int32Array.from(some, (row) => row.frame),
        context: Int32Array.from(some, (row) => row.context),
      };
    },
    async readCounter(counter, from, count) {
      const some = counters[counter].points.slice(from, from + count);
      return {
        count: some.length,
        seconds: Float64Array.from(some, ([at]) => at),
        value: Float64Array.from(some, ([, value]) => value),
      };
    },
    frameSeconds: (lane) => ({
      frame: Int32Array.from(heaviest[lane], ([frame]) => frame),
      seconds: Float64Array.from(heaviest[lane], ([, seconds]) => seconds),
    }),
    level: () => undefined,
    close: async () => undefined,
  };
  return { trace, topology };
}

/** How far each resource's clock is moved: as the first lane at it or inside it. */
function resourceShifts(builder: TraceBuilder): Map<number, number> {
  const shifts = new Map<number, number>();
  builder.lanes.forEach(({ resource }, lane) => {
    for (let at = resource; at >= 0 && !shifts.has(at); at = builder.resources[at].parent)
      shifts.set(at, builder.shifts[lane]);
  });
  return shifts;
}

function to(finalOf: Int32Array | undefined, own: number): number {
  return own < 0 || finalOf === undefined ? own : finalOf[own];
}

/** Each once, in canonical order. */
function distinct<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]));
  return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
}
