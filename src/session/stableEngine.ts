/**
 * The engine under ids that outlive it. A data set keeps its number when the worker is restarted, the recording is read
 * again or the window is reloaded, so panels and views may keep it; here it is exchanged for the number that the present
 * worker gave, and a question asked while a recording is being reopened waits until it is there.
 */
import type { Engine, SessionQuestionName } from "../engine/api";
import { askByName, askingEngine } from "../engine/askingEngine";
import { RequestError } from "../model/errors";

/** A data set as the present worker knows it. */
export interface Resolved {
  readonly engine: Engine;
  readonly engineId: number;
}

export interface Directory {
  /** The present worker, started when there is none. */
  engine(): Engine;
  /** Waits while the data set is being reopened. @throws RequestError when it is not open */
  resolve(dataSet: number): Promise<Resolved>;
}

/** Refused here, since the session keeps the account of them. */
const ofSession: Readonly<Record<SessionQuestionName, true>> = {
  configure: true,
  setOpenTexts: true,
  wantedSymbols: true,
  setSymbols: true,
  open: true,
  close: true,
};

export function stableEngine(directory: Directory): Engine {
  return askingEngine(async (question, argument, task) => {
    if (question in ofSession) throw new RequestError(`“${question}” goes through the session.`);
    const dataSets = [...new Set(dataSetsIn(argument))];
    const resolved = await resolveAll(directory, dataSets);
    const engine = resolved.at(0)?.engine ?? directory.engine();
    const ids = new Map(dataSets.map((dataSet, at) => [dataSet, resolved[at].engineId]));
    return askByName(engine, question, exchanged(argument, ids), task);
  });
}

/** Numbers of one worker: while one recording was waited for, the worker that knew another may have ended. */
async function resolveAll(directory: Directory, dataSets: readonly number[]): Promise<Resolved[]> {
  for (;;) {
    const resolved = await Promise.all(dataSets.map((dataSet) => directory.resolve(dataSet)));
    if (new Set(resolved.map(({ engine }) => engine)).size <= 1) return resolved;
  }
}

/** The numbers of data sets that an argument names. */
export function* dataSetsIn(value: unknown): Iterable<number> {
  if (Array.isArray(value)) for (const item of value) yield* dataSetsIn(item);
  else if (isPlain(value))
    for (const [name, part] of Object.entries(value)) {
      if (name === "dataSet" && typeof part === "number") yield part;
      else yield* dataSetsIn(part);
    }
}

function exchanged(value: unknown, ids: ReadonlyMap<number, number>): unknown {
  if (Array.isArray(value)) return value.map((item) => exchanged(item, ids));
  if (!isPlain(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    name === "dataSet" && typeof part === "number" ? ids.get(part) : exchanged(part, ids),
  ]);
  return Object.fromEntries(parts);
}

/** Columns, which are objects too, hold no names. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
