/** Windows of time that scopes of questions have: their events are read before the question is answered. */
import { RequestError } from "../../model/errors";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { SharedWork } from "../lines/sharedWork";
import type { TimeWindow } from "../scope";
import { windowValues } from "./windowValues";

/** A scope within a question. */
interface WindowedScope {
  readonly dataSet: number;
  readonly metric: number;
  readonly window: TimeWindow;
}

/**
 * Reads what a question's windows need.
 *
 * @throws RequestError where a metric was not recorded over time, or a window is none
 */
export async function readWindows(state: EngineState, argument: unknown, task: Task): Promise<void> {
  for (const { dataSet: id, metric, window } of windowedScopes(argument)) {
    const { open } = state.get(id);
    const { name, ofEvents } = open.metric(metric);
    if (!ofEvents) throw new RequestError(`${name} is not recorded over time: only all of the run is known of it.`);
    if (!(window.to > window.from)) throw new RequestError("A window of time ends after it begins.");
    if (!open.hasWindow(window)) await readOnce(state, open, window).wait(task);
  }
}

/** What is being read: every view asks at once when a window is chosen. */
const reading = new WeakMap<OpenDataSet, Map<string, SharedWork<void>>>();

function readOnce(state: EngineState, open: OpenDataSet, window: TimeWindow): SharedWork<void> {
  const ofDataSet = reading.get(open) ?? new Map<string, SharedWork<void>>();
  reading.set(open, ofDataSet);
  const key = `${window.from} ${window.to}`;
  return entryOf(ofDataSet, key, () => {
    const work = new SharedWork(async (task) => {
      // Whoever asks first is heard of only after this function has returned.
      await Promise.resolve();
      const dataSet = await state.withTrace(open.id, task);
      if (!dataSet.trace) throw new RequestError(`${dataSet.name} has no events.`);
      open.keepWindow(window, await windowValues(dataSet, dataSet.trace, window, task));
    });
    const forget = () => ofDataSet.delete(key);
    work.result.then(forget, forget);
    return work;
  });
}

function* windowedScopes(value: unknown): Iterable<WindowedScope> {
  if (Array.isArray(value)) for (const item of value) yield* windowedScopes(item);
  else if (isPlain(value)) {
    if (isWindowed(value)) yield value;
    for (const part of Object.values(value)) yield* windowedScopes(part);
  }
}

function isWindowed(value: object): value is WindowedScope {
  return "dataSet" in value && "metric" in value && "window" in value && value.window !== undefined;
}

/** Columns, which are objects too, hold no scopes. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
