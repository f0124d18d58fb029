import type { Position } from "./errors";

/** Something that a user should know about a recording that was read all the same. */
export interface Warning {
  readonly message: string;
  readonly file?: string;
  readonly at?: Position;
  /** The file ends before its recording does: values are missing. */
  readonly isCut?: true;
  /** Call stacks of its samples end early: another recording of the program may have all of them. */
  readonly isUnrooted?: true;
  /** No number would be another without it: listed, but no message by itself. */
  readonly isMinor?: true;
}
