import { attribute } from "./caliFixtures";
import {
  type Branch,
  CaliWriter,
  channel,
  loop,
  mpiFunction,
  rank,
  region,
  worldSize,
  type WrittenAttribute,
} from "./caliWriter";

const offset = attribute("time.offset.ns", "uint", 85, { "time.unit": "nsec" });
const duration = attribute("time.duration.ns", "uint", 2133, { "time.unit": "nsec" });
const seconds = attribute("starttime.sec", "uint", 1612);
const subseconds = attribute("starttime.nsec", "uint", 1612);
const destination = attribute("mpi.msg.dst", "int", 85);
const source = attribute("mpi.msg.src", "int", 85);
const tag = attribute("mpi.msg.tag", "int", 85);
const size = attribute("mpi.msg.size", "int", 2133);
const communicator = attribute("mpi.comm", "int", 84);
const isWorld = attribute("mpi.comm.is_world", "bool", 20);

/** Writes the event trace of one process, as Caliper does: what a record says is the path before a begin, and at an end. */
export class EventWriter {
  readonly out = new CaliWriter(1000n, 3n);
  private readonly path: [WrittenAttribute, string][] = [];
  private last = 0;

  constructor(
    private readonly of: number | undefined,
    private readonly started?: { seconds: string; nanoseconds: string },
  ) {}

  begin(of: WrittenAttribute, name: string, at: number): this {
    this.record([[...this.path, [attribute(`event.begin#${of.name}`, "string", 84), name]]], [], at);
    this.path.push([of, name]);
    return this;
  }

  end(at: number): this {
    const [of, name] = this.path[this.path.length - 1];
    this.record([[...this.path, [attribute(`event.end#${of.name}`, "string", 84), name]]], [], at);
    return this.leave();
  }

  /** After the record of an end that was written by {@link record}. */
  leave(): this {
    this.path.pop();
    return this;
  }

  set(name: string, type: "int" | "string", value: string | number, at: number): this {
    const of = attribute(`event.set#${name}`, type, type === "int" ? 85 : 84);
    if (type === "int") this.record([this.path], [[of, value]], at);
    else this.record([[...this.path, [of, String(value)]]], [], at);
    return this;
  }

  send(to: number, bytes: number, label: number, at: number, world: "true" | "false" = "true"): this {
    return this.message([destination, to], bytes, label, at, world);
  }

  receive(from: number, bytes: number, label: number, at: number, world: "true" | "false" = "true"): this {
    return this.message([source, from], bytes, label, at, world);
  }

  text(): string {
    const { started } = this;
    this.out.globals([
      [worldSize, "3"],
      [channel, "event-trace"],
      ...(started === undefined
        ? []
        : ([
            [seconds, started.seconds],
            [subseconds, started.nanoseconds],
          ] as const)),
    ]);
    return this.out.text();
  }

  private message(
    peer: readonly [WrittenAttribute, number],
    bytes: number,
    label: number,
    at: number,
    world: string,
  ): this {
    const branch: Branch = [
      [isWorld, world],
      [communicator, "2"],
    ];
    this.record([this.path, branch], [peer, [tag, label], [size, bytes]], at);
    return this;
  }

  record(
    branches: readonly Branch[],
    values: readonly (readonly [WrittenAttribute, string | number])[],
    at: number,
  ): void {
    const own = this.of === undefined ? [] : [[rank, this.of] as const];
    this.out.snapshot(
      branches.filter((one) => one.length > 0),
      [...own, ...values, [offset, at], [duration, at - this.last]],
    );
    this.last = at;
  }
}

/** Three ranks that start at different times; rank 2 was cut off while something was open. */
export function ranksOfTrace(): Record<string, string> {
  const first = new EventWriter(0, { seconds: "1795233162", nanoseconds: "227487159" })
    .begin(region, "main", 10)
    .begin(loop, "step", 20)
    .begin(mpiFunction, "MPI_Isend", 30)
    .send(1, 2048, 7, 33)
    .end(35)
    .begin(mpiFunction, "MPI_Isend", 36)
    .send(1, 64, 7, 38)
    .send(2, 8, 1, 39)
    .send(2, 8, 1, 40)
    .end(41)
    .end(50)
    .end(61);
  const second = new EventWriter(1, { seconds: "1795233162", nanoseconds: "227487158" })
    .begin(region, "main", 12)
    .set("phase", "int", 3, 13)
    .set("name", "string", "warm up", 14)
    .begin(mpiFunction, "MPI_Waitall", 15)
    .receive(0, 2048, 7, 44)
    .receive(0, 64, 7, 45)
    .receive(2, 16, 0, 46)
    .end(47)
    .end(400);
  const third = new EventWriter(2, { seconds: "1795233161", nanoseconds: "999999999" })
    .begin(region, "main", 227_487_170)
    .begin(mpiFunction, "MPI_Recv", 227_487_180)
    .receive(0, 8, 1, 227_487_299)
    .end(227_487_300)
    .begin(region, "io", 227_487_310);
  return { "0.cali": first.text(), "1.cali": second.text(), "2.cali": third.text() };
}
