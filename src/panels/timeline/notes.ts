/** What people keep of a recording's timeline: bookmarks and pinned lanes. */
import * as v from "valibot";
import type * as vscode from "vscode";
import { list, name } from "../../protocol/bounds";
import { stretch } from "../../protocol/panel";
import { givenName, MOST_NAMED, recordingKey, RecordingNotes, withNamed, withoutNamed } from "../kit/recordingNotes";

const MOST_PINNED = 200;

const event = v.object({
  lane: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  event: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Tells whether the recording still has it there. */
  name,
});

const bookmark = v.object({
  name: givenName,
  /** Seconds; absent: the whole run. */
  window: v.optional(stretch),
  selected: v.optional(event),
});
export type Bookmark = v.InferOutput<typeof bookmark>;

const notes = v.object({
  key: recordingKey,
  bookmarks: list(bookmark, MOST_NAMED),
  /** Names of lanes, the first on top. */
  pinned: list(name, MOST_PINNED),
});
export type TimelineNotes = v.InferOutput<typeof notes>;

export class TimelineNotesStore {
  private readonly notes: RecordingNotes<TimelineNotes>;

  constructor(storage: Pick<vscode.Memento, "get" | "update">) {
    const none = (key: string) => ({ key, bookmarks: [], pinned: [] });
    this.notes = new RecordingNotes(storage, "heatflow.timeline.notes", notes, none);
  }

  /** Nothing where nothing was kept, or what is stored is no such thing. */
  of(key: string): TimelineNotes {
    return this.notes.of(key);
  }

  async addBookmark(key: string, added: Bookmark): Promise<void> {
    await this.notes.keep(key, { bookmarks: withNamed(this.of(key).bookmarks, added) });
  }

  async removeBookmark(key: string, removed: string): Promise<void> {
    await this.notes.keep(key, { bookmarks: withoutNamed(this.of(key).bookmarks, removed) });
  }

  /** Pins a lane below those that are pinned, or takes the pin away. */
  async togglePin(key: string, lane: string): Promise<void> {
    const { pinned } = this.of(key);
    const others = pinned.filter((one) => one !== lane);
    const isPinned = others.length < pinned.length;
    await this.notes.keep(key, { pinned: isPinned ? others : [...others, lane].slice(-MOST_PINNED) });
  }
}
