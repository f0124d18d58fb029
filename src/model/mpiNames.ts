/**
 * Names of MPI functions in recordings: of C and of Fortran (`MPI_SEND`, `mpi_send_`), of the profiling interface (`PMPI_`), with large
 * counts (`_c`), and of Fortran 2008 (`_f08`, `_f08ts`). All code that asks whether a name is an MPI call uses this file.
 */

/** Names as the standard spells them for C and Fortran. Their first letter is a capital, unlike in a region `MPI_phase`. */
const WRITTEN = /^P?MPIX?_([A-Z]\w*)$/;
/** Names as Fortran compilers write them. */
const COMPILED = /^p?mpix?_([a-z]\w*)$/;
/** Names that begin as MPI functions do, including those of phases and wrappers. */
const PREFIX = /^P?MPIX?_/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Blocking calls that all ranks of a communicator make together. A nonblocking one is waited for in another call. */
const COLLECTIVES = words(
  "barrier bcast reduce allreduce gather gatherv allgather allgatherv scatter scatterv alltoall alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw comm_create comm_dup comm_split win_create win_fence win_free finalize",
);
/** Calls that receive, or wait for an operation that began earlier. */
const RECEIVERS = words(
  "recv mrecv sendrecv sendrecv_replace wait waitall waitany waitsome test testall testany testsome probe mprobe parrived",
);
/** Calls whose receive begins with the call. */
const BLOCKING_RECEIVES = words("recv mrecv sendrecv sendrecv_replace");
/** Calls that do not return before the receive has begun, if the message is too large for a buffer. */
const BLOCKING_SENDS = words("send ssend rsend");
/** Other functions that are recognized in small letters without a trailing underscore, such as in names of regions. */
const OTHERS = words(
  "init init_thread initialized finalized abort bsend isend ibsend issend irsend irecv imrecv isendrecv send_init recv_init start startall iprobe improbe cancel request_free comm_rank comm_size comm_free ibarrier ibcast ireduce iallreduce igather igatherv iallgather iallgatherv iscatter iscatterv ialltoall ialltoallv ialltoallw ireduce_scatter iscan iexscan put get accumulate win_lock win_unlock win_flush file_open file_close file_read file_write file_read_all file_write_all file_read_at file_write_at file_read_at_all file_write_at_all wtime get_count type_commit type_free",
);

/**
 * The MPI function that a name stands for, in small letters and without prefixes and suffixes: `send` for `PMPI_Send_c` and
 * `mpi_send_f08_`.
 *
 * @returns undefined if the name is not that of an MPI function
 */
export function mpiFunction(name: string): string | undefined {
  const written = WRITTEN.exec(name)?.[1].toLowerCase();
  if (written !== undefined) return withoutSuffixes(written);
  const compiled = COMPILED.exec(name)?.[1];
  if (compiled === undefined) return undefined;
  const plain = withoutSuffixes(compiled);
  // A name in small letters without an underscore may be a function of the program, such as `mpi_exchange`.
  const isSymbol =
    compiled.endsWith("_") || [COLLECTIVES, RECEIVERS, BLOCKING_SENDS, OTHERS].some((all) => all.has(plain));
  return isSymbol ? plain : undefined;
}

function withoutSuffixes(name: string): string {
  return name
    .replace(/_{1,2}$/, "")
    .replace(/_f08(?:ts)?$/, "")
    .replace(/_c$/, "");
}

/** Whether a name is that of an MPI function, or begins like one: wrappers and phases count as MPI (semantics 9). */
export function isNamedAsMpi(name: string): boolean {
  return PREFIX.test(name) || mpiFunction(name) !== undefined;
}

/** Whether a name can only be MPI's own: a program may define `mpi_init`, but not `MPI_Init` or `mpi_init_`. */
export function isMpiSymbol(name: string): boolean {
  return mpiFunction(name) !== undefined && (/[A-Z]/.test(name) || name.endsWith("_"));
}

export function isMpiCall(name: string): boolean {
  return mpiFunction(name) !== undefined;
}

/** Whether a name is that of an MPI function for files, which counts as I/O. */
export function isMpiFileCall(name: string): boolean {
  return mpiFunction(name)?.startsWith("file_") === true;
}

export function isCollective(name: string): boolean {
  return isOf(COLLECTIVES, name);
}

/**
 * Whether a call receives or waits. A message may also arrive during another call, or exactly when another call ends and the wait after
 * it begins. That other call did not wait for the sender.
 */
export function isReceiver(name: string): boolean {
  return isOf(RECEIVERS, name);
}

export function isBlockingReceive(name: string): boolean {
  return isOf(BLOCKING_RECEIVES, name);
}

export function isBlockingSend(name: string): boolean {
  return isOf(BLOCKING_SENDS, name);
}

function isOf(all: ReadonlySet<string>, name: string): boolean {
  const plain = mpiFunction(name);
  return plain !== undefined && all.has(plain);
}
