import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { howToWrite, readMembers } from "../../../src/model/memberInput";
import { memberRanges } from "../../../src/model/members";

const ranks = ["0", "1", "2", "3", "4", "5", "8"];
const threads = ["-.0", "0.0", "0.1", "0.2", "1.0", "1.1", "10.0"];

describe("lists of members", () => {
  it("are numbers and ranges, given back in the order of what there is", () => {
    expect(readMembers("4, 0-2,8", "rank", ranks)).toEqual({ members: ["0", "1", "2", "4", "8"] });
    expect(readMembers(" 3 - 4 ", "rank", ranks)).toEqual({ members: ["3", "4"] });
    expect(readMembers("*", "rank", ranks)).toEqual({ members: ranks });
  });

  it("are part by part where members have several", () => {
    expect(readMembers("0.1-2, 10.0", "thread", threads)).toEqual({ members: ["0.1", "0.2", "10.0"] });
    expect(readMembers("*.0", "thread", threads)).toEqual({ members: ["-.0", "0.0", "1.0", "10.0"] });
    expect(readMembers("-.0, 0-1.1", "thread", threads)).toEqual({ members: ["-.0", "0.1", "1.1"] });
    expect(readMembers("1.*", "thread", threads)).toEqual({ members: ["1.0", "1.1"] });
  });

  it("name what there is not", () => {
    expect(readMembers("0-8", "rank", ranks)).toEqual({ problem: "There is no rank 6." });
    expect(readMembers("0.0, 1.1-2", "thread", threads)).toEqual({ problem: "There is no thread 1.2." });
    expect(readMembers("7.*", "thread", threads)).toEqual({ problem: "There is no thread 7.*." });
    expect(readMembers("0-999999999", "rank", ranks).problem).toBe("There is no rank 0-999999999.");
  });

  it("say how they are to be written", () => {
    for (const wrong of ["", ",", "1,", "a", "4-2", "1.0", "1e3", "-1"])
      expect(readMembers(wrong, "rank", ranks).problem, wrong).toBe("Numbers and ranges of ranks, such as 0, 4-7.");
    expect(readMembers("3", "thread", threads).problem).toBe(
      "Write rank.thread, with ranges and * for any: 0.1, 2.0-3, *.1.",
    );
    expect(howToWrite("stream", 3)).toBe("Write rank.device.stream, with ranges and * for any: 0.0.1, 2.0.0-3, *.0.1.");
  });

  it("are read back as they are shown", () => {
    for (const known of [ranks, threads])
      fc.assert(
        fc.property(fc.subarray(known, { minLength: 1 }), (members) => {
          expect(readMembers(memberRanges(members), "thread", known)).toEqual({ members });
        }),
      );
  });
});
