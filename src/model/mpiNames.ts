/**
 * Names of MPI functions as recordings have them: of C and of Fortran (`MPI_SEND`, `mpi_send_`), of the profiling interface (`PMPI_`),
 * with large counts (`_c`), and of Fortran 2008 (`_f08`, `_f08ts`). One set for all that asks whether a name is a call of MPI.
 */

/** Named as C and Fortran's standard spell them. A region `MPI_phase` is no function: none begins with a small letter. */
const WRITTEN = /^P?MPIX?_([A-Z]\w*)$/;
/** Named as Fortran compilers call them. */
const COMPILED = /^p?mpix?_([a-z]\w*)$/;
/** Whatever is called as MPI's functions are, phases and wrappers too. */
const PREFIX = /^P?MPIX?_/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Calls that all ranks of a communicator make together; nonblocking ones end somewhere else, and are waited for there. */
const COLLECTIVES = words(
  "barrier bcast reduce allreduce gather gatherv allgather allgatherv scatter scatterv alltoall alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw comm_create comm_dup comm_split win_create win_fence win_free finalize",
);
/** Calls that receive, or wait for what was begun before. */
const RECEIVERS = words(
  "recv mrecv sendrecv sendrecv_replace wait waitall waitany waitsome test testall testany testsome probe mprobe parrived",
);
/** Calls that begin to receive when they are called: others wait for what was begun earlier. */
const BLOCKING_RECEIVES = words("recv mrecv sendrecv sendrecv_replace");
/** Calls that do not return before the receiver has begun, if the message is too large to be kept for it. */
const BLOCKING_SENDS = words("send ssend rsend");
/** Functions that are called without an underscore behind them as well, as regions are that somebody named after them. */
const OTHERS = words(
  "init init_thread initialized finalized abort bsend isend ibsend issend irsend irecv imrecv isendrecv send_init recv_init start startall iprobe improbe cancel request_free comm_rank comm_size comm_free ibarrier ibcast ireduce iallreduce igather igatherv iallgather iallgatherv iscatter iscatterv ialltoall ialltoallv ialltoallw ireduce_scatter iscan iexscan put get accumulate win_lock win_unlock win_flush file_open file_close file_read file_write file_read_all file_write_all file_read_at file_write_at file_read_at_all file_write_at_all wtime get_count type_commit type_free",
);

/**
 * The MPI function that a name stands for, in small letters and without what compilers and the standard put around it: `send` for
 * `PMPI_Send_c` and `mpi_send_f08_`.
 *
 * @returns undefined if it is no function of MPI
 */
export function mpiFunction(name: string): string | undefined {
  const written = WRITTEN.exec(name)?.[1].toLowerCase();
  if (written !== undefined) return withoutSuffixes(written);
  const compiled = COMPILED.exec(name)?.[1];
  if (compiled === undefined) return undefined;
  const plain = withoutSuffixes(compiled);
  // In small letters alone it may be anybody's function, such as `mpi_exchange`.
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

/** Whether a name is that of an MPI function, or begins as these do: wrappers and phases that are counted as MPI (semantics 9). */
export function isNamedAsMpi(name: string): boolean {
  return PREFIX.test(name) || mpiFunction(name) !== undefined;
}

/** Whether a name can only be MPI's own: a function of a program may be called `mpi_init`, none `MPI_Init` or `mpi_init_`. */
export function isMpiSymbol(name: string): boolean {
  return mpiFunction(name) !== undefined && (/[A-Z]/.test(name) || name.endsWith("_"));
}

export function isMpiCall(name: string): boolean {
  return mpiFunction(name) !== undefined;
}

/** Files are I/O, whatever the rest of MPI is. */
export function isMpiFileCall(name: string): boolean {
  return mpiFunction(name)?.startsWith("file_") === true;
}

export function isCollective(name: string): boolean {
  return isOf(COLLECTIVES, name);
}

/**
 * Whether a call receives or waits. A message may also arrive while another call runs, or at the very moment at which one ends and the
 * wait behind it begins: that call did not wait for its sender.
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
