/** What may be asked of the machine that was recorded. Times in seconds of the trace, sizes in bytes. */
import type { HardwareKind } from "../../model/hardware";
import type { Chosen } from "../../model/members";
import type { GroupMap } from "../../supergraph/query";
import type { Scope } from "../scope";

export interface HardwareQuery {
  readonly scope: Pick<Scope, "dataSet" | "chosen">;
  /** Undefined: from where the run begins, until its end. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  /** Of events, where their tool does not say. */
  readonly categories?: GroupMap;
  /** Beyond as many elements, neighbours of one type are one; 400 unless said. */
  readonly most?: number;
}

/**
 * What a share of use is of: the time in which threads compute (the mean over them), in which a kernel runs, what was used of a
 * recorded capacity, what the system measured of all programs, in which a transfer is under way, or the mean over what is inside.
 */
export type UsedBy = "threads" | "kernels" | "capacity" | "system" | "transfers" | "inside";

/** What is known of use in the window. */
export interface HardwareUse {
  /** 0 to 1; of several their mean; NaN: not recorded. */
  readonly share: number;
  readonly by: UsedBy | undefined;
}

/** A part of the machine, or several equal ones that share a box. */
export interface HardwareElement extends HardwareUse {
  readonly name: string;
  /** The recording's own word. */
  readonly type: string;
  readonly kind: HardwareKind;
  /** Index of what it is in, NONE: nothing; that stands before it. */
  readonly parent: number;
  /** What is recorded of its size: `32 kB`. */
  readonly size: string;
  /** For how many it stands. */
  readonly together: number;
  /** Of how many of them the use is known, and its least and most; NaN where of none. */
  readonly known: number;
  readonly least: number;
  readonly most: number;
  /** Lanes of what runs on it and in it, ascending. */
  readonly lanes: readonly number[];
  /** What numbers can be restricted to, to be of these lanes; undefined: they are all of the recording, or no members of their own. */
  readonly members: Chosen | undefined;
  /** Bytes through it in the window, and how many a second it takes; NaN: not recorded. */
  readonly bytes: number;
  readonly capacity: number;
}

/** How two elements are connected: as recorded, or since data went from one to the other. */
export interface HardwareLink extends HardwareUse {
  readonly of: "topology" | "transfers" | "messages";
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** How many connections it stands for. */
  readonly together: number;
  /** From `from` to `to` in the window, and back; NaN: not recorded. */
  readonly bytes: number;
  readonly bytesBack: number;
  /** How often in the window, in both directions. */
  readonly count: number;
  /** Bytes per second that it takes; NaN: not recorded. */
  readonly capacity: number;
  /** Bytes per second of the whole run, while something was under way; NaN: not known. */
  readonly rate: number;
}

export interface Hardware {
  /** Of the run; both 0 where nothing has a time. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly elements: readonly HardwareElement[];
  readonly links: readonly HardwareLink[];
  /** Elements that were recorded, before neighbours were joined. */
  readonly recorded: number;
  /** Lanes of the recording. */
  readonly laneNames: readonly string[];
}
