/** The list of recordings that a window has open: numbers, order, what is current. Pure. */
import type { DataSetInfo, Hierarchy } from "../engine/api";
import type { SavedRecording, SavedSession } from "./savedState";
import type { ScopeChoice } from "./scopes";

export interface Recording {
  /** Its number as long as it is open, whatever worker reads it. */
  readonly id: number;
  readonly name: string;
  /** Absolute paths that open it. */
  readonly paths: readonly string[];
  readonly hierarchy?: Hierarchy;
  /** What the user said the files are, where that was not clear. */
  readonly answer?: string;
  readonly choice: ScopeChoice;
  /** Set while it is open. */
  readonly info?: DataSetInfo;
  /** Why it is not open though it should be. */
  readonly reason?: string;
}

export class Recordings {
  private readonly byId = new Map<number, Recording>();
  private currentId: number | undefined;
  private lastId = 0;

  constructor(saved: SavedSession) {
    for (const recording of saved.recordings) {
      const { id, name, paths, hierarchy, answer, metric, over, chosen } = recording;
      this.byId.set(id, { id, name, paths, hierarchy, answer, choice: { metric, over, chosen } });
      this.lastId = Math.max(this.lastId, id);
    }
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

  /** Adds an opened recording under a number of its own. */
  add(info: DataSetInfo, how: Pick<Recording, "hierarchy" | "answer"> = {}): Recording {
    const id = ++this.lastId;
    const recording = { id, name: info.name, paths: info.files, ...how, choice: {}, info: { ...info, id } };
    this.byId.set(id, recording);
    return recording;
  }

  change(id: number, change: Partial<Omit<Recording, "id">>): void {
    const recording = this.byId.get(id);
    if (recording) this.byId.set(id, { ...recording, ...change });
  }

  remove(id: number): void {
    this.byId.delete(id);
    if (this.currentId === id) this.currentId = undefined;
  }

  /** The open recording that was read from exactly these files, in any order. */
  withFiles(paths: readonly string[]): Recording | undefined {
    const key = keyOf(paths);
    return this.all.find((recording) => recording.info && keyOf(recording.paths) === key);
  }

  saved(): SavedSession {
    const recordings = this.all.map(({ id, name, paths, hierarchy, answer, choice }): SavedRecording => {
      const { metric, over, chosen } = choice;
      return {
        id,
        name,
        paths: [...paths],
        hierarchy,
        answer,
        metric,
        over,
        chosen: chosen && { by: chosen.by, members: [...chosen.members] },
      };
    });
    return { version: 1, recordings, current: this.currentId };
  }
}

/** The same for the same paths in any order; paths hold no NUL. */
export function keyOf(paths: readonly string[]): string {
  return [...new Set(paths)].sort().join("\0");
}

/** Of what a reopened recording gave, the data set that it was: the one with the same files, else the first. */
export function matching(infos: readonly DataSetInfo[], paths: readonly string[]): DataSetInfo | undefined {
  const key = keyOf(paths);
  return infos.find((info) => keyOf(info.files) === key) ?? infos[0];
}
