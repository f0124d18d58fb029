import { describe, expect, it } from "vitest";
import { MOST_NAMED } from "../../../../src/panels/kit/recordingNotes";
import { TimelineNotesStore } from "../../../../src/panels/timeline/notes";
import { memoryStorage } from "../memoryStorage";

describe("what is kept of a timeline", () => {
  it("is of its recording, and there again in another window", async () => {
    const storage = memoryStorage();
    const notes = new TimelineNotesStore(storage);
    const selected = { lane: 3, event: 7, name: "solve" };
    await notes.addBookmark("a", { name: "first", window: { from: 1, to: 2 }, selected });
    await notes.addBookmark("a", { name: "all" });
    await notes.addBookmark("b", { name: "first" });
    await notes.togglePin("a", "rank 3");
    await notes.togglePin("a", "rank 0");
    const again = new TimelineNotesStore(storage);
    expect(again.of("a")).toEqual({
      key: "a",
      bookmarks: [{ name: "all" }, { name: "first", window: { from: 1, to: 2 }, selected }],
      pinned: ["rank 3", "rank 0"],
    });
    await again.addBookmark("a", { name: "first", window: { from: 3, to: 4 } });
    await again.removeBookmark("a", "all");
    await again.togglePin("a", "rank 3");
    expect(new TimelineNotesStore(storage).of("a")).toEqual({
      key: "a",
      bookmarks: [{ name: "first", window: { from: 3, to: 4 } }],
      pinned: ["rank 0"],
    });
    expect(notes.of("b").bookmarks).toEqual([{ name: "first" }]);
    expect(notes.of("c")).toEqual({ key: "c", bookmarks: [], pinned: [] });
  });

  it("is bounded, and what is stored and is no such thing is nothing", async () => {
    const notes = new TimelineNotesStore(memoryStorage());
    for (let at = 0; at <= MOST_NAMED; at++) await notes.addBookmark("a", { name: `n${at}` });
    expect(notes.of("a").bookmarks).toHaveLength(MOST_NAMED);
    expect(notes.of("a").bookmarks[0].name).toBe(`n${MOST_NAMED}`);
    for (const stored of [
      undefined,
      7,
      {},
      [null, { key: "a" }, { key: "a", bookmarks: [{ name: "" }], pinned: [] }],
    ]) {
      const storage = memoryStorage();
      await storage.update("heatflow.timeline.notes", stored ?? null);
      expect(new TimelineNotesStore(storage).of("a")).toEqual({ key: "a", bookmarks: [], pinned: [] });
    }
  });
});
