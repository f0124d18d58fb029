/** HPCToolkit 4 databases as tests describe them before they are written. */

export interface WrittenContext {
  readonly id: number;
  readonly children?: readonly WrittenContext[];
  /** Names of a function, its file and line, its module: equal ones become one entry of the file's tables. */
  readonly function?: WrittenFunction;
  readonly inlined?: boolean;
  /** A line, or with `loop` a loop. */
  readonly file?: string;
  readonly line?: number;
  readonly loop?: boolean;
  /** An instruction, or with a line or loop where it lies. */
  readonly module?: string;
  readonly offset?: bigint;
  /** Numbers of a kind that is not known yet. */
  readonly lexicalType?: number;
  readonly relation?: number;
}

export interface WrittenFunction {
  readonly name?: string;
  readonly file?: string;
  readonly line?: number;
  readonly module?: string;
  readonly offset?: bigint;
}

export interface WrittenProfile {
  /** `[kind, logical id]`; kinds: 1 node, 2 rank, 3 thread, 4 GPU, 5 GPU context, 6 GPU stream, 7 core. */
  readonly ids: readonly (readonly [kind: number, id: number])[];
  readonly summary?: boolean;
  /** By context: `[metric, value]`. */
  readonly values: ReadonlyMap<number, readonly (readonly [metric: number, value: number])[]>;
}

export interface WrittenTrace {
  readonly profile: number;
  readonly samples: readonly (readonly [nanoseconds: bigint, context: number])[];
}

export interface Written {
  readonly title?: string;
  /** Names of metrics; metric m has the ids 4m point, 4m + 1 function, 4m + 2 lex_aware, 4m + 3 execution. */
  readonly metrics?: readonly string[];
  readonly entries: readonly {
    readonly id: number;
    readonly name: string;
    readonly children: readonly WrittenContext[];
  }[];
  readonly profiles: readonly WrittenProfile[];
  readonly traces?: readonly WrittenTrace[];
  /** Paths of files that lie in the database as copies: `src/a.c`. */
  readonly copied?: readonly string[];
  /** Added to every stride that the file stores: a later minor version. */
  readonly wider?: number;
}
