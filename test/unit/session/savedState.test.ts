import { describe, expect, it } from "vitest";
import { digestOf, matching, Recordings } from "../../../src/session/recordings";
import { emptySession, readSavedSession } from "../../../src/session/savedState";
import { dataSetInfo } from "./sampleInfo";

/** A recording of a state, with the key that it is given when it is read. */
function withKey(recording: object) {
  return { ...recording, key: expect.any(String) as string };
}

describe("the saved session", () => {
  it("brings back order, numbers, choices and what was current", () => {
    const recordings = new Recordings(emptySession);
    recordings.add(dataSetInfo({ id: 40, name: "a", files: ["/a"] }), { paths: ["/a"] });
    const b = dataSetInfo({ id: 41, name: "b", files: ["/b0", "/b1"] });
    const second = recordings.add(b, { paths: ["/b"], answer: "two runs" });
    recordings.change(second.id, {
      hierarchy: "callPaths",
      choice: { metric: "bytes", over: { rank: 2 }, chosen: { by: "thread", members: ["1.0", "2.0"] } },
    });
    recordings.setCurrent(second.id);
    const stored: unknown = JSON.parse(JSON.stringify(recordings.saved()));
    const restored = new Recordings(readSavedSession(stored));
    expect(restored.all).toMatchObject([
      { id: 1, name: "a", paths: ["/a"] },
      { id: 2, key: second.key, name: "b", paths: ["/b"], hierarchy: "callPaths", answer: "two runs" },
    ]);
    expect(restored.all.map(({ info }) => info)).toEqual([undefined, undefined]);
    expect(restored.get(2)?.choice).toEqual({
      metric: "bytes",
      over: { rank: 2 },
      chosen: { by: "thread", members: ["1.0", "2.0"] },
    });
    restored.change(1, { info: dataSetInfo({ id: 1 }) });
    expect(restored.current?.id).toBe(1); // the chosen one is not open yet
    restored.change(2, { info: dataSetInfo({ id: 2 }) });
    expect(restored.current?.id).toBe(2);
  });

  it("never gives a number twice, also after a reload", () => {
    const recordings = new Recordings(
      readSavedSession({ version: 1, recordings: [{ id: 7, name: "a", paths: ["/a"] }] }),
    );
    expect(recordings.add(dataSetInfo(), { paths: ["/b"] }).id).toBe(8);
  });

  it.each([
    undefined,
    null,
    7,
    "{}",
    [],
    { version: 2, recordings: [] },
    { version: 1 },
    { version: 1, recordings: [{ id: "1", name: "a", paths: ["/a"] }] },
    { version: 1, recordings: [{ id: 1, name: "a", paths: [] }] },
  ])("is empty where the state is not one: %j", (stored) => {
    expect(readSavedSession(stored)).toEqual(emptySession);
  });

  const recordings = [
    { id: 1, name: "a", paths: ["/a"] },
    { id: 2, name: "b", paths: ["/b"] },
  ];
  const whole = {
    version: 1,
    recordings,
    comparison: { baseline: 1, candidate: 2 },
    renamed: [["f", "g"]],
    current: 2,
  };

  it("keeps what it can of what else is kept beside the recordings", () => {
    expect(readSavedSession(whole)).toEqual({ ...whole, closed: [], recordings: recordings.map(withKey) });
  });

  it.each([7, null, "pairs", [["one"]], [["a", "b", "c"]], [["a", 5]], [null]])(
    "keeps recordings and comparison where the pairs of renamed functions cannot be read: %j",
    (renamed) => {
      expect(readSavedSession({ ...whole, renamed })).toMatchObject({ ...whole, renamed: [] });
    },
  );

  it.each([
    7,
    null,
    "pairs",
    {},
    { baseline: 1 },
    { baseline: "1", candidate: 2 },
    [1, 2],
    // One that compares a recording with itself, and those of recordings that are not there.
    { baseline: 1, candidate: 1 },
    { baseline: 1, candidate: 3 },
    { baseline: 0.5, candidate: 2 },
  ])(
    "keeps recordings and pairs, and compares nothing, where the comparison is not one of two of them: %j",
    (comparison) => {
      expect(readSavedSession({ ...whole, comparison })).toMatchObject({ ...whole, comparison: undefined });
    },
  );

  it.each(["closed", "current"])("keeps all else where %s cannot be read", (part) => {
    for (const value of [null, "?", { id: 1 }, [1]]) {
      const unread = { closed: [], current: undefined };
      expect(readSavedSession({ ...whole, [part]: value })).toMatchObject({
        ...whole,
        [part]: unread[part as "closed"],
      });
    }
  });

  it("keeps the first of two recordings with one number", () => {
    const recordings = [
      { id: 1, name: "a", paths: ["/a"] },
      { id: 1, name: "b", paths: ["/b"] },
    ];
    expect(readSavedSession({ version: 1, recordings }).recordings.map(({ name }) => name)).toEqual(["a"]);
  });
});

describe("the list of recordings", () => {
  it("finds a recording by its files in any order, an open one first", () => {
    const recordings = new Recordings(emptySession);
    const { id } = recordings.add(dataSetInfo({ files: ["/a", "/b"] }), { paths: ["/"] });
    expect(recordings.withFiles(["/b", "/a", "/b"])?.id).toBe(id);
    expect(recordings.withFiles(["/a"])).toBeUndefined();
    recordings.change(id, { info: undefined });
    expect(recordings.withFiles(["/a", "/b"])?.id).toBe(id);
    const { id: other } = recordings.add(dataSetInfo({ files: ["/b", "/a"] }), { paths: ["/"], readAtMs: 0 });
    expect(recordings.withFiles(["/a", "/b"])?.id).toBe(other);
  });

  it("shows the first that is open when the current one is closed", () => {
    const recordings = new Recordings(emptySession);
    const first = recordings.add(dataSetInfo({ files: ["/a"] }), { paths: ["/a"] });
    const second = recordings.add(dataSetInfo({ files: ["/b"] }), { paths: ["/b"] });
    recordings.setCurrent(second.id);
    recordings.remove(second.id);
    expect(recordings.current?.id).toBe(first.id);
    recordings.remove(first.id);
    expect(recordings.current).toBeUndefined();
  });

  it("opens the one that was shown first, and none that has failed", () => {
    const recordings = ["/a", "/b", "/c"].map((path, at) => ({ id: at + 1, name: path, paths: [path] }));
    const list = new Recordings(readSavedSession({ version: 1, recordings, current: 3 }));
    expect(list.waiting.map(({ id }) => id)).toEqual([3, 1, 2]);
    list.change(3, { info: dataSetInfo() });
    list.change(2, { reason: "it is gone" });
    expect(list.waiting.map(({ id }) => id)).toEqual([1]);
  });

  it("knows a reopened recording by its files, else by its name", () => {
    const [a, b] = [dataSetInfo({ name: "a", files: ["/a"] }), dataSetInfo({ name: "b", files: ["/b"] })];
    expect(matching([a, b], { name: "a", files: digestOf(["/b"]) })).toBe(b);
    expect(matching([a, b], { name: "b", files: digestOf(["/gone"]) })).toBe(b);
    expect(matching([a, b], { name: "c" })).toBe(a);
    expect(matching([], { name: "a" })).toBeUndefined();
  });
});
