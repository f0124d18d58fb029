import { expect, it } from "vitest";
import { CancelledError, ignoreCancelled, messageOf, RequestError } from "../../../src/model/errors";
import { counted, cutList, joined, shorten } from "../../../src/model/texts";

it("counts one in the singular, none and several in the plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
  expect(counted(2, "entry", "entries")).toBe("2 entries");
});

it("joins the parts that there are", () => {
  expect(joined(["shown", undefined, "", "mean over 8 ranks"], " · ")).toBe("shown · mean over 8 ranks");
});

it("cuts a list only where it is longer than there is room, and shows that", () => {
  expect([cutList("0-7", 3), cutList("0, 12", 3)]).toEqual(["0-7", "0,  …"]);
});

it("says what is wrong of whatever was thrown", () => {
  expect([messageOf(new RequestError("no such rank")), messageOf("gone")]).toEqual(["no such rank", "gone"]);
});

it("passes over what was cancelled, and over nothing else", () => {
  expect(ignoreCancelled(new CancelledError())).toBeUndefined();
  expect(() => ignoreCancelled(new RequestError("no such rank"))).toThrow("no such rank");
});

it("cuts long names in the middle, so that both ends still distinguish them", () => {
  expect(shorten("abcdefghij", 10)).toBe("abcdefghij");
  expect(shorten("abcdefghijk", 7)).toBe("abcd…jk");
  expect(shorten("x".repeat(1000), 100)).toHaveLength(100);
});
