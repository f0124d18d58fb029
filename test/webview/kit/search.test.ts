import { describe, expect, it } from "vitest";
import { Search } from "../../../webviews/kit/search";

const NOUNS = ["event", "events"] as const;

/** A search that goes to the first marks, where `count` are found in all. */
function searchOf(marks: number, count: number): Search {
  const search = new Search();
  search.text = "send";
  const places = Array.from({ length: marks }, (_, mark) => ({ mark, row: 0, x: 0, width: 1 }));
  search.look(() => ({ marks: new Set(), places, count }));
  return search;
}

describe("what a search says", () => {
  it("is how many there are, then which of them was gone to", () => {
    const search = searchOf(3, 3);
    expect(search.countText(NOUNS)).toBe("3 events");
    search.next(false);
    expect(search.countText(NOUNS)).toBe("1 of 3");
  });

  it("still has how many there are in all where only the nearest are gone to", () => {
    const search = searchOf(500, 8772);
    expect(search.countText(NOUNS)).toBe("8,772 events");
    search.next(true);
    expect(search.countText(NOUNS)).toBe("500 of 500 nearest, 8,772 in all");
    search.next(false);
    expect(search.countText(NOUNS)).toBe("1 of 500 nearest, 8,772 in all");
  });
});
