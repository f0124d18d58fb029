import type { ColumnFiles } from "../../model/columnFile";
import type { Hierarchy } from "../../model/dataSet";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import type { Head } from "../format";
import { isCali, readCali } from "./scan/cali";
import { isJsonRecords, readJsonRecords } from "./scan/jsonRecords";
import { isJsonSplit, readJsonSplit } from "./scan/jsonSplit";
import type { Recording } from "./decode/recording";

/** One of the forms in which Caliper writes. */
interface Form {
  recognizes(head: Uint8Array): boolean;
  /** @param columnFiles where columns of events go; undefined where none are needed yet */
  read(
    source: ByteSource,
    hierarchy: Hierarchy,
    task: Task,
    pieceBytes?: number,
    columnFiles?: ColumnFiles,
  ): Promise<Recording>;
}

const forms: readonly Form[] = [
  { recognizes: isCali, read: readCali },
  { recognizes: isJsonSplit, read: readJsonSplit },
  { recognizes: isJsonRecords, read: readJsonRecords },
];

/** Which form a file has, by its first bytes. */
export function formOf({ bytes }: Head): Form | undefined {
  return forms.find((form) => form.recognizes(bytes));
}
