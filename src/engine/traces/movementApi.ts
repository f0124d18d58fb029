/** What may be asked of data movement. Times in seconds of the trace, sizes in bytes. */
import type { DocumentText } from "../lines/lineApi";
import type { Scope } from "../scope";
import type { Chosen } from "../../model/members";

/** Whose movement is wanted: of a recording, its chosen members, in a part of its run that lies in the restriction to a window. */
export interface MovementQuery {
  readonly scope: Pick<Scope, "dataSet" | "chosen" | "window">;
  /** From there on; a message is where it was sent, of a transfer its part counts, its bytes spread evenly over its time. */
  readonly fromSeconds?: number;
  /** Before that; the end of the run is part of a window that ends with it. */
  readonly toSeconds?: number;
}

/** How much, and how often. */
export interface MovedAmount {
  /** What has no recorded size adds none. */
  readonly bytes: number;
  readonly count: number;
}

/** What devices did with memory: in one direction, between two devices. */
export interface MovedTransfers extends MovedAmount {
  /** The recording's own word: `HtoD`, `memset`, `pagefaults.gpu`. */
  readonly direction: string;
  /** Copies and migrations; else its bytes are 0, being none that were moved. */
  readonly moves: boolean;
  /** Device numbers of the tool, NONE for the host. */
  readonly fromDevice: number;
  readonly toDevice: number;
  /** In which one of them or several were under way: bytes over it are a rate. */
  readonly seconds: number;
}

/** Messages with one partner. */
export interface MovedMessages extends MovedAmount {
  /** As the recording has it: `rank 3`. */
  readonly partner: string;
}

/** Messages to, or from, several others. */
export interface MovedPartners extends MovedAmount {
  /** How many different ones are known. */
  readonly partners: number;
  /** The five with most bytes. */
  readonly heaviest: readonly MovedMessages[];
}

/** What a line, a function or a context moved. */
export interface Moved {
  /** Of all transfers. */
  readonly transfers: MovedAmount & { readonly seconds: number };
  /** Most bytes first, then what takes longest. */
  readonly parts: readonly MovedTransfers[];
  /** That were sent. */
  readonly messages: MovedPartners;
  /** That only their receiver recorded. */
  readonly received: MovedPartners;
  /** What was given to collectives. */
  readonly collectives: MovedAmount;
}

/** What a line causes. */
export interface LineMovement extends Moved {
  readonly line: number;
  /** Set where it has several equally likely places: text only, never heat. */
  readonly oneOf?: number;
}

/** What a function and what it calls caused. */
export interface FunctionMovement extends Moved {
  readonly line: number;
  readonly function: number;
  readonly oneOf?: number;
}

export interface DocumentMovementQuery extends MovementQuery {
  readonly document: DocumentText;
}

/** What one open document shows of data movement. Lines are those of the text that was handed in. */
export interface DocumentMovement {
  readonly lines: readonly LineMovement[];
  readonly functions: readonly FunctionMovement[];
  /** Of everything that the query is about, on whatever line: what shares are shares of. */
  readonly total: Moved;
  /** Length of the window. */
  readonly seconds: number;
}

/** What a matrix is of: messages between ranks, or transfers between the host and devices. */
export type MatrixOf = "ranks" | "devices";

/** What its cells are read by. */
export type MatrixBy = "bytes" | "count" | "seconds";

/** Neighbours at the finest level, by their numbers: the first and the last one. */
export interface MatrixRange {
  readonly first: number;
  readonly last: number;
}

export interface MatrixQuery extends MovementQuery {
  readonly of: MatrixOf;
  /** Decides which context stands for a cell. */
  readonly by: MatrixBy;
  /** One of {@link CommunicationMatrix.levels}; absent: the finest one that has room. */
  readonly level?: string;
  /** Only these; all unless said. */
  readonly rows?: MatrixRange;
  readonly columns?: MatrixRange;
  /** Beyond as many neighbours share a row; 200 unless said. */
  readonly mostRows?: number;
}

/** A row or column: one rank, a node with its ranks, or neighbours that share a row since there are too many. */
export interface MatrixGroup extends MatrixRange {
  readonly name: string;
  /** What numbers can be restricted to, to be of these; undefined: they are all of the recording, or no members of their own. */
  readonly members?: Chosen;
  /** Lanes of what is recorded at these, ascending. */
  readonly lanes?: readonly number[];
}

export interface MatrixAxis {
  /** One of {@link CommunicationMatrix.levels}. */
  readonly level: string;
  readonly groups: readonly MatrixGroup[];
  /** How many of the level share a row; 1: none does. */
  readonly together: number;
}

export interface MatrixValues {
  readonly bytes: Float64Array;
  readonly count: Float64Array;
  /** In which something was under way. */
  readonly seconds: Float64Array;
}

/** What is in no cell. */
export interface MovedBeside extends MovedAmount {
  readonly name: string;
  /** Whether its bytes are known to be moved: what memory sets write and faults touch is not. */
  readonly moves: boolean;
  readonly seconds: number;
}

export interface CommunicationMatrix {
  /** Finest first. */
  readonly levels: readonly string[];
  /** At the finest level, whatever was asked for. */
  readonly size: number;
  readonly rows: MatrixAxis;
  readonly columns: MatrixAxis;
  /** Row by row; what moved nothing has none. */
  readonly cells: MatrixValues & {
    readonly row: Int32Array;
    readonly column: Int32Array;
    /** The context with most of it; NONE: not known. */
    readonly context: Int32Array;
  };
  readonly ofRows: MatrixValues;
  readonly ofColumns: MatrixValues;
  readonly total: MovedAmount & { readonly seconds: number };
  readonly beside: readonly MovedBeside[];
  /** The contexts of cells, each once. */
  readonly calls: readonly MatrixCall[];
}

/** What moved most of a cell. */
export interface MatrixCall {
  readonly context: number;
  /** Behind the name of what called it: `exchange › MPI_Isend`. */
  readonly name: string;
}
