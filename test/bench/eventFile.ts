import fs from "node:fs";

/** Regions of a time step, as the sample program has them: name, attribute, children. */
interface Region {
  readonly name: string;
  readonly attribute: "region" | "mpi.function";
  readonly inside: readonly Region[];
}

const region = (name: string, ...inside: Region[]): Region => ({ name, attribute: "region", inside });
const mpi = (name: string): Region => ({ name, attribute: "mpi.function", inside: [] });
const exchange = [mpi("MPI_Irecv"), mpi("MPI_Isend"), mpi("MPI_Irecv"), mpi("MPI_Isend"), mpi("MPI_Waitall")];
const iteration = [
  region("operator()", region("halo_pack"), region("halo_transfer", ...exchange), region("halo_unpack")),
  region("apply"),
  region("dot", region("globalSum", mpi("MPI_Allreduce"))),
  region("axpy"),
  region("axpy"),
  region("dot", region("globalSum", mpi("MPI_Allreduce"))),
  region("axpy"),
];
const step = region(
  "advance",
  region("updateConductivity"),
  region("reactionSource"),
  region("solve", ...iteration, ...iteration, ...iteration),
);

/**
 * Writes an event trace as Caliper does (`event-trace(trace.mpi)`): a begin and an end record for every region of every
 * time step, with iteration, rank, offset and duration; nodes where they are first needed.
 *
 * @param rank the file's own
 * @returns number of records, bytes written, and the nanoseconds of all records together
 */
export function writeEventFile(
  file: string,
  records: number,
  rank = 3,
): { records: number; bytes: number; nanoseconds: number } {
  const out = fs.openSync(file, "w");
  let pending: string[] = [];
  let bytes = 0;
  const flush = () => {
    const piece = Buffer.from(pending.join(""), "latin1");
    fs.writeSync(out, piece);
    bytes += piece.length;
    pending = [];
  };
  pending.push(HEADER);
  const nodes = new Map<string, number>();
  let nextId = 132;
  const node = (attribute: number, name: string, parent: number): number => {
    const key = `${attribute},${name},${parent}`;
    let id = nodes.get(key);
    if (id === undefined) {
      nodes.set(key, (id = nextId++));
      pending.push(`__rec=node,id=${id},attr=${attribute},data=${name}${parent < 0 ? "" : `,parent=${parent}`}\n`);
    }
    return id;
  };
  const main = node(20, "main", -1);
  const timestep = node(19, "timestep", main);
  let written = 0;
  let clock = 50_000;
  let nanoseconds = 0;
  let seed = 12345;
  const duration = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    // Heavy-tailed: most events take some hundred nanoseconds, some take milliseconds.
    const most = 100 + (seed % 3000);
    const taken = seed % 64 === 0 ? most * 997 : most;
    clock += taken;
    nanoseconds += taken;
    return taken;
  };
  const visit = ({ name, attribute, inside }: Region, parent: number, at: number): void => {
    const [own, begin, end] = attribute === "region" ? [20, 88, 94] : [39, 109, 115];
    const begun = node(begin, name, parent);
    const first = duration();
    pending.push(`__rec=ctx,ref=44=${begun},attr=131=41=100=102,data=${at}=${rank}=${clock}=${first}\n`);
    const self = node(own, name, parent);
    for (const child of inside) visit(child, self, at);
    const ended = node(end, name, self);
    const last = duration();
    pending.push(`__rec=ctx,ref=44=${ended},attr=131=41=49=100=102,data=${at}=${rank}=1=${clock}=${last}\n`);
    written += 2;
    if (pending.length > 20_000) flush();
  };
  for (let at = 0; written < records; at++) visit(step, timestep, at);
  pending.push("__rec=globals,ref=44\n");
  flush();
  fs.closeSync(out);
  return { records: written, bytes, nanoseconds };
}

const HEADER = `__rec=node,id=42,attr=10,data=1612,parent=1
__rec=node,id=43,attr=8,data=mpi.world.size,parent=42
__rec=node,id=25,attr=10,data=1612,parent=3
__rec=node,id=26,attr=8,data=cali.caliper.version,parent=25
__rec=node,id=27,attr=26,data=2.15.0-dev
__rec=node,id=44,attr=43,data=8,parent=27
__rec=node,id=40,attr=10,data=77,parent=1
__rec=node,id=41,attr=8,data=mpi.rank,parent=40
__rec=node,id=50,attr=10,data=212,parent=2
__rec=node,id=51,attr=8,data=cali.event.begin,parent=50
__rec=node,id=53,attr=8,data=cali.event.end,parent=50
__rec=node,id=86,attr=51,data=20,parent=3
__rec=node,id=87,attr=10,data=84,parent=86
__rec=node,id=88,attr=8,data=event.begin#region,parent=87
__rec=node,id=92,attr=53,data=20,parent=3
__rec=node,id=93,attr=10,data=84,parent=92
__rec=node,id=94,attr=8,data=event.end#region,parent=93
__rec=node,id=107,attr=51,data=39,parent=3
__rec=node,id=108,attr=10,data=84,parent=107
__rec=node,id=109,attr=8,data=event.begin#mpi.function,parent=108
__rec=node,id=113,attr=53,data=39,parent=3
__rec=node,id=114,attr=10,data=84,parent=113
__rec=node,id=115,attr=8,data=event.end#mpi.function,parent=114
__rec=node,id=96,attr=10,data=84,parent=3
__rec=node,id=97,attr=8,data=time.unit,parent=96
__rec=node,id=98,attr=97,data=nsec,parent=2
__rec=node,id=99,attr=10,data=85,parent=98
__rec=node,id=100,attr=8,data=time.offset.ns,parent=99
__rec=node,id=101,attr=10,data=2133,parent=98
__rec=node,id=102,attr=8,data=time.duration.ns,parent=101
__rec=node,id=48,attr=10,data=2133,parent=2
__rec=node,id=49,attr=8,data=region.count,parent=48
__rec=node,id=18,attr=10,data=276,parent=3
__rec=node,id=20,attr=8,data=region,parent=18
__rec=node,id=19,attr=8,data=loop,parent=18
__rec=node,id=39,attr=8,data=mpi.function,parent=18
__rec=node,id=130,attr=10,data=21,parent=1
__rec=node,id=131,attr=8,data=iteration#timestep,parent=130
`;
