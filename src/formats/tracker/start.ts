import { NONE } from "../../model/ids";
import { headText } from "../cursor";
import type { Head } from "../format";
import { peek } from "../chrome/scan/peek";

/** What the head of a file says: it stands before the events. */
export interface Start {
  readonly version: string;
  readonly program: string;
  /** What the machine calls itself; empty where it is not known. */
  readonly host: string;
  /** The operating system's number of the process, which is that of its first thread. */
  readonly process: number;
  /** What processes of one run have in common; empty where the launcher told nothing. */
  readonly run: string;
  /** The process that has started this one, among those of the host; empty if it is not known. */
  readonly launcher: string;
  /** {@link NONE} where there are no ranks. */
  readonly rank: number;
  readonly ranks: number;
  /** Time of day of the events' zero, and of the beginning of the recording: nanoseconds since the epoch. */
  readonly baseNanoseconds: bigint;
  readonly startNanoseconds: bigint;
}

/** Whether a file is the tracker's own. */
export function isTracker(head: Head): boolean {
  return /"heatflow"\s*:\s*\{\s*"version"\s*:/.test(headText(head.bytes, 4096)) && peek(head.bytes).isTrace;
}

/** Reads a file's first bytes; what is not there counts as none. */
export function startOf(head: Head): Start {
  const { globals } = peek(head.bytes);
  const text = (key: string) => globals.texts.get(`heatflow.${key}`) ?? "";
  const whole = (key: string) => (/^\d{1,15}$/.test(text(key)) ? Number(text(key)) : 0);
  const baseNanoseconds = globals.zeroNanoseconds(0) ?? 0n;
  return {
    version: text("version"),
    program: text("program"),
    host: text("host"),
    process: whole("process"),
    run: text("run"),
    launcher: text("launcher"),
    rank: globals.rank ?? NONE,
    ranks: globals.ranks ?? NONE,
    baseNanoseconds,
    startNanoseconds: baseNanoseconds + BigInt(whole("startNanoseconds")),
  };
}
