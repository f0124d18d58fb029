/** The overview of a trace that comes through a pipe: it is read once, and not kept. */
import type { Readable } from "node:stream";
import { readPiped } from "../../formats/piped";
import type { Warning } from "../../model/dataSet";
import type { Task } from "../../model/task";
import { formatValue } from "../../model/units";
import { overviewOfModel } from "./keptOverviews";
import { overviewOf } from "./overview";
import type { Overview, OverviewQuery } from "./overviewApi";
import { passModel } from "./passModel";

/** @returns with warnings, also of how far slices may be off @throws FormatError, RequestError, CancelledError */
export async function pipedOverview(
  input: Readable,
  asked: Omit<OverviewQuery, "dataSet">,
  task: Task,
): Promise<{ readonly overview: Overview; readonly warnings: readonly Warning[] }> {
  const query = { ...asked, dataSet: 0 };
  const { trace, ...model } = await passModel(
    (taker, options, own) => readPiped(input, taker, options, own),
    query,
    undefined,
    task,
  );
  const overview = overviewOf(query.kind, overviewOfModel(model, query), task);
  return { overview, warnings: [...inexact(model.withinSeconds), ...trace.warnings] };
}

function inexact(withinSeconds: number | undefined): Warning[] {
  if (withinSeconds === undefined) return [];
  const message = `time may be counted in a slice beside its own, where it is less than ${formatValue(withinSeconds, "s")} from it: the end of the trace was not known before it came (--to says it)`;
  return [{ message }];
}
