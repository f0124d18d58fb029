/** What is kept in the workspace's state so that a window shows after a reload what it showed before. Pure. */
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { locationUnits } from "../model/members";

const over = v.union([v.picklist(["sum", "mean", "max", "min"]), v.object({ rank: v.number() })]);

const known = {
  /** Tells the data set from all others, for good; states of earlier versions have none. */
  key: v.optional(v.pipe(v.string(), v.minLength(1)), () => randomUUID()),
  name: v.string(),
  /** What opens it: as it was asked for, or its own files where the opening gave several data sets. */
  paths: v.pipe(v.array(v.string()), v.minLength(1)),
  /** {@link digestOf} its files. */
  files: v.optional(v.string()),
  /** Its paths were opened as the runs of one ensemble. */
  ensemble: v.optional(v.object({ pattern: v.optional(v.string()) })),
};

const savedRecording = v.object({
  ...known,
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  hierarchy: v.optional(v.picklist(["combined", "regions", "callPaths"])),
  answer: v.optional(v.string()),
  metric: v.optional(v.string()),
  over: v.optional(over),
  /** What it showed before it was compared. */
  before: v.fallback(v.optional(v.object({ metric: v.optional(v.string()), over: v.optional(over) })), undefined),
  chosen: v.optional(v.object({ by: v.picklist(locationUnits), members: v.array(v.string()) })),
  /** Of an ensemble: the names of these runs. */
  chosenRuns: v.fallback(v.optional(v.array(v.string())), undefined),
  window: v.fallback(
    v.optional(v.object({ from: v.pipe(v.number(), v.finite()), to: v.pipe(v.number(), v.finite()) })),
    undefined,
  ),
  kinds: v.fallback(v.optional(v.array(v.picklist(eventKinds))), undefined),
});

const namedRuns = v.object({ name: v.string(), runs: v.pipe(v.array(v.string()), v.readonly()) });

const savedSession = v.object({
  version: v.literal(1),
  recordings: v.array(savedRecording),
  /** Closed by the user, the latest last: opened again, they have the same key. */
  closed: v.fallback(
    v.optional(v.array(v.object(known)), () => []),
    () => [],
  ),
  // What follows is less than the recordings, as what was closed is: where it cannot be read, they still can.
  current: v.fallback(v.optional(v.number()), undefined),
  comparison: v.fallback(v.optional(v.object({ baseline: v.number(), candidate: v.number() })), undefined),
  ensembleTarget: v.fallback(v.optional(v.object({ dataSet: v.number(), run: v.string() })), undefined),
  ensembleDifference: v.fallback(
    v.optional(v.object({ dataSet: v.number(), baseline: namedRuns, candidate: namedRuns })),
    undefined,
  ),
  renamed: v.fallback(
    v.optional(v.array(v.strictTuple([v.string(), v.string()])), () => []),
    () => [],
  ),
});

export type SavedRecording = v.InferOutput<typeof savedRecording>;
export type SavedClosed = SavedSession["closed"][number];
export type SavedSession = v.InferOutput<typeof savedSession>;

export const emptySession: SavedSession = { version: 1, recordings: [], closed: [], renamed: [] };

/** Reads what an earlier window wrote; anything that is not such a state is an empty one, since nothing can be restored from it. */
export function readSavedSession(stored: unknown): SavedSession {
  const result = v.safeParse(savedSession, stored);
  if (!result.success) return emptySession;
  const seen = new Set<number>();
  const recordings = result.output.recordings.filter(({ id }) => !seen.has(id) && seen.add(id));
  const { comparison } = result.output;
  const isOfTwo =
    comparison?.baseline !== comparison?.candidate && Object.values(comparison ?? {}).every((id) => seen.has(id));
  return { ...result.output, recordings, comparison: isOfTwo ? comparison : undefined };
}
