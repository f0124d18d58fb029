/** Windows of time and kinds of work that scopes of questions have: their events are read before the question is answered. */
import { RequestError } from "../../model/errors";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { type EventPart, type OpenDataSet, partKey } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { SharedWork } from "../lines/sharedWork";
import { windowValues } from "./windowValues";

/** A scope within a question. */
interface PartialScope extends EventPart {
  readonly dataSet: number;
  readonly metric: number;
}

/**
 * Reads what a question's windows and kinds need.
 *
 * @throws RequestError where a metric was not recorded over time, or a window or kinds are none
 */
export async function readWindows(state: EngineState, argument: unknown, task: Task): Promise<void> {
  for (const { dataSet: id, metric, window, kinds } of partialScopes(argument)) {
    const { open } = state.get(id);
    const { name, ofEvents } = open.metric(metric);
    if (!ofEvents) throw new RequestError(`${name} is not recorded over time: only all of the run is known of it.`);
    if (window && !(window.to > window.from)) throw new RequestError("A window of time ends after it begins.");
    if (kinds?.of.length === 0) throw new RequestError("A restriction to kinds of work names at least one.");
    const part = { window, kinds };
    if (!open.hasPart(part)) await readOnce(state, open, part).wait(task);
  }
}

/** What is being read: every view asks at once when a window is chosen. */
const reading = new WeakMap<OpenDataSet, Map<string, SharedWork<void>>>();

function readOnce(state: EngineState, open: OpenDataSet, part: EventPart): SharedWork<void> {
  const ofDataSet = reading.get(open) ?? new Map<string, SharedWork<void>>();
  reading.set(open, ofDataSet);
  const key = partKey(part);
  return entryOf(ofDataSet, key, () => {
    const work = new SharedWork(async (task) => {
      // Whoever asks first is heard of only after this function has returned.
      await Promise.resolve();
      const dataSet = await state.withTrace(open.id, task);
      if (!dataSet.trace) throw new RequestError(`${dataSet.name} has no events.`);
      open.keepPart(part, await windowValues(dataSet, dataSet.trace, part, task));
    });
    const forget = () => ofDataSet.delete(key);
    work.result.then(forget, forget);
    return work;
  });
}

function* partialScopes(value: unknown): Iterable<PartialScope> {
  if (Array.isArray(value)) for (const item of value) yield* partialScopes(item);
  else if (isPlain(value)) {
    if (isPartial(value)) yield value;
    for (const part of Object.values(value)) yield* partialScopes(part);
  }
}

function isPartial(value: object): value is PartialScope {
  const isThere = (name: "window" | "kinds") => name in value && (value as EventPart)[name] !== undefined;
  return "dataSet" in value && "metric" in value && (isThere("window") || isThere("kinds"));
}

/** Columns, which are objects too, hold no scopes. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
