import type { Warning } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import type { Task } from "../../model/task";
import type { ReadContext } from "../format";
import type { ProfileBuilder } from "../profileBuilder";
import type { TraceBuilder } from "../trace/traceBuilder";
import { countedWarnings } from "../warnings";
import { readRecords } from "./records";
import { contextOfPath } from "./paths";

const BEGIN = "event.begin#";
const END = "event.end#";

/**
 * Adds the beginnings and ends of regions as a lane. Records have no times but tell how long it was since the record before, so a
 * record's time is the sum so far.
 *
 * @returns the number of records
 */
export async function addRegionEvents(
  file: string,
  profile: ProfileBuilder,
  sink: TraceBuilder,
  warnings: Warning[],
  context: ReadContext,
  task: Task,
): Promise<number> {
  const process = sink.resource({ name: "process", type: "process", parent: NONE, location: NONE });
  const lane = sink.lane({ name: "regions", resource: process, location: NONE, kind: "intervals" });
  const open: { readonly key: string; readonly event: number }[] = [];
  let records = 0;
  let seconds = 0;
  let unmatched = 0;
  const problems = await readRecords(file, context, task, (record) => {
    records++;
    const since = Number(record.get("time.duration") ?? 0);
    if (Number.isFinite(since)) seconds += since;
    for (const [attribute, value] of record) {
      if (attribute.startsWith(BEGIN)) {
        const kind = attribute.slice(BEGIN.length);
        const name = kind.startsWith("iteration#") ? kind : value;
        const frame = profile.frames.intern({ name, kind: "region", origin: kind.includes("loop") ? "loop" : "mark" });
        const above = contextOfPath(profile, record.get("path"));
        const own = kind.startsWith("iteration#") ? above : contextOfPath(profile, value, above);
        const category = sink.category(kind.replace(/#.*/, ""), "compute");
        open.push({ key: `${kind} ${value}`, event: sink.begin(lane, seconds, frame, own, category) });
      } else if (attribute.startsWith(END)) {
        const top = open.at(-1);
        if (top?.key === `${attribute.slice(END.length)} ${value}`) {
          sink.end(top.event, seconds, lane);
          open.pop();
        } else unmatched++;
      }
    }
  });
  for (const message of problems) warnings.push({ message, file });
  appendAll(warnings, countedWarnings(file, [[unmatched, "ends of regions do not match their beginnings"]]));
  await sink.settle(task);
  return records;
}
