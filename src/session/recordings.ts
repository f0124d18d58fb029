/** The list of recordings that a window has open: numbers, order, what is current. Pure. */
import { createHash, randomUUID } from "node:crypto";
import type { DataSetInfo, EnsembleOptions, Hierarchy } from "../engine/api";
import { chosenNames, chosenOf } from "./chosenRuns";
import type { SavedClosed, SavedRecording, SavedSession } from "./savedState";
import type { ScopeChoice } from "./scopeChoice";
import type { SessionDataSet } from "./session";

/** Recordings that are known after the user closed them. */
const MOST_CLOSED = 20;

export interface Recording {
  /** Its number as long as it is open, whatever worker reads it. */
  readonly id: number;
  /** Tells it from all others for good: after a reload, a restart, and when it is closed and opened again. */
  readonly key: string;
  readonly name: string;
  /** Absolute paths that open it: as asked for, or its own files where the opening gave several data sets. */
  readonly paths: readonly string[];
  /** {@link digestOf} its files when it was last open. */
  readonly files?: string;
  /** Its paths are the runs of one ensemble. */
  readonly ensemble?: EnsembleOptions;
  readonly hierarchy?: Hierarchy;
  /** What the user said the files are, where that was not clear. */
  readonly answer?: string;
  readonly choice: ScopeChoice;
  /** Until it is open (again): what the runs are called that its choice restricts to. */
  readonly chosenRuns?: readonly string[];
  /** What was chosen for it before it showed what the recording does that it is compared with; it comes back with the comparison's end. */
  readonly before?: Pick<ScopeChoice, "metric" | "over">;
  /** Set while it is open. */
  readonly info?: SessionDataSet;
  /** When reading it began, milliseconds since the epoch. */
  readonly readAtMs?: number;
  /** Why it is not open though it should be. */
  readonly reason?: string;
}

export class Recordings {
  private readonly byId = new Map<number, Recording>();
  private closed: SavedClosed[];
  /** What each opening gave, by the digest of what was asked for. */
  private readonly openings = new Map<string, readonly number[]>();
  private currentId: number | undefined;
  private lastId = 0;

  constructor(saved: SavedSession) {
    for (const recording of saved.recordings) {
      const { metric, over, chosen, window, kinds, ...known } = recording;
      const { id } = known;
      this.byId.set(id, { ...known, choice: { metric, over, chosen, window, kinds } });
      this.lastId = Math.max(this.lastId, id);
    }
    this.closed = saved.closed;
    this.currentId = saved.current;
  }

  get all(): readonly Recording[] {
    return [...this.byId.values()];
  }

  get(id: number): Recording | undefined {
    return this.byId.get(id);
  }

  /** The one that views show: the chosen one where it is open, else the first that is. */
  get current(): Recording | undefined {
    const chosen = this.currentId === undefined ? undefined : this.byId.get(this.currentId);
    return chosen?.info ? chosen : this.all.find((recording) => recording.info);
  }

  /** What is to be opened (again), the one that views will show first. */
  get waiting(): readonly Recording[] {
    const waiting = this.all.filter(({ info, reason }) => !info && reason === undefined);
    return waiting.sort((a, b) => Number(b.id === this.currentId) - Number(a.id === this.currentId));
  }

  setCurrent(id: number): void {
    if (this.byId.has(id)) this.currentId = id;
  }

  /** Adds an opened recording under a number of its own, and the key that it had before it was closed. */
  add(info: DataSetInfo, how: Pick<Recording, "paths" | "answer" | "readAtMs" | "ensemble">): Recording {
    const id = ++this.lastId;
    const files = digestOf(info.files, how.ensemble);
    const before =
      this.closed.find((one) => one.files === files) ??
      this.closed.find(({ paths, ensemble }) => digestOf(paths, ensemble) === digestOf(how.paths, how.ensemble));
    this.closed = this.closed.filter((one) => one !== before);
    const key = before?.key ?? randomUUID();
    const recording = { ...how, id, key, name: info.name, files, choice: {}, info: { ...info, id, key } };
    this.byId.set(id, recording);
    return recording;
  }

  /** It is open (again): as it was read now. */
  opened(id: number, info: DataSetInfo, how: Pick<Recording, "answer" | "readAtMs" | "hierarchy">): void {
    const { key, ensemble, choice = {}, info: before, chosenRuns } = this.byId.get(id) ?? {};
    if (key === undefined) return;
    const files = digestOf(info.files, ensemble);
    const names = before ? chosenNames(choice.chosen, before) : chosenRuns;
    const chosen = names && choice.chosen ? chosenOf(names, info) : choice.chosen;
    const now = { info: { ...info, id, key }, name: info.name, files, choice: { ...choice, chosen } };
    this.change(id, { ...how, ...now, chosenRuns: undefined, reason: undefined });
  }

  change(id: number, change: Partial<Omit<Recording, "id" | "key">>): void {
    const recording = this.byId.get(id);
    if (recording) this.byId.set(id, { ...recording, ...change });
  }

  /** What was compared shows again what was chosen for it itself. */
  showAsBefore(ids: readonly number[]): void {
    for (const id of ids) {
      const { choice, before } = this.byId.get(id) ?? {};
      if (before) this.change(id, { choice: { ...choice, ...before }, before: undefined });
    }
  }

  remove(id: number): void {
    const recording = this.byId.get(id);
    if (recording) {
      const { key, name, paths, files, ensemble } = recording;
      this.closed = [...this.closed, { key, name, paths: [...paths], files, ensemble }].slice(-MOST_CLOSED);
    }
    this.byId.delete(id);
    if (this.currentId === id) this.currentId = undefined;
  }

  /** The recording that was read from exactly these files, in any order: an open one, else one that is listed. */
  withFiles(paths: readonly string[], ensemble?: EnsembleOptions): Recording | undefined {
    const digest = digestOf(paths, ensemble);
    const known = this.all.filter(({ files }) => files === digest);
    return known.find(({ info }) => info) ?? known.at(0);
  }

  /** These paths opened these recordings. */
  noteOpening(paths: readonly string[], ids: readonly number[], ensemble?: EnsembleOptions): void {
    this.openings.set(digestOf(paths, ensemble), ids);
  }

  /** All that these paths opened before, while all of it is open; else nothing. */
  openedBy(paths: readonly string[], ensemble?: EnsembleOptions): readonly Recording[] {
    const digest = digestOf(paths, ensemble);
    const known =
      this.openings.get(digest)?.map((id) => this.byId.get(id)) ??
      this.all.filter((one) => one.files === digest || digestOf(one.paths, one.ensemble) === digest).slice(0, 1);
    const open = known.flatMap((one) => (one?.info ? one : []));
    return open.length === known.length ? open : [];
  }

  /** What opens a recording that is listed, or that the user has closed. */
  openingOf(key: string): Pick<Recording, "paths" | "ensemble"> | undefined {
    return this.all.find((one) => one.key === key) ?? this.closed.find((one) => one.key === key);
  }

  saved(): Omit<SavedSession, "comparison" | "renamed"> {
    const recordings = this.all.map(
      ({
        id,
        key,
        name,
        paths,
        files,
        ensemble,
        hierarchy,
        answer,
        choice,
        before,
        info,
        chosenRuns,
      }): SavedRecording => {
        const { metric, over, chosen: restriction, window, kinds: ofKinds } = choice;
        const chosen = restriction && { by: restriction.by, members: [...restriction.members] };
        const kinds = ofKinds && [...ofKinds];
        const runs = info ? chosenNames(restriction, info) : chosenRuns && [...chosenRuns];
        return {
          id,
          key,
          name,
          paths: [...paths],
          files,
          ensemble,
          hierarchy,
          answer,
          metric,
          over,
          chosen,
          ...(runs ? { chosenRuns: runs } : {}),
          window,
          kinds,
          before,
        };
      },
    );
    return { version: 1, recordings, closed: [...this.closed], current: this.currentId };
  }
}

/** The same for the same paths in any order, and short however many they are; paths hold no NUL. As runs of an ensemble they are another one. */
export function digestOf(paths: readonly string[], ensemble?: EnsembleOptions): string {
  const asRuns = ensemble ? ["", "ensemble", ensemble.pattern ?? ""] : [];
  return createHash("sha1")
    .update([...[...new Set(paths)].sort(), ...asRuns].join("\0"))
    .digest("base64url");
}

/** Of what a reopened recording gave, the data set that it was: the one with the same files, else of its name, else the first. */
export function matching(
  infos: readonly DataSetInfo[],
  { files, name, ensemble }: Pick<Recording, "files" | "name" | "ensemble">,
): DataSetInfo | undefined {
  return (
    infos.find((info) => digestOf(info.files, ensemble) === files) ??
    infos.find((info) => info.name === name) ??
    infos.at(0)
  );
}
