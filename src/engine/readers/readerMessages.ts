/** What travels between the thread that puts a recording together and the threads that read its files. */
import type { RecordingFile } from "../../formats/format";
import type { Hierarchy } from "../../model/dataSet";
import type { PlainError } from "../thread/calls";
import type { Transplant } from "./transplant";

export interface ReaderStart {
  /** How many times larger than its file a packed recording may be; absent: as usual. */
  readonly unpackedRatio?: number;
}

export interface ReadCall {
  readonly index: number;
  readonly job: string;
  readonly file: RecordingFile;
  readonly hierarchy: Hierarchy;
}

/** A file that was opened. */
export interface OpenedFile {
  readonly file: string;
  /** State of the file, see `stateOf`. */
  readonly state: string;
  /** It is packed, and its packed data ended early. */
  readonly isCut: boolean;
}

export type ReadReply =
  | {
      readonly kind: "progress";
      readonly index: number;
      readonly fraction: number;
      /** What the thread has outside of V8's heap. */
      readonly bytes: number;
    }
  | {
      readonly kind: "read";
      readonly index: number;
      readonly opened: readonly OpenedFile[];
      readonly result: Transplant | { readonly error: PlainError };
    };
