/** Members of a line: which are found, and which a restriction leaves. */
import { describe, expect, it, vi } from "vitest";
import { type AskedMembers, membersLeft } from "../../../src/panels/kit/memberLine";
import { chosenRanks } from "../../../src/model/members";
import { findMembers } from "../../../webviews/kit/members";

vi.mock("vscode", () => import("../fakeVsCode"));

it("are found by number, range, and what belongs to them", () => {
  const threads = ["0.1", "1.0", "2.0"];
  expect([...(findMembers(threads, "0, 2.0") ?? [])]).toEqual([0, 2]);
  expect([...(findMembers(["0", "1", "2", "10"], "1-2") ?? [])]).toEqual([1, 2]);
  expect(findMembers(threads, " ")).toBeUndefined();
});

describe("members that a restriction leaves", () => {
  const ranks: AskedMembers = {
    by: "rank",
    members: ["0", "1", "2", "3"],
    order: Int32Array.of(0, 1, 2, 3),
    hosts: new Int32Array(4),
  };
  const left = (...what: Parameters<typeof membersLeft>) => {
    const isLeft = membersLeft(...what);
    return isLeft && ranks.members.map((_, member) => isLeft(member));
  };

  it("are those of its own kind at once", () => {
    expect(left(ranks, chosenRanks([0, 3]))).toEqual([true, false, false, true]);
  });

  it("are ranks whose host is chosen, once that was asked for", () => {
    const hosts = { by: "host", members: ["1"] } as const;
    const answer = { ...ranks, chosen: Uint8Array.of(1, 0, 0, 1), within: hosts };
    expect(left(answer, hosts)).toEqual([true, false, false, true]);
    expect(left(answer, { by: "host", members: ["0"] })).toBeUndefined();
    expect(left(ranks, hosts)).toBeUndefined();
  });
});
