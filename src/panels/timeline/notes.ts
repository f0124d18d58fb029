/** What people keep of a recording's timeline: bookmarks and pinned lanes, with the workspace, by the key of the data set. */
import * as v from "valibot";
import type * as vscode from "vscode";
import { name } from "../../protocol/bounds";
import { stretch } from "../../protocol/panel";

const STORED = "heatflow.timeline.notes";
/** The recordings that were noted longest ago are forgotten beyond so many. */
const MOST_RECORDINGS = 100;
/** A menu has no room for more. */
export const MOST_BOOKMARKS = 90;
const MOST_PINNED = 200;

const event = v.object({
  lane: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  event: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Tells whether the recording still has it there. */
  name,
});

const bookmark = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** Seconds; absent: the whole run. */
  window: v.optional(stretch),
  selected: v.optional(event),
});
export type Bookmark = v.InferOutput<typeof bookmark>;

const notes = v.object({
  key: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  bookmarks: v.pipe(v.array(bookmark), v.maxLength(MOST_BOOKMARKS)),
  /** Names of lanes, the first on top. */
  pinned: v.pipe(v.array(name), v.maxLength(MOST_PINNED)),
});
export type TimelineNotes = v.InferOutput<typeof notes>;

export class TimelineNotesStore {
  constructor(private readonly storage: Pick<vscode.Memento, "get" | "update">) {}

  /** Nothing where nothing was kept, or what is stored is no such thing. */
  of(key: string): TimelineNotes {
    for (const one of this.stored) {
      const parsed = v.safeParse(notes, one);
      if (parsed.success && parsed.output.key === key) return parsed.output;
    }
    return { key, bookmarks: [], pinned: [] };
  }

  /** The latest first; takes the place of the one of its name. */
  async addBookmark(key: string, added: Bookmark): Promise<void> {
    const { bookmarks } = this.of(key);
    const others = bookmarks.filter((one) => one.name !== added.name);
    await this.keep(key, { bookmarks: [added, ...others].slice(0, MOST_BOOKMARKS) });
  }

  async removeBookmark(key: string, removed: string): Promise<void> {
    await this.keep(key, { bookmarks: this.of(key).bookmarks.filter((one) => one.name !== removed) });
  }

  /** Pins a lane below those that are pinned, or takes the pin away. */
  async togglePin(key: string, lane: string): Promise<void> {
    const { pinned } = this.of(key);
    const others = pinned.filter((one) => one !== lane);
    const isPinned = others.length < pinned.length;
    await this.keep(key, { pinned: isPinned ? others : [...others, lane].slice(-MOST_PINNED) });
  }

  private async keep(key: string, changed: Partial<TimelineNotes>): Promise<void> {
    const others = this.stored.filter((one) => !v.is(v.object({ key: v.literal(key) }), one));
    await this.storage.update(STORED, [{ ...this.of(key), ...changed }, ...others].slice(0, MOST_RECORDINGS));
  }

  private get stored(): readonly unknown[] {
    const stored = this.storage.get<unknown>(STORED);
    return Array.isArray(stored) ? stored : [];
  }
}
