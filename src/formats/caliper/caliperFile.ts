import { ContextTreeBuilder } from "../../model/contextTree";
import { EntryLog } from "../../model/entryLog";
import { FormatError } from "../../model/errors";
import { FrameTable } from "../../model/frames";
import { PairTable } from "../../model/pairTable";
import { StringTable } from "../../model/strings";
import { SparseBuilder } from "../../model/values";
import { eventColumns, type FileJob, type Head } from "../format";
import { IntColumn, FloatColumn } from "../../model/columns";
import { withFile } from "../reading";
import { Numbered, TraceBuilder } from "../trace/traceBuilder";
import { RecordedTimes, TimeSpans } from "../trace/recordedTimes";
import { TraceCounts } from "../trace/traceCounts";
import { WarningList } from "../warnings";
import type { ReadForm } from "./decode/readRecording";
import { DeviceActivities, DeviceClock } from "./events/deviceActivities";
import { Iterations } from "./decode/iterations";
import { MessageSide } from "../trace/messages";
import { MessageEnds } from "./events/messageEnds";
import { Recording } from "./decode/recording";
import { isCali, readCali } from "./scan/cali";
import { isJsonRecords, readJsonRecords } from "./scan/jsonRecords";
import { isJsonSplit, readJsonSplit } from "./scan/jsonSplit";

/** One of the forms in which Caliper writes. */
interface Form {
  recognizes(head: Uint8Array): boolean;
  readonly read: ReadForm;
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

/** One file of a run, whichever of Caliper's forms it has. */
export const caliperFile: FileJob<Recording> = {
  id: "caliper",
  classes: [
    Recording,
    FrameTable,
    StringTable,
    ContextTreeBuilder,
    PairTable,
    SparseBuilder,
    EntryLog,
    IntColumn,
    FloatColumn,
    WarningList,
    MessageSide,
    Iterations,
    DeviceClock,
    DeviceActivities,
    MessageEnds,
    TraceBuilder,
    Numbered,
    TraceCounts,
    RecordedTimes,
    TimeSpans,
  ],
  async read({ file }, context, task) {
    const form = formOf(await context.head(file));
    if (form === undefined) throw ofNoForm(file);
    const columnFiles = eventColumns(context);
    return withFile(context, file, (source) => form.read(source, context.hierarchy, task, undefined, columnFiles));
  },
};

function ofNoForm(file: string): FormatError {
  return new FormatError({
    file,
    at: { byte: 0 },
    found: "none of the forms that Caliper writes",
    expected: "records of a .cali file, or json of one of its forms",
    advice: "The file may be empty, or was replaced while it was opened: look at it, and open it again.",
  });
}
