/**
 * What travels between the window's thread and the worker: questions, their answers, and progress.
 *
 * A cancelled call is marked in shared memory, since a worker that is in the middle of a computation reads no messages.
 */
import {
  AmbiguityError,
  CancelledError,
  type Choice,
  FormatError,
  type FormatProblem,
  RequestError,
} from "../../model/errors";
import type { QuestionName } from "../questions";
import type { EnsembleCacheOptions } from "../ensembles/ensembleCache";
import type { TraceCacheOptions } from "../traces/traceCache";

export interface WorkerStart {
  /** Marks of cancelled calls, see {@link markCancelled}. */
  readonly cancelled: SharedArrayBuffer;
  readonly wasmFolder: string;
  readonly memoryLimitBytes: number;
  /** Columns of traces on disk; absent: they stay in memory. */
  readonly traceCache?: TraceCacheOptions;
  /** What was read of the runs of ensembles; absent: they are read anew each time. */
  readonly ensembleCache?: Omit<EnsembleCacheOptions, "program">;
  /** How many times larger than its file a packed recording may be. */
  readonly unpackedRatio: number;
}

export interface Call {
  readonly id: number;
  readonly question: QuestionName;
  readonly argument: unknown;
}

export type Reply =
  | { readonly id: number; readonly kind: "answer"; readonly value: unknown }
  | { readonly id: number; readonly kind: "error"; readonly error: PlainError }
  | {
      readonly id: number;
      readonly kind: "progress";
      readonly fraction: number | undefined;
      readonly message?: string;
    };

export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly problem?: FormatProblem;
  readonly question?: string;
  readonly choices?: readonly Choice[];
  readonly otherwise?: string;
}

const SLOTS = 1024;

export function cancelMarks(): SharedArrayBuffer {
  return new SharedArrayBuffer((SLOTS + 1) * Int32Array.BYTES_PER_ELEMENT);
}

/** Calls are numbered from 1, so an empty slot marks none; a slot is used again only 1,024 calls later. */
export function markCancelled(marks: Int32Array, id: number): void {
  Atomics.store(marks, id % SLOTS, id);
}

export function isCancelled(marks: Int32Array, id: number): boolean {
  return Atomics.load(marks, id % SLOTS) === id;
}

/** The call that is being computed, which outlives the worker: of the calls that wait when it ends, none of the others is to blame. */
export function markAtWork(marks: Int32Array, id: number): void {
  Atomics.store(marks, SLOTS, id);
}

/** @returns 0 where none is being computed */
export function callAtWork(marks: Int32Array): number {
  return Atomics.load(marks, SLOTS);
}

export function plainError(error: unknown): PlainError {
  if (error instanceof FormatError) return { name: error.name, message: error.message, problem: error.problem };
  if (error instanceof AmbiguityError)
    return {
      name: error.name,
      message: error.message,
      question: error.question,
      choices: error.choices,
      otherwise: error.otherwise,
    };
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack };
  return { name: "Error", message: String(error) };
}

export function errorOf(plain: PlainError): Error {
  if (plain.problem) return new FormatError(plain.problem);
  if (plain.question !== undefined && plain.choices)
    return new AmbiguityError(plain.question, plain.choices, plain.otherwise);
  if (plain.name === "RequestError") return new RequestError(plain.message);
  if (plain.name === "CancelledError") return new CancelledError();
  const error = new Error(plain.message);
  error.name = plain.name;
  if (plain.stack) error.stack = plain.stack;
  return error;
}
